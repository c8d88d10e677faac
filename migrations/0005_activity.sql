-- Notes, tasks and reminders: each is linked to one person, company or object.
--
-- No foreign key leads to the entity, which may be in any of three tables: who
-- links holds the entity's row until COMMIT, and who deletes it removes the links.

create table notes (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	content text not null,
	visibility text not null check (visibility in ('public', 'private')),
	author_id uuid not null,
	-- stays when the parent is deleted: the note then says so
	parent_id uuid,
	-- of a deleted parent that was private: its author, who alone may know of it
	parent_seen_by uuid,
	-- a hash of the workspace and each word of the content
	words bigint[] not null,
	created_at timestamptz not null,
	primary key (workspace_id, id)
);
create index notes_entity on notes (workspace_id, entity_id, id);
create index notes_parent on notes (workspace_id, parent_id) where parent_id is not null;
create index notes_created on notes (workspace_id, created_at);
-- The hashes tell workspaces apart, so the index need not begin with one.
create index notes_words on notes using gin (words);

create table tasks (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	title text not null,
	description text not null default '',
	due_at date not null,
	-- minutes since midnight
	due_time int,
	completed_at timestamptz,
	recurrence_frequency text,
	-- the next one of a recurring task has been made
	continued boolean not null default false,
	is_public boolean not null,
	assigned_user_ids uuid[] not null default '{}',
	created_by uuid not null,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id)
);
create index tasks_entity on tasks (workspace_id, entity_id, id);
create index tasks_updated on tasks (workspace_id, updated_at, id);
-- A user belongs to one workspace.
create index tasks_assigned on tasks using gin (assigned_user_ids);

create table reminders (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	name text not null,
	recurrence_rule text not null,
	visibility text not null check (visibility in ('public', 'private')),
	assigned_user_ids uuid[] not null default '{}',
	next_trigger_at timestamptz,
	last_trigger_at timestamptz,
	created_by uuid not null,
	created_at timestamptz not null,
	primary key (workspace_id, id)
);
create index reminders_entity on reminders (workspace_id, entity_id, id);
-- What falls due next, in all workspaces.
create index reminders_due on reminders (next_trigger_at) where next_trigger_at is not null;
