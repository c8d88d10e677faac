-- Filters that begin far behind the first row of a list (README, "Filters").

-- Which month of 32 days a time is in. It never falls while time rises, so an interval of time is one of months.
create function kith_month(date) returns int language sql immutable strict parallel safe
	return ($1 - date '2000-01-01') / 32;
create function kith_month(timestamptz) returns int language sql immutable strict parallel safe
	return floor(date_part('epoch', $1 - timestamptz '2000-01-01 00:00Z') / (32 * 86400))::int;

-- The ids of each month in order. The time stands behind them, so that of the month in which an interval begins or
-- ends only rows that belong to it are looked at.
create index tasks_due_month on tasks (workspace_id, kith_month(due_at), id, due_at);
create index tasks_completed_month on tasks (workspace_id, kith_month(completed_at), id, completed_at);

-- Whom a user has met, in the order of ids.
create index interaction_counts_owner on interaction_counts (workspace_id, user_id, entity_id, last_at);
