/* The outcome of a COMMIT whose answer was lost. With a key: whoever gets the key's lock finds its row, or knows
 * that there will be none. Without a key: by the transaction's number. */
#include "server/request/commit_outcome.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/base/loop.h"
#include "server/request/outbox.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/exchange.h"
#include "server/request/reply.h"
#include "server/request/transaction.h"

enum { ASK_AGAIN_MS = 50, ASK_MS = 5000 };

/* With a key: begin, lock, look-up, commit. */
enum { FATE_LOCK = 1, FATE_LOOKUP };

enum fate { FATE_COMMITTED, FATE_ABORTED, FATE_UNKNOWN, FATE_RUNNING };

static void ask_key(struct req *r)
{
	transaction_command(r, "begin", "begin");
	/* A try-lock: waiting for a dead client's transaction would block one of our connections, too. */
	idempotency_lock(transaction_statement(r, NULL), &r->claim, false);
	idempotency_lookup(
	    req_sql(r, "key_lookup", NULL), &r->claim, config_scaled_ms(r->server->config, IDEMPOTENCY_KEEP_MS));
	transaction_command(
	    r, "fate_end", "end"); /* nothing was changed; "end" keeps it out of searches for COMMIT in logs */
}

static void ask_number(struct req *r)
{
	struct sql *s = transaction_statement(r, NULL);

	sql_begin_system(s, &r->arena, "fate");
	/* Null on another server or timeline, where the number belongs to another transaction. */
	sql_add(s, "select case when (g.system_identifier, g.timeline) = (");
	sql_int8(s, r->xid_of.system_identifier);
	sql_add(s, ", ");
	sql_int8(s, r->xid_of.timeline);
	sql_add(s, ") then pg_xact_status(");
	sql_textz(s, r->xid);
	/* After a crash the number of a transaction that left no trace may be used again. */
	sql_add(s, "::xid8) end, g.generation <> ");
	sql_int8(s, r->xid_of.generation);
	sql_add(s, " from event_generation g");
}

static void ask_now(void *ctx)
{
	struct req *r = ctx;

	FAULT_POINT("fate");
	list_remove(&r->asking);
	r->session = NULL;
	if (r->claim.keyed)
		ask_key(r);
	else
		ask_number(r);
	transaction_send(r, DB_WRITE, false, ASK_MS);
}

static enum step ask_again(struct req *r)
{
	if (r->server->closing || clock_mono_us() > r->ask_until_us) {
		list_remove(&r->asking);
		log_error("request", "%s: the answer to COMMIT was lost and the outcome could not be determined",
		    r->route->path);
		request_forget_reply(r);
		return reply_error(
		    r, ERROR_INTERNAL, "The outcome of this operation is unknown; check it before you try again");
	}
	list_append(&r->server->asking, &r->asking);
	loop_after(r->server->loop, ASK_AGAIN_MS, ask_now, r);
	return WAIT;
}

enum step fate_ask(struct req *r)
{
	log_warn("request", "%s: the answer to COMMIT was lost; looking for the outcome", r->route->path);
	r->phase = PHASE_ASK;
	ask_now(r);
	return WAIT;
}

/* The row is ours, or that of the same request in another process, which ran after ours was rolled back. */
static enum fate read_key(struct req *r)
{
	struct idempotency_answer answer;
	enum idempotency_found found = idempotency_read(&r->claim, r->x, FATE_LOOKUP, &answer);

	if (found == IDEMPOTENCY_NONE)
		return db_bool(r->x, FATE_LOCK, 0, 0) ? FATE_ABORTED : FATE_RUNNING;
	if (found != IDEMPOTENCY_REPLAY || answer.status != r->status || answer.body_len != r->out.len ||
	    memcmp(answer.body, r->out.data, r->out.len) != 0)
		transaction_found(r, FATE_LOOKUP);
	return FATE_COMMITTED;
}

static enum fate read_number(const struct req *r)
{
	const char *status;
	size_t len;

	if (db_null(r->x, 0, 0, 0))
		return FATE_UNKNOWN;
	status = db_text(r->x, 0, 0, 0, &len);
	if (strcmp(status, "in progress") == 0)
		return FATE_RUNNING;
	if (strcmp(status, "aborted") == 0)
		return FATE_ABORTED;
	return db_bool(r->x, 0, 0, 1) ? FATE_UNKNOWN : FATE_COMMITTED;
}

enum step fate_answered(struct req *r)
{
	/* "in the future": a crash reset the number, so nothing of the transaction remains */
	if (r->x->status == DB_FAILED && strcmp(r->x->sqlstate, "22023") == 0)
		return transaction_unavailable(r);
	if (r->x->status != DB_OK)
		return ask_again(r);
	switch (r->claim.keyed ? read_key(r) : read_number(r)) {
	case FATE_COMMITTED:
		events_committed(r);
		return DONE;
	case FATE_ABORTED:
		return transaction_unavailable(r);
	case FATE_UNKNOWN:
		r->ask_until_us = 0;
		break;
	case FATE_RUNNING:
		break;
	}
	return ask_again(r);
}

void fate_stop(struct server *s)
{
	while (!list_empty(&s->asking))
		request_resume(list_item(s->asking.next, struct req, asking));
}
