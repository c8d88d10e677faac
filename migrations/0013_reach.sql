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

-- Which custom fields have values: a number for the set of their ids, whatever the order of the json's keys. Known by
-- its digest, of which nobody finds two alike.
create function kith_value_set(value_json json) returns uuid language plpgsql immutable parallel safe as $$
begin
	if value_json is null then
		return '00000000-0000-0000-0000-000000000000';
	end if;
	return coalesce((select md5(string_agg(k, ',' order by k collate "C"))::uuid from json_object_keys(value_json) k),
		'00000000-0000-0000-0000-000000000000');
end
$$;

-- A column, so that it is made when values are written and not whenever a row is. Views show the columns that there
-- were when they were made.
alter table objects add value_set uuid not null generated always as (kith_value_set(custom_values)) stored;
create index objects_value_set on objects (workspace_id, type_id, value_set, id);
drop view if exists kith_search.objects;
select kith_secure();
