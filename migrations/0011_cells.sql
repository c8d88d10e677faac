-- Workspaces that move between installations (cells).

alter table workspaces
	-- The key that seals the workspace's cursors: that of the installation it came from. Null: this installation's key.
	add column cursor_key bytea check (length(cursor_key) = 32),
	-- The state of a move; null: none, the workspace is at home here. In the installation that it leaves: its rows are copied, its
	-- webhooks rest (draining) until held_until, its writes are held (held) until then, it has moved. In the other one: its
	-- rows arrive, then they are complete (arrived).
	add column moving text check (moving in ('copied', 'draining', 'held', 'moved', 'arriving', 'arrived')),
	add column move_id uuid,
	-- the address of the server that has the workspace now, for clients
	add column moved_to text,
	add column held_until timestamptz;

-- Set while a webhook rests: the process that sends has nothing of it in progress, and stores the version that it saw. Only
-- that process resets it, when the webhook may continue.
alter table webhooks add column rests bigint;

-- True when the workspace's webhooks must rest here.
create function kith_rests(moving text, held_until timestamptz) returns boolean language sql volatile as $$
	select coalesce(moving in ('moved', 'arriving', 'arrived')
		or moving in ('draining', 'held') and held_until > clock_timestamp(), false)
$$;

-- True when the workspace's rows may change here. A caller that has locked the workspace's row makes a move wait until COMMIT.
create function kith_at_home(moving text, held_until timestamptz) returns boolean language sql volatile as $$
	select coalesce(moving in ('copied', 'draining') or moving = 'held' and held_until <= clock_timestamp(), moving is null)
$$;

-- Called before a webhook is loaded: marks it as resting, or no longer resting. A locked row is not changed.
create function kith_webhook_rests(workspace uuid, webhook uuid) returns void
language sql set search_path from current as $$
	update webhooks t set rests = case when t.rests is null then t.version end
	where (t.workspace_id, t.id) in (
		select w.workspace_id, w.id from webhooks w join workspaces s on s.workspace_id = w.workspace_id
		where w.workspace_id = workspace and w.id = webhook
			and kith_rests(s.moving, s.held_until) <> (w.rests is not null)
		for update of w skip locked for share of s)
$$;

-- Begins a generation of events after the given one of another database, in which followers of an arriving workspace have
-- positions. It takes the lock of kith_begin_generation() (0006). The sending process continues, because everything that it
-- has read still exists.
create function kith_generation_after(seen bigint) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
begin
	if seen >= kith_generation() then
		lock table only events, only webhook_changes in share row exclusive mode;
		update event_generation g set generation = greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, seen + 1)
		where seen >= g.generation;
	end if;
end
$$;
insert into kith_grants values ('function kith_generation_after(bigint)', 'execute', 'kith_serve');

-- As in 0008, but not for workspaces that are not at home here. Rows of workspaces are locked, so that a move waits.
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
		perform interaction_totals(e.workspace_id, e.entity_id);
		total := total + n;
	end loop;
	return total;
end
$$;

-- Commands also write users and keys, without a lock of the workspace. While it moves, only the move may change their rows.
create function users_at_home() returns trigger language plpgsql set search_path from current as $$
declare
	moving text;
	held_until timestamptz;
begin
	if current_setting('kith.moves', true) = 'on' then
		return coalesce(new, old);
	end if;
	select w.moving, w.held_until into moving, held_until from workspaces w
	where w.workspace_id = coalesce(new.workspace_id, old.workspace_id) for share;
	if not kith_at_home(moving, held_until) then
		raise exception 'the workspace is being moved, or was moved to another server';
	end if;
	return coalesce(new, old);
end
$$;
create trigger users_at_home before insert or update or delete on users for each row execute function users_at_home();
create trigger keys_at_home before insert or delete or update of user_id, read_only, scopes, group_ids, expires_at,
	revoked_at, rotated_at on api_keys
	for each row execute function users_at_home();
