-- The number of a transaction belongs to one cluster's history. In a dump that was restored elsewhere, on a promoted
-- standby, behind an upgrade by dump, numbers begin anew or are given out again, and events that are written then would
-- lie behind the positions of all who follow. So a position is (generation, xid, seq): with each start of the server, and
-- on each other server or timeline, a new generation begins, whose events come behind all that were there before.
--
-- Numbers are bigint from here on: xid8's comparisons are not marked leakproof, so that behind row-level security a
-- position of them is no condition of an index.

-- A generation's number is the time it began, in seconds since 1970: whatever history of the database began one first,
-- the later one has the greater number. Events from before this migration have 0.
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

-- This server. A crash of one of its processes resets the statistics: as after a start, numbers of which the log knew
-- nothing are given out again. Fails on a standby, which has no timeline of its own.
create function kith_server(out system_identifier bigint, out timeline int, out started_at timestamptz)
language sql volatile as $$
	select (select c.system_identifier from pg_control_system() c),
		('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int,
		greatest(pg_postmaster_start_time(), (select s.stats_reset from pg_stat_wal s))
$$;

-- What every connection asks before it is used: begins a new generation if the kept one is not of this server, and
-- answers the present one. Who has written events of the old one has ended by then: nothing of it becomes visible
-- later, when readers have gone on to the new one.
create function kith_join() returns bigint
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
	here record;
begin
	select * into here from kith_server();
	if not exists (select from event_generation g where g.system_identifier = here.system_identifier
		and g.timeline = here.timeline and g.started_at = here.started_at) then
		perform kith_begin_generation();
	end if;
	return kith_generation();
end
$$;

-- always: also when the kept one is of this server.
create function kith_begin_generation(always boolean default false) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events in share row exclusive mode;
	insert into event_generation as g (generation, system_identifier, timeline, started_at)
	select extract(epoch from clock_timestamp())::bigint, s.* from kith_server() s
	on conflict (only_row) do update set generation = greatest(g.generation + 1, excluded.generation),
		system_identifier = excluded.system_identifier, timeline = excluded.timeline, started_at = excluded.started_at
	where always or (g.system_identifier, g.timeline, g.started_at)
		is distinct from (excluded.system_identifier, excluded.timeline, excluded.started_at);
end
$$;

-- One pass over each table.
alter table events
	drop constraint events_pkey,
	add generation bigint not null default 0,
	alter xid drop default,
	alter xid type bigint using xid::text::bigint,
	alter xid set default pg_current_xact_id()::text::bigint,
	add primary key (workspace_id, generation, xid, seq, created_at);
alter table events alter generation set default kith_generation();

drop index deliveries_due;
drop index deliveries_held;
alter table deliveries
	drop constraint deliveries_pkey,
	add generation bigint not null default 0,
	alter xid type bigint using xid::text::bigint,
	add primary key (workspace_id, webhook_id, generation, xid, seq, created_at);
alter table deliveries alter generation drop default;
create index deliveries_due on deliveries (workspace_id, webhook_id, next_attempt_at, generation, xid, seq)
	where state = 'pending';
create index deliveries_held on deliveries (workspace_id, webhook_id, generation, xid, seq)
	where state = 'pending' and n_attempts < 3;

alter table webhooks
	add position_generation bigint not null default 0,
	alter position_xid drop default,
	alter position_xid type bigint using position_xid::text::bigint,
	alter position_xid set default pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
alter table webhooks alter position_generation set default kith_generation();

select kith_begin_generation();

revoke execute on function kith_join, kith_begin_generation from public;
grant execute on function kith_join to kith_serve, kith_system, kith_admit;
grant select on event_generation to kith_admit;
