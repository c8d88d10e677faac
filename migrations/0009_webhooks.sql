-- Webhooks, and what was sent to them.

create table webhooks (
	workspace_id uuid not null,
	id uuid not null,
	name text not null,
	target_url text not null,
	-- [{eventType, filter}]
	subscribed_events json not null,
	-- encrypted with the installation's key; the former one still signs until then
	secret bytea not null,
	former_secret bytea,
	former_until timestamptz,
	status text not null default 'active' check (status in ('active', 'inactive')),
	created_by uuid not null,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	-- rises with each change that the dispatcher has to know of
	version bigint not null default 1,
	-- Every webhook reads the workspace's events at its own pace: all before this position
	-- are delivered, or are rows of deliveries, or are none of its own.
	position_xid xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
	position_seq bigint not null default 0,
	position_at timestamptz not null default clock_timestamp(),
	-- rises when the position is moved back (recover): rows of earlier passes do not keep an event from being sent again
	pass int not null default 0,
	-- the first of the failures since the last success; null: none
	failing_since timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, created_by) references users
) with (fillfactor = 50);
create index webhooks_active on webhooks (workspace_id) where status = 'active';

-- One row for each event that was sent to a webhook, or that waits to be sent again. An event
-- of which there is no row, and which is behind the webhook's position, has not been tried.
create table deliveries (
	workspace_id uuid not null,
	webhook_id uuid not null,
	-- the event's position and time
	xid xid8 not null,
	seq bigint not null,
	created_at timestamptz not null,
	id uuid not null,
	event_id uuid not null,
	event_type text not null,
	record_id uuid not null,
	state text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
	-- null unless pending
	next_attempt_at timestamptz,
	-- since it was last put into the queue; the list has all of them
	n_attempts int not null default 0,
	-- the webhook's when it was last sent
	pass int not null default 0,
	-- [{at, durationMs, statusCode, error}]
	attempts json not null default '[]',
	primary key (workspace_id, webhook_id, xid, seq, created_at)
) partition by range (created_at);
create table deliveries_rest partition of deliveries default;
create index deliveries_id on deliveries (workspace_id, webhook_id, id);
create index deliveries_due on deliveries (workspace_id, webhook_id, next_attempt_at, xid, seq)
	where state = 'pending';
-- What a record's later events wait for.
create index deliveries_held on deliveries (workspace_id, webhook_id, xid, seq)
	where state = 'pending' and n_attempts < 3;

-- Webhooks that were deleted, until what was sent to them is cleaned up.
create table webhooks_gone (
	workspace_id uuid not null,
	id uuid not null,
	primary key (workspace_id, id)
);

-- Tells the key that the secrets are encrypted with from others; whoever starts first brings it.
-- Answers the one that is kept.
create function kith_vault(fingerprint bytea) returns bytea
language sql security definer set search_path from current as $$
	insert into server_secrets (name, value) values ('vault', fingerprint) on conflict do nothing;
	select value from server_secrets where name = 'vault';
$$;
revoke execute on function kith_vault from public;
grant execute on function kith_vault to kith_system;

-- Which process sends: whoever has the advisory lock raises the term, and what an
-- earlier term writes later is refused.
create table dispatcher_term (
	only_row boolean primary key default true check (only_row),
	term bigint not null default 0
);
insert into dispatcher_term default values;
grant update on dispatcher_term to kith_system;
