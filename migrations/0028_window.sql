-- Nobody waits for longer than a window. A ring of 0002 holds one bucket more than the window, so that by the ring alone
-- what was let in counts for up to a bucket longer than it has to, and moments were promised that were a second, or a
-- tenth, too far away. The time of the latest admission says more: one window after it nothing counts any more.

-- The time of the latest call that let something in. Where the clock has gone back since: the earliest that it has shown,
-- which was no sooner. What counted under an earlier text happened at the latest when the user was seen last.
alter table rate_usage add column last_us bigint;
update rate_usage set last_us = seen_us;
alter table rate_usage alter column last_us set not null;

-- Parameters, answer and promises are those of 0002; reset and retry are at most one window after the latest admission.
create or replace function kith_admit_many(key_hashes bytea[], counts bigint[], default_limit int, default_window_s int,
	burst_limit int, burst_window_s int, at_us bigint default null)
returns table (o_place int, o_workspace_id uuid, o_user_id uuid, o_is_admin boolean, o_read_only boolean,
	o_version bigint, o_touch boolean, o_admitted int, o_now_us bigint,
	o_default_left int, o_default_reset_us bigint, o_default_retry_us bigint,
	o_burst_left int, o_burst_reset_us bigint, o_burst_retry_us bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
	d_window bigint := default_window_s * bigint '1000000';
	b_window bigint := burst_window_s * bigint '1000000';
	-- Rounded up, so that N buckets are never shorter than the window.
	d_width bigint := greatest((default_window_s * bigint '1000000' + 59) / 60, 1);
	b_width bigint := greatest((burst_window_s * bigint '1000000' + 19) / 20, 1);
begin
	if default_limit <= 0 and burst_limit <= 0 then
		return query
		select place, workspace_id, user_id, is_admin, read_only, version, touch, n::int,
			coalesce(at_us, round(date_part('epoch', clock_timestamp()) * 1e6)::bigint),
			0, null::bigint, null::bigint, 0, null::bigint, null::bigint
		from kith_keys(key_hashes, counts);
		return;
	end if;
	return query
	with asked as materialized (
		select * from kith_keys(key_hashes, counts)
	), used as (
		insert into rate_usage as r (workspace_id, user_id, seen_us, last_us, admitted,
			default_width, default_newest, default_total, default_left,
			burst_width, burst_newest, burst_total, burst_left, default_ring, burst_ring)
		-- the first call of a user, who has the whole of each limit
		select workspace_id, user_id, us, us, n, d_width, us / d_width, n, default_limit - n,
			b_width, us / b_width, n, burst_limit - n,
			array_fill(0, '{60}') || n, array_fill(0, '{20}') || n
		from (
			select workspace_id, user_id, n, coalesce(at_us, round(date_part('epoch', clock_timestamp()) * 1e6)::bigint) as us
			from (
				select workspace_id, user_id, least(sum(n), case when default_limit > 0 then default_limit end,
					case when burst_limit > 0 then burst_limit end)::int as n
				from asked group by workspace_id, user_id order by workspace_id, user_id
			) as per_user
			offset 0
		) as first_use
		-- excluded.admitted is what was asked for, capped by the limits
		on conflict (workspace_id, user_id) do update set (seen_us, last_us, admitted,
			default_width, default_newest, default_total, default_left, default_ring,
			burst_width, burst_newest, burst_total, burst_left, burst_ring) = (
			select us, case when n > 0 then us else least(us, r.last_us) end, n,
				case when d_write then d_width else r.default_width end,
				case when d_write then case when d_fold or d > 60 then us / d_width else r.default_newest + greatest(d, 0) end
					else r.default_newest end,
				case when d_write then d_live + n else r.default_total end,
				default_limit - d_live - n,
				case when not d_write then r.default_ring
					when d_fold or d > 60 then array_fill(0, '{60}') || (d_live + n)
					when d <= 0 then r.default_ring[1:60] || (r.default_ring[61] + n)
					else r.default_ring[d + 1:61] || array_fill(0, array[d - 1]) || n end,
				case when b_write then b_width else r.burst_width end,
				case when b_write then case when b_fold or b > 20 then us / b_width else r.burst_newest + greatest(b, 0) end
					else r.burst_newest end,
				case when b_write then b_live + n else r.burst_total end,
				burst_limit - b_live - n,
				case when not b_write then r.burst_ring
					when b_fold or b > 20 then array_fill(0, '{20}') || (b_live + n)
					when b <= 0 then r.burst_ring[1:20] || (r.burst_ring[21] + n)
					else r.burst_ring[b + 1:21] || array_fill(0, array[b - 1]) || n end
			from (
				select us, d, b, d_live, b_live, d_fold, b_fold, n,
					default_limit > 0 and (n > 0 or d_fold) as d_write, burst_limit > 0 and (n > 0 or b_fold) as b_write
				from (
					select us, d, b, d_live, b_live, d_width <> r.default_width or d < -1 as d_fold,
						b_width <> r.burst_width or b < -1 as b_fold,
						greatest(least(excluded.admitted, case when default_limit > 0 then default_limit - d_live end,
							case when burst_limit > 0 then burst_limit - b_live end), 0) as n
					from (
						select us, d, b,
							case when d <= 0 then r.default_total when d > 60 then 0 else r.default_total -
								(select sum(count)::int from unnest(r.default_ring[1:d]) as gone(count)) end as d_live,
							case when b <= 0 then r.burst_total when b > 20 then 0 else r.burst_total -
								(select sum(count)::int from unnest(r.burst_ring[1:b]) as gone(count)) end as b_live
						from (
							select us, case when us - r.last_us >= d_window then 61
									else least(greatest(us / r.default_width - r.default_newest, -2), 61)::int end as d,
								case when us - r.last_us >= b_window then 21
									else least(greatest(us / r.burst_width - r.burst_newest, -2), 21)::int end as b
							from (
								select coalesce(at_us, round(date_part('epoch', clock_timestamp()) * 1e6)::bigint) as us
								offset 0
							) as clock
							offset 0
						) as distance
						offset 0
					) as live
					offset 0
				) as granted
				offset 0
			) as decided
		)
		returning *
	)
	select a.place, a.workspace_id, a.user_id, a.is_admin, a.read_only, a.version, a.touch, r.admitted, r.seen_us,
		greatest(r.default_left, 0),
		case when r.default_left < default_limit then least((r.default_newest + 61) * r.default_width, r.last_us + d_window)
			else r.seen_us end,
		case when default_limit > 0 and r.default_left <= 0 then
			least(rate_retry_us(r.default_ring, r.default_total, r.default_newest, r.default_width, default_limit),
				r.last_us + d_window) end,
		greatest(r.burst_left, 0),
		case when r.burst_left < burst_limit then least((r.burst_newest + 21) * r.burst_width, r.last_us + b_window)
			else r.seen_us end,
		case when burst_limit > 0 and r.burst_left <= 0 then
			least(rate_retry_us(r.burst_ring, r.burst_total, r.burst_newest, r.burst_width, burst_limit),
				r.last_us + b_window) end
	from asked a join used r on r.workspace_id = a.workspace_id and r.user_id = a.user_id;
end
$$;

-- As 0018 has it, with the same.
create or replace function kith_admit(key_hashes bytea[], counts bigint[], default_limit int, default_window_s int,
	burst_limit int, burst_window_s int, at_us bigint default null)
returns table (o_place int, o_workspace_id uuid, o_user_id uuid, o_is_admin boolean, o_read_only boolean,
	o_version bigint, o_touch boolean, o_admitted int, o_now_us bigint,
	o_default_left int, o_default_reset_us bigint, o_default_retry_us bigint,
	o_burst_left int, o_burst_reset_us bigint, o_burst_retry_us bigint)
language plpgsql as $$
#variable_conflict use_variable
declare
	d_window bigint := default_window_s * bigint '1000000';
	b_window bigint := burst_window_s * bigint '1000000';
	latest bigint; -- of the user's row, as are the following
	d_width bigint := greatest((default_window_s * bigint '1000000' + 59) / 60, 1);
	b_width bigint := greatest((burst_window_s * bigint '1000000' + 19) / 20, 1);
	-- The user's row; of each policy what still counts, how many buckets have left since, whether the ring is folded.
	d_before bigint; d_newest bigint; d_total int; d_ring int[]; d_live int; d int; d_fold boolean;
	b_before bigint; b_newest bigint; b_total int; b_ring int[]; b_live int; b int; b_fold boolean;
begin
	if cardinality(key_hashes) = 1 and (default_limit > 0 or burst_limit > 0) then
		select 1, a.workspace_id, a.user_id, u.role = 'admin', a.read_only, w.version,
			a.last_used_at is null or a.last_used_at < now() - interval '1 minute',
			r.default_width, r.default_newest, r.default_total, r.default_total, r.default_ring,
			r.burst_width, r.burst_newest, r.burst_total, r.burst_total, r.burst_ring, r.last_us
		into o_place, o_workspace_id, o_user_id, o_is_admin, o_read_only, o_version, o_touch,
			d_before, d_newest, d_total, d_live, d_ring, b_before, b_newest, b_total, b_live, b_ring, latest
		from api_keys a
		join users u on u.workspace_id = a.workspace_id and u.id = a.user_id
		join workspaces w on w.workspace_id = a.workspace_id
		join rate_usage r on r.workspace_id = a.workspace_id and r.user_id = a.user_id
		where a.key_hash = key_hashes[1] and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
		for no key update of r;
	end if;
	if not found then
		return query select * from kith_admit_many(key_hashes, counts, default_limit, default_window_s, burst_limit,
			burst_window_s, at_us);
		return;
	end if;

	o_now_us := coalesce(at_us, round(date_part('epoch', clock_timestamp()) * 1e6)::bigint);
	d := case when o_now_us - latest >= d_window then 61 else least(greatest(o_now_us / d_before - d_newest, -2), 61) end;
	b := case when o_now_us - latest >= b_window then 21 else least(greatest(o_now_us / b_before - b_newest, -2), 21) end;
	d_fold := d_before <> d_width or d < -1;
	b_fold := b_before <> b_width or b < -1;
	if d > 0 then
		d_live := rate_live(d_ring, d_total, d);
	end if;
	if b > 0 then
		b_live := rate_live(b_ring, b_total, b);
	end if;
	o_admitted := greatest(least(counts[1], case when default_limit > 0 then default_limit - d_live end,
		case when burst_limit > 0 then burst_limit - b_live end), 0);
	-- A policy that is off, or lets nothing in, stays as it is.
	if default_limit > 0 and (o_admitted > 0 or d_fold) then
		if d > 0 or d_fold then
			d_newest := case when d_fold or d > 60 then o_now_us / d_width else d_newest + d end;
			d_before := d_width;
		end if;
		d_ring := rate_ring(d_ring, d, o_admitted, d_live, d_fold);
		d_total := d_live + o_admitted;
	end if;
	if burst_limit > 0 and (o_admitted > 0 or b_fold) then
		if b > 0 or b_fold then
			b_newest := case when b_fold or b > 20 then o_now_us / b_width else b_newest + b end;
			b_before := b_width;
		end if;
		b_ring := rate_ring(b_ring, b, o_admitted, b_live, b_fold);
		b_total := b_live + o_admitted;
	end if;
	o_default_left := greatest(default_limit - d_live - o_admitted, 0);
	o_burst_left := greatest(burst_limit - b_live - o_admitted, 0);
	latest := case when o_admitted > 0 then o_now_us else least(o_now_us, latest) end;
	update rate_usage r set seen_us = o_now_us, last_us = latest, admitted = o_admitted,
		default_width = d_before, default_newest = d_newest, default_total = d_total, default_left = o_default_left,
		default_ring = d_ring,
		burst_width = b_before, burst_newest = b_newest, burst_total = b_total, burst_left = o_burst_left,
		burst_ring = b_ring
	where r.workspace_id = o_workspace_id and r.user_id = o_user_id;

	o_default_reset_us := case when d_live + o_admitted > 0 then least((d_newest + 61) * d_before, latest + d_window)
		else o_now_us end;
	o_burst_reset_us := case when b_live + o_admitted > 0 then least((b_newest + 21) * b_before, latest + b_window)
		else o_now_us end;
	if default_limit > 0 and o_default_left = 0 then
		o_default_retry_us := least(rate_retry_us(d_ring, d_total, d_newest, d_before, default_limit), latest + d_window);
	end if;
	if burst_limit > 0 and o_burst_left = 0 then
		o_burst_retry_us := least(rate_retry_us(b_ring, b_total, b_newest, b_before, burst_limit), latest + b_window);
	end if;
	return next;
end
$$;
