-- Webhooks, what was sent to them, and the days of events and deliveries.

create table webhooks (
	workspace_id uuid not null,
	id uuid not null,
	name text not null,
	target_url text not null,
	-- [{eventType, filter}]
	subscribed_events json not null,
	-- encrypted with the installation's key; the former one still signs until then
	secret bytea not null,
	former_secret bytea,
	former_until timestamptz,
	status text not null default 'active' check (status in ('active', 'inactive')),
	created_by uuid not null,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	-- rises with each change that the dispatcher has to know of
	version bigint not null default 1,
	-- Every webhook reads the workspace's events at its own pace: all before this position
	-- are delivered, or are rows of deliveries, or are none of its own.
	position_generation bigint not null default kith_generation(),
	position_xid bigint not null default pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
	position_seq bigint not null default 0,
	position_at timestamptz not null default clock_timestamp(),
	-- rises when the position is moved back (recover): rows of earlier passes do not keep an event from being sent again
	pass int not null default 0,
	-- the first of the failures since the last success; null: none
	failing_since timestamptz,
	primary key (workspace_id, id),
	foreign key (workspace_id, created_by) references users
) with (fillfactor = 50);
create index webhooks_active on webhooks (workspace_id) where status = 'active';

-- Webhooks that were deleted, until what was sent to them is cleaned up.
create table webhooks_gone (
	workspace_id uuid not null,
	id uuid not null,
	primary key (workspace_id, id)
);

-- Webhooks that were made, changed or deleted, for the dispatcher, which reads forward from where it was; cleaned up after a
-- day.
create table webhook_changes (
	workspace_id uuid not null,
	webhook_id uuid not null,
	generation bigint not null default kith_generation(),
	xid bigint not null default pg_current_xact_id()::text::bigint,
	made_at timestamptz not null default clock_timestamp()
);
-- As field_values (0004): its rows have no key.
alter table webhook_changes replica identity full;
create index webhook_changes_order on webhook_changes (generation, xid);

create function webhook_changed() returns trigger language plpgsql set search_path from current as $$
begin
	insert into webhook_changes (workspace_id, webhook_id)
	values (coalesce(new.workspace_id, old.workspace_id), coalesce(new.id, old.id));
	return null;
end
$$;
create trigger webhook_changed after insert or delete or update of status, version on webhooks
	for each row execute function webhook_changed();

-- Which process sends: whoever has the advisory lock raises the term, and what an earlier term writes later is refused.
create table dispatcher_term (
	only_row boolean primary key default true check (only_row),
	term bigint not null default 0
);
insert into dispatcher_term default values;

-- --- deliveries ---------------------------------------------------------------

-- One row for each event that was sent to a webhook, or is to be sent again. Events after the webhook's position have none.
create table deliveries (
	workspace_id uuid not null,
	webhook_id uuid not null,
	-- the event's position and time
	generation bigint not null,
	xid bigint not null,
	seq bigint not null,
	created_at timestamptz not null,
	id uuid not null,
	event_id uuid not null,
	event_type text not null,
	record_id uuid not null,
	state text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
	-- null unless pending
	next_attempt_at timestamptz,
	-- since it was last put into the queue; the list has all of them
	n_attempts int not null default 0,
	-- the webhook's when it was last sent
	pass int not null default 0,
	-- [{at, durationMs, statusCode, error}]
	attempts json not null default '[]'
) partition by range (created_at);
create table deliveries_rest partition of deliveries default;
create index deliveries_id on deliveries (workspace_id, webhook_id, id);
create index deliveries_due on deliveries (workspace_id, webhook_id, next_attempt_at, generation, xid, seq)
	where state = 'pending';
-- Deliveries that later events of the same record wait for.
create index deliveries_held on deliveries (workspace_id, webhook_id, generation, xid, seq)
	where state = 'pending' and n_attempts < 3;
-- Deliveries that can be queued again.
create index deliveries_undelivered on deliveries (workspace_id, webhook_id, generation, xid, seq) where state <> 'delivered';
-- A list of those of one state reads none of the others, however many there are. The state comes first: an index that
-- begins as the primary key does would seem as good as that to statements that look for a row by its position.
create index deliveries_state on deliveries (state, workspace_id, webhook_id, id);
-- The key is created last: of indexes that seem equally good, as all do for a webhook without rows in the statistics,
-- PostgreSQL takes the newest, and with deliveries_id it would read all rows of the webhook.
alter table deliveries add primary key (workspace_id, webhook_id, generation, xid, seq, created_at);

-- A webhook may have millions of failed deliveries. Queueing them again in a request's transaction would take minutes, for
-- which the events of all workspaces would wait. So a request only records it here, and the dispatcher does it in batches
-- before it loads the webhook.
create table webhook_repeats (
	workspace_id uuid not null,
	webhook_id uuid not null,
	-- again: what failed or was cancelled since then is pending. resume: what is pending is due, and starts its attempts
	-- anew, but what is older is cancelled. A webhook that has both is resumed first.
	kind text not null check (kind in ('again', 'resume')),
	since timestamptz not null,
	-- rows up to this one are done
	generation bigint not null default -1,
	xid bigint not null default 0,
	seq bigint not null default 0,
	primary key (workspace_id, webhook_id, kind)
);

-- Processes the next rows of a webhook, at most "many". False: the webhook is locked. The settings make both statements use
-- deliveries_undelivered, also when the statistics are old.
create function kith_deliveries_again(workspace uuid, webhook uuid, many int) returns boolean
language plpgsql set search_path from current set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
declare
	r webhook_repeats;
	last record;
	whole boolean;
	earliest timestamptz;
	at constant timestamptz := clock_timestamp();
begin
	perform from webhooks w where w.workspace_id = workspace and w.id = webhook for update skip locked;
	if not found then
		return false;
	end if;
	select a.* into r from webhook_repeats a where a.workspace_id = workspace and a.webhook_id = webhook
	order by a.kind desc limit 1;
	earliest := case when r.kind = 'again' then r.since else '-infinity' end;
	select q.generation, q.xid, q.seq into last from deliveries q
	where q.workspace_id = workspace and q.webhook_id = webhook and q.state <> 'delivered'
		and (q.generation, q.xid, q.seq) > (r.generation, r.xid, r.seq) and q.created_at >= earliest
	order by q.generation, q.xid, q.seq offset many - 1 limit 1;
	whole := not found;
	if whole then
		select bigint '9223372036854775807' as generation, bigint '0' as xid, bigint '0' as seq into last;
	end if;
	update deliveries q set n_attempts = 0,
		state = case when r.kind = 'again' or q.created_at >= r.since then 'pending' else 'cancelled' end,
		next_attempt_at = case when r.kind = 'again' or q.created_at >= r.since then at end
	where q.workspace_id = workspace and q.webhook_id = webhook and q.state <> 'delivered'
		and (q.generation, q.xid, q.seq) > (r.generation, r.xid, r.seq)
		and (q.generation, q.xid, q.seq) <= (last.generation, last.xid, last.seq) and q.created_at >= earliest
		and case when r.kind = 'again' then q.state in ('failed', 'cancelled') and q.event_type <> 'webhook.test'
			else q.state = 'pending' end;
	if whole then
		delete from webhook_repeats a
		where a.workspace_id = workspace and a.webhook_id = webhook and a.kind = r.kind;
	else
		update webhook_repeats a set generation = last.generation, xid = last.xid, seq = last.seq
		where a.workspace_id = workspace and a.webhook_id = webhook and a.kind = r.kind;
	end if;
	return true;
end
$$;

-- Delivered rows are kept for fewer days than events. Up to where they were removed: all days before this one, and that
-- many blocks of its partition.
create table delivery_sweep (
	only_row boolean primary key default true check (only_row),
	day date,
	block bigint not null default 0
);
insert into delivery_sweep default values;

-- Removes the delivered rows in the next blocks of a day's partition, if that day ended before then. False: there is no such
-- day, or another process is removing.
create function kith_deliveries_sweep(before timestamptz, blocks int) returns boolean
language plpgsql set search_path from current as $$
declare
	s delivery_sweep;
	part regclass;
begin
	select * into s from delivery_sweep for update skip locked;
	if not found then
		return false;
	end if;
	if s.day is null then
		select min(to_date(right(c.relname, 8), 'YYYYMMDD')) into s.day from pg_inherits i
		join pg_class c on c.oid = i.inhrelid where i.inhparent = 'deliveries'::regclass and c.relname ~ '_\d{8}$';
	end if;
	if s.day is null or (s.day + 1)::timestamp at time zone 'UTC' > before then
		return false;
	end if;
	part := to_regclass(format('deliveries_%s', to_char(s.day, 'YYYYMMDD')));
	if part is not null then
		execute format('delete from %s where ctid >= $1 and ctid < $2 and state = ''delivered''', part)
		using format('(%s,0)', s.block)::tid, format('(%s,0)', s.block + blocks)::tid;
	end if;
	if part is null or (s.block + blocks) * current_setting('block_size')::int >= pg_relation_size(part) then
		update delivery_sweep set day = s.day + 1, block = 0;
	else
		update delivery_sweep set day = s.day, block = s.block + blocks;
	end if;
	return true;
end
$$;

-- --- days ----------------------------------------------------------------------

-- Creates the partitions of events and deliveries from the day before "today" to a week after it; returns their number. A
-- day with rows in the default partition gets none. Waits at most half a second for the exclusive lock that this needs.
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

-- Drops the oldest partitions that ended before then and returns their number. Of at most so many days at a time: a wrong
-- clock or setting does not delete everything at once.
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

-- --- restores and moves ----------------------------------------------------------

-- Called at each start and after each migration. Rows may have been copied from a database with higher transaction numbers:
-- then a generation begins after all of them.
create function kith_settle() returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
	last bigint;
begin
	perform kith_join();
	select max(p.generation) into last from (
		(select e.generation, e.xid from events e order by e.generation desc, e.xid desc limit 1)
		union all
		(select w.position_generation, w.position_xid from webhooks w
			order by w.position_generation desc, w.position_xid desc limit 1)
	) as p (generation, xid)
	where (p.generation, p.xid) > (kith_generation(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint);
	if last is not null then
		perform kith_begin_generation(last);
	end if;
end
$$;
