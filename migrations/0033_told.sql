-- As in 0030, and behind the changes of webhooks, too, which the one that sends reads by their generation: where the
-- server goes on under a new one (an operator resets its statistics, rows came by hand), a change that was under way
-- would have become visible behind him. Whoever writes both takes the events first.
create or replace function kith_begin_generation(behind bigint default null) returns void
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
