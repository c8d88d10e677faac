-- The tables, too, limit the values that a workspace file may bring. Each workspace seals its cursors with its own key.

-- A workspace takes its key with it into another installation. Until now that was the key of its installation, or of the one it
-- came from. Cursors sealed with that key stay valid, so the key is kept. Null: this installation's key.
alter table workspaces
	add column cursor_key_before bytea check (length(cursor_key_before) = 32),
	alter column cursor_key set default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
update workspaces set cursor_key_before = cursor_key, cursor_key = default;
alter table workspaces alter column cursor_key set not null;

-- Bounds. The program checks the rows of a file before it inserts them (server/cell/sound.h); these constraints are a second
-- guard. They are NOT VALID, because checking existing rows would lock the tables for minutes.
--
-- Each restart needs a larger number of a generation, so the bound leaves room for more restarts than can happen.
alter table event_generation add constraint event_generation_bounds check (generation >= 0 and generation < 1::bigint << 42);
alter table events add constraint events_bounds check (generation >= 0 and generation < 1::bigint << 42 and xid >= 0
	and seq >= 0 and isfinite(created_at) and (data is null or json_typeof(data) = 'object')) not valid;
alter table deliveries add constraint deliveries_bounds check (generation >= 0 and generation < 1::bigint << 42
	and xid >= 0 and seq >= 0 and isfinite(created_at) and json_typeof(attempts) = 'array') not valid;
alter table webhooks add constraint webhooks_bounds check (position_generation >= 0
	and position_generation < 1::bigint << 42 and position_xid >= 0 and position_seq >= 0 and isfinite(position_at)
	and version < 1::bigint << 62 and json_typeof(subscribed_events) = 'array') not valid;
alter table custom_fields add constraint custom_fields_bounds check (json_typeof(options) = 'array') not valid;
alter table people add constraint people_bounds check (custom_values is null or json_typeof(custom_values) = 'object') not valid;
alter table companies add constraint companies_bounds check (custom_values is null or json_typeof(custom_values) = 'object') not valid;
alter table objects add constraint objects_bounds check (custom_values is null or json_typeof(custom_values) = 'object') not valid;
-- One row with such a time would stop the job that processes the rows of all workspaces.
alter table reminders add constraint reminders_bounds check (isfinite(next_trigger_at) and isfinite(put_off_until)) not valid;
alter table interactions add constraint interactions_bounds check (isfinite(date_time)) not valid;
alter table interaction_counts add constraint interaction_counts_bounds check (count < 1::bigint << 53 and isfinite(last_at)) not valid;

-- As in 0011, but with a bound on the number, because every restart needs a larger one.
create or replace function kith_generation_after(seen bigint) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
begin
	if seen is null or seen < 0 or seen >= bigint '1' << 42 then
		raise numeric_value_out_of_range using message = 'the other database has a generation of events that is none: ' || seen;
	end if;
	if seen >= kith_generation() then
		lock table only events, only webhook_changes in share row exclusive mode;
		update event_generation g set generation = greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, seen + 1)
		where seen >= g.generation;
	end if;
end
$$;
