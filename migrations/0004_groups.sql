-- Groups with their members, and what belongs to them: custom fields, object types, and objects.
--
-- When groups, types, fields and options that many records hold are deleted, they are only marked (removed_at): they are
-- hidden from everybody, their names are free, and a job removes them from the records. The job reads the indexes of
-- marked rows every second.

create table groups (
	workspace_id uuid not null references workspaces,
	id uuid not null,
	name text not null,
	visibility text not null check (visibility in ('public', 'private')),
	created_at timestamptz not null default now(),
	created_by uuid not null,
	removed_at timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, created_by) references users
);
create index groups_removed on groups (removed_at) where removed_at is not null;

create table group_members (
	workspace_id uuid not null,
	group_id uuid not null,
	user_id uuid not null,
	role text not null check (role in ('admin', 'contributor', 'reader')),
	primary key (workspace_id, group_id, user_id),
	foreign key (workspace_id, group_id) references groups on delete cascade,
	foreign key (workspace_id, user_id) references users
);

-- Deleted private groups: only their last members (and admins) may see their events.
create table groups_gone (
	workspace_id uuid not null,
	id uuid not null,
	user_ids uuid[] not null,
	deleted_at timestamptz not null default clock_timestamp(),
	primary key (workspace_id, id)
);

create table object_types (
	workspace_id uuid not null,
	id uuid not null,
	group_id uuid not null,
	name text not null,
	created_at timestamptz not null,
	removed_at timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, group_id) references groups on delete cascade
);
create unique index object_types_name on object_types (workspace_id, group_id, text_digest(name)) where removed_at is null;
create index object_types_removed on object_types (removed_at) where removed_at is not null;

create table custom_fields (
	workspace_id uuid not null,
	id uuid not null,
	group_id uuid not null,
	-- null for people and companies
	type_id uuid,
	entity text not null check (entity in ('person', 'company', 'object')),
	name text not null,
	type text not null,
	-- [{id, label, color}] in the order shown; removed ones stay, marked, while values hold them
	options json not null default '[]',
	format text not null default 'default',
	decimals int,
	currency text,
	removed_at timestamptz,
	-- there are removed options
	options_removed_at timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, group_id) references groups on delete cascade,
	foreign key (workspace_id, type_id) references object_types on delete cascade,
	check ((entity = 'object') = (type_id is not null))
);
create unique index custom_fields_name on custom_fields (workspace_id, group_id, entity, coalesce(type_id, workspace_id), text_digest(name)) where removed_at is null;
create index custom_fields_removed on custom_fields (removed_at) where removed_at is not null;
create index custom_fields_options_removed on custom_fields (options_removed_at) where options_removed_at is not null;

-- A row has everything a read needs, as for people and companies (0005). A group's objects are found by its types.
create table objects (
	workspace_id uuid not null,
	id uuid not null,
	group_id uuid not null,
	type_id uuid not null,
	name text not null default '',
	company_ids uuid[] not null default '{}',
	person_ids uuid[] not null default '{}',
	custom_values json,
	created_at timestamptz not null,
	created_by uuid not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id),
	foreign key (workspace_id, type_id) references object_types
) with (fillfactor = 80);
create index objects_type on objects (workspace_id, type_id, id);
-- Upserts look for names while they hold locks. By their hash, as they may be longer than an index entry.
create index objects_name on objects (workspace_id, type_id, hashtextextended(name, 0), id);
create index objects_created_by on objects (workspace_id, type_id, created_by, id);
create index objects_names_search on objects using gin
	(workspace_id, type_id, kith_search_text(array[name]) gin_trgm_ops) with (gin_pending_list_limit = 16384);

-- Links outlive the contacts they refer to (contacts_gone). Whatever inserts one has seen the contact in the same
-- transaction, and deletes run exclusively.
create table object_people (
	workspace_id uuid not null,
	person_id uuid not null,
	object_id uuid not null,
	primary key (workspace_id, person_id, object_id),
	foreign key (workspace_id, object_id) references objects on delete cascade
);
create index object_people_object on object_people (workspace_id, object_id);

create table object_companies (
	workspace_id uuid not null,
	company_id uuid not null,
	object_id uuid not null,
	primary key (workspace_id, company_id, object_id),
	foreign key (workspace_id, object_id) references objects on delete cascade
);
create index object_companies_object on object_companies (workspace_id, object_id);

-- The order of lists by updatedAt, maintained by triggers (see people_updates in 0005).
create table objects_updates (
	workspace_id uuid not null,
	type_id uuid not null,
	updated_at timestamptz not null,
	id uuid not null,
	primary key (workspace_id, type_id, updated_at, id)
);

create function objects_order() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into objects_updates (workspace_id, type_id, updated_at, id)
		values (new.workspace_id, new.type_id, new.updated_at, new.id);
	elsif tg_op = 'UPDATE' then
		update objects_updates u set updated_at = new.updated_at
		where u.workspace_id = old.workspace_id and u.type_id = old.type_id and u.updated_at = old.updated_at
			and u.id = old.id;
	else
		delete from objects_updates u
		where u.workspace_id = old.workspace_id and u.type_id = old.type_id and u.updated_at = old.updated_at
			and u.id = old.id;
	end if;
	return null;
end
$$;

create trigger objects_order after insert or delete on objects for each row execute function objects_order();
create trigger objects_reorder after update of updated_at on objects
	for each row when (old.updated_at <> new.updated_at) execute function objects_order();

-- The values in the json of people, companies and objects again, one row each (one for each item of a list), so that
-- filters can use an index and references to a deleted record can be found. A record's own values are found by the
-- fields named in its json.
create table field_values (
	workspace_id uuid not null,
	field_id uuid not null,
	owner_id uuid not null,
	text_value text,
	number_value numeric,
	date_value date,
	-- an option, contact, user or object
	ref_id uuid
);
-- Logical replication of all tables, used to move a database to another major version, refuses to update rows without an
-- identity. With "full" the whole row identifies itself; this costs nothing otherwise.
alter table field_values replica identity full;
create index field_values_ref on field_values (workspace_id, ref_id, field_id, owner_id) where ref_id is not null;
create index field_values_field on field_values (workspace_id, field_id, owner_id);
-- Texts by their hash, as they may be longer than an index entry.
create index field_values_text on field_values (workspace_id, field_id, hashtextextended(text_value, 0), owner_id)
	where text_value is not null;
create index field_values_number on field_values (workspace_id, field_id, number_value, owner_id) where number_value is not null;
create index field_values_date on field_values (workspace_id, field_id, date_value, owner_id) where date_value is not null;
create index field_values_like on field_values using gin (field_id, kith_fold(text_value) gin_trgm_ops)
	with (gin_pending_list_limit = 16384) where text_value is not null;

-- The values without these items in the lists (or single values) of these fields.
create function custom_without_items(value_json json, fields text[], items text[]) returns json
	language sql immutable parallel safe
	return (select json_object_agg(k, v order by k) from (
		select key as k, case when key = any (fields) and jsonb_typeof(value) = 'array' then value - items else value end as v
		from jsonb_each(value_json::jsonb)
		where not (key = any (fields) and jsonb_typeof(value) = 'string' and value #>> '{}' = any (items))) m
		where v <> '[]'::jsonb);

-- Values of a record without one of two contacts that become one: its item is replaced by the other one's, which stays
-- where the first of both was.
create function custom_with_item(value_json json, fields text[], gone text, kept text) returns json
	language sql immutable parallel safe
	return (select json_object_agg(key, case
		when key = any (fields) and jsonb_typeof(value) = 'array' then (
			select jsonb_agg(i.item order by i.n) from (
				select case when e.item = to_jsonb(gone) then to_jsonb(kept) else e.item end as item, min(e.n) as n
				from jsonb_array_elements(value) with ordinality e(item, n) group by 1) i)
		else value end order by key) from jsonb_each(value_json::jsonb));

-- The values without these fields.
create function custom_without_fields(value_json json, fields text[]) returns json
	language sql immutable parallel safe
	return (select json_object_agg(key, value order by key) from jsonb_each(value_json::jsonb) where not key = any (fields));
