-- Plans that do not depend on what statistics know of a workspace.
--
-- Of rows that were imported since the last ANALYZE, which autovacuum makes when a tenth of a table has changed,
-- statistics know nothing: they count as none, every index and every order of joins as equally good, and a page of a new
-- workspace beside a large one took hundreds of times as long as later (1.6 million blocks in place of 400). So no
-- statement of a list tells the planner of which workspace, type or field it is (sql_average_list()): these views
-- do not either, and how many workspaces there are is said to be one. The planner then takes every list to be as long as
-- the longest one; where it is short, nothing takes long.

-- As in 0023 but for the view's condition, a sub-select, and for the last part.
create or replace function kith_protect(target regclass) returns void language plpgsql as $$
declare
	t pg_class;
	view_name text;
	right_name text;
	column_name name;
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
			'where workspace_id = (select current_setting(''kith.workspace'', true)::uuid)', view_name, target);
		execute format('alter view %s owner to kith_search', view_name);
	end if;
	perform kith_grant('table ' || view_name, 'select', 'kith_serve');
	perform kith_grant('table ' || view_name, 'select', 'kith_system');
	for column_name in select a.attname from pg_attribute a where a.attrelid = target and t.relkind = 'r' and a.attoptions is null
		and not a.attisdropped and a.attname in ('workspace_id', 'type_id', 'field_id')
	loop
		execute format('alter table %s alter column %I set (n_distinct = 1)', target, column_name);
		-- From now on, and not from the next time on.
		execute format('analyze %s (%I)', target, column_name);
	end loop;
end
$$;
