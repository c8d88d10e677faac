-- Groups, object types, custom fields and options that many records hold are marked when they are deleted: from then
-- on nobody sees them, their names are free, and a job takes them out of the records.

alter table groups add removed_at timestamptz;
alter table object_types add removed_at timestamptz;
-- Removed options stay in "options", marked, while values hold them; this says that there are some.
alter table custom_fields add removed_at timestamptz, add options_removed_at timestamptz;

drop index object_types_name;
create unique index object_types_name on object_types (workspace_id, group_id, text_digest(name)) where removed_at is null;
drop index custom_fields_name;
create unique index custom_fields_name on custom_fields (workspace_id, group_id, entity, coalesce(type_id, workspace_id), text_digest(name)) where removed_at is null;

-- What the job looks at every second.
create index groups_removed on groups (removed_at) where removed_at is not null;
create index object_types_removed on object_types (removed_at) where removed_at is not null;
create index custom_fields_removed on custom_fields (removed_at) where removed_at is not null;
create index custom_fields_options_removed on custom_fields (options_removed_at) where options_removed_at is not null;

-- People and companies that many records refer to: their rows are gone, the job takes the references.
create table contacts_gone (
	workspace_id uuid not null,
	id uuid not null,
	kind text not null check (kind in ('person', 'company')),
	deleted_at timestamptz not null default clock_timestamp(),
	primary key (workspace_id, id)
);
create index contacts_gone_deleted on contacts_gone (deleted_at);
-- So links outlive what they lead to. Who writes one has seen it in the same transaction, and deletes go alone.
alter table person_companies drop constraint person_companies_workspace_id_company_id_fkey;
alter table object_companies drop constraint object_companies_workspace_id_company_id_fkey;
alter table object_people drop constraint object_people_workspace_id_person_id_fkey;

-- Made anew at the end of this migration, with the new columns (0007).
drop view if exists kith_search.groups;
drop view if exists kith_search.object_types;
drop view if exists kith_search.custom_fields;

-- What each update paid for and nothing needs.

-- A record's own values are found by field, which its json names; a group's objects by their types.
drop index field_values_owner;
drop index objects_group;

-- A number for a set of ids, whatever their order; 0 for none. Without a query within, it takes a tenth of the time, and
-- each update of a row asks for it twice. Sets that have a number in common are told apart by the rows.
create or replace function kith_set(ids uuid[]) returns int8 language plpgsql immutable strict parallel safe as $$
declare
	number int8 := 0;
	id uuid;
begin
	if cardinality(ids) = 0 then
		return 0;
	end if;
	foreach id in array ids loop
		number := number # uuid_hash_extended(id, 0);
	end loop;
	return number;
end
$$;
reindex index people_group_set;
reindex index people_company_set;
reindex index companies_group_set;
reindex index objects_company_set;
reindex index objects_people_set;
