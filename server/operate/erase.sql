-- What kith erase does to the database; erase.h has the order.
--   person, workspace: uuids; the workspace may be empty in "workspace"
--   ids: "uuid|uuid", the person and those merged into the person
--   given: further values, a JSON array of texts
-- By hand: psql -v person=… -v workspace=… -v ids=… -v given='[]' -f server/operate/erase.sql

-- Nothing that psql runs stays: the transaction is not committed.
\set AUTOCOMMIT off

-- The workspaces that have something of the person.
-- [workspace] person, workspace
select string_agg(w.workspace_id::text, ' ')
from workspaces w, (select :'person'::uuid as id) i
where coalesce(w.moving, '') not in ('moved', 'arriving', 'arrived')
	and (nullif(:'workspace', '') is null or w.workspace_id = nullif(:'workspace', '')::uuid)
	and (exists (select from people p where p.workspace_id = w.workspace_id and p.id = i.id)
		or exists (select from contacts_merged m
			where m.workspace_id = w.workspace_id and m.kind = 'person' and i.id in (m.id, m.merged_into))
		or exists (select from erasures x where x.workspace_id = w.workspace_id and x.id = i.id)
		or exists (select from events v
			where v.workspace_id = w.workspace_id and v.record_id = i.id and v.type like 'person.%'));

-- The person and those merged into the person.
-- [merged] person, workspace
with recursive all_of as (
	select :'person'::uuid as id
	union
	select m.id from all_of a join contacts_merged m on m.workspace_id = :'workspace'::uuid and m.merged_into = a.id
)
select string_agg(id::text, '|') from all_of;

-- [merged into] person, workspace
select merged_into from contacts_merged where workspace_id = :'workspace'::uuid and id = :'person'::uuid;

-- The values to look for: those of the record, and those that past events have of the searched attributes and of custom
-- fields, but not those that other records have, too. And the number of those.
-- [values] workspace, ids, given
with ids as (
	select unnest(string_to_array(:'ids', '|')::uuid[]) as id
), past as (
	select e.data
	from events e
	where e.workspace_id = :'workspace'::uuid and e.record_id in (select id from ids) and e.type like 'person.%'
		and e.data is not null
), changes as (
	select x.v
	from past, json_array_elements(coalesce(past.data -> 'changes', '[]')) c,
		lateral (values (c -> 'value'), (c -> 'previous')) x (v)
	where c #>> '{path,0}' in ('fullName', 'emails', 'phones', 'urls', 'addresses', 'customFieldValues')
), found as (
	select unnest(array[p.full_name, p.description,
			case when p.first_name <> '' and p.last_name <> '' then p.first_name || ' ' || p.last_name end]
		|| p.emails || p.phones || p.urls || p.addresses) as v
	from people p
	where p.workspace_id = :'workspace'::uuid and p.id in (select id from ids)
	union
	select j.value #>> '{}'
	from people p, json_each(p.custom_values) j
	where p.workspace_id = :'workspace'::uuid and p.id in (select id from ids) and json_typeof(j.value) = 'string'
	union
	select v #>> '{}' from changes where json_typeof(v) = 'string'
	union
	select i #>> '{}'
	from changes, json_array_elements(case json_typeof(v) when 'array' then v else '[]' end) i
	where json_typeof(i) = 'string'
	union
	select data #>> '{details,name}' from past
	union
	select i from past, json_array_elements_text(coalesce(data #> '{details,emails}', '[]')) i
), own as materialized (
	select v
	from found
	where length(v) >= 6 and v !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
	order by v
	limit 50
), list as materialized (
	select array_agg(v) as a from own
), shared as (
	select unnest(array[p.full_name] || p.emails || p.phones || p.urls || p.addresses) as v
	from people p, list
	where p.workspace_id = :'workspace'::uuid and p.id not in (select id from ids)
		and (p.full_name = any (a) or p.emails && a or p.phones && a or p.urls && a or p.addresses && a)
	union
	select unnest(array[c.name] || c.emails || c.phones || c.urls || c.addresses)
	from companies c, list
	where c.workspace_id = :'workspace'::uuid
		and (c.name = any (a) or c.emails && a or c.phones && a or c.urls && a or c.addresses && a)
	union
	select v.text_value
	from field_values v, list
	where v.workspace_id = :'workspace'::uuid and v.text_value = any (a) and v.owner_id not in (select id from ids)
	union
	select o ->> 'label'
	from custom_fields f, json_array_elements(f.options) o
	where f.workspace_id = :'workspace'::uuid
	union
	select u.email from users u where u.workspace_id = :'workspace'::uuid
)
select json_build_object(
	'values', (select coalesce(json_agg(v), '[]') from (
		select v from own where v not in (select v from shared where v is not null)
		union
		select json_array_elements_text(:'given'::json)
	) o),
	'shared', (select count(*) from own where v in (select v from shared)));

-- Has a text that is to be stored one of the values? The patterns of remains.sql must be set.
-- [reason] reason
select kith_fold(:'reason') ~ any (current_setting('kith.in_text')::text[]);

-- The data of an event without values: no name and no addresses of a deleted contact, and no changes. It names records
-- by their ids.
-- [scrubbed]
create or replace function pg_temp.scrubbed(type text, data json) returns jsonb language sql immutable as $$
	select data::jsonb || case
		when type = 'person.deleted' then
			jsonb_build_object('details', (data -> 'details')::jsonb || '{"name": "", "emails": [], "erased": true}')
		when data -> 'changes' is not null then '{"changes": []}'
		else '{}'
	end
$$;

-- The person's own events; the events of notes, tasks, reminders and interactions that name the person as their entity;
-- and all other events of such a record if it was deleted.
-- [events] workspace, ids
create temporary table erase_events as
with own as materialized (
	select e.*
	from events e
	where e.workspace_id = :'workspace'::uuid and e.data is not null
		and (e.record_id = any (string_to_array(:'ids', '|')::uuid[])
			or e.data #>> '{details,entity,id}' = any (string_to_array('per_' || replace(:'ids', '|', '|per_'), '|')))
), gone as (
	select distinct o.record_id
	from own o
	where o.data #> '{details,entity}' is not null
		and not exists (select from notes n where n.workspace_id = :'workspace'::uuid and n.id = o.record_id)
		and not exists (select from tasks n where n.workspace_id = :'workspace'::uuid and n.id = o.record_id)
		and not exists (select from reminders n where n.workspace_id = :'workspace'::uuid and n.id = o.record_id)
		and not exists (select from interactions n where n.workspace_id = :'workspace'::uuid and n.id = o.record_id)
)
select e.generation, e.xid, e.seq, e.created_at
from own e
where e.data::jsonb <> pg_temp.scrubbed(e.type, e.data)
union
select e.generation, e.xid, e.seq, e.created_at
from events e
where e.workspace_id = :'workspace'::uuid and e.record_id in (select g.record_id from gone g) and e.data is not null
	and e.data::jsonb <> pg_temp.scrubbed(e.type, e.data);

-- [scrub] workspace, batch
with b as (
	delete from erase_events where ctid = any (array(select ctid from erase_events limit :'batch'::int)) returning *
)
update events e
set data = pg_temp.scrubbed(e.type, e.data)::json
from b
where e.workspace_id = :'workspace'::uuid and e.generation = b.generation and e.xid = b.xid and e.seq = b.seq
	and e.created_at = b.created_at;

-- The patterns of remains.sql must be set.
-- [answers] workspace
create temporary table erase_answers as
select k.user_id, k.key_hash
from idempotency_keys k, lateral (select kith_fold(pg_temp.as_text(k.body)) as text offset 0) b
where k.workspace_id = :'workspace'::uuid and k.body is not null
	and (b.text ~ any (array(select unnest(current_setting('kith.in_id')::text[])))
		or b.text ~ any (array(select unnest(current_setting('kith.in_text')::text[]))));

-- The row stays without its body, so a retry learns that the request ran and that its answer was not kept.
-- [forget] workspace
update idempotency_keys k
set body = null
from erase_answers a
where k.workspace_id = :'workspace'::uuid and k.user_id = a.user_id and k.key_hash = a.key_hash;

-- Names that devices gave to the card, but for UUIDs: by these the devices are told that the card is gone.
-- [names] workspace, ids
delete from card_names
where workspace_id = :'workspace'::uuid and record_id = any (string_to_array(:'ids', '|')::uuid[])
	and name !~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}([.]vcf)?$';

-- The dispatcher has read past events that it has not sent yet. It drops them and reads them again.
-- [unsent] workspace
update webhooks set version = version + 1 where workspace_id = :'workspace'::uuid and status = 'active';

-- The statements for an empty table whose statistics have values. ANALYZE leaves the statistics of an empty table
-- unchanged, so the table temporarily gets a blank row that nobody sees. Any text will do that the tables' conditions
-- allow.
-- [blank] cleaned
select format('begin; insert into %1$s (%2$s) values (%3$s); analyze %1$s; delete from %1$s where workspace_id = '
		'''00000000-0000-0000-0000-000000000000''; commit', a.attrelid::regclass,
	string_agg(quote_ident(a.attname), ', ' order by a.attnum),
	string_agg(case
		when y.typcategory = 'A' then '''{}'''
		when y.typname = 'uuid' then '''00000000-0000-0000-0000-000000000000'''
		when y.typname = 'bytea' then 'sha256('''')'
		when y.typname in ('json', 'jsonb') then '''{}'''
		when y.typname in ('timestamptz', 'date') then 'now()'
		when y.typcategory = 'N' then '0'
		when y.typname = 'bool' then 'false'
		else '''public'''
	end, ', ' order by a.attnum))
from pg_attribute a
join pg_type y on y.oid = a.atttypid
where a.attrelid = :'cleaned'::regclass and a.attnum > 0 and a.attnotnull and not a.atthasdef and not a.attisdropped
group by a.attrelid;

-- [finish] workspace, person
update erasures
set finished_at = coalesce(finished_at, clock_timestamp())
where workspace_id = :'workspace'::uuid and id = :'person'::uuid
returning to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
