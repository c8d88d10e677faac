-- Notes, tasks, reminders and interactions: each is linked to one person, company or object.
--
-- There is no foreign key to the entity, which may be in any of three tables: whatever links to it locks its row until
-- COMMIT, and deleting it removes the links.

create table notes (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	content text not null,
	visibility text not null check (visibility in ('public', 'private')),
	author_id uuid not null,
	-- kept when the parent is deleted: the note then shows this
	parent_id uuid,
	-- the author of a deleted private parent, the only user who may know of it
	parent_seen_by uuid,
	-- a hash of the workspace and each word of the content
	words bigint[] not null,
	created_at timestamptz not null,
	-- strictly increases with every change, in microseconds: the record's ETag, as in all tables with this column
	updated_at timestamptz not null default now(),
	primary key (workspace_id, id)
);
create index notes_entity on notes (workspace_id, entity_id, id);
create index notes_parent on notes (workspace_id, parent_id) where parent_id is not null;
create index notes_created on notes (workspace_id, created_at);
-- The hashes include the workspace, so the index need not begin with it.
create index notes_words on notes using gin (words) with (gin_pending_list_limit = 16384);

create table tasks (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	title text not null,
	description text not null default '',
	due_at date not null,
	-- minutes since midnight
	due_time int,
	completed_at timestamptz,
	recurrence_frequency text,
	-- the next task of a recurring one has been created
	continued boolean not null default false,
	is_public boolean not null,
	assigned_user_ids uuid[] not null default '{}',
	created_by uuid not null,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id)
);
create index tasks_entity on tasks (workspace_id, entity_id, id);
create index tasks_updated on tasks (workspace_id, updated_at, id);
-- A user belongs to one workspace.
create index tasks_assigned on tasks using gin (assigned_user_ids) with (gin_pending_list_limit = 16384);
create index tasks_due on tasks (workspace_id, due_at, id);
create index tasks_completed on tasks (workspace_id, completed_at, id);

create table reminders (
	workspace_id uuid not null,
	id uuid not null,
	entity_id uuid not null,
	entity_type text not null,
	name text not null,
	recurrence_rule text not null,
	visibility text not null check (visibility in ('public', 'private')),
	assigned_user_ids uuid[] not null default '{}',
	next_trigger_at timestamptz,
	last_trigger_at timestamptz,
	-- When to look again at one whose rule cannot be evaluated at present: it is postponed, not ended. Null: at
	-- next_trigger_at.
	put_off_until timestamptz,
	-- For a rule with COUNT: the number of its times before that local second, so that they are not counted again.
	counted_to bigint,
	counted bigint,
	created_by uuid not null,
	created_at timestamptz not null,
	updated_at timestamptz not null default now(),
	primary key (workspace_id, id)
);
create index reminders_entity on reminders (workspace_id, entity_id, id);
-- What is due next, in all workspaces and in each of them.
create index reminders_due on reminders ((coalesce(put_off_until, next_trigger_at))) where next_trigger_at is not null;
create index reminders_turn on reminders (workspace_id, (coalesce(put_off_until, next_trigger_at)))
	where next_trigger_at is not null;

-- --- interactions ---------------------------------------------------------------

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
	-- counted in interaction_counts; one dated in the future is counted when it falls due
	counted boolean not null,
	primary key (workspace_id, id)
);
create index interactions_entity on interactions (workspace_id, entity_id, id);
create index interactions_entity_time on interactions (workspace_id, entity_id, date_time, id);
create index interactions_user on interactions (workspace_id, user_id, id);
create index interactions_time on interactions (workspace_id, date_time);
create index interactions_due on interactions (date_time) where not counted;

-- One row for each user who has interacted with an entity. Only written under a lock on the entity's row; two entities
-- are locked in the order of their ids.
create table interaction_counts (
	workspace_id uuid not null,
	entity_id uuid not null,
	user_id uuid not null,
	count bigint not null check (count >= 0),
	last_at timestamptz not null,
	primary key (workspace_id, entity_id, user_id)
) with (fillfactor = 80);
create index interaction_counts_user on interaction_counts (workspace_id, user_id, last_at, entity_id);
create index interaction_counts_last on interaction_counts (workspace_id, last_at, entity_id);

-- Updates a person's row from their counters, with an event (a dry run: without); other entities have no such columns.
create function interaction_totals(workspace_id uuid, entity_id uuid, told boolean default true) returns void
language sql as $$
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
	insert into events (workspace_id, id, type, record_id, group_ids)
	select c.workspace_id, gen_random_uuid(), 'person.workspace_interaction_metadata_updated', c.id, c.group_ids
	from changed c where interaction_totals.told
$$;

-- Counts up to about most interactions that have fallen due, and returns their number. Each is counted exactly once, by
-- whichever process: it is counted only if still uncounted once the entity's row is locked. Locked entities are left to
-- the next call.
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
