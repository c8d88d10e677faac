-- The order of deliveries, and deliveries that a request sends out of order.

-- The delivery is sent out of order, and its request says so. Either retry or recover sends it again after it had failed for
-- good, was cancelled or was delivered; or recover sends it although the webhook had passed it over.
alter table deliveries add column manual boolean not null default false;

-- The position of the webhook when recover last went back. The webhook had passed over events up to there without a row.
alter table webhooks add column recovered_to bigint[] not null default '{-1,0,0}'
	check (cardinality(recovered_to) = 3 and array_position(recovered_to, null) is null);

-- As in 0007; also recover makes pending deliveries due at once.
create or replace function kith_deliveries_again(workspace uuid, webhook uuid, many int) returns boolean
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
	-- A pending delivery that only becomes due now keeps its attempts and its place in the order.
	update deliveries q set
		n_attempts = case when r.kind = 'again' and q.state = 'pending' then q.n_attempts else 0 end,
		manual = q.manual or q.state <> 'pending',
		state = case when r.kind = 'again' or q.created_at >= r.since then 'pending' else 'cancelled' end,
		next_attempt_at = case when r.kind = 'again' or q.created_at >= r.since then at end
	where q.workspace_id = workspace and q.webhook_id = webhook and q.state <> 'delivered'
		and (q.generation, q.xid, q.seq) > (r.generation, r.xid, r.seq)
		and (q.generation, q.xid, q.seq) <= (last.generation, last.xid, last.seq) and q.created_at >= earliest
		and case when r.kind = 'again' then q.event_type <> 'webhook.test' else q.state = 'pending' end;
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
