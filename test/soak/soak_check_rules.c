/* The rules: see soak_check.h. In their texts {day} and {kept} are the milliseconds of a scaled day and of the
 * retention of events, {end} the time when the load had ended and what was given up was activated again, {drained} that
 * up to which everything was delivered, {stop} that when the servers had ended, {days} the scaled days up to then,
 * {space0} the first workspace, {space1} the second. */
#include "test/soak/soak_check.h"

#define QUIET "set session_replication_role = replica; "
#define AGO(ms) "to_timestamp({stop} / 1000.0) - interval '1 ms' * (" ms ")"

/* Records that another table refers to by id, in another workspace or not at all. */
#define ASTRAY(table, column, others)                                                                                  \
	{                                                                                                              \
#table "." #column " refers to nothing of its workspace",                                              \
		    "select count(*) from " #table " t where not exists (select from " others                          \
		    " o where o.workspace_id = t.workspace_id and o.id = t." #column ")",                              \
		    QUIET "update " #table " set " #column " = (select id from " others                                \
		          " x where workspace_id = '{space1}' limit 1) where "                                         \
		          "ctid = (select ctid from " #table " where workspace_id = '{space0}' limit 1)"               \
	}
#define ENTITIES                                                                                                       \
	"(select workspace_id, id from people union all select workspace_id, id from companies union all select "      \
	"workspace_id, id from objects)"

const struct check_rule check_rows[] = {
    {"stored answers past their day",
        "select count(*) from idempotency_keys where completed_at < " AGO("{day} + 10000"),
        "insert into idempotency_keys select workspace_id, id, '\\x01', '\\x01', 200, null, null, null, now() - "
        "interval '2 days' from users limit 1"},
    {"due reminders that did not fire",
        "select count(*) from reminders where next_trigger_at < " AGO("10000") " and put_off_until is null",
        QUIET "insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, visibility, "
              "next_trigger_at, created_by, created_at) select workspace_id, gen_random_uuid(), id, 'person', 'd', "
              "'r', 'public', now() - interval '1 h', id, now() from users limit 1"},
    {"past interactions that are not counted",
        "select count(*) from interactions where not counted and date_time < " AGO("10000"),
        QUIET "insert into interactions (workspace_id, id, entity_id, entity_type, user_id, title, date_time, "
              "activity_type, counted) select workspace_id, gen_random_uuid(), id, 'person', id, 't', now() - "
              "interval '1 h', 'call', false from users limit 1"},
    {"deleted groups remembered beyond the events",
        "select count(*) from groups_gone where deleted_at < " AGO("{kept} + 20000"),
        "insert into groups_gone (workspace_id, id, deleted_at, user_ids) select workspace_id, gen_random_uuid(), "
        "now() - "
        "interval '30 days', '{}' from workspaces limit 1"},
    {"names that differ from what they are derived from",
        "select count(*) from people where not full_name_given and full_name is distinct from case when first_name "
        "= '' then last_name when last_name = '' then first_name else first_name || ' ' || last_name end",
        "update people set full_name = 'other' where ctid = (select ctid from people where not full_name_given "
        "limit 1)"},
    ASTRAY(people, created_by, "users"), ASTRAY(companies, created_by, "users"), ASTRAY(objects, created_by, "users"),
    ASTRAY(person_companies, company_id, "companies"), ASTRAY(object_people, person_id, "people"),
    ASTRAY(notes, entity_id, ENTITIES), ASTRAY(tasks, entity_id, ENTITIES), ASTRAY(interactions, user_id, "users"),
    {"texts of another workspace",
        "select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I t where (t::text like "
        "''%%soak0mark%%'' and workspace_id <> ''{space0}'') or (t::text like ''%%soak1mark%%'' and workspace_id <> "
        "''{space1}'') or (t::text like ''%%soak2mark%%'' and workspace_id in (''{space0}'', ''{space1}''))', "
        "c.relname), false, true, '')))[1]::text::bigint) from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "and a.attname = 'workspace_id' where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = "
        "'public'::regnamespace",
        "update people set first_name = 'soak1mark', full_name_given = true where ctid = (select ctid from people "
        "where workspace_id = '{space0}' limit 1)"},
    {0}};

/* What a listener must have heard: (listener, event). */
#define EXPECTED                                                                                                       \
	"(select l.listener, e.id as event from soak.listeners l join soak.events e on e.workspace_id = l.workspace "  \
	"and e.webhook_id is null and e.created_at < to_timestamp({drained} / 1000.0) and (e.audience is null or "     \
	"l.reader = any (e.audience)))"

const struct check_rule check_events[] = {
    {"acknowledged changes without exactly one event",
        "select count(*) from soak.acked a where (select count(*) from soak.events e where e.record_id = a.record and "
        "e.type = a.event and (a.mark is null or e.data::text like '%\"' || a.mark || '\"%')) <> 1",
        "delete from soak.events where ctid = (select e.ctid from soak.events e join soak.acked a on a.record = "
        "e.record_id and a.event = e.type limit 1)"},
    {"records other than their last acknowledged change",
        "select count(*) from (select distinct on (record) record, mark from soak.acked where mark is not null order "
        "by record, split_part(mark, '-', 2)::int desc) a join people p on p.id = a.record where p.job_title <> a.mark",
        "update people set job_title = 'other' where ctid = (select p.ctid from people p join soak.acked a on "
        "a.record = p.id and a.mark is not null limit 1)"},
    {"acknowledged deletes of records that are there",
        "select count(*) from soak.acked a join people p on p.id = a.record where a.event = 'person.deleted'",
        "insert into soak.acked select 'person.deleted', id, null from people limit 1"},
    {"acknowledged records that are neither there nor deleted by an event",
        "select count(*) from soak.acked a where a.event = 'person.created' and not exists (select from people p "
        "where p.id = a.record) and not exists (select from soak.events e where e.record_id = a.record and e.type = "
        "'person.deleted')",
        "insert into soak.acked select 'person.created', gen_random_uuid(), null"},
    {"events that a follower did not hear",
        "select count(*) from " EXPECTED " x where not exists (select from soak.heard h where h.listener = x.listener "
        "and h.event = x.event)",
        "delete from soak.heard where ctid = (select h.ctid from soak.heard h join soak.events e on e.id = h.event "
        "limit 1)"},
    {"events that a follower heard twice",
        "select count(*) from (select 1 from soak.heard group by listener, event having count(*) > 1) d",
        "insert into soak.heard select * from soak.heard limit 1"},
    {"events that a follower must not hear",
        "select count(*) from soak.heard h where not exists (select from soak.events e join soak.listeners l on "
        "l.workspace = e.workspace_id and (e.audience is null or l.reader = any (e.audience)) where e.id = h.event and "
        "l.listener = h.listener and e.webhook_id is null)",
        "insert into soak.heard select 'feed0', 0, id from soak.events where workspace_id = '{space1}' limit 1"},
    {"events that a follower heard too early",
        "select count(*) from (select (e.generation, e.xid, e.seq) < lag((e.generation, e.xid, e.seq)) over (partition "
        "by h.listener order by h.n) as early from soak.heard h join soak.events e on e.id = h.event) o where early",
        "update soak.heard set n = -1 where ctid = (select ctid from soak.heard where listener = 'feed0' order by n "
        "desc limit 1)"},
    {"events past their days", "select count(*) from events where created_at < " AGO("{kept} + 20000"),
        "insert into events (workspace_id, id, type, record_id, created_at) select workspace_id, gen_random_uuid(), "
        "'old', workspace_id, now() - interval '100 days' from workspaces limit 1"},
    {"events that went before their time",
        "select count(*) from soak.events s where s.created_at > " AGO(
            "{kept} - 2000") " and not exists (select from "
                             "events e where e.id = s.id and e.created_at = s.created_at)",
        "delete from events where id = (select id from events order by created_at desc limit 1)"},
    {"days of events and deliveries that should be gone",
        "select count(*) from pg_class where relname ~ '^(events|deliveries)_[0-9]{8}$' and relnamespace = "
        "'public'::regnamespace and to_date(right(relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - 3",
        "select kith_partitions((now() - interval '20 days')::date)"},
    {"days of events and deliveries that are missing",
        "select 16 - count(*) from generate_series(-1, 6) d, (values ('events'), ('deliveries')) p (n) where "
        "to_regclass(format('%s_%s', n, to_char((now() at time zone 'UTC')::date + d, 'YYYYMMDD'))) is not null",
        "do $$ begin execute format('drop table events_%s', to_char((now() at time zone 'UTC')::date + 5, "
        "'YYYYMMDD')); end $$"},
    {0}};

/* What a webhook that works must have got; one that was activated again, of the last three days. */
#define OWED                                                                                                           \
	"(select h.webhook, e.id as event from soak.hooks h join soak.events e on e.workspace_id = h.workspace and "   \
	"(e.generation, e.xid, e.seq) > (h.generation, h.xid, h.seq) and e.webhook_id is null and (e.audience is "     \
	"null "                                                                                                        \
	"or h.listener = any (e.audience)) and e.type = any (h.types) and e.created_at < to_timestamp({drained} / "    \
	"1000.0) where h.kind in ('good', 'flaky', 'back') or h.kind = 'gone' and e.created_at > to_timestamp({end} "  \
	"/ "                                                                                                           \
	"1000.0) - interval '1 ms' * (least(3 * {day}, {kept}) - 10000))"

const char check_missing[] =
    "select string_agg(format('%s %s %s', kind, type, n), ', ') from (select h.kind, e.type, count(*) as n from " OWED
    " o join soak.hooks h on h.webhook = o.webhook join soak.events e on e.id = o.event where not exists (select from "
    "soak.taken t where t.webhook = o.webhook and t.event = o.event) group by 1, 2) x";

const struct check_rule check_deliveries[] = {
    {"events that a webhook did not get",
        "select count(*) from " OWED " o where not exists (select from soak.taken t where t.webhook = o.webhook and "
        "t.event = o.event)",
        "delete from soak.taken where ctid = (select t.ctid from soak.taken t join " OWED
        " o on o.webhook = t.webhook and o.event = t.event limit 1)"},
    {"events that a webhook must not get",
        "select count(*) from soak.taken t where not exists (select from soak.hooks h join soak.events e on "
        "e.workspace_id = h.workspace and (e.audience is null or h.listener = any (e.audience)) where h.webhook = "
        "t.webhook and e.id = t.event and e.type = any (h.types))",
        "insert into soak.taken select webhook, 0, gen_random_uuid(), 1, 0 from soak.hooks where kind = 'good'"},
    {"events of a record that a good webhook got in another order, without a reason",
        "select count(*) from (select t.at_ms, (e.generation, e.xid, e.seq) < lag((e.generation, e.xid, e.seq)) over "
        "(partition by t.webhook, e.record_id order by t.n) as early from soak.taken t join soak.events e on e.id = "
        "t.event join soak.hooks h on h.webhook = t.webhook and h.kind = 'good') o where early and not exists (select "
        "from soak.outages x where o.at_ms between x.from_ms and x.to_ms + 30000)",
        "delete from soak.outages; with r as (select e.record_id, t.webhook from soak.taken t join soak.events e on "
        "e.id = t.event join soak.hooks h on h.webhook = t.webhook and h.kind = 'good' group by 1, 2 having count(*) > "
        "3 limit 1) update soak.taken t set n = -t.n from r, soak.events e where t.webhook = r.webhook and e.id = "
        "t.event and e.record_id = r.record_id"},
    {"working webhooks that are inactive, or called failing",
        "select count(*) from soak.hooks h left join webhooks w on w.id = h.webhook where h.kind in ('good', 'flaky', "
        "'back', 'gone') and (w.status is distinct from 'active' or w.failing_since is not null)",
        "update webhooks set failing_since = now() where id = (select webhook from soak.hooks where kind = 'good' "
        "limit 1)"},
    /* Five days begin with the first failure, which for one that hangs takes a while. */
    {"failing webhooks in another state than five days of failures make",
        "select count(*) from soak.hooks h left join webhooks w on w.id = h.webhook where h.kind in ('hangs', 'dead') "
        "and (({days} < 5 and (w.status is distinct from 'active' or w.failing_since is null)) or ({days} > 7 and "
        "(w.status is distinct from 'inactive' or (select count(*) from soak.events e where e.record_id = h.webhook "
        "and e.type = 'webhook.deactivated') <> 1)))",
        "delete from webhooks where id = (select webhook from soak.hooks where kind = 'dead')"},
    /* An attempt under way when the servers end leaves its row, however old the event. */
    {"deliveries past the days of their events",
        "select count(*) from deliveries d where created_at < " AGO(
            "{kept} + 20000") " and not exists (select from "
                              "soak.hooks h where h.webhook = d.webhook_id and h.kind = 'hangs')",
        "insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, event_type, "
        "record_id, state) select workspace, webhook, 1, 1, 1, now() - interval '100 days', gen_random_uuid(), "
        "gen_random_uuid(), 'task.created', gen_random_uuid(), 'failed' from soak.hooks where kind = 'good' limit 1"},
    {0}};

#define SEARCHED                                                                                                       \
	" from people where workspace_id = '{space1}' and coalesce(search_text, kith_search_lines(array[full_name, "   \
	"first_name, last_name, job_title], emails, phones, urls)) like '%soak1mark%'"
/* Rows that an index does not know: inserted while it is out of use. */
#define UNINDEXED(index)                                                                                               \
	QUIET                                                                                                          \
	"update pg_index set indisready = false, indisvalid = false where indexrelid = '" index "'::regclass; "        \
	"insert into people (workspace_id, id, first_name, full_name, created_at, created_by, updated_at) select "     \
	"'{space1}', gen_random_uuid(), 'soak1mark', 'soak1mark', now(), id, now() from users limit 1; update "        \
	"pg_index set indisready = true, indisvalid = true where indexrelid = '" index "'::regclass"

const struct check_rule check_storage[] = {
    {"indexes that are not valid",
        "select count(*) from pg_index where not indisvalid or not indisready or not indislive",
        "update pg_index set indisvalid = false where indexrelid = 'people_birthday'::regclass"},
    {"trees that lack a row or are out of order (amcheck)",
        "create extension if not exists amcheck; select sum(0 * length(bt_index_check(c.oid, true)::text)) from "
        "pg_class c join pg_index i on i.indexrelid = c.oid join pg_am a on a.oid = c.relam and a.amname = 'btree' "
        "where c.relkind = 'i' and i.indisvalid and c.relpersistence <> 't'",
        UNINDEXED("people_created_by")},
    {"people that a search by its index does not find",
        "set enable_seqscan = off; create temp table by_index as select count(*) as n" SEARCHED
        "; set enable_seqscan = on; set enable_bitmapscan = off; set enable_indexscan = off; select abs((select n from "
        "by_index) - count(*))" SEARCHED,
        UNINDEXED("people_search")},
    {0}};
