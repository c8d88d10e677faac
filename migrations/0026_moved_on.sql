-- A wrong clock, and a database that is not the one it was.

-- At most so many days at a time, the oldest first: whose clock or setting is wrong does not lose all in a moment.
drop function kith_partitions_drop(timestamptz);
create function kith_partitions_drop(before timestamptz, most int) returns int
language plpgsql security definer set search_path from current set lock_timeout = '500ms' as $$
declare
	child record;
	dropped int := 0;
begin
	for child in
		select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent in ('events'::regclass, 'deliveries'::regclass) and c.relname ~ '_\d{8}$'
			and right(c.relname, 8) in (
				select distinct right(d.relname, 8) as day from pg_inherits j join pg_class d on d.oid = j.inhrelid
				where j.inhparent in ('events'::regclass, 'deliveries'::regclass) and d.relname ~ '_\d{8}$'
					and (to_date(right(d.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= before
				order by day limit most)
		order by 1
	loop
		execute format('drop table %s', child.name);
		dropped := dropped + 1;
	end loop;
	return dropped;
end
$$;
update kith_grants set object = 'function kith_partitions_drop(timestamptz, int)'
	where object = 'function kith_partitions_drop(timestamptz)';

-- What the process that sends has in memory is of the database that it was read from: on another server or timeline, where
-- the last of it may be missing, the term is raised, as if another process had sent meanwhile.
create or replace function kith_begin_generation(behind bigint default null) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events in share row exclusive mode;
	update dispatcher_term set term = term + 1
	where behind is not null or not exists (select from event_generation g, kith_server() s
		where g.system_identifier = s.system_identifier and g.timeline = s.timeline);
	insert into event_generation as g (generation, system_identifier, timeline, started_at)
	select greatest(extract(epoch from clock_timestamp())::bigint, behind + 1), s.* from kith_server() s
	on conflict (only_row) do update set generation = greatest(g.generation + 1, excluded.generation),
		system_identifier = excluded.system_identifier, timeline = excluded.timeline, started_at = excluded.started_at
	where behind is not null or (g.system_identifier, g.timeline, g.started_at)
		is distinct from (excluded.system_identifier, excluded.timeline, excluded.started_at);
end
$$;
