/* Opens a transaction: takes the locks that come before all reads, and makes the checks. */
#include <stdio.h>

#include "server/input/body.h"
#include "server/request/batch.h"
#include "server/request/locks.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

/* The contact counts a new interaction, and the deletion of a note changes its answers. */
static const struct uuid *record_of_new(const struct input *in)
{
	if (in->resource == &interaction_resource)
		return &in->values[INTERACTION_ENTITY].entity;
	if (in->resource == &note_resource && in->given & FIELD_BIT(NOTE_PARENT) && !in->values[NOTE_PARENT].null)
		return &in->values[NOTE_PARENT].parent;
	return NULL;
}

const struct uuid *transaction_record(const struct req *r)
{
	const struct path_value *last = NULL;

	if (r->given.batch)
		return NULL;
	if (r->route->input == INPUT_CREATE)
		return record_of_new(r->given.input);
	for (int i = 0; i < PATH_PARAMS_MAX; i++)
		last = r->given.path[i].text ? &r->given.path[i] : last;
	return last ? &last->id : NULL;
}

void transaction_lock_records(struct req *r, const struct uuid *ids, size_t n)
{
	struct sql *s = exchange_statement(r, NULL);

	sql_begin_system(s, &r->arena, "open_batch");
	lock_records_sql(s, &r->caller.ws->id, ids, n);
}

static void lock_batch(struct req *r)
{
	struct uuid *ids = arena_alloc(&r->arena, r->given.batch->count * sizeof *ids);

	for (size_t i = 0; i < r->given.batch->count; i++)
		ids[i] = r->given.batch->inputs[i]->id;
	transaction_lock_records(r, ids, r->given.batch->count);
}

/* A request takes a shared lock on the field, then one lock for each value. All requests lock values in the same order,
 * so there are no deadlocks. PostgreSQL's table of locks has room for some thousands. So a request with many values
 * takes only an exclusive lock on the field, and waits for all other requests of this kind. The key of each lock is a
 * hash that includes the workspace's id. */
static void lock_values(struct req *r, const struct value_locks *v)
{
	enum { ONE_BY_ONE_MAX = 128 };
	bool each = v->count <= ONE_BY_ONE_MAX;
	const char *space =
	    arena_printf(&r->arena, "%s %s", uuid_format(&r->caller.ws->id, arena_alloc(&r->arena, 37)), v->field);
	struct sql *s = exchange_statement(r, NULL);

	sql_begin_system(s, &r->arena, each ? "open_field_shared" : "open_field");
	sql_addf(s, "select pg_advisory_xact_lock%s(hashtextextended(", each ? "_shared" : "");
	sql_textz(s, space);
	sql_add(s, ", 0))");
	if (!each)
		return;
	s = exchange_statement(r, NULL);
	sql_begin_system(s, &r->arena, arena_printf(&r->arena, "open_values %s", v->compared));
	sql_addf(s, "select pg_advisory_xact_lock(k) from (select distinct hashtextextended(%s, hashtextextended(",
	    v->compared);
	sql_textz(s, space);
	sql_add(s, ", 0)) as k from unnest(");
	sql_text_array(s, v->values, v->lens, v->count);
	sql_add(s, ") u (value) order by k) l");
}

/* Writes of a workspace run concurrently. A write that removes something others may refer to, a record or a setting,
 * runs exclusively. So everything that a write has looked up exists until its COMMIT, without locks on the rows
 * referred to. Deletes cannot deadlock with writes, either. The locks are advisory and only in memory.
 *
 * Changes of a record also wait here, not for its row. Events are ordered by transaction number, and a transaction that
 * waits for a row may already have its number. So the events of a record are in the order of its changes. */
static void lock_workspace(struct req *r)
{
	const struct uuid *record = r->tx.exclusive ? NULL : transaction_record(r);
	struct sql *s;

	if (r->tx.exclusive && r->given.dry) /* it only reads: see transaction_commit() */
		return;
	s = exchange_statement(r, NULL);
	sql_begin_system(s, &r->arena, r->tx.exclusive ? "open_alone" : record ? "open_record" : "open");
	sql_add(s, r->tx.exclusive ? "select pg_advisory_xact_lock(" : "select pg_advisory_xact_lock_shared(");
	if (r->tx.exclusive) { /* only one of all processes waits for the workspace, so that writes get turns */
		sql_int8(s, lock_record_number(&r->caller.ws->id, &r->caller.ws->id));
		sql_add(s, "), pg_advisory_xact_lock(");
	}
	sql_int8(s, lock_workspace_number(&r->caller.ws->id));
	sql_add(s, ")");
	if (record) {
		sql_add_int8(s, ", pg_advisory_xact_lock(", lock_record_number(&r->caller.ws->id, record));
		sql_add(s, ")");
	}
	if (!r->tx.exclusive && r->route->input == INPUT_BATCH_UPDATE)
		lock_batch(r);
}

/* All events that this transaction makes carry the trace, whichever statement makes them
 * (migrations/0012_traces.sql). */
static void transaction_trace(struct req *r, struct sql *s, struct arena *a)
{
	sql_begin_system(s, a, "open_trace");
	sql_add_textz(s, "select set_config('kith.trace', ", r->trace);
	sql_add(s, ", true)");
}

struct sql *transaction_trace_statement(struct req *r, struct arena *a)
{
	struct sql *s = arena_alloc(a, sizeof *s);

	transaction_trace(r, s, a);
	return s;
}

void transaction_claim(struct req *r, bool wait)
{
	r->tx.key_asked = true;
	idempotency_lock(exchange_statement(r, &r->tx.at_lock), &r->tx.claim, wait);
	idempotency_lookup(
	    req_sql(r, "key_lookup", NULL), &r->tx.claim, config_scaled_ms(r->server->config, IDEMPOTENCY_KEEP_MS));
}

const char *req_lock(const struct req *r, const char *lock)
{
	return r->tx.exclusive && r->given.dry ? "" : lock;
}

const char *req_lock_name(const struct req *r, const char *name)
{
	return r->tx.exclusive && r->given.dry ? NULL : name; /* a name has only one value */
}

void transaction_begin(struct req *r)
{
	transaction_begin_with(r, NULL);
}

void transaction_begin_with(struct req *r, const struct value_locks *values)
{
	bool open = r->tx.session; /* already open: runs again with a newer snapshot */

	if (!open) {
		r->tx.opening = true;
		exchange_command(r, "begin", "begin");
		lock_workspace(r);
		if (r->trace[0])
			transaction_trace(r, exchange_statement(r, NULL), &r->arena);
	}
	if (values && values->count)
		lock_values(r, values);
	if (!open && r->tx.claim.keyed)
		transaction_claim(r, false);
}

static bool transaction_is_numbered(const struct req *r)
{
	return !r->tx.claim.keyed && !r->given.dry && !r->tx.number_later;
}

/* After the queries, checks that the snapshot the request was checked against is still current. Under the workspace's
 * lock it stays current. For a write without a key that will be committed, it also reads the number of the transaction,
 * and the server to which the number belongs. They serve to find the outcome of a lost COMMIT. They are read last, so
 * that the transaction has no number while it waits for locks. */
void transaction_version(struct req *r)
{
	bool numbered = transaction_is_numbered(r);

	sql_add(req_sql(r, numbered ? "version_number" : "version", &r->tx.at_version),
	    numbered ? "select " HORIZON_VERSION
	               ", pg_current_xact_id()::text, g.generation, g.system_identifier, g.timeline "
	               "from workspaces w, event_generation g where w.workspace_id = $1"
	             : "select " HORIZON_VERSION " from workspaces w, event_generation g where w.workspace_id = $1");
}

void transaction_number(struct req *r)
{
	r->tx.number_later = false;
	if (transaction_is_numbered(r))
		transaction_version(r);
}

void transaction_numbered(struct req *r)
{
	if (!transaction_is_numbered(r))
		return;
	snprintf(r->tx.xid, sizeof r->tx.xid, "%s", db_text(r->db.last, r->tx.at_version, 0, 1, NULL));
	r->tx.xid_of.generation = db_int(r->db.last, r->tx.at_version, 0, 2);
	r->tx.xid_of.system_identifier = db_int(r->db.last, r->tx.at_version, 0, 3);
	r->tx.xid_of.timeline = db_int(r->db.last, r->tx.at_version, 0, 4);
}
