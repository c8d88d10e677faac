-- Admission: which keys are valid, and how often their users may call.

-- One row for each user who ever called. For each policy ("default" and "burst") a ring of counts: the window is divided
-- into N buckets (60 and 20) and the ring has N + 1 of them, because a window that ends anywhere in bucket i begins
-- somewhere in bucket i - N. Refusing while the whole ring holds the limit therefore never lets a window exceed it; the
-- price is that a client at the limit gets N/(N+1) of it in the long run, 98 % and 95 %. Finer rings would make longer
-- rows: "default" has buckets of a second at 600/60, the unit of Retry-After, and "burst" of a tenth at 20/2.
--
--   width   microseconds a bucket
--   newest  number of the newest bucket (microseconds since 1970 / width): the last of the ring
--   total   sum of the ring
--
-- Unlogged: a crash forgets the use of the last window, and no call waits for the disk.
create unlogged table rate_usage (
	workspace_id uuid not null,
	user_id uuid not null,
	-- The time of the latest call that admitted something; after the clock has gone back, the earliest time it has shown
	-- since. One window later nothing counts any more, whatever the ring holds.
	last_us bigint not null,
	default_width bigint not null,
	default_newest bigint not null,
	default_total int not null,
	burst_width bigint not null,
	burst_newest bigint not null,
	burst_total int not null,
	default_ring int[] not null,
	burst_ring int[] not null,
	primary key (workspace_id, user_id)
) with (fillfactor = 30);

-- The time, in microseconds, at which the ring next falls below its limit if there are no further calls: when the bucket
-- leaves that brings the sum below it.
create function rate_retry_us(ring int[], total int, newest bigint, width bigint, rate_limit int) returns bigint
language plpgsql immutable as $$
declare
	gone int := 0;
begin
	for p in 1 .. cardinality(ring) loop
		gone := gone + ring[p];
		if gone > total - rate_limit then
			return (newest + p) * width;
		end if;
	end loop;
end
$$;

-- The sum that still counts after that many buckets have left the ring.
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

-- The ring after that many buckets have left and n more requests were admitted; folded: everything counts as just now.
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

-- The valid ones of some key hashes, with their users' data; n is passed through. One index look-up each, whatever the
-- planner believes about the tables' sizes: plans are kept for the life of a connection. touch: last_used_at is over a
-- minute old. Must stay inlinable: stable, one select.
create function kith_keys(key_hashes bytea[], counts bigint[])
returns table (place int, n bigint, workspace_id uuid, user_id uuid, is_admin boolean, read_only boolean,
	version bigint, touch boolean)
language sql stable as $$
	select k.place::int, k.n, a.workspace_id, a.user_id, u.role = 'admin', a.read_only, w.version,
		a.last_used_at is null or a.last_used_at < now() - interval '1 minute'
	from unnest(key_hashes, counts) with ordinality as k(key_hash, n, place)
	cross join lateral (
		select * from api_keys a
		where a.key_hash = k.key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
		offset 0
	) as a
	join users u on u.workspace_id = a.workspace_id and u.id = a.user_id
	join workspaces w on w.workspace_id = a.workspace_id
$$;

-- Admits the requests of one turn of the loop: for each distinct key hash the number of requests with it. A policy with
-- limit 0 is off. at_us replaces the clock, for tests.
--
-- Returns one row for each valid key, with its place in the arrays, from 1; unknown, revoked and expired keys have none.
-- Limits belong to the user, so admitted is the number for all their requests of this call: the caller distributes it in
-- order of arrival. left, reset and retry describe the state after it: reset is when the limit is fully restored without
-- further calls; retry is the earliest time at which one more request is certain to be admitted, null when that is now.
-- Both are at most one window after the latest admission. All times are microseconds since 1970 by this server's clock.
--
-- A user's row has one writer at a time, which reads the clock once it has the lock; several users' rows are locked in
-- the order of their keys. When the clock has gone back by more than a bucket, or a policy's window has changed,
-- everything that still counted is taken to have happened just now: too strict for one window, never too lax. If the
-- clock went back by less, the newest bucket is used.
--
-- The caller has set plan_cache_mode to generic plans: with the arrays' sizes known the planner would find each call's
-- custom plan cheaper, and planning takes ten times as long as execution. Setting it here would cost each call.
create function kith_admit(key_hashes bytea[], counts bigint[], default_limit int, default_window_s int,
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
	-- Rounded up, so that N buckets are never shorter than the window.
	d_width bigint := greatest((default_window_s * bigint '1000000' + 59) / 60, 1);
	b_width bigint := greatest((burst_window_s * bigint '1000000' + 19) / 20, 1);
	wanted bigint; -- for all keys of the user
	is_next boolean; -- the first row of a user
	-- The user's row; for each policy what still counts, how many buckets have left, whether the ring is folded.
	latest bigint;
	d_before bigint; d_newest bigint; d_total int; d_ring int[]; d_live int; d int; d_fold boolean;
	b_before bigint; b_newest bigint; b_total int; b_ring int[]; b_live int; b int; b_fold boolean;
begin
	if default_limit <= 0 and burst_limit <= 0 then
		return query
		select k.place, k.workspace_id, k.user_id, k.is_admin, k.read_only, k.version, k.touch, k.n::int,
			coalesce(at_us, round(date_part('epoch', clock_timestamp()) * 1e6)::bigint),
			0, null::bigint, null::bigint, 0, null::bigint, null::bigint
		from kith_keys(key_hashes, counts) as k;
		return;
	end if;

	for o_place, o_workspace_id, o_user_id, o_is_admin, o_read_only, o_version, o_touch, wanted, is_next in
		select k.place, k.workspace_id, k.user_id, k.is_admin, k.read_only, k.version, k.touch,
			(sum(k.n) over same)::bigint, row_number() over same = 1
		from kith_keys(key_hashes, counts) as k
		window same as (partition by k.workspace_id, k.user_id order by k.place
			rows between unbounded preceding and unbounded following)
		order by k.workspace_id, k.user_id, k.place
	loop
		if not is_next then
			return next; -- another key of the previous user
			continue;
		end if;
		loop
			select r.default_width, r.default_newest, r.default_total, r.default_total, r.default_ring,
				r.burst_width, r.burst_newest, r.burst_total, r.burst_total, r.burst_ring, r.last_us
			into d_before, d_newest, d_total, d_live, d_ring, b_before, b_newest, b_total, b_live, b_ring, latest
			from rate_usage r where r.workspace_id = o_workspace_id and r.user_id = o_user_id
			for no key update;
			exit when found;
			insert into rate_usage (workspace_id, user_id, last_us, default_width, default_newest, default_total,
				default_ring, burst_width, burst_newest, burst_total, burst_ring)
			values (o_workspace_id, o_user_id, 0, d_width, 0, 0, array_fill(0, '{61}'),
				b_width, 0, 0, array_fill(0, '{21}'))
			on conflict do nothing;
		end loop;

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
		o_admitted := greatest(least(wanted, case when default_limit > 0 then default_limit - d_live end,
			case when burst_limit > 0 then burst_limit - b_live end), 0);
		-- A policy that is off, or admits nothing, is left unchanged.
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
		update rate_usage r set last_us = latest,
			default_width = d_before, default_newest = d_newest, default_total = d_total, default_ring = d_ring,
			burst_width = b_before, burst_newest = b_newest, burst_total = b_total, burst_ring = b_ring
		where r.workspace_id = o_workspace_id and r.user_id = o_user_id;

		o_default_reset_us := case when d_live + o_admitted > 0 then least((d_newest + 61) * d_before, latest + d_window)
			else o_now_us end;
		o_burst_reset_us := case when b_live + o_admitted > 0 then least((b_newest + 21) * b_before, latest + b_window)
			else o_now_us end;
		o_default_retry_us := case when default_limit > 0 and o_default_left = 0 then
			least(rate_retry_us(d_ring, d_total, d_newest, d_before, default_limit), latest + d_window) end;
		o_burst_retry_us := case when burst_limit > 0 and o_burst_left = 0 then
			least(rate_retry_us(b_ring, b_total, b_newest, b_before, burst_limit), latest + b_window) end;
		return next;
	end loop;
end
$$;
