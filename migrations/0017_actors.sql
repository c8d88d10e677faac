-- Who made an event: the user, the key, and how the request came. Names are looked up when the event is read.

alter table events
	-- enum event_via (webhook/actor.h). Null: the process that wrote the event knew no actors.
	add column actor_via smallint,
	add column actor_id uuid,
	add column actor_key_id uuid;
alter table events add constraint events_actor check (actor_via > 0) not valid;

-- As in 0008, but the event has an actor: an actor_via other than null. Processes of an earlier level call the function without
-- one.
create function interaction_totals(workspace_id uuid, entity_id uuid, told boolean, actor_via int, actor_id uuid, actor_key_id uuid)
returns void language sql as $$
	with counted as (
		select array_agg(c.user_id order by c.user_id) as users,
			array_agg(c.count order by c.user_id)
				|| array_agg((extract(epoch from c.last_at) * 1000)::bigint order by c.user_id) as numbers,
			max(c.last_at) as last_at
		from interaction_counts c
		where c.workspace_id = interaction_totals.workspace_id and c.entity_id = interaction_totals.entity_id
	), changed as (
		update people p
		set interaction_users = n.users, interaction_numbers = n.numbers, last_interacted_at = n.last_at
		from counted n
		where p.workspace_id = interaction_totals.workspace_id and p.id = interaction_totals.entity_id
			and (p.interaction_users is distinct from n.users or p.interaction_numbers is distinct from n.numbers
				or p.last_interacted_at is distinct from n.last_at)
		returning p.workspace_id, p.id, p.group_ids
	)
	insert into events (workspace_id, id, type, record_id, group_ids, actor_via, actor_id, actor_key_id)
	select c.workspace_id, gen_random_uuid(), 'person.workspace_interaction_metadata_updated', c.id, c.group_ids,
		interaction_totals.actor_via, interaction_totals.actor_id, interaction_totals.actor_key_id
	from changed c where interaction_totals.told
$$;
-- As in 0011, but the program itself is the actor.
create or replace function interactions_fall_due(due timestamptz, most int) returns int
language plpgsql as $$
declare
	e record;
	n int;
	total int := 0;
begin
	for e in
		select distinct i.workspace_id, i.entity_id
		from (select i.workspace_id, i.entity_id from interactions i
			where not i.counted and i.date_time <= due and exists (select from workspaces w
				where w.workspace_id = i.workspace_id and kith_at_home(w.moving, w.held_until))
			order by i.date_time limit most) i
		order by i.workspace_id, i.entity_id
	loop
		perform from workspaces w where w.workspace_id = e.workspace_id
			and kith_at_home(w.moving, w.held_until) for share skip locked;
		continue when not found;
		perform from people p where p.workspace_id = e.workspace_id and p.id = e.entity_id
			for no key update skip locked;
		if not found then
			perform from companies c where c.workspace_id = e.workspace_id and c.id = e.entity_id
				for no key update skip locked;
			continue when not found;
		end if;
		with fallen as (
			update interactions i set counted = true
			where i.workspace_id = e.workspace_id and i.entity_id = e.entity_id and not i.counted and i.date_time <= due
			returning i.user_id, i.date_time
		), added as (
			insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at)
			select e.workspace_id, e.entity_id, f.user_id, count(*), max(f.date_time) from fallen f group by f.user_id
			on conflict (workspace_id, entity_id, user_id) do update
				set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)
		)
		select count(*) into n from fallen;
		perform interaction_totals(e.workspace_id, e.entity_id, true, 1, null, null);
		total := total + n;
	end loop;
	return total;
end
$$;
