-- Who may call, and how often: API keys and the use of the rate limits.

-- The key's hash is the directory from a key to its workspace, so it is the one
-- key that does not begin with workspace_id; every other one does.
create table api_keys (
	key_hash bytea primary key check (length(key_hash) = 32),
	workspace_id uuid not null,
	id uuid not null,
	user_id uuid not null,
	name text not null default '',
	last4 text not null,
	read_only boolean not null default false,
	created_at timestamptz not null default now(),
	expires_at timestamptz,
	revoked_at timestamptz,
	last_used_at timestamptz, -- to the minute
	unique (workspace_id, id),
	foreign key (workspace_id, user_id) references users
) with (fillfactor = 80);

-- One row for each user who ever called. For each policy a ring of counts: the
-- window is cut into N sub-buckets (60 for "default", 20 for "burst") and the
-- ring holds N + 1 of them, since a window of true length that ends anywhere in
-- bucket i begins somewhere in bucket i - N. Refusing while the whole ring holds
-- the limit therefore never lets a true window exceed it; the price is that a
-- client at the limit gets N/(N+1) of it in the long run, 98 % and 95 %. Finer
-- rings would cost longer rows: "default" has buckets of a second at 600/60, the
-- unit of Retry-After, and "burst" of a tenth at 20/2.
--
--   width   microseconds a bucket
--   newest  number of the newest bucket (microseconds since 1970 / width): the last of the ring
--   total   sum of the ring
--   left    what the limit had left after the latest call
--
-- Not logged: a crash forgets the use of the last window, and no call waits for the disk.
create unlogged table rate_usage (
	workspace_id uuid not null,
	user_id uuid not null,
	seen_us bigint not null, -- the time of the latest call, taken with the row locked
	admitted int not null,   -- requests it let in
	default_width bigint not null,
	default_newest bigint not null,
	default_total int not null,
	default_left int not null,
	burst_width bigint not null,
	burst_newest bigint not null,
	burst_total int not null,
	burst_left int not null,
	default_ring int[] not null,
	burst_ring int[] not null,
	primary key (workspace_id, user_id)
) with (fillfactor = 30);

-- The moment, in microseconds, at which a ring next falls below its limit if
-- nothing else comes: when the bucket has left that takes the sum under it.
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

-- The good ones of some key hashes, with what is to be known of their owners;
-- n goes through. One index look-up each, whatever the planner believes of the
-- tables' sizes: plans are kept for the life of a connection. touch: last_used_at
-- is over a minute old. Its body replaces the call (it stays inlinable: stable,
-- one select).
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

-- Admits the requests of one turn of the loop: for each distinct key hash the
-- number of requests that came with it. A policy with limit 0 is off. at_us
-- replaces the clock, for tests.
--
-- One row for each key that is good, with its place in the arrays, from 1;
-- unknown, revoked and expired keys have none. Limits belong to the user, so
-- admitted is what all his requests of this call got together: the caller gives
-- it out in order of arrival. left and reset and retry are of the state after
-- it: reset is when the limit will be whole again if nothing else comes, retry
-- the first moment at which one more request is certain to be let in, null when
-- that is now. All times are microseconds since 1970 by this server's clock.
--
-- Planned once a connection: with the sizes of the arrays in sight the planner
-- would find each call's own plan cheaper, and planning takes ten times as long
-- as running.
--
-- Exactly one writer at a time has a user's row, it takes the time once it has
-- it, and several users' rows are locked in the order of their keys. When the
-- clock has gone back by more than a bucket, or a policy has another window than
-- before, all that still counted is taken to have happened just now: too strict
-- for one window, never too lax. A clock that went back less stays in the newest
-- bucket.
create function kith_admit(key_hashes bytea[], counts bigint[], default_limit int, default_window_s int,
	burst_limit int, burst_window_s int, at_us bigint default null)
returns table (o_place int, o_workspace_id uuid, o_user_id uuid, o_is_admin boolean, o_read_only boolean,
	o_version bigint, o_touch boolean, o_admitted int, o_now_us bigint,
	o_default_left int, o_default_reset_us bigint, o_default_retry_us bigint,
	o_burst_left int, o_burst_reset_us bigint, o_burst_retry_us bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
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
		insert into rate_usage as r (workspace_id, user_id, seen_us, admitted,
			default_width, default_newest, default_total, default_left,
			burst_width, burst_newest, burst_total, burst_left, default_ring, burst_ring)
		-- the first call of a user, who has the whole of each limit
		select workspace_id, user_id, us, n, d_width, us / d_width, n, default_limit - n,
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
		on conflict (workspace_id, user_id) do update set (seen_us, admitted,
			default_width, default_newest, default_total, default_left, default_ring,
			burst_width, burst_newest, burst_total, burst_left, burst_ring) = (
			select us, n,
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
							select us, least(greatest(us / r.default_width - r.default_newest, -2), 61)::int as d,
								least(greatest(us / r.burst_width - r.burst_newest, -2), 21)::int as b
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
		case when r.default_left < default_limit then (r.default_newest + 61) * r.default_width else r.seen_us end,
		case when default_limit > 0 and r.default_left <= 0 then
			rate_retry_us(r.default_ring, r.default_total, r.default_newest, r.default_width, default_limit) end,
		greatest(r.burst_left, 0),
		case when r.burst_left < burst_limit then (r.burst_newest + 21) * r.burst_width else r.seen_us end,
		case when burst_limit > 0 and r.burst_left <= 0 then
			rate_retry_us(r.burst_ring, r.burst_total, r.burst_newest, r.burst_width, burst_limit) end
	from asked a join used r on r.workspace_id = a.workspace_id and r.user_id = a.user_id;
end
$$;
