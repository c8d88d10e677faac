-- Saved lists. A view goes with its group and its object type.

create table views (
	workspace_id uuid not null,
	id uuid not null,
	name text not null,
	kind text not null default 'people' check (kind in ('people', 'companies', 'tasks', 'objects')),
	-- of objects only
	group_id uuid,
	type_id uuid,
	-- the members of a search
	query json not null check (json_typeof(query) = 'object' and octet_length(query::text) <= 65536),
	columns text[] not null default '{}',
	board json check (json_typeof(board) = 'object' and octet_length(board::text) <= 65536),
	chart json check (json_typeof(chart) = 'object' and octet_length(chart::text) <= 65536),
	visibility text not null default 'private' check (visibility in ('private', 'public')),
	-- all groups that the view names anywhere
	group_ids uuid[] not null default '{}',
	created_by uuid not null,
	created_at timestamptz not null check (isfinite(created_at)),
	updated_at timestamptz not null check (isfinite(updated_at)),
	primary key (workspace_id, id),
	foreign key (workspace_id, group_id) references groups on delete cascade,
	foreign key (workspace_id, type_id) references object_types on delete cascade,
	check ((kind = 'objects') = (group_id is not null) and (kind = 'objects') = (type_id is not null))
);
create index views_group on views (workspace_id, group_id) where group_id is not null;
create index views_type on views (workspace_id, type_id) where type_id is not null;
