/* Opening a transaction: the locks taken before anything is read, and the checks. */
#include "server/request/batch.h"
#include "server/request/locks.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

/* The record in the path of an update or action; NULL: none, or many. */
static const struct uuid *one_record(const struct req *r)
{
	const struct path_value *last = NULL;

	for (int i = 0; i < PATH_PARAMS_MAX; i++)
		last = r->path[i].text ? &r->path[i] : last;
	return last && !r->batch && r->route->input != INPUT_CREATE ? &last->id : NULL;
}

static void lock_batch(struct req *r)
{
	struct uuid *ids = arena_alloc(&r->arena, r->batch->count * sizeof *ids);
	struct sql *s = exchange_statement(r, NULL);

	for (size_t i = 0; i < r->batch->count; i++)
		ids[i] = r->batch->inputs[i]->id;
	sql_begin_system(s, &r->arena, "open_batch");
	lock_records_sql(s, &r->ws->id, ids, r->batch->count);
}

/* Writes of a workspace run concurrently; those that remove what others may refer to, a record or a setting, run
 * exclusively. So everything that a write has looked up exists until its COMMIT, without locks on the rows referred
 * to, and deletes cannot deadlock with writes. The locks are advisory, in memory only.
 *
 * Changes of a record also wait here, not for its row: events are ordered by transaction number, and a transaction
 * that waits for a row may already have its number. So a record's events are in the order of its changes. */
static void lock_workspace(struct req *r)
{
	const struct uuid *record = r->alone ? NULL : one_record(r);
	struct sql *s = exchange_statement(r, NULL);

	sql_begin_system(s, &r->arena, r->alone ? "open_alone" : record ? "open_record" : "open");
	sql_add(s, r->alone ? "select pg_advisory_xact_lock(" : "select pg_advisory_xact_lock_shared(");
	sql_int8(s, lock_workspace_number(&r->ws->id));
	sql_add(s, ")");
	if (record) {
		sql_add(s, ", pg_advisory_xact_lock(");
		sql_int8(s, lock_record_number(&r->ws->id, record));
		sql_add(s, ")");
	}
	if (!r->alone && r->route->input == INPUT_BATCH_UPDATE)
		lock_batch(r);
}

void transaction_claim(struct req *r, bool wait)
{
	idempotency_lock(exchange_statement(r, &r->at_lock), &r->claim, wait);
	idempotency_lookup(
	    req_sql(r, "key_lookup", NULL), &r->claim, config_scaled_ms(r->server->config, IDEMPOTENCY_KEEP_MS));
}

void transaction_begin(struct req *r)
{
	if (r->session) /* open already: runs again with a newer snapshot */
		return;
	r->opening = true;
	exchange_command(r, "begin", "begin");
	lock_workspace(r);
	if (r->claim.keyed)
		transaction_claim(r, false);
}

/* After the queries: checks that the snapshot that the request was checked against is still current; under the
 * workspace's lock it stays so. For a write without a key that is to be committed also gets the transaction's number
 * and what it belongs to, to find out the outcome of a lost COMMIT; not earlier, so that the transaction has no number
 * while it waits for locks. */
void transaction_version(struct req *r)
{
	bool plain = r->claim.keyed || r->dry;

	sql_add(req_sql(r, plain ? "version" : "version_number", &r->at_version),
	    plain ? "select " HORIZON_VERSION " from workspaces w, event_generation g where w.workspace_id = $1"
	          : "select " HORIZON_VERSION
	            ", pg_current_xact_id()::text, g.generation, g.system_identifier, g.timeline "
	            "from workspaces w, event_generation g where w.workspace_id = $1");
}
