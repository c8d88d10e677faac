-- A workspace's rows for tests and the bench, as an import leaves them: written with all indexes and triggers in place.
-- Run once a database; then select seed.workspace_rows(workspace, user, people) for each workspace, of which there are the
-- first user and nothing else.

create schema if not exists seed;

-- A well mixed number below n for each row and purpose.
create or replace function seed.mixed(r bigint, purpose int, n int) returns int language sql immutable as
	$$ select ((hashint8extended(r, purpose) >> 8) & 2147483647)::int % n $$;

-- An id of its own for everything in a workspace, in the order of n within each kind; made is the time it begins with.
create or replace function seed.id(workspace uuid, kind int, n bigint, made timestamptz) returns uuid
language sql immutable as $$
	select (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8000'
		|| lpad(to_hex(hashtextextended(workspace::text, 0) & 16777215), 6, '0') || lpad(to_hex(n), 6, '0'))::uuid
$$;

-- The row's moment: one a minute, from the beginning of 2024 on.
create or replace function seed.made(r bigint) returns timestamptz language sql immutable as
	$$ select timestamptz '2024-01-01 00:00Z' + r * interval '1 minute' $$;

-- Groups 1 (nearly everybody), 2 (few); companies a fifth as many as people, objects half, tasks a fifth. Values are
-- skewed: some are nearly everybody's, some few have, some only the last rows ("kumquat").
create or replace function seed.workspace_rows(ws uuid, me uuid, people int) returns void language plpgsql as $$
declare
	g1 uuid := seed.id(ws, 1, 1, seed.made(0));
	g2 uuid := seed.id(ws, 1, 2, seed.made(0));
	deal uuid := seed.id(ws, 2, 1, seed.made(0));
	companies int := people / 5 + 1;
	late int := people - people / 50 - 1; -- behind it the last rows
begin
	insert into groups (workspace_id, id, name, visibility, created_by)
	values (ws, g1, 'Everybody', 'public', me), (ws, g2, 'Few', 'public', me);
	insert into object_types (workspace_id, id, group_id, name, created_at) values (ws, deal, g1, 'deal', now());
	-- 1 text, 2 number, 3 date, 4 select of people; + 10 of companies, + 20 of deals
	insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options)
	select ws, seed.id(ws, 3, f + base, seed.made(0)), g1, case when base = 20 then deal end, entity, name, type,
		case when f = 4 then (select json_agg(json_build_object('id', seed.id(ws, 4, o, seed.made(0)), 'label', 'Option ' || o,
			'color', '#112233')) from generate_series(0, 4) o) else '[]' end
	from (values (0, 'person'), (10, 'company'), (20, 'object')) e (base, entity),
		(values (1, 'Note', 'textField'), (2, 'Score', 'numericField'), (3, 'Renewal', 'dateField'), (4, 'Status', 'singleSelect')) n (f, name, type);

	insert into companies (workspace_id, id, name, description, industry, funding_raised, last_funding_date, foundation_year,
		employee_range, group_ids, addresses, emails, phones, urls, created_at, created_by, updated_at)
	select ws, seed.id(ws, 5, r, seed.made(r)), 'Works ' || r, 'Makes things in ' || seed.mixed(r, 1, 8),
		case when seed.mixed(r, 2, 10) < 7 then 'software' else 'niche ' || seed.mixed(r, 3, 500) end,
		nullif(seed.mixed(r, 4, 1000), 0) * 1000, date '2010-01-01' + seed.mixed(r, 5, 5000), 1900 + seed.mixed(r, 6, 120),
		case when seed.mixed(r, 7, 4) > 0 then '1-10' end, array[g1], array[r || ' Dock Road'], array['hello@works' || r || '.example'],
		array['+4420' || lpad(r::text, 7, '0')], array['https://works' || r || '.example'], seed.made(r), me, seed.made(r)
	from generate_series(1, companies) r;
	insert into company_groups select ws, g1, seed.id(ws, 5, r, seed.made(r)) from generate_series(1, companies) r;

	insert into people (workspace_id, id, first_name, last_name, full_name, description, birthday, gender, job_title, group_ids,
		company_ids, addresses, emails, phones, urls, created_at, created_by, updated_at)
	select ws, seed.id(ws, 6, r, seed.made(r)), n.first, n.last, n.first || ' ' || n.last,
		case when r > late then 'Met about kumquats' when seed.mixed(r, 10, 4) > 0 then 'Met in ' || seed.mixed(r, 11, 500) else '' end,
		case when seed.mixed(r, 12, 5) = 0 then case when r > late then date '2015-01-01' else date '1950-01-01' + seed.mixed(r, 13, 20000) end end,
		case seed.mixed(r, 14, 5) when 0 then null when 1 then 'Male' else 'Female' end,
		case when r > late then 'Chief Kumquat Officer' when seed.mixed(r, 15, 20) = 0 then 'Specialist ' || seed.mixed(r, 16, 1000) else 'Engineer' end,
		case when r > late then array[g1, g2] else array[g1] end,
		case when seed.mixed(r, 17, 3) > 0 then array[seed.id(ws, 5, c, seed.made(c))] else '{}' end,
		array[seed.mixed(r, 18, 200) || ' Harbour Street'],
		case when seed.mixed(r, 19, 8) > 0 then array['p' || r || '@mail.example'] else '{}' end,
		case when seed.mixed(r, 20, 3) > 0 then array['+1555' || lpad(r::text, 7, '0')] else '{}' end,
		array['https://people.example/' || r], seed.made(r), me, seed.made(r)
	from (select r, 1 + seed.mixed(r, 21, companies) as c from generate_series(1, people) r) r,
		lateral (select case when seed.mixed(r, 22, 10) > 0 then 'Ada' else 'Qu' || seed.mixed(r, 23, 2000) end as first,
			'van ' || seed.mixed(r, 24, 500) as last) n;
	insert into person_groups select ws, g1, seed.id(ws, 6, r, seed.made(r)) from generate_series(1, people) r;
	insert into person_groups select ws, g2, seed.id(ws, 6, r, seed.made(r)) from generate_series(late + 1, people) r;
	insert into person_companies
	select ws, seed.id(ws, 5, c, seed.made(c)), seed.id(ws, 6, r, seed.made(r))
	from (select r, 1 + seed.mixed(r, 21, companies) as c from generate_series(1, people) r) r where seed.mixed(r, 17, 3) > 0;

	insert into objects (workspace_id, id, group_id, type_id, name, company_ids, person_ids, created_at, created_by, updated_at)
	select ws, seed.id(ws, 7, r, seed.made(r)), g1, deal, case when r > late / 2 then 'Kumquat deal ' else 'Renewal ' end || r,
		array[seed.id(ws, 5, c, seed.made(c))], array[seed.id(ws, 6, p, seed.made(p))], seed.made(r), me, seed.made(r)
	from (select r, 1 + seed.mixed(r, 30, companies) as c, 1 + seed.mixed(r, 31, people) as p from generate_series(1, people / 2) r) r;
	insert into object_people select workspace_id, unnest(person_ids), id from objects where workspace_id = ws;
	insert into object_companies select workspace_id, unnest(company_ids), id from objects where workspace_id = ws;

	-- Of 100 owners 50 have a value of each field.
	insert into field_values (workspace_id, field_id, owner_id, text_value, number_value, date_value, ref_id)
	select ws, seed.id(ws, 3, base + f, seed.made(0)), seed.id(ws, kind, r, seed.made(r)),
		case when f = 1 then case when last then 'kumquat ' || r when seed.mixed(r, 41, 10) < 3 then 'common' else 'tail ' || seed.mixed(r, 42, 5000) end end,
		case when f = 2 then case when last then 1000000 + r else seed.mixed(r, 43, 10000) end end,
		case when f = 3 then date '2020-01-01' + seed.mixed(r, 44, 2000) end,
		case when f = 4 then seed.id(ws, 4, case when last then 4 else seed.mixed(r, 45, 10) / 7 end, seed.made(0)) end
	from (select base, kind, r, r > n - n / 50 - 1 as last from (values (0, 6, people), (10, 5, companies), (20, 7, people / 2)) k (base, kind, n),
			lateral generate_series(1, n) r) o,
		generate_series(1, 4) f
	where seed.mixed(r, 40 + f, 100) < 50;

	insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at)
	select ws, seed.id(ws, 6, r, seed.made(r)), me, 1, seed.made(r) + interval '1 day' from generate_series(1, people, 10) r;
	update people p set interaction_users = array[me], last_interacted_at = i.last_at,
		interaction_numbers = array[1, (extract(epoch from i.last_at) * 1000)::bigint]
	from interaction_counts i where i.workspace_id = ws and p.workspace_id = ws and p.id = i.entity_id;

	insert into tasks (workspace_id, id, entity_id, entity_type, title, due_at, completed_at, is_public, assigned_user_ids, created_by,
		created_at, updated_at)
	select ws, seed.id(ws, 8, r, seed.made(r)), seed.id(ws, 6, p, seed.made(p)), 'person', 'Call ' || r, date '2024-01-10' + (r / 100)::int,
		case when seed.mixed(r, 51, 10) < 8 then seed.made(r) end, true, array[me], me, seed.made(r), seed.made(r)
	from (select r, 1 + seed.mixed(r, 50, people) as p from generate_series(1, people / 5) r) r;
	insert into notes (workspace_id, id, entity_id, entity_type, content, visibility, author_id, words, created_at)
	select ws, seed.id(ws, 9, r, seed.made(r)), seed.id(ws, 6, r, seed.made(r)), 'person', 'note ' || r, 'public', me, array[r], seed.made(r)
	from generate_series(1, people, 10) r;
	insert into interactions (workspace_id, id, entity_id, entity_type, user_id, date_time, title, activity_type, counted)
	select ws, seed.id(ws, 10, r, seed.made(r)), seed.id(ws, 6, r, seed.made(r)), 'person', me, seed.made(r) + interval '1 day', 'met', 'call', true
	from generate_series(1, people, 10) r;
	update workspaces set version = version + 1 where workspace_id = ws;
end
$$;
