-- Events: one row for each change, written in the change's own transaction. Both the webhooks' outbox and the feed;
-- immutable, in daily partitions.
--
-- A position is (generation, xid, seq), where xid and seq are the writing transaction's number and a sequence. A sequence
-- alone is not commit order; a reader that only reads below pg_snapshot_xmin(pg_current_snapshot()), where every
-- transaction has ended, and continues from its last position, misses nothing.
--
-- Transaction numbers belong to one cluster's history. In a dump restored elsewhere, on a promoted standby, or after an
-- upgrade by dump, numbers start again or are reused, and new events would lie before the positions of all followers. So
-- with each start of the server, and on each other server or timeline, a new generation begins, whose events come after
-- all existing ones.
--
-- Numbers are bigint: xid8's comparisons are not marked leakproof, so with row-level security they could not be index
-- conditions.

-- A generation's number is the time it began, in milliseconds since 1970: among different histories of the database, the
-- later one has the greater number.
create table event_generation (
	only_row boolean primary key default true check (only_row),
	generation bigint not null,
	-- the server, and since when: what its transaction numbers belong to
	system_identifier bigint not null,
	timeline int not null,
	started_at timestamptz not null
);

-- The present generation. Not an SQL function: those are set up again in each statement.
create function kith_generation() returns bigint language plpgsql stable parallel safe as $$
begin
	return (select g.generation from event_generation g);
end
$$;

-- Only the order within a transaction matters, so each connection may cache some values.
create sequence events_seq cache 32;
create table events (
	workspace_id uuid not null,
	generation bigint not null default kith_generation(),
	xid bigint not null default pg_current_xact_id()::text::bigint,
	seq bigint not null default nextval('events_seq'),
	-- the database's clock, so that positions and days differ by at most a transaction's duration
	created_at timestamptz not null default clock_timestamp(),
	id uuid not null,
	type text not null,
	record_id uuid not null,
	-- compared with a filter's groupId: groups that the record is in, or was added to or removed from
	group_ids uuid[] not null default '{}',
	-- groups named in data: users who may not see them get data without them
	named_group_ids uuid[] not null default '{}',
	-- an object's group, or that of the linked record: users who may not see it do not get the event
	within_group_id uuid,
	-- name of the object's type
	object_type text,
	-- null: everybody; else the only users who may know of it (private notes, reminders, tasks)
	audience uuid[],
	-- null: all; else the only webhook that it is for (webhook.test)
	webhook_id uuid,
	-- members "changes" and "details" of the payload's data; null: neither
	data json,
	primary key (workspace_id, generation, xid, seq, created_at)
) partition by range (created_at);
-- All workspaces in transaction order: the dispatcher reads forward to find workspaces with new events. A transaction's
-- rows share one index entry, and entries are added at the end.
create index events_order on events (generation, xid);
-- The history of a record, in the order of its pages. Every event pays for it: a third smaller than with workspace_id.
create index events_record on events (record_id, generation, xid, seq);
-- Catches rows if a day's partition is missing.
create table events_rest partition of events default;

-- --- generations ------------------------------------------------------------

-- This server. A crash of one of its processes resets the statistics: as after a start, transaction numbers unknown to
-- the log may be assigned again. Fails on a standby, which has no timeline of its own.
create function kith_server(out system_identifier bigint, out timeline int, out started_at timestamptz)
language sql volatile as $$
	select (select c.system_identifier from pg_control_system() c),
		('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
		greatest(pg_postmaster_start_time(), (select s.stats_reset from pg_stat_wal s))
$$;

-- Begins a generation if the stored one is not this server's, or not after a generation that a client has seen. The lock
-- waits for all writers of events of the old one, so that none of their events becomes visible later, when readers have
-- moved on to the new one; the same for changes of webhooks, which the dispatcher also reads by generation. Writers of
-- both lock events first. After waiting for the lock, the generation may have begun already.
--
-- The sending process has in memory what it read from its database: on another server or timeline, where the latest of it
-- may be missing, the term is raised, as if another process had sent meanwhile.
create function kith_begin_generation(behind bigint default null) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events, only webhook_changes in share row exclusive mode;
	update dispatcher_term set term = term + 1
	where behind >= kith_generation() or not exists (select from event_generation g, kith_server() s
		where g.system_identifier = s.system_identifier and g.timeline = s.timeline);
	insert into event_generation as g (generation, system_identifier, timeline, started_at)
	select greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, behind + 1), s.* from kith_server() s
	on conflict (only_row) do update set generation = greatest(g.generation + 1, excluded.generation),
		system_identifier = excluded.system_identifier, timeline = excluded.timeline, started_at = excluded.started_at
	where behind >= g.generation or (g.system_identifier, g.timeline, g.started_at)
		is distinct from (excluded.system_identifier, excluded.timeline, excluded.started_at);
end
$$;
revoke execute on function kith_begin_generation from public;

-- Run by every connection before it is used: begins a new generation if needed, and returns the present one.
--
-- A machine that is reset to an earlier snapshot including its memory has the same server, started at the same time, and
-- assigns the same numbers again. And on a machine whose clock is behind, a new generation might be less than one begun on
-- a former machine. So a client says up to where it has seen the database: if that does not exist yet, the database was
-- reset, and a generation begins after what was seen.
create function kith_join(seen_generation bigint default 0, seen_xid bigint default 0) returns bigint
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
	here record;
begin
	select * into here from kith_server();
	if (seen_generation, seen_xid) > (kith_generation(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint) then
		perform kith_begin_generation(seen_generation);
	elsif not exists (select from event_generation g where g.system_identifier = here.system_identifier
		and g.timeline = here.timeline and g.started_at = here.started_at) then
		perform kith_begin_generation();
	end if;
	return kith_generation();
end
$$;
