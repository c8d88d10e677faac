-- The rate limits against an exact log, under a clock of the test's own: run by
-- test_admission_exact.c on a throw-away cluster that holds one workspace with users.
-- Each function raises an exception that says what was violated.

create table admission_log (run int, at_us bigint, n int);

-- Arrivals where they hurt: at the edges of buckets and windows, at the moments
-- that were promised as retry and reset, one microsecond beside them, in bursts.
create function admission_exact(run int, key_hash bytea, d_limit int, d_window int, b_limit int, b_window int,
	steps int, seed float8) returns int language plpgsql as $$
#variable_conflict use_variable
declare
	t bigint := 1700000000000000 + (random() * 1e9)::bigint;
	edge bigint;
	r record;
	wait_until bigint := 0;
	full_at bigint := 0;
	admitted int := 0;
	n int;
	choice int;
	worst bigint;
begin
	perform setseed(seed);
	delete from rate_usage;
	for step in 1 .. steps loop
		choice := floor(random() * 14);
		edge := greatest(case when random() < 0.5 then d_window * 1000000 / 60 else b_window * 1000000 / 20 end, 1);
		t := case choice
			when 0 then t
			when 1 then t + 1
			when 2 then (t / edge + 1) * edge
			when 3 then (t / edge + 1) * edge - 1
			when 4 then (t / edge + 1) * edge + 1
			when 5 then t + d_window * 1000000
			when 6 then t + b_window * 1000000 - 1
			when 7 then t + b_window * 1000000
			when 8 then greatest(t, wait_until - 1)
			when 9 then greatest(t, wait_until)
			when 10 then greatest(t, full_at)
			when 11 then t + (random() * b_window * 1000000)::bigint
			when 12 then t + (random() * d_window * 1000000)::bigint
			else t + (random() * edge)::bigint end;
		n := case when choice = 9 and t = wait_until then 1 when random() < 0.5 then 1
			else 1 + floor(random() * (greatest(d_limit, b_limit) + 2)) end;
		if choice = 10 and t = full_at then
			n := least(nullif(d_limit, 0), nullif(b_limit, 0));
		end if;
		select * into strict r from kith_admit(array[key_hash], array[n::bigint], d_limit, d_window, b_limit, b_window, t);
		if r.o_now_us <> t or r.o_admitted > n or r.o_admitted < 0 then
			raise exception 'run % step %: nonsense %', run, step, r;
		end if;
		if choice = 8 and t = wait_until - 1 and r.o_admitted > 0 then
			raise exception 'run % step %: let in before the promised moment: %', run, step, r;
		end if;
		if choice = 9 and t = wait_until and r.o_admitted = 0 then
			raise exception 'run % step %: refused at the promised moment: %', run, step, r;
		end if;
		if choice = 10 and t = full_at and r.o_admitted < n then
			raise exception 'run % step %: not whole at the promised moment: %', run, step, r;
		end if;
		if r.o_admitted > 0 then
			insert into admission_log values (run, t, r.o_admitted);
			admitted := admitted + r.o_admitted;
		end if;
		if r.o_admitted < n and r.o_default_retry_us is null and r.o_burst_retry_us is null then
			raise exception 'run % step %: refused without a reason: %', run, step, r;
		end if;
		if greatest(r.o_default_retry_us, r.o_default_reset_us) > t + d_window * 1000000
			or greatest(r.o_burst_retry_us, r.o_burst_reset_us) > t + b_window * 1000000
		then
			raise exception 'run % step %: has to wait for longer than a window at %: %', run, step, t, r;
		end if;
		wait_until := coalesce(greatest(r.o_default_retry_us, r.o_burst_retry_us), 0);
		full_at := greatest(r.o_default_reset_us, r.o_burst_reset_us);
		if wait_until <> 0 and wait_until <= t then
			raise exception 'run % step %: a promised moment that has passed: %', run, step, r;
		end if;
	end loop;
	if d_limit > 0 then
		worst := admission_worst(run, d_window);
		if worst > d_limit then
			raise exception 'run %: % in % s, the limit is %', run, worst, d_window, d_limit;
		end if;
	end if;
	if b_limit > 0 then
		worst := admission_worst(run, b_window);
		if worst > b_limit then
			raise exception 'run %: % in % s, the limit is %', run, worst, b_window, b_limit;
		end if;
	end if;
	return admitted;
end
$$;

-- The most that any window of that length holds, one of its ends included: only
-- windows that end with an admission need be looked at.
create function admission_worst(p_run int, window_s int) returns bigint language sql as $$
	select coalesce(max(s), 0) from (
		select sum(n) over (order by at_us range between (window_s * 1000000 - 1)::bigint preceding and current row) as s
		from admission_log where run = p_run
	) as windows
$$;

-- A clock that steps back, far and near, and settings that change: never more
-- than the limit in a window of time that really passed (the log keeps that one),
-- and one window later the user is let in again.
create function admission_clock(run int, key_hash bytea, d_limit int, b_limit int, steps int, seed float8) returns int
language plpgsql as $$
#variable_conflict use_variable
declare
	t bigint := 1700000000000000;
	error bigint := 0; -- what the clock shows beyond the true time
	previous bigint := 0;
	r record;
	n int;
	admitted int := 0;
	worst bigint;
begin
	perform setseed(seed);
	delete from rate_usage;
	for step in 1 .. steps loop
		t := t + case when random() < 0.3 then 0 else (random() * 1500000)::bigint end;
		if random() < 0.1 then -- only backwards: what leaps forward cannot be told from waiting
			error := error - (case when random() < 0.5 then random() * 300000 else random() * 1e10 end)::bigint;
		end if;
		n := 1 + floor(random() * (b_limit + 2));
		select * into strict r from kith_admit(array[key_hash], array[n::bigint], d_limit, 10, b_limit, 2, t + error);
		if r.o_admitted > 0 then
			insert into admission_log values (run, t, r.o_admitted);
			admitted := admitted + r.o_admitted;
		end if;
		if greatest(r.o_default_retry_us, r.o_burst_retry_us) > t + error + 10000000 then
			raise exception 'run % step %: has to wait for longer than a window: %', run, step, r;
		end if;
	end loop;
	worst := admission_worst(run, 10);
	if worst > d_limit then
		raise exception 'run %: % in 10 s, the limit is %', run, worst, d_limit;
	end if;
	worst := admission_worst(run, 2);
	if worst > b_limit then
		raise exception 'run %: % in 2 s, the limit is %', run, worst, b_limit;
	end if;
	return admitted;
end
$$;

-- Limits and windows that change between the calls (SIGHUP): what was admitted
-- stays counted under the new ones, for as long as it was kept.
create function admission_change(key_hash bytea) returns void language plpgsql as $$
#variable_conflict use_variable
declare
	t bigint := 1700000000000000;
	r record;
begin
	delete from rate_usage;
	select * into strict r from kith_admit(array[key_hash], '{10}', 10, 60, 0, 0, t);
	assert r.o_admitted = 10 and r.o_default_left = 0 and r.o_burst_retry_us is null, r::text;
	-- a longer window: all ten have happened just now, and no later than the latest of them
	select * into strict r from kith_admit(array[key_hash], '{1}', 10, 120, 0, 0, t + 59000000);
	assert r.o_admitted = 0 and r.o_default_retry_us = t + 120000000, r::text;
	-- asking again does not put the moment off
	select * into strict r from kith_admit(array[key_hash], '{1}', 10, 120, 0, 0, t + 100000000);
	assert r.o_admitted = 0 and r.o_default_retry_us = t + 120000000, r::text;
	-- a lower limit, then a higher one
	select * into strict r from kith_admit(array[key_hash], '{1}', 3, 120, 0, 0, t + 101000000);
	assert r.o_admitted = 0 and r.o_default_left = 0, r::text;
	select * into strict r from kith_admit(array[key_hash], '{5}', 12, 120, 0, 0, t + 101000000);
	assert r.o_admitted = 2 and r.o_default_left = 0, r::text;
	-- a policy that was off begins with nothing used; the other is kept meanwhile
	select * into strict r from kith_admit(array[key_hash], '{5}', 0, 0, 3, 2, t + 102000000);
	assert r.o_admitted = 3 and r.o_burst_left = 0 and r.o_default_retry_us is null, r::text;
	select * into strict r from kith_admit(array[key_hash], '{5}', 12, 120, 0, 0, t + 103000000);
	assert r.o_admitted = 0, r::text;
	-- long ago, and another window: nothing is held against him
	select * into strict r from kith_admit(array[key_hash], '{9}', 9, 60, 9, 1, t + 900000000);
	assert r.o_admitted = 9, r::text;
	-- both off: no row is written
	delete from rate_usage;
	select * into strict r from kith_admit(array[key_hash], '{900}', 0, 60, 0, 2, t);
	assert r.o_admitted = 900 and not exists (select from rate_usage), r::text;
end
$$;

-- Users who are asked for together get, and keep, what each would get alone, and the keys of one what one key would.
-- Limits, windows and the clock change between the calls; now and then it is a user's first call.
create function admission_together(key_hash bytea, steps int, seed float8) returns void language plpgsql as $$
#variable_conflict use_variable
declare
	t bigint := 1700000000000000;
	a record; b record; rows_alone rate_usage[]; rows_together rate_usage[];
	together record;
	limits int[] := '{0, 1, 4, 60}';
	windows int[] := '{1, 2, 10, 60}';
	p int[];
	n bigint[];
	found int := 0;
begin
	insert into users (workspace_id, id, email, full_name, role)
	select workspace_id, '00000000-0000-0000-0000-000000000002', 'v', 'v', 'member' from users;
	insert into api_keys (key_hash, workspace_id, id, user_id, last4)
	select sha256(v.name::bytea), k.workspace_id, v.id, case when v.name = '1/b' then k.user_id else v.id end, 'last'
	from api_keys k, (values ('1/b', uuid '00000000-0000-0000-0000-000000000003'),
		('2/a', '00000000-0000-0000-0000-000000000002')) as v (name, id);
	perform setseed(seed);
	delete from rate_usage;
	create table before as select * from rate_usage;
	for step in 1 .. steps loop
		t := t + case floor(random() * 6) when 0 then 0 when 1 then random() * 100000 when 2 then random() * 2000000
			when 3 then random() * 70000000 when 4 then -random() * 200000 else -random() * 5000000 end::bigint;
		if p is null or random() < 0.1 then
			p := array[limits[ceil(random() * 4)], windows[ceil(random() * 4)], limits[ceil(random() * 4)],
				windows[ceil(random() * 4)]];
		end if;
		if random() < 0.02 then
			delete from rate_usage where user_id::text like case when random() < 0.5 then '%2' else '%' end;
		end if;
		n := array[ceil(random() * 5), ceil(random() * 40), 1];
		truncate before;
		insert into before select * from rate_usage;
		select * into a from kith_admit(array[key_hash], array[n[1] + n[3]], p[1], p[2], p[3], p[4], t);
		select * into b from kith_admit(array[sha256('2/a')], array[n[2]], p[1], p[2], p[3], p[4], t);
		select array_agg(r order by r.user_id) into rows_alone from rate_usage r;
		truncate rate_usage;
		insert into rate_usage select * from before;
		for together in
			select * from kith_admit(array[key_hash, sha256('2/a'), sha256('nobody'), sha256('1/b')],
				array[n[1], n[2], 7, n[3]], p[1], p[2], p[3], p[4], t)
		loop
			if together.o_place = 2 then
				b.o_place := 2;
			else
				a.o_place := together.o_place;
			end if;
			if together.o_place not in (1, 2, 4) or (together.o_place = 2 and together is distinct from b)
				or (together.o_place <> 2 and p[1] + p[3] > 0 and together is distinct from a)
			then
				raise exception 'step % with % of %: % instead of % or %', step, n, p, together, a, b;
			end if;
			found := found + 1;
		end loop;
		select array_agg(r order by r.user_id) into rows_together from rate_usage r;
		if rows_together is distinct from rows_alone then
			raise exception 'step % with % of %: left % instead of %', step, n, p, rows_together, rows_alone;
		end if;
	end loop;
	assert found = 3 * steps, found::text;
	assert not exists (select from kith_admit(array[sha256('nobody')], '{1}', 5, 1, 5, 1, t));
	update api_keys set revoked_at = now() where api_keys.key_hash = admission_together.key_hash;
	assert not exists (select from kith_admit(array[key_hash], '{1}', 5, 1, 5, 1, t));
	update api_keys set revoked_at = null, expires_at = now() where api_keys.key_hash = admission_together.key_hash;
	assert not exists (select from kith_admit(array[key_hash], '{1}', 5, 1, 5, 1, t));
	update api_keys set expires_at = null where api_keys.key_hash = admission_together.key_hash;
	assert exists (select from kith_admit(array[key_hash], '{1}', 0, 1, 0, 1, t));
end
$$;
