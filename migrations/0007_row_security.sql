-- The second wall between workspaces: row-level security.
--
-- The first is the builder of statements, which gives every one its workspace.
-- This one holds when a statement forgets it: the server's connections act as
-- roles that own nothing, and each names its workspace in the setting
-- kith.workspace before the statements of another one (store/db_workspace.c).
-- Without it, or with a wrong one, there are no rows.
--
--   kith_serve   requests: the rows of kith.workspace, nothing else
--   kith_system  clean-up, scheduler, command line: the rows of kith.workspace,
--                or with 'all' those of every workspace
--   kith_admit   admission: keys, users and the use of rate limits of all
--                workspaces, and no other table
--   kith_search  owns the views of schema kith_search, and only that: nobody
--                connects as it
--
-- The condition of kith_serve's policy is an equality that the planner merges
-- with the statement's own "workspace_id = $1": what remains of it is one
-- comparison a statement, not one a row, and the indexes are used as before.
--
-- Why views: conditions of the statement whose functions are not marked
-- leakproof (like, numeric and array comparison, lower()) are only tested on
-- rows that have passed a policy, so that no index can serve them; a filter on
-- a name then reads the whole workspace. The views hold the same condition
-- without being such a barrier. Lists read through them: their lane has the
-- schema in front of its search_path.

create function kith_roles() returns void language plpgsql as $$
declare
	needed constant name[] := array['kith_serve', 'kith_system', 'kith_admit', 'kith_search'];
	-- From 16 on, who makes a role is a member of it that may neither act as it nor use what it may do, and a role is
	-- granted with or without either.
	by_options constant boolean := current_setting('server_version_num')::int >= 160000;
	options constant text := case when by_options then ' with inherit true, set true' else '' end;
	role name;
begin
	foreach role in array needed loop
		-- Roles belong to the cluster: another database's migration may be making them right now.
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

-- Puts a table with a workspace_id behind the wall. What is so already is not touched.
create function kith_protect(target regclass) returns void language plpgsql as $$
declare
	t pg_class;
begin
	select * into strict t from pg_class where oid = target;
	if not (t.relrowsecurity and t.relforcerowsecurity) then
		execute format('alter table %s enable row level security', target);
		execute format('alter table %s force row level security', target);
	end if;
	if not exists (select from pg_policy where polrelid = target and polname = 'kith_serve') then
		execute format('create policy kith_serve on %s to kith_serve using '
			'(workspace_id = current_setting(''kith.workspace'', true)::uuid)', target);
		-- As text: 'all' is no uuid, and the planner evaluates what it can beforehand.
		execute format('create policy kith_system on %s to kith_system using '
			'(current_setting(''kith.workspace'', true) in (''all'', workspace_id::text))', target);
		execute format('create policy kith_search on %s for select to kith_search using (true)', target);
	end if;
	if not has_table_privilege('kith_serve', target, 'select') then
		execute format('grant select, insert, update, delete on %s to kith_serve, kith_system', target);
		execute format('grant select on %s to kith_search', target);
	end if;
	if t.relkind in ('r', 'p') and not t.relispartition and to_regclass(format('kith_search.%I', t.relname)) is null then
		execute format('create view kith_search.%I as select * from %s '
			'where workspace_id = current_setting(''kith.workspace'', true)::uuid', t.relname, target);
		execute format('alter view kith_search.%I owner to kith_search', t.relname);
		execute format('grant select on kith_search.%I to kith_serve, kith_system', t.relname);
	end if;
end
$$;

-- What admission works with. Its policy is free, as each request pays for it.
create function kith_protect_admission() returns void language plpgsql as $$
declare
	target text;
begin
	foreach target in array array['workspaces', 'users', 'api_keys', 'rate_usage'] loop
		if not exists (select from pg_policy where polrelid = target::regclass and polname = 'kith_admit') then
			execute format('create policy kith_admit on %I to kith_admit using (true)', target);
		end if;
		if not has_table_privilege('kith_admit', target, 'select') then
			execute format('grant select on %I to kith_admit', target);
		end if;
	end loop;
	if not has_table_privilege('kith_admit', 'rate_usage', 'insert') then
		grant insert, update on rate_usage to kith_admit;
	end if;
end
$$;

-- Protects every table of this schema. The program calls it at the end of each
-- migration from this one on, and whenever it is told to migrate: a database
-- restored into another cluster finds its roles again.
create function kith_secure() returns void language plpgsql as $$
declare
	t record;
begin
	perform kith_roles();
	if to_regnamespace('kith_search') is null then
		create schema kith_search;
		grant create, usage on schema kith_search to kith_search;
		grant usage on schema kith_search to kith_serve, kith_system;
	end if;
	execute format('grant usage on schema %I to kith_serve, kith_system, kith_admit, kith_search', current_schema());
	for t in
		select c.oid::regclass as target, exists (select from pg_attribute a where a.attrelid = c.oid
			and a.attname = 'workspace_id' and not a.attisdropped) as owned
		from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
		order by c.oid
	loop
		if t.owned then
			perform kith_protect(t.target);
		elsif not has_table_privilege('kith_serve', t.target, 'select') then
			-- What belongs to the installation is read by the server, and written by nobody but the owner.
			execute format('grant select on %s to kith_serve, kith_system', t.target);
		end if;
	end loop;
	perform kith_protect_admission();
	for t in select c.oid::regclass as target from pg_class c
		where c.relnamespace = current_schema()::regnamespace
			and case when c.relkind = 'S' then not has_sequence_privilege('kith_serve', c.oid, 'usage') end
	loop
		execute format('grant usage, select on sequence %s to kith_serve, kith_system', t.target);
	end loop;
end
$$;
