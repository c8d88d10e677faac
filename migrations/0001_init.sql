-- Workspaces, their users, groups, people and companies.
--
-- workspace_id leads every key, so that a reference across workspaces cannot
-- be stored and all tables can be distributed by it.

create table workspaces (
	workspace_id uuid primary key,
	name text not null,
	-- rises with every change of users, groups, roles, fields and types: caches compare it
	version bigint not null default 1,
	created_at timestamptz not null default now()
);

create table users (
	workspace_id uuid not null references workspaces,
	id uuid not null,
	email text not null,
	full_name text not null,
	role text not null check (role in ('admin', 'member')),
	created_at timestamptz not null default now(),
	primary key (workspace_id, id)
);
create unique index users_email on users (workspace_id, lower(email));

create table groups (
	workspace_id uuid not null references workspaces,
	id uuid not null,
	name text not null,
	visibility text not null check (visibility in ('public', 'private')),
	created_at timestamptz not null default now(),
	created_by uuid not null,
	primary key (workspace_id, id),
	foreign key (workspace_id, created_by) references users
);

create table group_members (
	workspace_id uuid not null,
	group_id uuid not null,
	user_id uuid not null,
	role text not null check (role in ('admin', 'contributor', 'reader')),
	primary key (workspace_id, group_id, user_id),
	foreign key (workspace_id, group_id) references groups on delete cascade,
	foreign key (workspace_id, user_id) references users
);

-- A digest of a name stands for it in keys, because a name may be longer than an
-- index entry can be. convert_to() is only called stable because its result
-- depends on the server's encoding, which never changes.
create function text_digest(text) returns bytea language sql immutable strict parallel safe
	return sha256(convert_to($1, 'UTF8'));

-- No foreign key leads from contacts to workspaces or users, which are never
-- deleted: each insert would lock the same few rows again.
--
-- A row holds all that a read needs; the link tables below are its indexed
-- inverse and are written in the same statement. Updates seldom touch an
-- indexed column, and the fill factor keeps their new versions on the page.
create table companies (
	workspace_id uuid not null,
	id uuid not null,
	name text not null default '',
	-- a column, so that a look-up compares plain bytes: row-level security keeps functions from an index
	name_digest bytea not null generated always as (text_digest(name)) stored,
	description text not null default '',
	industry text,
	funding_raised numeric,
	last_funding_date date,
	foundation_year int,
	employee_range text,
	group_ids uuid[] not null default '{}',
	addresses text[] not null default '{}',
	emails text[] not null default '{}',
	phones text[] not null default '{}',
	urls text[] not null default '{}',
	custom_values json,
	created_at timestamptz not null,
	created_by uuid not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id)
) with (fillfactor = 80);
-- Names are unique exactly as written.
create unique index companies_name on companies (workspace_id, name_digest) where name <> '';

create table company_groups (
	workspace_id uuid not null,
	group_id uuid not null,
	company_id uuid not null,
	primary key (workspace_id, group_id, company_id),
	foreign key (workspace_id, group_id) references groups,
	foreign key (workspace_id, company_id) references companies on delete cascade
);
create index company_groups_company on company_groups (workspace_id, company_id);

create table people (
	workspace_id uuid not null,
	id uuid not null,
	first_name text not null default '',
	last_name text not null default '',
	full_name text not null default '',
	full_name_given boolean not null default false,
	description text not null default '',
	birthday date,
	gender text,
	job_title text not null default '',
	group_ids uuid[] not null default '{}',
	company_ids uuid[] not null default '{}',
	addresses text[] not null default '{}',
	emails text[] not null default '{}',
	phones text[] not null default '{}',
	urls text[] not null default '{}',
	custom_values json,
	created_at timestamptz not null,
	created_by uuid not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id)
) with (fillfactor = 80);

create table person_groups (
	workspace_id uuid not null,
	group_id uuid not null,
	person_id uuid not null,
	primary key (workspace_id, group_id, person_id),
	foreign key (workspace_id, group_id) references groups,
	foreign key (workspace_id, person_id) references people on delete cascade
);
create index person_groups_person on person_groups (workspace_id, person_id);

create table person_companies (
	workspace_id uuid not null,
	company_id uuid not null,
	person_id uuid not null,
	primary key (workspace_id, company_id, person_id),
	foreign key (workspace_id, company_id) references companies,
	foreign key (workspace_id, person_id) references people on delete cascade
);
create index person_companies_person on person_companies (workspace_id, person_id);

-- updatedAt is a sort order of the lists.
create index people_updated on people (workspace_id, updated_at, id);
create index companies_updated on companies (workspace_id, updated_at, id);
