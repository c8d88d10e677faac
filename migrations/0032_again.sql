-- Of what failed to reach a webhook there may be millions of rows: to put them into the queue again in the transaction
-- of a request takes minutes, and while a transaction runs the events of all workspaces wait for it. So the request says
-- what is to be done, and whoever sends does it before it loads the webhook, some in a transaction.

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

create index deliveries_unmade on deliveries (workspace_id, webhook_id, generation, xid, seq) where state <> 'delivered';

-- The next rows of a webhook; many, or all that are left. False: somebody has it locked. Rows are found along the index
-- above, both times: as many as there are look few to plans that were made before.
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
