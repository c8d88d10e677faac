-- What the dispatcher reads of a webhook; see dispatch_load.c.
-- [*] workspace, webhook

-- The webhook's row; whether deliveries are repeated; its latest delivery after the position, as events may have been
-- sent while an older one was still in flight; and how many ms later the next attempt is due.
-- [row]
select w.created_by, w.group_ids, w.subscribed_events, w.secret, w.former_secret,
	ceil(extract(epoch from w.former_until - clock_timestamp()) * 1000)::bigint, w.target_url,
	w.position_generation, w.position_xid, w.position_seq, w.position_at,
	floor(extract(epoch from clock_timestamp() - w.failing_since) * 1000)::bigint, w.version,
	exists (select from webhook_repeats r where r.workspace_id = :'workspace' and r.webhook_id = w.id),
	w.rests is not null or kith_rests(s.moving, s.held_until), w.recovered_to[1], w.recovered_to[2], w.recovered_to[3],
	k.generation, k.xid, k.seq, d.wait
from webhooks w
join workspaces s on s.workspace_id = w.workspace_id
left join lateral (
	select q.generation, q.xid, q.seq
	from deliveries q
	where q.workspace_id = :'workspace' and q.webhook_id = w.id
		and (q.generation, q.xid, q.seq) > (w.position_generation, w.position_xid, w.position_seq)
		and q.created_at >= w.position_at - interval '1 day'
	order by q.generation desc, q.xid desc, q.seq desc
	limit 1
) k on true
left join lateral (
	select ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint as wait
	from deliveries q
	where q.workspace_id = :'workspace' and q.webhook_id = w.id and q.created_at < now() + interval '1 day'
		and q.state = 'pending'
	order by q.next_attempt_at
	limit 1
) d on true
where w.workspace_id = :'workspace' and w.status = 'active' and w.id = :'webhook';
