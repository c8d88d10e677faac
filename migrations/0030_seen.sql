-- A machine that is put back to an earlier time with its memory has the same server, started at the same time, and gives
-- the same numbers out again. And on a machine whose clock is behind, a generation may begin that is less than one that
-- a former machine began. So who connects says how far he has seen the database: one that is not there yet is not the
-- one it was, and a generation begins behind what was seen.

drop function kith_join();
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
update kith_grants set object = 'function kith_join(bigint, bigint)' where object = 'function kith_join()';

-- Whoever waited for the lock may find that the generation has begun.
create or replace function kith_begin_generation(behind bigint default null) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events in share row exclusive mode;
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
