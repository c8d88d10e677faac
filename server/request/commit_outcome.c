/* Finds the outcome of a COMMIT whose answer was lost. With an idempotency key: once this process holds the key's lock,
 * the key's row exists or never will. Without a key: by the number of the transaction. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/base/loop.h"
#include "server/request/outbox.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/reply.h"
#include "server/request/transaction.h"

/* The COMMIT may hang for a long time (store/db_stall.c), so the pauses double. */
enum { ASK_FIRST_MS = 50, ASK_PAUSE_MAX_MS = 1000, ASK_MS = 5000 };

enum commit_outcome { OUTCOME_COMMITTED, OUTCOME_ABORTED, OUTCOME_UNKNOWN, OUTCOME_RUNNING };

static void ask_key(struct req *r)
{
	exchange_command(r, "begin", "begin");
	/* This only tries the lock: waiting for a dead client's transaction would block one of kith's connections,
	 * too. */
	transaction_claim(r, false);
	exchange_command(
	    r, "outcome_end", "end"); /* nothing was changed; "end" is not found by a search for COMMIT in logs */
}

static void ask_number(struct req *r)
{
	struct sql *s = exchange_statement(r, NULL);

	sql_begin_system(s, &r->arena, "outcome");
	/* The result is null on another server or timeline, where the number belongs to another transaction. */
	sql_add_int8(s, "select case when (g.system_identifier, g.timeline) = (", r->tx.xid_of.system_identifier);
	sql_add_int8(s, ", ", r->tx.xid_of.timeline);
	sql_add_textz(s, ") then pg_xact_status(", r->tx.xid);
	/* After a crash PostgreSQL may use the number of a transaction again if the transaction left no trace. */
	sql_add_int8(s, "::xid8) end, g.generation <> ", r->tx.xid_of.generation);
	sql_add(s, " from event_generation g");
}

static void commit_outcome_ask_now(void *ctx)
{
	struct req *r = ctx;

	FAULT_POINT(outcome);
	list_remove(&r->queue.asking);
	r->tx.session = NULL;
	if (r->tx.claim.keyed)
		ask_key(r);
	else
		ask_number(r);
	exchange_send(r, DB_WRITE, false, ASK_MS);
}

/* A transaction that still runs is not lost. Until it ends, its key answers "in progress"; after that, the key has its
 * answer. */
static enum step commit_outcome_unknown(struct req *r, enum commit_outcome outcome)
{
	const struct db_stall_cause *stall = db_stalls(r->server->db, NULL);

	list_remove(&r->queue.asking);
	log_error("request", "%s: the answer to COMMIT was lost and the outcome could not be determined%s%s",
	    r->route->path, stall ? ": " : "", stall ? stall->waits : "");
	reply_forget(&r->reply);
	if (r->tx.claim.keyed && outcome == OUTCOME_RUNNING)
		return reply_error(r, ERROR_KEY_IN_PROGRESS, NULL);
	return reply_error(r, ERROR_INTERNAL,
	    r->tx.claim.keyed ? "The outcome of this operation is unknown; send it again with the same Idempotency-Key"
	                      : "The outcome of this operation is unknown; check it before you try again");
}

static enum step commit_outcome_ask_again(struct req *r, enum commit_outcome outcome)
{
	int ms = r->tx.ask_pause_ms ? r->tx.ask_pause_ms : ASK_FIRST_MS;

	if (r->server->closing || clock_mono_us() + ms * INT64_C(1000) > r->tx.ask_until_us)
		return commit_outcome_unknown(r, outcome);
	r->tx.ask_pause_ms = ms * 2 < ASK_PAUSE_MAX_MS ? ms * 2 : ASK_PAUSE_MAX_MS;
	list_append(&r->server->asking, &r->queue.asking);
	r->waits_for = "outcome of COMMIT";
	loop_after(r->server->loop, ms, commit_outcome_ask_now, r);
	return WAIT;
}

enum step commit_outcome_ask(struct req *r)
{
	log_warn("request", "%s: the answer to COMMIT was lost; asking the database for the outcome", r->route->path);
	r->tx.phase = PHASE_ASK;
	commit_outcome_ask_now(r);
	return WAIT;
}

static bool is_our_answer(const struct req_reply *reply, const struct idempotency_answer *answer)
{
	struct idempotency_answer ours = {.status = reply->status,
	    .etag = reply_header_get(reply, "ETag"),
	    .body = reply->out.data,
	    .body_len = reply->out.len};

	return idempotency_same(&ours, answer);
}

/* The row is from this request, or from the same request in another process that ran after this one was rolled back. */
static enum commit_outcome read_key(struct req *r)
{
	struct idempotency_answer answer;
	enum idempotency_found found = idempotency_read(&r->tx.claim, r->db.last, r->tx.at_lock + 1, &answer);

	if (found == IDEMPOTENCY_NONE)
		return db_bool(r->db.last, r->tx.at_lock, 0, 0) ? OUTCOME_ABORTED : OUTCOME_RUNNING;
	if (found != IDEMPOTENCY_REPLAY || !is_our_answer(&r->reply, &answer))
		transaction_found(r);
	return OUTCOME_COMMITTED;
}

static enum commit_outcome read_number(const struct db_exchange *x)
{
	const char *status;
	size_t len;

	if (db_null(x, 0, 0, 0))
		return OUTCOME_UNKNOWN;
	status = db_text(x, 0, 0, 0, &len);
	if (strcmp(status, "in progress") == 0)
		return OUTCOME_RUNNING;
	if (strcmp(status, "aborted") == 0)
		return OUTCOME_ABORTED;
	return db_bool(x, 0, 0, 1) ? OUTCOME_UNKNOWN : OUTCOME_COMMITTED;
}

enum step commit_outcome_answered(struct req *r)
{
	enum commit_outcome outcome = OUTCOME_UNKNOWN;

	/* A number "in the future" means that a crash reset the counter, so nothing of the transaction remains. */
	if (r->db.last->status == DB_FAILED && strcmp(r->db.last->sqlstate, "22023") == 0)
		return transaction_unavailable(r);
	if (r->db.last->status != DB_OK)
		return commit_outcome_ask_again(r, outcome);
	outcome = r->tx.claim.keyed ? read_key(r) : read_number(r->db.last);
	switch (outcome) {
	case OUTCOME_COMMITTED:
		outbox_committed(r);
		return DONE;
	case OUTCOME_ABORTED:
		return transaction_unavailable(r);
	case OUTCOME_UNKNOWN:
		r->tx.ask_until_us = 0;
		break;
	case OUTCOME_RUNNING:
		break;
	}
	return commit_outcome_ask_again(r, outcome);
}

void commit_outcome_stop(struct server *s)
{
	while (!list_empty(&s->asking))
		request_resume(list_item(s->asking.next, struct req, queue.asking));
}
