-- One algorithm of admission: users one after the other, each as 0028 has it for one key. It was written twice, as a
-- single statement for any number of keys as well, which also made the first row of a user.

-- Parameters, answer and promises are those of 0002; reset and retry are at most one window after the latest admission.
-- The rows of users are locked in the order of their keys. The caller has planning without values switched on
-- (plan_cache_mode), as to do so here would cost each call.
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
	d_width bigint := greatest((default_window_s * bigint '1000000' + 59) / 60, 1);
	b_width bigint := greatest((burst_window_s * bigint '1000000' + 19) / 20, 1);
	wanted bigint; -- by all keys of the user
	is_next boolean; -- the first row of a user
	latest bigint; -- of the user's row, as are the following
	-- The user's row; of each policy what still counts, how many buckets have left since, whether the ring is folded.
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
			return next; -- another key of the user before
			continue;
		end if;
		loop
			select r.default_width, r.default_newest, r.default_total, r.default_total, r.default_ring,
				r.burst_width, r.burst_newest, r.burst_total, r.burst_total, r.burst_ring, r.last_us
			into d_before, d_newest, d_total, d_live, d_ring, b_before, b_newest, b_total, b_live, b_ring, latest
			from rate_usage r where r.workspace_id = o_workspace_id and r.user_id = o_user_id
			for no key update;
			exit when found;
			insert into rate_usage (workspace_id, user_id, seen_us, last_us, admitted,
				default_width, default_newest, default_total, default_left, default_ring,
				burst_width, burst_newest, burst_total, burst_left, burst_ring)
			values (o_workspace_id, o_user_id, 0, 0, 0, d_width, 0, 0, 0, array_fill(0, '{61}'),
				b_width, 0, 0, 0, array_fill(0, '{21}'))
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
		o_default_retry_us := case when default_limit > 0 and o_default_left = 0 then
			least(rate_retry_us(d_ring, d_total, d_newest, d_before, default_limit), latest + d_window) end;
		o_burst_retry_us := case when burst_limit > 0 and o_burst_left = 0 then
			least(rate_retry_us(b_ring, b_total, b_newest, b_before, burst_limit), latest + b_window) end;
		return next;
	end loop;
end
$$;

drop function kith_admit_many(bytea[], bigint[], int, int, int, int, bigint);
