-- PostgreSQL 15.20 stores options of its own with each column (pg_attver). kith_protect() of level 9 took any option for the
-- number of distinct values. So databases created there lacked that number, and lists of a new object type read the whole
-- workspace. Only the last condition is new; kith_secure() applies it to all tables after this migration.

-- Puts a table with a workspace_id behind row-level security, with its view.
create or replace function kith_protect(target regclass) returns void language plpgsql as $$
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
	-- Compared as text: 'all' is not a uuid, and the planner evaluates constants beforehand.
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
	for column_name in select a.attname from pg_attribute a where a.attrelid = target and t.relkind = 'r'
		and not a.attisdropped and a.attname in ('workspace_id', 'type_id', 'field_id')
		and not exists (select from unnest(a.attoptions) o where o like 'n_distinct=%')
	loop
		-- A type has fewer rows than its workspace. Otherwise its index would seem no better than the primary key, which has the
		-- same order and is smaller.
		execute format('alter table %s alter column %I set (n_distinct = %s)', target, column_name,
			case column_name when 'type_id' then 4 else 1 end);
		-- ANALYZE, so that the number takes effect now.
		execute format('analyze %s (%I)', target, column_name);
	end loop;
end
$$;
