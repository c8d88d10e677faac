-- Workspaces, their users and API keys; stored answers; secrets of the installation.
--
-- workspace_id leads every key, so that a reference across workspaces cannot be stored and all tables can be distributed
-- by it.

create table workspaces (
	workspace_id uuid primary key,
	name text not null,
	-- raised with every change of users, groups, roles, fields and types: caches compare it
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

-- Keys are looked up by their hash to find the workspace: the one primary key that does not begin with workspace_id.
create table api_keys (
	key_hash bytea primary key check (length(key_hash) = 32),
	workspace_id uuid not null,
	id uuid not null,
	user_id uuid not null,
	name text not null default '',
	last4 text not null,
	read_only boolean not null default false,
	created_at timestamptz not null default now(),
	expires_at timestamptz,
	revoked_at timestamptz,
	last_used_at timestamptz, -- to the minute
	unique (workspace_id, id),
	foreign key (workspace_id, user_id) references users
) with (fillfactor = 80);

-- Stored answers of requests with an Idempotency-Key.
create table idempotency_keys (
	workspace_id uuid not null,
	user_id uuid not null,
	key_hash bytea not null,
	fingerprint bytea not null,
	status int not null,
	content_type text,
	-- of a record's answer: its tag
	etag text,
	-- null: the answer was too large to store
	body bytea,
	completed_at timestamptz not null,
	primary key (workspace_id, user_id, key_hash)
);
alter table idempotency_keys alter body set storage external;
-- For clean-up in order of expiry; block ranges suffice, as rows are inserted in order of time.
create index idempotency_keys_completed on idempotency_keys using brin (completed_at);

-- Shared by all processes on one database.
create table server_secrets (
	name text primary key,
	value bytea not null
);
-- The key that seals cursors.
insert into server_secrets
	select 'cursor', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Stores the fingerprint of the key that seals webhooks' secrets, unless there is one; returns the stored one.
create function kith_vault(fingerprint bytea) returns bytea
language sql security definer set search_path from current as $$
	insert into server_secrets (name, value) values ('vault', fingerprint) on conflict do nothing;
	select value from server_secrets where name = 'vault';
$$;
