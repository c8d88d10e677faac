-- Events: one row for each change, written in the change's own transaction. Outbox
-- of the webhooks and feed in one, immutable, in partitions of a day.
--
-- A position is (xid, seq): the number of the writing transaction and a sequence. A
-- sequence alone is not commit order; whoever reads only below
-- pg_snapshot_xmin(pg_current_snapshot()), where every transaction has ended, and
-- goes on from the last position, misses nothing.
-- Only the order within a transaction counts, so that each connection may take some in advance.
create sequence events_seq cache 32;
create table events (
	workspace_id uuid not null,
	xid xid8 not null default pg_current_xact_id(),
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
	primary key (workspace_id, xid, seq, created_at)
) partition by range (created_at);
-- Nothing is lost should a day's partition be missing.
create table events_rest partition of events default;

-- Private groups that were deleted: their events are for their last members alone (and admins).
create table groups_gone (
	workspace_id uuid not null,
	id uuid not null,
	user_ids uuid[] not null,
	deleted_at timestamptz not null default clock_timestamp(),
	primary key (workspace_id, id)
);

-- The days' partitions, from the day before "today" to a week after it. What a partition of a day
-- cannot be made for (rows of it are in the rest) is left as it is. Answers how many were made.
-- It waits for nobody: a table's new partition needs a moment in which nobody works with the table.
create function kith_partitions(today date default (clock_timestamp() at time zone 'UTC')::date) returns int
language plpgsql security definer set search_path from current set lock_timeout = '500ms' as $$
declare
	parent text;
	day date;
	child text;
	made int := 0;
begin
	perform pg_advisory_xact_lock(hashtextextended('kith_partitions', 0));
	foreach parent in array array['events', 'deliveries'] loop
		continue when to_regclass(parent) is null;
		for day in select generate_series(today - 1, today + 7, interval '1 day')::date loop
			child := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
			continue when to_regclass(child) is not null;
			begin
				execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
					day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
				perform kith_protect(child::regclass);
				made := made + 1;
			exception when check_violation then
				null;
			end;
		end loop;
	end loop;
	return made;
end
$$;

-- Drops the partitions that ended before then. Answers how many.
create function kith_partitions_drop(before timestamptz) returns int
language plpgsql security definer set search_path from current set lock_timeout = '500ms' as $$
declare
	child record;
	dropped int := 0;
begin
	for child in
		select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent in ('events'::regclass, to_regclass('deliveries'))
			and c.relname ~ '_\d{8}$'
			and (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= before
		order by 1
	loop
		execute format('drop table %s', child.name);
		dropped := dropped + 1;
	end loop;
	return dropped;
end
$$;
revoke execute on function kith_partitions, kith_partitions_drop from public;
grant execute on function kith_partitions, kith_partitions_drop to kith_system;

-- Brings a person's row up to its counters, which is an event; other entities have no such columns.
create or replace function interaction_totals(workspace_id uuid, entity_id uuid) returns void
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
	from changed c
$$;
