-- Stored answers of requests with an Idempotency-Key.
create table idempotency_keys (
	workspace_id uuid not null,
	user_id uuid not null,
	key_hash bytea not null,
	fingerprint bytea not null,
	status int not null,
	content_type text,
	deprecation text,
	sunset text,
	-- null: the answer was too large to keep
	body bytea,
	completed_at timestamptz not null,
	primary key (workspace_id, user_id, key_hash)
);
alter table idempotency_keys alter body set storage external;
-- Clean-up walks in the order of expiry; block ranges suffice, rows arrive in time order.
create index idempotency_keys_completed on idempotency_keys using brin (completed_at);

-- What all processes on one database share: the key that seals cursors.
create table server_secrets (
	name text primary key,
	value bytea not null
);
insert into server_secrets
	select 'cursor', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
