-- A database that comes out of a dump, in a cluster without the roles: policies, rights and owners that name them were
-- not restored. kith_secure() makes all of it again, each thing for itself, whatever is there already. And the login can
-- dump what it owns: with row security forced, pg_dump stopped in the middle.

-- What the roles may do beyond the rule for tables: here, and not by grant in a migration, as rights that name a role
-- come out of no dump that is restored without it. Functions that are listed are closed to everybody else.
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
	('table dispatcher_term', 'update', 'kith_system'),
	('function kith_partitions(date)', 'execute', 'kith_system'),
	('function kith_partitions_drop(timestamptz)', 'execute', 'kith_system'),
	('function kith_vault(bytea)', 'execute', 'kith_system'),
	('function kith_join()', 'execute', 'kith_serve'),
	('function kith_join()', 'execute', 'kith_system'),
	('function kith_join()', 'execute', 'kith_admit'),
	('function kith_settle()', 'execute', 'kith_system');

-- Gives what is missing: a grant writes to the catalogue each time. What everybody may do does not count.
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

-- Puts a table with a workspace_id behind the wall. Not forced upon its owner: nobody who serves acts as the login that
-- owns the tables, and it has to see all rows, to dump them and to migrate them.
create or replace function kith_protect(target regclass) returns void language plpgsql as $$
declare
	t pg_class;
	view_name text;
	right_name text;
begin
	select * into strict t from pg_class where oid = target;
	if not t.relrowsecurity then
		execute format('alter table %s enable row level security', target);
	end if;
	if t.relforcerowsecurity then
		execute format('alter table %s no force row level security', target);
	end if;
	perform kith_policy(target, 'kith_serve', 'workspace_id = current_setting(''kith.workspace'', true)::uuid');
	-- As text: 'all' is no uuid, and the planner evaluates what it can beforehand.
	perform kith_policy(target, 'kith_system', 'current_setting(''kith.workspace'', true) in (''all'', workspace_id::text)');
	perform kith_policy(target, 'kith_search', 'true', 'select');
	foreach right_name in array array['select', 'insert', 'update', 'delete'] loop
		perform kith_grant('table ' || target, right_name, 'kith_serve');
		perform kith_grant('table ' || target, right_name, 'kith_system');
	end loop;
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
			'where workspace_id = current_setting(''kith.workspace'', true)::uuid', view_name, target);
		execute format('alter view %s owner to kith_search', view_name);
	end if;
	perform kith_grant('table ' || view_name, 'select', 'kith_serve');
	perform kith_grant('table ' || view_name, 'select', 'kith_system');
end
$$;

-- What admission works with. Its policy is free, as each request pays for it.
create or replace function kith_protect_admission() returns void language plpgsql as $$
declare
	target text;
begin
	foreach target in array array['workspaces', 'users', 'api_keys', 'rate_usage'] loop
		perform kith_policy(target::regclass, 'kith_admit', 'true');
	end loop;
end
$$;

create or replace function kith_secure() returns void language plpgsql as $$
declare
	here constant text := format('schema %I', current_schema());
	role name;
	t record;
begin
	perform kith_roles();
	if to_regnamespace('kith_search') is null then
		create schema kith_search;
	end if;
	foreach role in array array['kith_serve', 'kith_system', 'kith_admit', 'kith_search'] loop
		perform kith_grant(here, 'usage', role);
	end loop;
	perform kith_grant('schema kith_search', 'create', 'kith_search');
	foreach role in array array['kith_serve', 'kith_system', 'kith_search'] loop
		perform kith_grant('schema kith_search', 'usage', role);
	end loop;
	for t in
		select c.oid::regclass as target, c.relkind, exists (select from pg_attribute a where a.attrelid = c.oid
			and a.attname = 'workspace_id' and not a.attisdropped) as owned
		from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
		order by c.oid
	loop
		if t.relkind = 'S' then
			foreach role in array array['kith_serve', 'kith_system'] loop
				perform kith_grant('sequence ' || t.target, 'usage', role);
				perform kith_grant('sequence ' || t.target, 'select', role);
			end loop;
		elsif t.owned then
			perform kith_protect(t.target);
		else
			-- What belongs to the installation is read by the server, and written by nobody but the owner.
			perform kith_grant('table ' || t.target, 'select', 'kith_serve');
			perform kith_grant('table ' || t.target, 'select', 'kith_system');
		end if;
	end loop;
	perform kith_protect_admission();
	perform kith_grant(g.object, g.privilege, g.role) from kith_grants g;
end
$$;

-- always: also when the kept one is of this server; behind a generation that some row names.
drop function kith_begin_generation(boolean);
create function kith_begin_generation(behind bigint default null) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events in share row exclusive mode;
	insert into event_generation as g (generation, system_identifier, timeline, started_at)
	select greatest(extract(epoch from clock_timestamp())::bigint, behind + 1), s.* from kith_server() s
	on conflict (only_row) do update set generation = greatest(g.generation + 1, excluded.generation),
		system_identifier = excluded.system_identifier, timeline = excluded.timeline, started_at = excluded.started_at
	where behind is not null or (g.system_identifier, g.timeline, g.started_at)
		is distinct from (excluded.system_identifier, excluded.timeline, excluded.started_at);
end
$$;
revoke execute on function kith_begin_generation from public;

-- Asked at each start and by each migrate: rows may also have come by hand, from a database with numbers that this one
-- has yet to reach. Then a generation begins behind all of them.
create function kith_settle() returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
	last bigint;
begin
	perform kith_join();
	select max(p.generation) into last from (
		(select e.generation, e.xid from events e order by e.generation desc, e.xid desc limit 1)
		union all
		(select w.position_generation, w.position_xid from webhooks w
			order by w.position_generation desc, w.position_xid desc limit 1)
	) as p (generation, xid)
	where (p.generation, p.xid) > (kith_generation(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint);
	if last is not null then
		perform kith_begin_generation(last);
	end if;
end
$$;
