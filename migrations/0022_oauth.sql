-- Applications sign in by OAuth 2.1: their registrations, and what users have allowed them.
--
-- What a user allows an application is a key of the kind "grant": its row of api_keys has the user, the scopes, the groups and
-- the digest of the access token that is valid now, and the connection ends with that row. The row here, of the same
-- id, has the rest: the code and the refresh token.

-- Applications register before they know a user, so registrations belong to no workspace.
create table oauth_clients (
	client_id text primary key,
	name text not null,
	-- the application's page; null: none
	uri text,
	redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
	-- null: the application can keep no secret
	secret_hash bytea check (length(secret_hash) = 32),
	-- a digest of the address that registered it: the number of registrations is limited
	address_hash bytea not null check (length(address_hash) = 32),
	created_at timestamptz not null default now(),
	-- the day on which it last got a token; null: never
	used_at timestamptz
);
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;
create index oauth_clients_used on oauth_clients (used_at) where used_at is not null;
create index oauth_clients_address on oauth_clients (address_hash, created_at);

create table oauth_grants (
	workspace_id uuid not null,
	-- the id of its row in api_keys, too
	id uuid not null,
	user_id uuid not null,
	client_id text not null,
	name text not null,
	-- where the application is: a host name, or the scheme that opens it on the user's device
	host text not null,
	audience text check (audience in ('mcp')),
	scopes text[] not null,
	group_ids uuid[] not null default '{}',
	created_at timestamptz not null default now(),
	-- The code of the consent, good for one use. A second use ends the grant.
	redirect_uri text not null,
	code_hash bytea not null check (length(code_hash) = 32),
	code_challenge text not null check (length(code_challenge) = 43),
	code_expires_at timestamptz not null,
	code_used_at timestamptz,
	-- The refresh token that is valid now, until when, and the one that it replaced. Null: the code was not used yet.
	refresh_hash bytea check (length(refresh_hash) = 32),
	expires_at timestamptz,
	previous_hash bytea check (length(previous_hash) = 32),
	-- The digest of the access token that was replaced then; null: it had expired. It stays valid for a moment, as a key of its own
	-- that ends with the grant's, because requests with it may be under way.
	previous_access bytea check (length(previous_access) = 32),
	-- The tokens that the previous refresh token was exchanged for, encrypted with that token, for a request with it that was
	-- in progress at the same time. settled_at: their answer was ready to be sent, so a later use of the previous token is
	-- not such a request, but somebody else's.
	answer bytea,
	settled_at timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, id) references api_keys (workspace_id, id) on delete cascade
);
create index oauth_grants_user on oauth_grants (workspace_id, user_id, id);

-- Deletes grants that are over: those whose code was not used in time, and a month after their end the others. Keys without a
-- grant are replaced access tokens, or have come with a workspace that moved here.
create function oauth_grants_gone(kept interval, most int) returns bigint
language sql as $$
	with gone as (
		select k.workspace_id, k.id from api_keys k left join oauth_grants g on g.workspace_id = k.workspace_id and g.id = k.id
		where k.kind = 'grant' and case
			when g.id is null then k.expires_at < now() - kept
			when g.code_used_at is null then g.code_expires_at < now() - kept
			else least(g.expires_at, k.revoked_at) < now() - kept * 30 end
		limit most
	), deleted as (
		delete from api_keys k using gone g where k.workspace_id = g.workspace_id and k.id = g.id
		returning 1
	)
	select count(*) from deleted
$$;
create index api_keys_grants on api_keys (workspace_id, id) where kind = 'grant';

insert into kith_grants values
	('table oauth_clients', 'insert', 'kith_serve'),
	('table oauth_clients', 'update', 'kith_serve'),
	('table oauth_clients', 'delete', 'kith_serve'),
	('table oauth_clients', 'delete', 'kith_system');
