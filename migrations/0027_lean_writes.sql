-- Writes take less time in the database.

-- PostgreSQL parses the conditions of a table's checks anew in every statement that inserts. Those of 0016 and 0017 took 18 % of
-- what a create takes in the database. The call of a function is short. Not an SQL function: it would be put in place of its
-- call. The checks of custom_values only guarded the workspace whose rows they are; the program checks the rows of a file
-- (server/cell/sound.h).
create function kith_event_sound(generation bigint, xid bigint, seq bigint, created_at timestamptz, data json, actor_via smallint)
returns boolean language plpgsql immutable parallel safe as $$
begin
	return generation >= 0 and generation < bigint '1' << 42 and xid >= 0 and seq >= 0 and isfinite(created_at)
		and (data is null or json_typeof(data) = 'object') and (actor_via is null or actor_via > 0);
end
$$;
-- Records before events, as updates of records lock them.
alter table people drop constraint people_bounds;
alter table companies drop constraint companies_bounds;
alter table objects drop constraint objects_bounds;
alter table events drop constraint events_bounds, drop constraint events_actor,
	add constraint events_sound check (kith_event_sound(generation, xid, seq, created_at, data, actor_via)) not valid;

-- As in 0005. Most people and companies have at most one e-mail address, telephone number and URL. Their items need no
-- look for repeated ones.

create or replace function companies_order() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into companies_updates (workspace_id, updated_at, id) values (new.workspace_id, new.updated_at, new.id);
		if greatest(cardinality(new.emails), cardinality(new.phones), cardinality(new.urls)) > 1 then
			insert into company_items (workspace_id, kind, key, company_id)
			select new.workspace_id, i.kind, i.key, new.id from kith_items(new.emails, new.phones, new.urls) i;
		else
			insert into company_items (workspace_id, kind, key, company_id)
			select new.workspace_id, i.kind, i.key, new.id
			from (values (1::smallint, hashtextextended(kith_fold(new.emails[1]), 0)),
				(2::smallint, hashtextextended(kith_phone_key(new.phones[1]), 0)),
				(3::smallint, hashtextextended(new.urls[1], 0))) i (kind, key)
			where i.key is not null;
		end if;
	elsif tg_op = 'UPDATE' then
		update companies_updates u set updated_at = new.updated_at
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
	else
		delete from companies_updates u
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
		delete from company_items d using kith_items(old.emails, old.phones, old.urls) i
		where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.company_id = old.id;
	end if;
	return null;
end
$$;

create or replace function people_order() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into people_updates (workspace_id, updated_at, id) values (new.workspace_id, new.updated_at, new.id);
		if greatest(cardinality(new.emails), cardinality(new.phones), cardinality(new.urls)) > 1 then
			insert into person_items (workspace_id, kind, key, person_id)
			select new.workspace_id, i.kind, i.key, new.id from kith_items(new.emails, new.phones, new.urls) i;
		else
			insert into person_items (workspace_id, kind, key, person_id)
			select new.workspace_id, i.kind, i.key, new.id
			from (values (1::smallint, hashtextextended(kith_fold(new.emails[1]), 0)),
				(2::smallint, hashtextextended(kith_phone_key(new.phones[1]), 0)),
				(3::smallint, hashtextextended(new.urls[1], 0))) i (kind, key)
			where i.key is not null;
		end if;
	elsif tg_op = 'UPDATE' then
		update people_updates u set updated_at = new.updated_at
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
	else
		delete from people_updates u
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
		delete from person_items d using kith_items(old.emails, old.phones, old.urls) i
		where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.person_id = old.id;
	end if;
	return null;
end
$$;

-- When pending entries are merged (0003, 0005). A merge writes about 900 bytes of log for each trigram that it meets, however
-- many records have it. So it waits for 2000 rows, or ten seconds. A note counts as ten rows, because it has more trigrams.
--
-- The counts are those of PostgreSQL's statistics, and may be a second late. So under load the lists may become twice as long as
-- before. The limit of 16 MB, from which on statements merge (0005), is still far above: it has room for 20,000 people.
create table index_merges (
	only_row boolean primary key default true check (only_row),
	merged_at timestamptz not null,
	-- rows that the tables had got by then
	written bigint not null
);
insert into index_merges (merged_at, written) values ('-infinity', 0);

create function kith_merge_due() returns void language plpgsql security definer set search_path from current as $$
declare
	last index_merges;
	rows bigint;
begin
	if not pg_try_advisory_xact_lock(hashtextextended('kith_merge_pending', 0)) then
		return;
	end if;
	select * into strict last from index_merges;
	select sum((pg_stat_get_tuples_inserted(t.oid) + pg_stat_get_tuples_updated(t.oid) - pg_stat_get_tuples_hot_updated(t.oid))
		* case t.relname when 'notes' then 10 else 1 end) into rows
	from pg_class t where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
		and exists (select from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
			where i.indrelid = t.oid and a.amname = 'gin');
	-- After a crash the statistics begin anew.
	if rows - last.written between 0 and 1999 and last.merged_at > clock_timestamp() - interval '10 s' then
		return;
	end if;
	if (select sum(gin_clean_pending_list(c.oid)) from pg_class c join pg_am a on a.oid = c.relam
		join pg_index i on i.indexrelid = c.oid
		where a.amname = 'gin' and c.relnamespace = current_schema()::regnamespace and i.indisvalid) > 0
	then
		update index_merges m set merged_at = clock_timestamp(), written = rows;
	end if;
end
$$;
insert into kith_grants values ('function kith_merge_due()', 'execute', 'kith_system');

-- The job of due interactions locks the entities before it changes the first of them (server/job/jobs.c). interactions_fall_due()
-- stays for processes of the version before.

create function interactions_due(due timestamptz, most int) returns table (workspace_id uuid, entity_id uuid)
language sql stable as $$
	select i.workspace_id, i.entity_id from interactions i
	where not i.counted and i.date_time <= due and exists (select from workspaces w
		where w.workspace_id = i.workspace_id and kith_at_home(w.moving, w.held_until))
	order by i.date_time limit most
$$;

-- Counts the due interactions of an entity. 0, too, when its row or its workspace is locked.
create function interactions_fall(due timestamptz, workspace uuid, entity uuid) returns int language plpgsql as $$
declare
	n int;
begin
	perform from workspaces w where w.workspace_id = workspace and kith_at_home(w.moving, w.held_until) for share skip locked;
	if not found then
		return 0;
	end if;
	perform from people p where p.workspace_id = workspace and p.id = entity for no key update skip locked;
	if not found then
		perform from companies c where c.workspace_id = workspace and c.id = entity for no key update skip locked;
		if not found then
			return 0;
		end if;
	end if;
	with fallen as (
		update interactions i set counted = true
		where i.workspace_id = workspace and i.entity_id = entity and not i.counted and i.date_time <= due
		returning i.user_id, i.date_time
	), added as (
		insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at)
		select workspace, entity, f.user_id, count(*), max(f.date_time) from fallen f group by f.user_id
		on conflict (workspace_id, entity_id, user_id) do update
			set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)
	)
	select count(*) into n from fallen;
	perform interaction_totals(workspace, entity, true, 1, null, null);
	return n;
end
$$;

create or replace function interactions_fall_due(due timestamptz, most int) returns int language sql as $$
	select coalesce(sum(interactions_fall(due, e.workspace_id, e.entity_id)), 0)::int
	from (select distinct i.workspace_id, i.entity_id from interactions_due(due, most) i order by 1, 2) e
$$;
