-- What was delivered is kept for fewer days than events are: it tells nothing that somebody waits for. How far that is
-- done; all days before are, and of that day what comes up to the key, in its order.
create table delivery_sweep (
	only_row boolean primary key default true check (only_row),
	day date,
	workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
	webhook_id uuid not null default '00000000-0000-0000-0000-000000000000',
	generation bigint not null default 0,
	xid bigint not null default 0,
	seq bigint not null default 0
);
insert into delivery_sweep default values;
insert into kith_grants values ('table delivery_sweep', 'update', 'kith_system');

-- Removes, of so many rows, those that were delivered, in the day's partition that comes next and has ended before then.
-- False: there is no such day, or another process does it.
create function kith_deliveries_sweep(before timestamptz, many int) returns boolean
language plpgsql set search_path from current as $$
declare
	s delivery_sweep;
	part regclass;
	last record;
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
		execute format('with rows as (select q.workspace_id, q.webhook_id, q.generation, q.xid, q.seq, q.created_at, '
			'row_number() over () as n from %1$s q where (q.workspace_id, q.webhook_id, q.generation, q.xid, q.seq) > '
			'($1, $2, $3, $4, $5) order by q.workspace_id, q.webhook_id, q.generation, q.xid, q.seq limit $6), '
			'gone as (delete from %1$s t using rows r where t.workspace_id = r.workspace_id and '
			't.webhook_id = r.webhook_id and t.generation = r.generation and t.xid = r.xid and t.seq = r.seq and '
			't.created_at = r.created_at and t.state = ''delivered'') '
			'select r.* from rows r order by r.n desc limit 1', part)
		into last using s.workspace_id, s.webhook_id, s.generation, s.xid, s.seq, many;
	end if;
	if last is null then
		update delivery_sweep set day = s.day + 1, workspace_id = default, webhook_id = default, generation = default,
			xid = default, seq = default;
	else
		update delivery_sweep set day = s.day, workspace_id = last.workspace_id, webhook_id = last.webhook_id,
			generation = last.generation, xid = last.xid, seq = last.seq;
	end if;
	return true;
end
$$;
