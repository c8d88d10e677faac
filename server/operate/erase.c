/* Erases a person; see erase.h. The statements are in erase.sql. */
#include "server/operate/erase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/built_in.h"
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

static bool erase_workspace(struct erase *e, bool given)
{
	struct remains *r = e->remains;
	char person[37], workspace[37];
	const char *found, *only = given ? uuid_format(&e->workspace, workspace) : "";

	if (!remains_ask(r, "erase workspace", VALUES(uuid_format(&e->person, person), only), &found))
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
	if (!remains_ask(r, "erase merged", VALUES(person, r->workspace), &r->ids) ||
	    !remains_ask(r, "erase merged into", VALUES(person, r->workspace), &into))
		return false;
	if (into) {
		fprintf(stderr, "kith: this person was merged into per_%s: erase that person\n", into);
		return false;
	}
	return true;
}

/* --- values ------------------------------------------------------------------------------- */

const char *erase_values(struct erase *e, const char *given)
{
	struct remains *r = e->remains;
	const struct json *all = NULL, *values, *shared;
	const char *text, *error;
	struct json_out out;
	struct buf made;

	if (!remains_ask(r, "erase values", VALUES(r->workspace, r->ids, given ? given : "[]"), &text))
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
	removal_held_sql(deletion_statement(d), ID_PERSON, &e->person, 1, removal_sizes()->at_once + 1, false);
	sql_add(deletion_statement(d),
	    "select from workspaces where workspace_id = $1 and kith_at_home(moving, held_until)");
	ok = db_ask_run(&d->ask, e->db) == DB_OK;
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
	sql_add_textz(s, ", ", e->reason);
	sql_add_textz(s, ", ", e->by);
	sql_add(s, ") on conflict do nothing returning id) insert into events (workspace_id, id, type, record_id, "
	           "group_ids, data, " EVENT_ACTOR_COLUMNS
	           ") select $1, gen_random_uuid(), 'person.deleted', m.id, array(select g from "
	           "people p, unnest(p.group_ids) g where p.workspace_id = $1 and p.id = m.id and not exists (select "
	           "from groups r where r.workspace_id = $1 and r.id = g and r.removed_at is not null)), "
	           "'{\"details\":{\"name\":\"\",\"emails\":[],\"erased\":true}}'::json, ");
	event_actor_sql(s, &event_actor_command);
	sql_add(s, " from made m");
}

static bool erase_delete(struct erase *e)
{
	struct deletion d = {.erase = e};
	struct statements st = {
	    .now_ms = clock_now_ms(), .add = deletion_statement, .owner = &d, .actor = event_actor_command};
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
	ok = db_ask_run(&d.ask, e->db) == DB_OK;
	if (!ok)
		deletion_failed(&d, "run the same command again: the person may not have been deleted");
	db_ask_end(&d.ask);
	FAULT_POINT(erase_deleted);
	return ok;
}

/* --- past events and answers -------------------------------------------------------------- */

/* Finds the events in a transaction that writes only a temporary table, so it does not delay the feed and webhooks.
 * Then changes the events in short transactions. */
static bool erase_events(struct erase *e, struct db_copy *c)
{
	const struct remains *r = e->remains;
	const char *batch = arena_printf(r->arena, "%d", EVENTS_BATCH);

	if (!db_copy_ask(c, built_in_text("erase scrubbed"), VALUES(NULL)) ||
	    !db_copy_ask(c, built_in_text("erase events"), VALUES(r->workspace, r->ids)))
		return false;
	do {
		FAULT_POINT(erase_events);
		if (!db_copy_ask(c, built_in_text("erase scrub"), VALUES(r->workspace, batch)))
			return false;
		e->events += db_copy_affected(c);
	} while (db_copy_affected(c) > 0);
	return db_copy_must(c, "drop table erase_events");
}

static bool erase_answers(struct erase *e, struct db_copy *c)
{
	const struct remains *r = e->remains;

	if (!db_copy_ask(c, built_in_text("remains as_text"), VALUES(NULL)) ||
	    !db_copy_ask(c, built_in_text("remains patterns"), VALUES(r->wanted, r->ids)) ||
	    !db_copy_ask(c, built_in_text("erase answers"), VALUES(r->workspace)) ||
	    !db_copy_ask(c, built_in_text("erase forget"), VALUES(r->workspace)))
		return false;
	e->answers += db_copy_affected(c);
	return db_copy_must(c, "drop table erase_answers");
}

bool erase_run(struct erase *e)
{
	struct db_copy *c;
	bool ok;

	if (!erase_delete(e))
		return false;
	c = db_copy_open(e->url, &e->workspace, "the database");
	ok = c && erase_events(e, c) && erase_answers(e, c) &&
	     db_copy_ask(c, built_in_text("erase names"), VALUES(e->remains->workspace, e->remains->ids)) &&
	     db_copy_ask(c, built_in_text("erase unsent"), VALUES(e->remains->workspace)) &&
	     db_copy_must(c, "notify " DB_CHANNEL);
	db_copy_close(c);
	return ok;
}

/* --- the end ------------------------------------------------------------------------------ */

/* Cleans a table that had values: dead rows, and samples in statistics. If the blank row fails, its transaction stays
 * open. */
static bool erase_clean(struct erase *e, const char *table)
{
	struct remains *r = e->remains;
	const char *empty, *blank;

	if (!remains_run(r, arena_printf(r->arena, "vacuum (analyze) %s", table), NULL) ||
	    !remains_run(r, arena_printf(r->arena, "select 1 where not exists (select from %s)", table), &empty))
		return false;
	if (!empty)
		return true;
	return remains_ask(r, "erase blank", VALUES(table), &blank) && blank &&
	       (remains_run(r, blank, NULL) || !remains_run(r, "rollback", NULL));
}

/* For events and names of cards only the rows are cleaned, because there are no statistics of JSON and of the names. */
bool erase_vacuum(struct erase *e)
{
	static const char *const tables[] = {"people", "contact_cards", "field_values", "notes", "tasks", "reminders",
	    "interactions", "idempotency_keys"};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!erase_clean(e, tables[i]))
			return false;
	return remains_run(e->remains, "vacuum events", NULL) && remains_run(e->remains, "vacuum card_names", NULL);
}

bool erase_finish(struct erase *e)
{
	struct remains *r = e->remains;
	char person[37];

	FAULT_POINT(erase_finish);
	return remains_ask(r, "erase finish", VALUES(r->workspace, uuid_format(&e->person, person)), &e->erased_at);
}
