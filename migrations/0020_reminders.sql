-- Reminders whose rule cannot be followed just now are put off, not ended; and they fall due in turn of their workspaces.

alter table reminders
	-- When it is looked at again; null: at next_trigger_at.
	add put_off_until timestamptz,
	-- Of a rule with COUNT: so many of its times lie before that local second, so that nobody counts them again.
	add counted_to bigint,
	add counted bigint;

drop index reminders_due;
-- What falls due next, in all workspaces, and in each of them.
create index reminders_due on reminders ((coalesce(put_off_until, next_trigger_at))) where next_trigger_at is not null;
create index reminders_turn on reminders (workspace_id, (coalesce(put_off_until, next_trigger_at)))
	where next_trigger_at is not null;
