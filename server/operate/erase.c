/* Erases a person; see erase.h. */
#include "server/operate/erase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/request/locks.h"
#include "server/resource/removal.h"
#include "store/db_ask.h"
#include "store/db_copy.h"

enum { EVENTS_BATCH = 500, DELETE_MS = 60 * 1000 };

static bool erase_refuse(const char *text)
{
	fprintf(stderr, "kith: %s\n", text);
	return false;
}

/* --- the person --------------------------------------------------------------------------- */

/* The places that can have something of the person. */
#define SOMETHING                                                                                                      \
	"(exists (select from people p where p.workspace_id = w.workspace_id and p.id = i.id) or exists (select "      \
	"from contacts_merged m where m.workspace_id = w.workspace_id and m.kind = 'person' and i.id in (m.id, "       \
	"m.merged_into)) or exists (select from erasures x where x.workspace_id = w.workspace_id and x.id = i.id) "    \
	"or exists (select from events v where v.workspace_id = w.workspace_id and v.record_id = i.id and v.type "     \
	"like 'person.%%'))"

static bool erase_workspace(struct erase *e, bool given)
{
	struct remains *r = e->remains;
	char person[37], workspace[37];
	const char *found, *only = "";

	if (given)
		only = arena_printf(r->arena, " and w.workspace_id = '%s'", uuid_format(&e->workspace, workspace));
	if (!remains_ask(r,
	        arena_printf(r->arena,
	            "select string_agg(w.workspace_id::text, ' ') from workspaces w, (select '%s'::uuid as id) i where "
	            "coalesce(w.moving, '') not in ('moved', 'arriving', 'arrived')%s and " SOMETHING,
	            uuid_format(&e->person, person), only),
	        &found))
		return false;
	if (!found)
		return erase_refuse("there is no person with this id, and no data of such a person");
	if (strchr(found, ' '))
		return erase_refuse("several workspaces have this id: choose one with --workspace");
	if (!uuid_parse(found, strlen(found), &e->workspace))
		return erase_refuse("the database's answer cannot be read");
	r->workspace = found;
	return true;
}

bool erase_find(struct erase *e, bool given)
{
	struct remains *r = e->remains;
	const char *into = NULL;
	char person[37];

	if (!erase_workspace(e, given))
		return false;
	uuid_format(&e->person, person);
	if (!remains_ask(r,
	        arena_printf(r->arena,
	            "with recursive all_of as (select '%s'::uuid as id union select m.id from all_of a join "
	            "contacts_merged m on m.workspace_id = '%s' and m.merged_into = a.id) select "
	            "string_agg(id::text, '|') from all_of",
	            person, r->workspace),
	        &r->ids) ||
	    !remains_ask(r,
	        arena_printf(r->arena,
	            "select merged_into from contacts_merged where workspace_id = '%s' and id = '%s'", r->workspace,
	            person),
	        &into))
		return false;
	if (into) {
		fprintf(stderr, "kith: this person was merged into per_%s: erase that person\n", into);
		return false;
	}
	return true;
}

/* --- values ------------------------------------------------------------------------------- */

/* From events: the values of the searched attributes and of custom fields. */
static const char values_sql[] =
    "with ids as (select unnest(string_to_array('%2$s', '|')::uuid[]) as id), "
    "past as (select e.data from events e where e.workspace_id = '%1$s' and e.record_id in (select id from ids) "
    "and e.type like 'person.%%' and e.data is not null), "
    "changes as (select c -> 'value' as v from past, json_array_elements(coalesce(past.data -> 'changes', '[]')) c "
    "where c #>> '{path,0}' in ('fullName', 'emails', 'phones', 'urls', 'addresses', 'customFieldValues')), "
    "found as (select unnest(array[p.full_name, p.description, case when p.first_name <> '' and p.last_name <> '' "
    "then p.first_name || ' ' || p.last_name end] || p.emails || p.phones || p.urls || p.addresses) as v "
    "from people p where p.workspace_id = '%1$s' and p.id in (select id from ids) "
    "union select j.value #>> '{}' from people p, json_each(p.custom_values) j "
    "where p.workspace_id = '%1$s' and p.id in (select id from ids) and json_typeof(j.value) = 'string' "
    "union select v #>> '{}' from changes where json_typeof(v) = 'string' "
    "union select i #>> '{}' from changes, json_array_elements(case json_typeof(v) when 'array' then v else '[]' end) "
    "i "
    "where json_typeof(i) = 'string' "
    "union select data #>> '{details,name}' from past "
    "union select i from past, json_array_elements_text(coalesce(data #> '{details,emails}', '[]')) i), "
    "own as materialized (select v from found where length(v) >= 6 "
    "and v !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' order by v limit 50), "
    "list as materialized (select array_agg(v) as a, array_agg(lower(v)) as l from own), "
    "shared as (select unnest(array[p.full_name] || p.emails || p.phones || p.urls || p.addresses) as v "
    "from people p, list where p.workspace_id = '%1$s' and p.id not in (select id from ids) "
    "and (p.full_name = any (a) or p.emails && a or p.phones && a or p.urls && a or p.addresses && a) "
    "union select unnest(array[c.name] || c.emails || c.phones || c.urls || c.addresses) from companies c, list "
    "where c.workspace_id = '%1$s' "
    "and (c.name = any (a) or c.emails && a or c.phones && a or c.urls && a or c.addresses && a) "
    "union select v.text_value from field_values v, list "
    "where v.workspace_id = '%1$s' and v.text_value = any (a) and v.owner_id not in (select id from ids) "
    "union select o ->> 'label' from custom_fields f, json_array_elements(f.options) o where f.workspace_id = '%1$s' "
    "union select u.email from users u where u.workspace_id = '%1$s') "
    "select json_build_object('values', (select coalesce(json_agg(v), '[]') from "
    "(select v from own where v not in (select v from shared where v is not null) "
    "union select json_array_elements_text(current_setting('kith.values')::json)) o), "
    "'shared', (select count(*) from own where v in (select v from shared)))";

const char *erase_values(struct erase *e, const char *given)
{
	struct remains *r = e->remains;
	const struct json *all = NULL, *values, *shared;
	const char *text, *error;
	struct json_out out;
	struct buf made;

	if (!remains_set(r, "kith.values", given ? given : "[]") ||
	    !remains_ask(r, arena_printf(r->arena, values_sql, r->workspace, r->ids), &text))
		return NULL;
	if (text)
		all = json_read(r->arena, text, strlen(text), &error);
	values = all ? json_member(all, "values") : NULL;
	shared = all ? json_member(all, "shared") : NULL;
	if (!values || !shared) {
		erase_refuse("the database's answer cannot be read");
		return NULL;
	}
	e->n_values = (int)values->count;
	e->n_shared = (int)strtol(shared->text, NULL, 10);
	buf_init(&made, 16 << 20);
	json_out_init(&out, &made);
	json_value(&out, values);
	text = arena_dup(r->arena, made.data, made.len);
	buf_free(&made);
	return text;
}

/* --- the deletion ------------------------------------------------------------------------- */

struct deletion {
	struct erase *erase;
	struct db_ask ask;
};

static struct sql *deletion_statement(void *owner)
{
	struct deletion *d = owner;
	struct sql *s = db_ask_add(&d->ask);

	sql_begin(s, &d->ask.arena, NULL, &d->erase->workspace);
	return s;
}

static struct sql *deletion_command(struct deletion *d, const char *text)
{
	struct sql *s = db_ask_add(&d->ask);

	sql_begin_system(s, &d->ask.arena, NULL);
	sql_add(s, text);
	return s;
}

static void deletion_failed(const struct deletion *d, const char *what)
{
	fprintf(stderr, "kith: %s: %s\n", what, d->ask.x.status == DB_FAILED ? d->ask.x.message : "no connection");
}

/* Opens the transaction as a deleting request does (server/request/transaction_open.c): it excludes all other writes of
 * the workspace, and locks before anything else. */
static bool deletion_open(struct deletion *d, struct db_session **session, bool *now)
{
	struct erase *e = d->erase;
	struct sql *lock;
	bool ok;

	db_ask_begin(&d->ask);
	d->ask.x.keep = true;
	d->ask.x.deadline_ms = DELETE_MS;
	deletion_command(d, "begin");
	lock = deletion_command(d, "select pg_advisory_xact_lock(");
	sql_int8(lock, lock_workspace_number(&e->workspace));
	sql_add(lock, ")");
	removal_held_sql(deletion_statement(d), ID_PERSON, &e->person, 1, removal_sizes()->at_once + 1);
	sql_add(deletion_statement(d),
	    "select from workspaces where workspace_id = $1 and kith_at_home(moving, held_until)");
	ok = db_ask_run(&d->ask, e->db, DB_WORK) == DB_OK;
	if (!ok)
		deletion_failed(d, "the person was not deleted");
	else if (db_rows(&d->ask.x, 3) == 0)
		ok = erase_refuse(
		    "the workspace is being moved, or was moved to another server: erase the person there");
	*now = ok && db_int(&d->ask.x, 2, 0, 1) <= removal_sizes()->at_once;
	*session = d->ask.x.session;
	db_ask_end(&d->ask);
	if (!ok && *session)
		db_session_abandon(e->db, *session);
	return ok;
}

/* Writes the note once for a person, together with the event. It does so also for a person who was deleted before, so
 * that followers delete their copies. */
static void deletion_note(struct deletion *d)
{
	struct erase *e = d->erase;
	struct sql *s = deletion_statement(d);

	sql_add(s, "with made as (insert into erasures (workspace_id, id, reason, erased_by) values ($1, ");
	sql_uuid(s, &e->person);
	sql_add(s, ", ");
	sql_textz(s, e->reason);
	sql_add(s, ", ");
	sql_textz(s, e->by);
	sql_add(s, ") on conflict do nothing returning id) insert into events (workspace_id, id, type, record_id, "
	           "group_ids, data) select $1, gen_random_uuid(), 'person.deleted', m.id, array(select g from "
	           "people p, unnest(p.group_ids) g where p.workspace_id = $1 and p.id = m.id and not exists (select "
	           "from groups r where r.workspace_id = $1 and r.id = g and r.removed_at is not null)), "
	           "'{\"details\":{\"name\":\"\",\"emails\":[],\"erased\":true}}' from made m");
}

static bool erase_delete(struct erase *e)
{
	struct deletion d = {.erase = e};
	struct statements st = {.now_ms = clock_now_ms(), .add = deletion_statement, .owner = &d};
	struct db_session *session;
	bool now, ok;

	if (!deletion_open(&d, &session, &now))
		return false;
	FAULT_POINT(erase_opened);
	db_ask_begin(&d.ask);
	d.ask.x.session = session;
	d.ask.x.deadline_ms = DELETE_MS;
	st.arena = &d.ask.arena;
	deletion_note(&d);
	contact_delete(&st, ID_PERSON, &e->person, 1, now);
	deletion_command(&d, "notify " DB_CHANNEL);
	deletion_command(&d, "commit");
	ok = db_ask_run(&d.ask, e->db, DB_WORK) == DB_OK;
	if (!ok)
		deletion_failed(&d, "run the same command again: the person may not have been deleted");
	db_ask_end(&d.ask);
	FAULT_POINT(erase_deleted);
	return ok;
}

/* --- past events and answers -------------------------------------------------------------- */

/* The event data that remains: no name and no addresses of a deleted contact, and no changes. What remains names
 * records by their ids. */
#define SCRUBBED                                                                                                       \
	"(e.data::jsonb || case when e.type = 'person.deleted' then jsonb_build_object('details', (e.data -> "         \
	"'details')::jsonb || '{\"name\": \"\", \"emails\": [], \"erased\": true}') "                                  \
	"when e.data -> 'changes' is not null then '{\"changes\": []}' else '{}' end)"
#define OF_ENTITY "e.data #>> '{details,entity,id}'"

/* The person's own events; the events of notes, tasks, reminders and interactions that name the person as their entity;
 * and all other events of such a record if it was deleted. */
static const char find_events_sql[] =
    "create temporary table erase_events as with own as materialized (select e.* from events e where e.workspace_id = "
    "'%1$s' and e.data is not null and (e.record_id = any (string_to_array('%2$s', '|')::uuid[]) or " OF_ENTITY
    " = any (string_to_array('per_' || replace('%2$s', '|', '|per_'), '|')))), gone as (select distinct o.record_id "
    "from own o where o.data #> '{details,entity}' is not null and not exists (select from notes n where "
    "n.workspace_id = '%1$s' and n.id = o.record_id) and not exists (select from tasks n where n.workspace_id = "
    "'%1$s' and n.id = o.record_id) and not exists (select from reminders n where n.workspace_id = '%1$s' and n.id = "
    "o.record_id) and not exists (select from interactions n where n.workspace_id = '%1$s' and n.id = o.record_id)) "
    "select e.generation, e.xid, e.seq, e.created_at from own e where e.data::jsonb <> " SCRUBBED
    " union select e.generation, e.xid, e.seq, e.created_at from events e where e.workspace_id = '%1$s' and "
    "e.record_id in (select g.record_id from gone g) and e.data is not null and e.data::jsonb <> " SCRUBBED;

static const char scrub_events_sql[] =
    "with b as (delete from erase_events where ctid = any (array(select ctid from erase_events limit %d)) returning *) "
    "update events e set data = " SCRUBBED
    "::json from b where e.workspace_id = '%s' and e.generation = b.generation and "
    "e.xid = b.xid and e.seq = b.seq and e.created_at = b.created_at";

/* The events are first found in a transaction that writes nothing of kith's and so holds no follower back. Then they
 * are changed in short transactions. */
static bool erase_events(struct erase *e, struct db_copy *c)
{
	if (!db_copy_must(c, find_events_sql, e->remains->workspace, e->remains->ids))
		return false;
	do {
		FAULT_POINT(erase_events);
		if (!db_copy_must(c, scrub_events_sql, EVENTS_BATCH, e->remains->workspace))
			return false;
		e->events += db_copy_affected(c);
	} while (db_copy_affected(c) > 0);
	return db_copy_must(c, "drop table erase_events");
}

/* The row stays without its body, so a retry learns that the request ran and that its answer was not kept. */
static bool erase_answers(struct erase *e, struct db_copy *c)
{
	const struct remains *r = e->remains;

	if (!db_copy_set(c, "kith.in_bytes", r->in_bytes) || !db_copy_set(c, "kith.in_id", r->as_id) ||
	    !db_copy_must(c,
	        "create temporary table erase_answers as select k.user_id, k.key_hash from idempotency_keys k, "
	        "lateral (select lower(encode(k.body, 'escape')) as text offset 0) b where k.workspace_id = '%s' and "
	        "k.body is not null and (b.text ~ " REMAINS_ANY("in_id") " or b.text ~ " REMAINS_ANY("in_bytes") ")",
	        r->workspace))
		return false;
	if (!db_copy_must(c,
	        "update idempotency_keys k set body = null from erase_answers a where k.workspace_id = '%s' and "
	        "k.user_id = a.user_id and k.key_hash = a.key_hash",
	        r->workspace))
		return false;
	e->answers += db_copy_affected(c);
	return db_copy_must(c, "drop table erase_answers");
}

/* The dispatcher has read past events that it has not sent yet. It drops them and reads them again. */
static bool erase_unsent(struct erase *e, struct db_copy *c)
{
	return db_copy_must(c,
	           "update webhooks set version = version + 1 where workspace_id = '%s' and status = 'active'",
	           e->remains->workspace) &&
	       db_copy_must(c, "notify " DB_CHANNEL);
}

bool erase_run(struct erase *e)
{
	struct db_copy *c;
	bool ok;

	if (!erase_delete(e))
		return false;
	c = db_copy_open(e->url, &e->workspace, "the database");
	ok = c && erase_events(e, c) && erase_answers(e, c) && erase_unsent(e, c);
	db_copy_close(c);
	return ok;
}

/* --- the end ------------------------------------------------------------------------------ */

/* ANALYZE leaves the statistics of an empty table unchanged, so the table temporarily gets a blank row that nobody
 * sees. Any text will do that the tables' conditions allow. */
static const char blank_sql[] =
    "select format('begin; insert into %%1$s (%%2$s) values (%%3$s); analyze %%1$s; delete from %%1$s where "
    "workspace_id = ''00000000-0000-0000-0000-000000000000''; commit', %s::regclass, "
    "string_agg(quote_ident(a.attname), ', ' order by a.attnum), string_agg(case when y.typcategory = 'A' then "
    "'''{}''' when y.typname = 'uuid' then '''00000000-0000-0000-0000-000000000000''' when y.typname = 'bytea' then "
    "'sha256('''')' when y.typname in ('json', 'jsonb') then '''{}''' when y.typname in ('timestamptz', 'date') then "
    "'now()' when y.typcategory = 'N' then '0' when y.typname = 'bool' then 'false' else '''public''' end, ', ' "
    "order by a.attnum)) from pg_attribute a join pg_type y on y.oid = a.atttypid where a.attrelid = %s::regclass "
    "and a.attnum > 0 and a.attnotnull and not a.atthasdef and not a.attisdropped";

/* Cleans a table that had values: dead rows, and samples in statistics. If the blank row fails, its transaction stays
 * open. */
static bool erase_clean(struct erase *e, const char *table)
{
	struct remains *r = e->remains;
	const char *name = remains_quote(r->arena, table), *empty, *blank = NULL;

	if (!remains_ask(r, arena_printf(r->arena, "vacuum (analyze) %s", table), NULL) ||
	    !remains_ask(r, arena_printf(r->arena, "select 1 where not exists (select from %s)", table), &empty))
		return false;
	if (!empty)
		return true;
	return remains_ask(r, arena_printf(r->arena, blank_sql, name, name), &blank) && blank &&
	       (remains_ask(r, blank, NULL) || !remains_ask(r, "rollback", NULL));
}

/* For events only the rows are cleaned, because there are no statistics of JSON. */
bool erase_vacuum(struct erase *e)
{
	static const char *const tables[] = {
	    "people", "field_values", "notes", "tasks", "reminders", "interactions", "idempotency_keys"};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!erase_clean(e, tables[i]))
			return false;
	return remains_ask(e->remains, "vacuum events", NULL);
}

bool erase_finish(struct erase *e)
{
	struct remains *r = e->remains;
	char person[37];

	FAULT_POINT(erase_finish);
	return remains_ask(r,
	    arena_printf(r->arena,
	        "update erasures set finished_at = coalesce(finished_at, clock_timestamp()) where workspace_id = "
	        "'%s' and id = '%s' returning to_char(finished_at at time zone 'UTC', "
	        "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')",
	        r->workspace, uuid_format(&e->person, person)),
	    &e->erased_at);
}
