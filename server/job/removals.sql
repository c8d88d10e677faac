-- The oldest removal of the next workspace that no other process works on; see removals.c. Its
-- lock ends with the transaction.
--   kind: 0 a group, 1 an object type, 2 a custom field, 3 options of one, 4 a contact
--   current: the workspace to stay with, or nothing; after: the workspace of the last run

-- Nothing that psql runs stays: the transaction is not committed.
\set AUTOCOMMIT off

-- [next] current, after
select kind, workspace_id, id, group_id, entity, options
from (
	select *
	from (
		select 0 as kind, workspace_id, id, id as group_id, 0 as entity, '{}'::uuid[] as options, removed_at as at
		from groups
		where removed_at is not null
		union all
		select 1, workspace_id, id, group_id, 2, '{}', removed_at
		from object_types
		where removed_at is not null
		union all
		select 2, workspace_id, id, group_id, array_position(array['person', 'company', 'object'], entity) - 1, '{}',
			removed_at
		from custom_fields
		where removed_at is not null
		union all
		select 3, workspace_id, id, group_id, array_position(array['person', 'company', 'object'], entity) - 1,
			array(select (o ->> 'id')::uuid from json_array_elements(options) o where o ->> 'removed' is not null),
			options_removed_at
		from custom_fields
		where options_removed_at is not null and removed_at is null
		union all
		select 4, workspace_id, id, id, (kind = 'company')::int, '{}', deleted_at
		from contacts_gone
	) u
	where exists (select from workspaces w
		where w.workspace_id = u.workspace_id and kith_at_home(w.moving, w.held_until))
	order by workspace_id = :'current' desc nulls last, workspace_id > :'after' desc, workspace_id, at
	limit 16
) r
where pg_try_advisory_xact_lock(hashtextextended('removal ' || kind || id, 0))
limit 1;
