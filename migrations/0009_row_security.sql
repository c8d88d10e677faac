-- The second wall between workspaces: row-level security.
--
-- The first wall is the builder of statements, which gives each one its workspace. This one holds when a statement forgets
-- it: the server's connections act as roles that own nothing, and each sets its workspace in the setting kith.workspace
-- before the statements of another one (store/db_workspace.c). Without it, or with a wrong one, there are no rows.
--
--   kith_serve   requests: the rows of kith.workspace, nothing else
--   kith_system  clean-up, scheduler, command line: the rows of kith.workspace,
--                or with 'all' those of every workspace
--   kith_admit   admission: keys, users and the use of rate limits of all
--                workspaces, and no other table
--   kith_search  owns the views of schema kith_search, and only that: nobody
--                connects as it
--
-- Not forced upon the tables' owner: no serving connection acts as the owner, who has to see all rows, to dump and migrate
-- them.
--
-- The condition of kith_serve's policy is an equality that the planner merges with the statement's own "workspace_id =
-- $1": what remains is one comparison per statement, not per row, and indexes are used as without it.
--
-- Why views: conditions whose functions are not marked leakproof (like, numeric and array comparison, lower()) are only
-- tested on rows that have passed a policy, so that no index can serve them; a filter on a name would read the whole
-- workspace. The views have the same condition without being such a barrier. Lists read through them: their lane has the
-- schema first in its search_path.
--
-- Why they hide the workspace from the planner, in a sub-select: statistics know nothing of rows imported since the last
-- ANALYZE, which autovacuum runs when a tenth of a table has changed. The planner expects no such rows, finds every index
-- and join order equally good, and a page of a new workspace beside a large one took hundreds of times as long as after
-- ANALYZE (1.6 million blocks instead of 400). So no list's statement tells the planner its workspace, type or field
-- (sql_average_list()), nor do the views, and the number of distinct values is declared to be one. The planner then takes
-- every list to be as long as the longest; for short ones any plan is fast.
--
-- kith_secure() creates all of this. The program calls it at the end of each migration from this one on, and whenever it is
-- told to migrate. What exists is left alone, and each missing thing is created separately: in a database restored from a
-- dump, in a cluster without the roles, policies, grants and ownerships that name them are missing. The views are dropped
-- before each migration, as they would prevent changes to their tables.

create function kith_roles() returns void language plpgsql as $$
declare
	needed constant name[] := array['kith_serve', 'kith_system', 'kith_admit', 'kith_search'];
	-- From 16 on, the creator of a role is a member of it, but may neither act as it nor inherit its rights; these are
	-- options of the grant.
	by_options constant boolean := current_setting('server_version_num')::int >= 160000;
	options constant text := case when by_options then ' with inherit true, set true' else '' end;
	role name;
begin
	foreach role in array needed loop
		-- Roles belong to the cluster: another database's migration may create them at the same time.
		begin
			if not exists (select from pg_roles where rolname = role) then
				execute format('create role %I nologin', role);
			end if;
		exception when sqlstate '23505' or duplicate_object then
			null;
		end;
		begin
			if not pg_has_role(current_user, role, case when by_options then 'set' else 'member' end)
				or (by_options and not pg_has_role(current_user, role, 'usage'))
			then
				execute format('grant %I to %I%s', role, current_user, options);
			end if;
		exception when sqlstate '23505' then
			null;
		end;
	end loop;
exception when insufficient_privilege then
	raise insufficient_privilege using message = format('an administrator has to run: %sgrant %s to %I%s',
		(select coalesce(string_agg(format('create role %I; ', r), '' order by n), '')
			from unnest(needed) with ordinality as t(r, n)
			where not exists (select from pg_roles where rolname = r)),
		array_to_string(needed, ', '), current_user, options);
end
$$;

-- The roles' rights beyond the rule for tables (kith_protect(), kith_secure()). Listed here instead of granted in a
-- migration, because grants to a role are lost in a dump restored without it. Functions listed are closed to everybody
-- else.
create table kith_grants (
	object text not null,
	privilege text not null,
	role name not null,
	primary key (object, privilege, role)
);
insert into kith_grants values
	('table workspaces', 'select', 'kith_admit'),
	('table users', 'select', 'kith_admit'),
	('table api_keys', 'select', 'kith_admit'),
	('table rate_usage', 'select', 'kith_admit'),
	('table rate_usage', 'insert', 'kith_admit'),
	('table rate_usage', 'update', 'kith_admit'),
	('table event_generation', 'select', 'kith_admit'),
	('function kith_join(bigint, bigint)', 'execute', 'kith_serve'),
	('function kith_join(bigint, bigint)', 'execute', 'kith_system'),
	('function kith_join(bigint, bigint)', 'execute', 'kith_admit'),
	('function kith_settle()', 'execute', 'kith_system'),
	('function kith_vault(bytea)', 'execute', 'kith_system'),
	('function kith_merge_pending()', 'execute', 'kith_system'),
	('function kith_partitions(date)', 'execute', 'kith_system'),
	('function kith_partitions_drop(timestamptz, int)', 'execute', 'kith_system'),
	('table dispatcher_term', 'update', 'kith_system'),
	('table delivery_sweep', 'update', 'kith_system');

-- Grants what is missing: every grant writes to the catalogue. What everybody may do does not count.
create function kith_grant(object text, privilege text, role name) returns void language plpgsql as $$
declare
	kind constant text := split_part(object, ' ', 1);
	name constant text := substr(object, length(kind) + 2);
	acl aclitem[];
begin
	case kind
	when 'table', 'sequence' then select c.relacl into strict acl from pg_class c where c.oid = name::regclass;
	when 'schema' then select n.nspacl into strict acl from pg_namespace n where n.oid = name::regnamespace;
	when 'function' then
		if has_function_privilege('public', name, privilege) then
			execute format('revoke %s on %s from public', privilege, object);
		end if;
		select p.proacl into strict acl from pg_proc p where p.oid = name::regprocedure;
	end case;
	if not exists (select from aclexplode(acl) a where a.grantee = role::regrole and lower(a.privilege_type) = privilege) then
		execute format('grant %s on %s to %I', privilege, object, role);
	end if;
end
$$;

create function kith_policy(target regclass, name name, condition text, command text default 'all') returns void
language plpgsql as $$
begin
	if not exists (select from pg_policy p where p.polrelid = target and p.polname = kith_policy.name) then
		execute format('create policy %I on %s for %s to %I using (%s)', name, target, command, name, condition);
	end if;
end
$$;

-- Puts a table with a workspace_id behind row-level security, with its view.
create function kith_protect(target regclass) returns void language plpgsql as $$
declare
	t pg_class;
	view_name text;
	column_name name;
begin
	select * into strict t from pg_class where oid = target;
	if not t.relrowsecurity then
		execute format('alter table %s enable row level security', target);
	end if;
	perform kith_policy(target, 'kith_serve', 'workspace_id = current_setting(''kith.workspace'', true)::uuid');
	-- As text: 'all' is not a uuid, and the planner evaluates what it can beforehand.
	perform kith_policy(target, 'kith_system', 'current_setting(''kith.workspace'', true) in (''all'', workspace_id::text)');
	perform kith_policy(target, 'kith_search', 'true', 'select');
	perform kith_grant('table ' || target, p, r)
	from unnest(array['select', 'insert', 'update', 'delete']) p, unnest(array['kith_serve', 'kith_system']) r;
	perform kith_grant('table ' || target, 'select', 'kith_search');
	if t.relkind not in ('r', 'p') or t.relispartition then
		return;
	end if;
	view_name := format('kith_search.%I', t.relname);
	if exists (select from pg_class v where v.oid = to_regclass(view_name) and v.relowner <> 'kith_search'::regrole) then
		execute format('drop view %s', view_name);
	end if;
	if to_regclass(view_name) is null then
		execute format('create view %s as select * from %s '
			'where workspace_id = (select current_setting(''kith.workspace'', true)::uuid)', view_name, target);
		execute format('alter view %s owner to kith_search', view_name);
	end if;
	perform kith_grant('table ' || view_name, 'select', 'kith_serve');
	perform kith_grant('table ' || view_name, 'select', 'kith_system');
	for column_name in select a.attname from pg_attribute a where a.attrelid = target and t.relkind = 'r' and a.attoptions is null
		and not a.attisdropped and a.attname in ('workspace_id', 'type_id', 'field_id')
	loop
		-- Of a type are fewer: else its index would seem no better than the key, which has the same order and is smaller.
		execute format('alter table %s alter column %I set (n_distinct = %s)', target, column_name,
			case column_name when 'type_id' then 4 else 1 end);
		-- So that it takes effect now, not at the next ANALYZE.
		execute format('analyze %s (%I)', target, column_name);
	end loop;
end
$$;

-- Protects every table of this schema.
create function kith_secure() returns void language plpgsql as $$
declare
	here constant text := format('schema %I', current_schema());
	t record;
begin
	perform kith_roles();
	if to_regnamespace('kith_search') is null then
		create schema kith_search;
	end if;
	perform kith_grant(here, 'usage', r) from unnest(array['kith_serve', 'kith_system', 'kith_admit', 'kith_search']) r;
	perform kith_grant('schema kith_search', 'create', 'kith_search');
	perform kith_grant('schema kith_search', 'usage', r) from unnest(array['kith_serve', 'kith_system', 'kith_search']) r;
	for t in
		select c.oid::regclass as target, c.relkind, exists (select from pg_attribute a where a.attrelid = c.oid
			and a.attname = 'workspace_id' and not a.attisdropped) as owned
		from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
		order by c.oid
	loop
		if t.relkind = 'S' then
			perform kith_grant('sequence ' || t.target, p, r)
			from unnest(array['usage', 'select']) p, unnest(array['kith_serve', 'kith_system']) r;
		elsif t.owned then
			perform kith_protect(t.target);
		else
			-- Tables of the installation are read by the server and written by the owner only.
			perform kith_grant('table ' || t.target, 'select', 'kith_serve');
			perform kith_grant('table ' || t.target, 'select', 'kith_system');
		end if;
	end loop;
	-- The tables of admission. Their policy is trivial, as each request pays for it.
	perform kith_policy(c, 'kith_admit', 'true')
	from unnest(array['workspaces', 'users', 'api_keys', 'rate_usage']::regclass[]) c;
	perform kith_grant(g.object, g.privilege, g.role) from kith_grants g;
end
$$;
