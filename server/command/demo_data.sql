-- The contacts of the demo workspace, always the same except for their ids.
--   workspace; now: the current time; type: of the deals; stage, amount, owner, closes: their custom fields
--   users: ids, the first is the admin; groups: the first has the records; companies, people, deals, options, tasks
-- By hand: psql -v workspace=… -v now=… -v users='{…,…,…}' … -f server/command/demo_data.sql
--   events: ids of what the feed has of them
--   reminders: ids
-- [*] workspace, now, users, groups, companies, people, deals, type, stage, amount, owner, closes, options, tasks, events, reminders

-- Nothing that psql runs stays: the transaction is not committed.
\set AUTOCOMMIT off

-- [workspace]
insert into workspaces (workspace_id, name) values (:'workspace', 'Demo');

-- [users]
insert into users (workspace_id, id, email, full_name, role)
select :'workspace', u.*
from unnest(:'users'::uuid[], array['demo@example.com', 'maria@example.com', 'sam@example.com'],
	array['Demo Admin', 'Maria Olsen', 'Sam Rivers'], array['admin', 'member', 'member']) u;

-- [groups]
insert into groups (workspace_id, id, name, visibility, created_by)
select :'workspace', g.*, (:'users'::uuid[])[1]
from unnest(:'groups'::uuid[], array['Customers', 'Board'], array['public', 'private']) g;

-- [members]
insert into group_members (workspace_id, group_id, user_id, role)
select :'workspace', unnest(:'groups'::uuid[]), (:'users'::uuid[])[1], 'admin';

-- [companies]
insert into companies (workspace_id, id, name, industry, group_ids, created_at, created_by, updated_at)
select :'workspace', (:'companies'::uuid[])[n + 1],
	(array['Northwind', 'Bluefin', 'Cobalt', 'Juniper', 'Meridian', 'Orchard', 'Quarry', 'Saffron'])[n % 8 + 1]
		|| ' ' || (array['Labs', 'Works', 'Partners', 'Foods', 'Systems'])[n / 8 % 5 + 1],
	(array['Software', 'Logistics', 'Energy', 'Retail'])[n % 4 + 1],
	array[(:'groups'::uuid[])[1]], :'now'::timestamptz, (:'users'::uuid[])[1], :'now'::timestamptz
from generate_series(0, cardinality(:'companies'::uuid[]) - 1) n;

-- [company groups]
insert into company_groups (workspace_id, group_id, company_id)
select workspace_id, unnest(group_ids), id from companies where workspace_id = :'workspace';

-- [people]
insert into people (workspace_id, id, first_name, last_name, full_name, job_title, emails, phones, company_ids, group_ids,
	created_at, created_by, updated_at)
select :'workspace', (:'people'::uuid[])[n + 1], first, last, first || ' ' || last,
	(array['Engineer', 'Head of Sales', 'Founder', 'Buyer', 'Analyst', 'CTO'])[n % 6 + 1],
	array[lower(first || '.' || last) || '@example.com'], array['+49 30 ' || 2300000 + 7919 * n],
	array[(:'companies'::uuid[])[n % cardinality(:'companies'::uuid[]) + 1]],
	array[(:'groups'::uuid[])[1]], :'now'::timestamptz, (:'users'::uuid[])[1], :'now'::timestamptz
from generate_series(0, cardinality(:'people'::uuid[]) - 1) n, lateral (
	select (array['Ada', 'Alan', 'Barbara', 'Claude', 'Donald', 'Edith', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Jean',
			'Katherine', 'Linus', 'Margaret', 'Niklaus', 'Olga', 'Peter', 'Radia', 'Sophie', 'Tim'])[n % 20 + 1] as first,
		(array['Abbott', 'Berg', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'Gupta', 'Haddad', 'Ito', 'Jansen',
			'Kowalski', 'Lindqvist', 'Moreau', 'Nakamura', 'Okafor'])[n / 20 % 15 + 1] as last
) names;

-- [person groups]
insert into person_groups (workspace_id, group_id, person_id)
select workspace_id, unnest(group_ids), id from people where workspace_id = :'workspace';

-- [person companies]
insert into person_companies (workspace_id, company_id, person_id)
select workspace_id, unnest(company_ids), id from people where workspace_id = :'workspace';

-- [object types]
insert into object_types (workspace_id, id, group_id, name, created_at)
values (:'workspace', :'type', (:'groups'::uuid[])[1], 'Deals', :'now');

-- [custom fields]
insert into custom_fields (workspace_id, id, group_id, type_id, entity, name, type, options, format, currency)
values (:'workspace', :'stage', (:'groups'::uuid[])[1], :'type', 'object', 'Stage', 'singleSelect',
		(select json_agg(json_build_object('id', o.id, 'label', o.label, 'color', o.color))
			from unnest(:'options'::uuid[], array['New', 'Negotiation', 'Won'], array['#4f86f7', '#fbbc05', '#34a853'])
				o (id, label, color)),
		'default', null),
	(:'workspace', :'amount', (:'groups'::uuid[])[1], :'type', 'object', 'Amount', 'numericField', '[]', 'currency', 'EUR'),
	(:'workspace', :'owner', (:'groups'::uuid[])[1], :'type', 'object', 'Owner', 'userField', '[]', 'default', null),
	(:'workspace', :'closes', (:'groups'::uuid[])[1], :'type', 'object', 'Close date', 'dateField', '[]', 'default', null);

-- As in every write, values are stored in the row and a second time for filters.
-- [objects]
insert into objects (workspace_id, id, group_id, type_id, name, company_ids, custom_values, created_at, created_by,
	updated_at)
select :'workspace', (:'deals'::uuid[])[n + 1], (:'groups'::uuid[])[1], :'type',
	c.name || ': ' || (array['Pilot', 'Licences', 'Renewal', 'Support', 'Training'])[n / 3 % 5 + 1], array[c.id],
	json_build_object(:'stage'::text, (:'options'::uuid[])[n % cardinality(:'options'::uuid[]) + 1],
		:'amount'::text, (1000 + 250 * n)::text, :'owner'::text, json_build_array((:'users'::uuid[])[n / 3 % 3 + 1]),
		:'closes'::text, ((:'now'::timestamptz)::date + n * 7 % 60 - 20)::text),
	:'now'::timestamptz, (:'users'::uuid[])[1], :'now'::timestamptz
from generate_series(0, cardinality(:'deals'::uuid[]) - 1) n join companies c on c.workspace_id = :'workspace'
	and c.id = (:'companies'::uuid[])[n % cardinality(:'companies'::uuid[]) + 1];

-- [object companies]
insert into object_companies (workspace_id, company_id, object_id)
select workspace_id, unnest(company_ids), id from objects where workspace_id = :'workspace';

-- [field values]
insert into field_values (workspace_id, field_id, owner_id, number_value, date_value, ref_id)
select :'workspace', v.key::uuid, o.id, case when f.type = 'numericField' then (v.value)::numeric end,
	case when f.type = 'dateField' then (v.value)::date end,
	case f.type when 'singleSelect' then (v.value)::uuid when 'userField' then (v.value::json ->> 0)::uuid end
from objects o, json_each_text(o.custom_values) v, custom_fields f
where o.workspace_id = :'workspace' and f.workspace_id = :'workspace' and f.id = v.key::uuid;

-- Tasks of the admin and of a colleague: overdue, due today, due later, and done.
-- [tasks]
insert into tasks (workspace_id, id, entity_id, entity_type, title, due_at, completed_at, is_public, assigned_user_ids,
	created_by, created_at, updated_at)
select :'workspace', (:'tasks'::uuid[])[n + 1], (:'people'::uuid[])[n + 1], 'person',
	(array['Call back about the offer', 'Send the contract', 'Ask for the new address', 'Plan the next visit'])[n % 4 + 1],
	(:'now'::timestamptz)::date + (array[-3, -1, 0, 0, 1, 4, 9, -2])[n % 8 + 1],
	case when n % 8 = 7 then :'now'::timestamptz end, true,
	array[(:'users'::uuid[])[case when n % 4 = 3 then 2 else 1 end]], (:'users'::uuid[])[n % 3 + 1],
	:'now'::timestamptz, :'now'::timestamptz
from generate_series(0, cardinality(:'tasks'::uuid[]) - 1) n;

-- Who added the first people, as if in the console.
-- [events]
insert into events (workspace_id, id, type, record_id, actor_via, actor_id)
select :'workspace', (:'events'::uuid[])[n + 1], 'person.created', (:'people'::uuid[])[n + 1], 3,
	(:'users'::uuid[])[n % 3 + 1]
from generate_series(0, cardinality(:'events'::uuid[]) - 1) n;

-- The admin's own, each week: at the next full hour, which is today until shortly before midnight, and on the two days after it.
-- [reminders]
insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, visibility, next_trigger_at,
	created_by, created_at, updated_at)
select :'workspace', (:'reminders'::uuid[])[n], (:'companies'::uuid[])[n], 'company',
	(array['Prepare the weekly meeting', 'Look at open offers', 'Ask how the pilot goes'])[n],
	format(E'DTSTART:%sZ\nRRULE:FREQ=WEEKLY', to_char(at, 'YYYYMMDD"T"HH24MISS')), 'private',
	at at time zone 'UTC', (:'users'::uuid[])[1], :'now'::timestamptz, :'now'::timestamptz
from generate_series(1, cardinality(:'reminders'::uuid[])) n,
	lateral (select date_trunc('hour', :'now'::timestamptz at time zone 'UTC') + make_interval(days => n - 1, hours => 1) as at) d;
