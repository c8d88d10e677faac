-- Object types and custom fields of groups, objects, and the values of custom fields.

create table object_types (
	workspace_id uuid not null,
	id uuid not null,
	group_id uuid not null,
	name text not null,
	created_at timestamptz not null,
	primary key (workspace_id, id),
	foreign key (workspace_id, group_id) references groups on delete cascade
);
create unique index object_types_name on object_types (workspace_id, group_id, text_digest(name));

create table custom_fields (
	workspace_id uuid not null,
	id uuid not null,
	group_id uuid not null,
	-- of people and companies: null
	type_id uuid,
	entity text not null check (entity in ('person', 'company', 'object')),
	name text not null,
	type text not null,
	-- [{id, label, color}] in the order shown
	options json not null default '[]',
	format text not null default 'default',
	decimals int,
	currency text,
	primary key (workspace_id, id),
	foreign key (workspace_id, group_id) references groups on delete cascade,
	foreign key (workspace_id, type_id) references object_types on delete cascade,
	check ((entity = 'object') = (type_id is not null))
);
create unique index custom_fields_name on custom_fields (workspace_id, group_id, entity, coalesce(type_id, workspace_id), text_digest(name));

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
create index objects_updated on objects (workspace_id, type_id, updated_at, id);
create index objects_group on objects (workspace_id, group_id);

create table object_people (
	workspace_id uuid not null,
	person_id uuid not null,
	object_id uuid not null,
	primary key (workspace_id, person_id, object_id),
	foreign key (workspace_id, person_id) references people,
	foreign key (workspace_id, object_id) references objects on delete cascade
);
create index object_people_object on object_people (workspace_id, object_id);

create table object_companies (
	workspace_id uuid not null,
	company_id uuid not null,
	object_id uuid not null,
	primary key (workspace_id, company_id, object_id),
	foreign key (workspace_id, company_id) references companies,
	foreign key (workspace_id, object_id) references objects on delete cascade
);
create index object_companies_object on object_companies (workspace_id, object_id);

-- The same values as in the json of people, companies and objects, one row each
-- (one for each item of a list), so that filters can use an index and so that
-- what refers to a deleted record is found. ref_id: an option, contact, user or object.
create table field_values (
	workspace_id uuid not null,
	field_id uuid not null,
	owner_id uuid not null,
	text_value text,
	number_value numeric,
	date_value date,
	ref_id uuid
);
create index field_values_owner on field_values (workspace_id, owner_id, field_id);
create index field_values_ref on field_values (workspace_id, ref_id, field_id, owner_id) where ref_id is not null;
create index field_values_field on field_values (workspace_id, field_id, owner_id);

-- Values without the given items in the lists (or as the single value) of the given fields.
create function custom_without_items(value_json json, fields text[], items text[]) returns json
	language sql immutable parallel safe
	return (select json_object_agg(k, v order by k) from (
		select key as k, case when key = any (fields) and jsonb_typeof(value) = 'array' then value - items else value end as v
		from jsonb_each(value_json::jsonb)
		where not (key = any (fields) and jsonb_typeof(value) = 'string' and value #>> '{}' = any (items))) m
		where v <> '[]'::jsonb);

-- Values without the given fields.
create function custom_without_fields(value_json json, fields text[]) returns json
	language sql immutable parallel safe
	return (select json_object_agg(key, value order by key) from jsonb_each(value_json::jsonb) where not key = any (fields));
