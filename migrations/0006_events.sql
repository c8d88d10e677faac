-- Events: one row for each change, written in the change's own transaction. Outbox of the webhooks and feed in one,
-- immutable, in partitions of a day.
--
-- A position is (generation, xid, seq). xid and seq are the number of the writing transaction and a sequence. A sequence
-- alone is not commit order; whoever reads only below pg_snapshot_xmin(pg_current_snapshot()), where every transaction has
-- ended, and goes on from the last position, misses nothing.
--
-- The number of a transaction belongs to one cluster's history. In a dump that was restored elsewhere, on a promoted
-- standby, behind an upgrade by dump, numbers begin anew or are given out again, and events that are written then would lie
-- behind the positions of all who follow. So with each start of the server, and on each other server or timeline, a new
-- generation begins, whose events come behind all that were there before.
--
-- Numbers are bigint: xid8's comparisons are not marked leakproof, so that behind row-level security a position of them
-- would be no condition of an index.

-- A generation's number is the time it began, in milliseconds since 1970: whatever history of the database began one first,
-- the later one has the greater number.
create table event_generation (
	only_row boolean primary key default true check (only_row),
	generation bigint not null,
	-- which server, since when: what its numbers belong to
	system_identifier bigint not null,
	timeline int not null,
	started_at timestamptz not null
);

-- The present one. Not an SQL function: those are set up anew in each statement.
create function kith_generation() returns bigint language plpgsql stable parallel safe as $$
begin
	return (select g.generation from event_generation g);
end
$$;

-- Only the order within a transaction counts, so that each connection may take some in advance.
create sequence events_seq cache 32;
create table events (
	workspace_id uuid not null,
	generation bigint not null default kith_generation(),
	xid bigint not null default pg_current_xact_id()::text::bigint,
	seq bigint not null default nextval('events_seq'),
	-- the database's clock, so that positions and days never differ by more than a transaction lasts
	created_at timestamptz not null default clock_timestamp(),
	id uuid not null,
	type text not null,
	record_id uuid not null,
	-- what groupId in a filter compares: groups the record is in, or was added to or removed from
	group_ids uuid[] not null default '{}',
	-- groups that data names: who may not see them gets data without them
	named_group_ids uuid[] not null default '{}',
	-- an object's group, or that of what the record is linked to: who may not see it hears nothing
	within_group_id uuid,
	-- name of the object's type
	object_type text,
	-- null: everybody; else the only users who may know of it (private notes, reminders, tasks)
	audience uuid[],
	-- null: everybody; else the only webhook that it is for (webhook.test)
	webhook_id uuid,
	-- members "changes" and "details" of the payload's data; null: neither
	data json,
	primary key (workspace_id, generation, xid, seq, created_at)
) partition by range (created_at);
-- Of all workspaces in the order of transactions: the dispatcher reads forward which of them have new ones. A transaction's
-- rows share one entry of the index, and entries come at its end.
create index events_order on events (generation, xid);
-- Nothing is lost should a day's partition be missing.
create table events_rest partition of events default;

-- --- generations ------------------------------------------------------------

-- This server. A crash of one of its processes resets the statistics: as after a start, numbers of which the log knew
-- nothing are given out again. Fails on a standby, which has no timeline of its own.
create function kith_server(out system_identifier bigint, out timeline int, out started_at timestamptz)
language sql volatile as $$
	select (select c.system_identifier from pg_control_system() c),
		('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
		greatest(pg_postmaster_start_time(), (select s.stats_reset from pg_stat_wal s))
$$;

-- Begins one if the kept one is not of this server, or is not behind a generation that somebody has seen. The lock: whoever
-- has written events of the old one has ended by then, and nothing of it becomes visible later, when readers have gone on to
-- the new one; nor do changes of webhooks, which the dispatcher reads by their generation too. Whoever writes both takes the
-- events first. Whoever waited for the lock may find that the generation has begun.
--
-- What the process that sends has in memory is of the database that it was read from: on another server or timeline, where
-- the last of it may be missing, the term is raised, as if another process had sent meanwhile.
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

-- What every connection asks before it is used: begins a new generation where one is needed, and answers the present one.
--
-- A machine that is put back to an earlier time with its memory has the same server, started at the same time, and gives the
-- same numbers out again. And on a machine whose clock is behind, a generation may begin that is less than one that a former
-- machine began. So whoever connects says how far they have seen the database: one that is not there yet is not the one it
-- was, and a generation begins behind what was seen.
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
