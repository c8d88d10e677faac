-- Admission of one key at a time, which is what a server that is not busy asks for again and again: kith_admit() of
-- 0002, a single statement for any number of keys, spends half of its time on being set up. It is kith_admit_many()
-- from here on, for several keys at once and for the first call of a user; kith_admit() answers the same.

-- What of a ring still counts when that many of its buckets have left.
create function rate_live(ring int[], total int, gone int) returns int language plpgsql immutable as $$
begin
	if gone >= cardinality(ring) then
		return 0;
	end if;
	for p in 1 .. gone loop
		total := total - ring[p];
	end loop;
	return total;
end
$$;

-- The ring when that many buckets have left and n more are let in; folded: all that counted has happened just now.
create function rate_ring(ring int[], gone int, n int, live int, folded boolean) returns int[]
language plpgsql immutable as $$
declare
	last int := cardinality(ring);
begin
	if folded or gone >= last then
		return array_fill(0, array[last - 1]) || (live + n);
	elsif gone <= 0 then
		return ring[1:last - 1] || (ring[last] + n);
	end if;
	return ring[gone + 1:last] || array_fill(0, array[gone - 1]) || n;
end
$$;

alter function kith_admit(bytea[], bigint[], int, int, int, int, bigint) rename to kith_admit_many;

-- Parameters, answer and promises are those of 0002. Each expression is set up anew in each call, so there are few, and
-- what is seldom needed has its own; the caller has planning without values switched on (plan_cache_mode), as to do
-- so here would cost each call, too.
create function kith_admit(key_hashes bytea[], counts bigint[], default_limit int, default_window_s int,
	burst_limit int, burst_window_s int, at_us bigint default null)
returns table (o_place int, o_workspace_id uuid, o_user_id uuid, o_is_admin boolean, o_read_only boolean,
	o_version bigint, o_touch boolean, o_admitted int, o_now_us bigint,
	o_default_left int, o_default_reset_us bigint, o_default_retry_us bigint,
	o_burst_left int, o_burst_reset_us bigint, o_burst_retry_us bigint)
language plpgsql as $$
#variable_conflict use_variable
declare
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
			r.burst_width, r.burst_newest, r.burst_total, r.burst_total, r.burst_ring
		into o_place, o_workspace_id, o_user_id, o_is_admin, o_read_only, o_version, o_touch,
			d_before, d_newest, d_total, d_live, d_ring, b_before, b_newest, b_total, b_live, b_ring
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
	d := least(greatest(o_now_us / d_before - d_newest, -2), 61);
	b := least(greatest(o_now_us / b_before - b_newest, -2), 21);
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
	update rate_usage r set seen_us = o_now_us, admitted = o_admitted,
		default_width = d_before, default_newest = d_newest, default_total = d_total, default_left = o_default_left,
		default_ring = d_ring,
		burst_width = b_before, burst_newest = b_newest, burst_total = b_total, burst_left = o_burst_left,
		burst_ring = b_ring
	where r.workspace_id = o_workspace_id and r.user_id = o_user_id;

	o_default_reset_us := case when d_live + o_admitted > 0 then (d_newest + 61) * d_before else o_now_us end;
	o_burst_reset_us := case when b_live + o_admitted > 0 then (b_newest + 21) * b_before else o_now_us end;
	if default_limit > 0 and o_default_left = 0 then
		o_default_retry_us := rate_retry_us(d_ring, d_total, d_newest, d_before, default_limit);
	end if;
	if burst_limit > 0 and o_burst_left = 0 then
		o_burst_retry_us := rate_retry_us(b_ring, b_total, b_newest, b_before, burst_limit);
	end if;
	return next;
end
$$;
