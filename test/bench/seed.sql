-- Rows for filters in addition to seed.c's: custom fields and values of all eight types, objects, tasks and
-- interactions. psql runs it in the same session, with WS and ME (the first user) set. Values are only in
-- field_values, for filters, so that pages of people keep their size.

create function pg_temp.seed_id(kind int, n bigint) returns uuid language sql immutable as
	$$ select ('5eed' || lpad(to_hex(kind), 4, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
-- A pseudo-random number below n for each row and purpose.
create function pg_temp.mixed(r bigint, purpose int, n int) returns int language sql immutable as
	$$ select ((hashint8extended(r, purpose) >> 8) & 2147483647)::int % n $$;
-- Skewed distribution over twenty values: 0 is the most common.
create function pg_temp.skewed(r bigint, purpose int) returns int language sql immutable as
	$$ select case when pg_temp.mixed(r, purpose, 100) < 75 then 0 when pg_temp.mixed(r, purpose, 100) < 95 then 1
		else 2 + pg_temp.mixed(r, purpose + 1000, 18) end $$;

create temporary table p as select row_number() over (order by id) as r, id from people;
create temporary table c as select row_number() over (order by id) as r, id from companies;
create temporary table u as select row_number() over (order by id = :'ME' desc, id) - 1 as r, id from users;
create unique index on p (r);
create unique index on c (r);
analyze p, c, u;
select count(*) as people, count(*) / 200 as late, (select id from groups where name = 'Group 20') as g from p \gset

insert into object_types (workspace_id, id, group_id, name, created_at)
values (:'WS', pg_temp.seed_id(1, 1), :'g', 'deal', now()), (:'WS', pg_temp.seed_id(1, 2), :'g', 'project', now());

-- 1 text, 2 number, 3 date, 4 single, 5 multiple, 6 contact, 7 user, 8 object; + 10 of companies, + 20 of deals
insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options)
select :'WS', pg_temp.seed_id(2, f + e.base), :'g', case e.base when 20 then pg_temp.seed_id(1, 1) end, e.entity, n.name, n.type,
	case when f in (4, 5) then (select json_agg(json_build_object('id', pg_temp.seed_id(3, f * 100 + o), 'label', 'Option ' || o,
		'color', '#112233')) from generate_series(0, 20) o) else '[]' end
from (values (0, 'person'), (10, 'company'), (20, 'object')) e (base, entity),
	(values (1, 'Note', 'textField'), (2, 'Score', 'numericField'), (3, 'Renewal', 'dateField'), (4, 'Status', 'singleSelect'),
		(5, 'Tags', 'multipleSelect'), (6, 'Contact', 'contactField'), (7, 'Owner', 'userField'), (8, 'Deals', 'objectField')) n (f, name, type)
where f < 8 or e.base < 20;

-- How many of 100 owners have a value: {people, companies, deals} by field.
create function pg_temp.has(base int, r bigint, f int) returns boolean language sql immutable as
	$$ select pg_temp.mixed(r, 100 + f, 100) < case base
		when 0 then (array[50, 30, 20, 60, 20, 10, 20, 5])[f]
		when 10 then (array[50, 50, 50, 50, 20, 5, 5, 5])[f]
		else (array[30, 100, 50, 100, 20, 20, 50, 0])[f] end $$;

-- Half as many objects as people: deals; one in a hundred is a project.
insert into objects (workspace_id, id, group_id, type_id, name, company_ids, person_ids, created_at, created_by, updated_at)
select :'WS', (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(r), 12, '0'))::uuid, :'g',
	pg_temp.seed_id(1, case when is_deal then 1 else 2 end),
	case when r > n - n / 200 then 'Kumquat deal ' else (array['Renewal ', 'Upgrade ', 'Pilot '])[1 + pg_temp.mixed(r, 2, 3)] end || r,
	array[(select id from c where c.r = 1 + case when pg_temp.mixed(o.r, 3, 10) = 0 then 0 else pg_temp.mixed(o.r, 4, n * 2 / 5 - 1) end)],
	array[(select id from p where p.r = 1 + pg_temp.mixed(o.r, 5, n))],
	to_timestamp(ms / 1000.0), (select id from u where u.r = pg_temp.skewed(o.r, 6)), to_timestamp(ms / 1000.0)
from (select r, (:people / 2)::int as n, 1704153600000 + r * (51840000000 / (:people / 2)) as ms, pg_temp.mixed(r, 1, 100) <> 7 as is_deal
	from generate_series(1, :people / 2) r) o;
insert into object_people select workspace_id, unnest(person_ids), id from objects;
insert into object_companies select workspace_id, unnest(company_ids), id from objects;
create temporary table o as select row_number() over (order by id) as r, id from objects where type_id = pg_temp.seed_id(1, 1);
create unique index on o (r);
analyze o;

-- All records that may have values.
create temporary table owners as
	select 0 as base, r, id, r > :people - :late as last from p
	union all select 10, r, id, r > :people / 5 - :late / 5 from c
	union all select 20, r, id, r > :people / 2 - :late / 2 from o;

insert into field_values (workspace_id, field_id, owner_id, text_value)
select :'WS', pg_temp.seed_id(2, base + 1), id, case when last then 'kumquat ' || r % 7 when r % 50000 = 1 then 'needle'
	when pg_temp.mixed(r, 8, 10) < 3 then 'common' else 'long tail ' || pg_temp.mixed(r, 9, 100000) end
from owners where pg_temp.has(base, r, 1);
insert into field_values (workspace_id, field_id, owner_id, number_value)
select :'WS', pg_temp.seed_id(2, base + 2), id, case when last then 1000000 + r % 100 when r % 50000 = 2 then -1
	else pg_temp.mixed(r, 10, 1000)::numeric * pg_temp.mixed(r, 11, 1000) / 10 end
from owners where pg_temp.has(base, r, 2);
insert into field_values (workspace_id, field_id, owner_id, date_value)
select :'WS', pg_temp.seed_id(2, base + 3), id, case when last then date '2030-01-01' + (r % 100)::int when r % 50000 = 3 then '1999-12-31'
	else date '2020-01-01' + pg_temp.mixed(r, 12, 2000) end
from owners where pg_temp.has(base, r, 3);
insert into field_values (workspace_id, field_id, owner_id, ref_id)
select :'WS', pg_temp.seed_id(2, base + 4), id,
	pg_temp.seed_id(3, 400 + case when last then 20 when r % 50000 = 4 then 19 else pg_temp.skewed(r, 13) end)
from owners where pg_temp.has(base, r, 4)
union all
select distinct :'WS'::uuid, pg_temp.seed_id(2, base + 5), id,
	pg_temp.seed_id(3, 500 + case when last then 20 when r % 50000 = 5 then 19 else (pg_temp.skewed(r, 14) + i * pg_temp.mixed(r, 15, 3)) % 19 end)
from owners, generate_series(0, 1) i where pg_temp.has(base, r, 5)
union all
select :'WS', pg_temp.seed_id(2, base + 6), w.id, p.id
from owners w join p on p.r = case when w.last then 2 when pg_temp.mixed(w.r, 16, 3) = 0 then 1 else 1 + pg_temp.mixed(w.r, 17, :people) end
where pg_temp.has(base, w.r, 6)
union all
select :'WS', pg_temp.seed_id(2, base + 7), w.id, u.id
from owners w join u on u.r = case when w.last then 20 else pg_temp.skewed(w.r, 18) end where pg_temp.has(base, w.r, 7)
union all
select :'WS', pg_temp.seed_id(2, base + 8), w.id, o.id
from owners w join o on o.r = case when w.last then 2 when pg_temp.mixed(w.r, 19, 3) = 0 then 1 else 1 + pg_temp.mixed(w.r, 20, :people / 3) end
where base < 20 and pg_temp.has(base, w.r, 8);

-- A tenth of the people have been met: most by one user, long ago.
insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at)
select :'WS', p.id, u.id, 1 + r.n % 3, case when p.r > :people - :late then timestamptz '2025-09-01' else timestamptz '2024-02-01' end
	+ pg_temp.mixed(p.r, 21 + r.n, 500 * 1440) * case when p.r > :people - :late then interval '1 second' else interval '1 minute' end
from p, generate_series(0, 1) r (n), u
where pg_temp.mixed(p.r, 22, 10) = 0 and u.r = case r.n when 0 then pg_temp.skewed(p.r, 23) else 5 + pg_temp.mixed(p.r, 24, 15) end
on conflict do nothing;
update people p set (interaction_users, interaction_numbers, last_interacted_at) = (n.users, n.numbers, n.last)
from (select entity_id, array_agg(user_id order by user_id) as users, array_agg(count order by user_id)
		|| array_agg((extract(epoch from last_at) * 1000)::bigint order by user_id) as numbers, max(last_at) as last
	from interaction_counts group by entity_id) n
where p.workspace_id = :'WS' and p.id = n.entity_id;

-- A task for every fifth person, most of them done.
insert into tasks (workspace_id, id, entity_id, entity_type, title, due_at, completed_at, is_public, assigned_user_ids, created_by,
	created_at, updated_at)
select :'WS', (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(r), 12, '0'))::uuid,
	(select id from p where p.r = 1 + case when t.r % 50 = 0 then 0 else pg_temp.mixed(t.r, 25, :people) end), 'person', 'Call ' || r,
	case when r % 5000 = 1 then date '2031-01-01' else date '2024-01-10' + (r * 600 / (:people / 5))::int + pg_temp.mixed(t.r, 26, 30) end,
	case when pg_temp.mixed(r, 27, 10) < 8 then to_timestamp(ms / 1000.0) + pg_temp.mixed(r, 28, 14 * 1440) * interval '1 minute' end,
	pg_temp.mixed(r, 29, 10) > 0, array[(select id from u where u.r = pg_temp.skewed(t.r, 30))],
	(select id from u where u.r = pg_temp.skewed(t.r, 31)), to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
from (select r, 1704153600000 + r * (51840000000 / (:people / 5)) as ms from generate_series(1, :people / 5) r) t;

select definition from later \gexec
update workspaces set version = version + 1;

-- The columns for the order by updatedAt, which triggers normally maintain; they are disabled while seeding.
insert into people_updates select workspace_id, updated_at, id from people order by 1, 2, 3;
insert into companies_updates select workspace_id, updated_at, id from companies order by 1, 2, 3;
insert into objects_updates select workspace_id, type_id, updated_at, id from objects order by 1, 2, 3, 4;
insert into person_items select p.workspace_id, i.kind, i.key, p.id from people p, kith_items(p.emails, p.phones, p.urls) i order by 1, 2, 3, 4;
insert into company_items select c.workspace_id, i.kind, i.key, c.id from companies c, kith_items(c.emails, c.phones, c.urls) i order by 1, 2, 3, 4;
alter table people enable trigger people_search;
alter table companies enable trigger companies_search;
set session_replication_role = default;
