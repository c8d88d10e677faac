-- Logged interactions, and how often each user has interacted with whom.

create table interactions (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	user_id uuid not null, -- who logged it
	title text not null,
	content text not null default '',
	date_time timestamptz not null,
	activity_type text not null,
	-- in interaction_counts; one that is dated in the future gets there when it falls due
	counted boolean not null,
	primary key (workspace_id, id)
);
create index interactions_entity on interactions (workspace_id, entity_id, id);
create index interactions_entity_time on interactions (workspace_id, entity_id, date_time, id);
create index interactions_user on interactions (workspace_id, user_id, id);
create index interactions_time on interactions (workspace_id, date_time);
create index interactions_due on interactions (date_time) where not counted;

-- One row for each user who has interacted with an entity. Written only with the
-- entity's own row locked, and where there are two, in the order of their ids.
create table interaction_counts (
	workspace_id uuid not null,
	entity_id uuid not null,
	user_id uuid not null,
	count bigint not null check (count >= 0),
	last_at timestamptz not null,
	primary key (workspace_id, entity_id, user_id)
) with (fillfactor = 80);

-- The same once more in the person's row, so that reading people costs nothing
-- more: the users, then the count of each, then the time of the last one of each
-- in milliseconds since 1970. All three are null when nobody has interacted.
alter table people
	add interaction_users uuid[],
	add interaction_numbers bigint[],
	add last_interacted_at timestamptz;

-- Brings a person's row up to its counters; other entities have no such columns.
create function interaction_totals(workspace_id uuid, entity_id uuid) returns void
language sql as $$
	update people p set (interaction_users, interaction_numbers, last_interacted_at) = (
		select array_agg(c.user_id order by c.user_id),
			array_agg(c.count order by c.user_id)
				|| array_agg((extract(epoch from c.last_at) * 1000)::bigint order by c.user_id),
			max(c.last_at)
		from interaction_counts c
		where c.workspace_id = interaction_totals.workspace_id and c.entity_id = interaction_totals.entity_id)
	where p.workspace_id = interaction_totals.workspace_id and p.id = interaction_totals.entity_id
$$;

-- Counts interactions that have fallen due by then, about most of them, and answers how many.
-- Each exactly once, whoever else runs it or writes: it is still not counted when
-- the entity's row is locked. An entity that is locked is left to the next call.
create function interactions_fall_due(due timestamptz, most int) returns int
language plpgsql as $$
declare
	e record;
	n int;
	total int := 0;
begin
	for e in
		select distinct i.workspace_id, i.entity_id
		from (select workspace_id, entity_id from interactions
			where not counted and date_time <= due order by date_time limit most) i
		order by i.workspace_id, i.entity_id
	loop
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
		perform interaction_totals(e.workspace_id, e.entity_id);
		total := total + n;
	end loop;
	return total;
end
$$;
