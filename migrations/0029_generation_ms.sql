-- A generation's number is the time it began in milliseconds, no longer in seconds: two histories of one database, parted a
-- moment ago, had the same number when both began one in the same second.
create or replace function kith_begin_generation(behind bigint default null) returns void
language plpgsql set search_path from current as $$
begin
	lock table only events in share row exclusive mode;
	update dispatcher_term set term = term + 1
	where behind is not null or not exists (select from event_generation g, kith_server() s
		where g.system_identifier = s.system_identifier and g.timeline = s.timeline);
	insert into event_generation as g (generation, system_identifier, timeline, started_at)
	select greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, behind + 1), s.* from kith_server() s
	on conflict (only_row) do update set generation = greatest(g.generation + 1, excluded.generation),
		system_identifier = excluded.system_identifier, timeline = excluded.timeline, started_at = excluded.started_at
	where behind is not null or (g.system_identifier, g.timeline, g.started_at)
		is distinct from (excluded.system_identifier, excluded.timeline, excluded.started_at);
end
$$;
select kith_begin_generation(0);
