/* A request's transaction. It is opened with the claim of its key and committed with its stored answer; a dry run is
 * rolled back instead. After a conflict it runs again. commit_outcome.c handles a lost answer to COMMIT. */
#include "server/request/transaction.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/request/admit.h"
#include "server/request/joint.h"
#include "server/request/outbox.h"
#include "server/request/workspace_place.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/coalesce.h"
#include "server/request/reply.h"
#include "server/request/turns.h"
#include "webhook/vault.h"

enum {
	ATTEMPTS_MAX = 3,
	COMMIT_MS = 10000,            /* time limit for the answer to COMMIT */
	COMMIT_SOON_MS = 1500,        /* the same in tests that lose many answers */
	OUTCOME_US = 22 * 1000 * 1000 /* most time from COMMIT to an answer */
};

void transaction_free(struct req *r)
{
	exchange_free(&r->db);
	outbox_forget(&r->tx.events);
	coalesce_release(&r->db);
}

/* --- opening ------------------------------------------------------------------ */

/* The request would hang at its COMMIT, as others do now. With a key, first find out whether it ran before. */
static enum step refuse_stalled(struct req *r, const struct db_stall_cause *cause)
{
	exchange_forget_statements(&r->db);
	r->tx.opening = false;
	reply_unavailable(r, r->tx.claim.keyed ? ERROR_KEY_UNAVAILABLE : ERROR_UNAVAILABLE, cause->waits);
	if (!r->tx.claim.keyed)
		return DONE;
	claim_look(r);
	return PASS;
}

enum step transaction_ask(struct req *r)
{
	const struct db_stall_cause *stall = r->tx.opening && !r->given.dry ? db_stalls(r->server->db, NULL) : NULL;

	if (stall)
		return refuse_stalled(r, stall);
	if (r->tx.opening && !turns_enter(r))
		return WAIT;
	return transaction_send(r);
}

enum step transaction_send(struct req *r)
{
	if (r->tx.opening)
		transaction_version(r);
	if (r->tx.opening)
		FAULT_POINT(open);
	else
		FAULT_POINT(ask);
	if (r->tx.opening ? FAULT_ERROR(open_error) : FAULT_ERROR(ask_error))
		exchange_command(r, NULL, "select 1 / 0");
	exchange_send(r, DB_WRITE, true, 0);
	if (r->tx.opening)
		FAULT_POINT(open_sent);
	else
		FAULT_POINT(ask_sent);
	return WAIT;
}

void transaction_abandon(struct req *r)
{
	if (r->tx.joint.of)
		joint_leave(r);
	else if (r->tx.session)
		db_session_abandon(r->server->db, r->tx.session);
	r->tx.session = NULL;
	exchange_forget_statements(&r->db);
}

/* An answer with a secret is stored encrypted, bound to its key. */
static void answer_seal(const struct req *r, struct idempotency_answer *answer, struct arena *a)
{
	unsigned char *sealed = arena_alloc(a, answer->body_len + VAULT_EXTRA);

	vault_seal_text(r->server->vault, "answer", r->tx.claim.hash, sizeof r->tx.claim.hash, answer->body,
	    answer->body_len, sealed);
	answer->body = (const char *)sealed;
	answer->body_len += VAULT_EXTRA;
}

static bool answer_unseal(struct req *r, struct idempotency_answer *answer)
{
	unsigned char *plain = arena_alloc(&r->arena, answer->body_len + 1);
	bool good = vault_unseal_text(r->server->vault, "answer", r->tx.claim.hash, sizeof r->tx.claim.hash,
	    answer->body, answer->body_len, plain);

	answer->body = (const char *)plain;
	answer->body_len -= good ? VAULT_EXTRA : 0;
	return good;
}

static enum step answer_replay(struct req *r, struct idempotency_answer *answer)
{
	if (r->route->flags & ROUTE_SECRET && !answer_unseal(r, answer))
		return reply_error(r, ERROR_KEY_NOT_STORED, NULL);
	reply_forget(&r->reply);
	r->reply.replayed = true;
	r->reply.status = answer->status;
	buf_add(&r->reply.out, answer->body, answer->body_len);
	if (answer->content_type)
		reply_header(r, "Content-Type", answer->content_type);
	if (answer->etag)
		reply_header(r, "ETag", answer->etag);
	reply_header(r, "Idempotent-Replayed", "true");
	return DONE;
}

enum step transaction_found(struct req *r)
{
	struct idempotency_answer answer;

	switch (idempotency_read(&r->tx.claim, r->db.last, r->tx.at_lock + 1, &answer)) {
	case IDEMPOTENCY_NONE:
		return PASS;
	case IDEMPOTENCY_OTHER_REQUEST:
		return r->given.issues.count ? reply_issues(r, r->given.issues.message)
		                             : reply_error(r, ERROR_KEY_REUSED, NULL);
	case IDEMPOTENCY_NOT_STORED:
		return reply_error(r, ERROR_KEY_NOT_STORED, NULL);
	case IDEMPOTENCY_REPLAY:
		break;
	}
	return answer_replay(r, &answer);
}

/* --- an outdated snapshot ----------------------------------------------------------- */

static enum step snapshot_refreshed(struct req *r)
{
	if (!r->caller.wait.ws)
		return transaction_unavailable(r);
	workspace_release(r->caller.ws);
	r->caller.ws = r->caller.wait.ws;
	return place_check(r);
}

static void refresh_done(struct workspace_wait *w)
{
	request_continue(w->owner, snapshot_refreshed(w->owner));
}

/* Discards the state of a run that will be repeated. */
static void req_forget(struct req *r)
{
	r->state = (union req_state){NULL};
	r->list.page = NULL;
	r->merged_asked = false;
	if (r->carrier && r->carrier->beside)
		r->carrier->beside->saved = false;
	r->tx.n_events = 0;
	outbox_forget(&r->tx.events);
}

enum step transaction_refresh(struct req *r, int64_t version)
{
	r->caller.wait.done = refresh_done;
	r->waits_for = "snapshot";
	r->caller.wait.owner = r;
	return workspace_get(r->server->workspaces, &r->caller.ws->id, version, &r->caller.wait) ? snapshot_refreshed(r)
	                                                                                         : WAIT;
}

static enum step transaction_begun(struct req *r)
{
	int64_t version;

	if (db_rows(r->db.last, r->tx.at_version) == 0)
		return PASS;
	version = db_int(r->db.last, r->tx.at_version, 0, 0) -
	          r->tx.config; /* the version without this request's own change */
	if (version <= r->caller.ws->version && !FAULT_ERROR(outdated))
		return PASS;
	/* Groups, roles or fields have changed since admission, so the new ones decide again what the request may do.
	 * The transaction stays open: while it holds its lock they cannot change again. */
	req_forget(r);
	r->next = r->tx.open_step;
	return transaction_refresh(r, version);
}

static enum step transaction_opened(struct req *r)
{
	enum step found;

	FAULT_POINT(opened);
	r->tx.opening = false;
	if (r->given.dry)
		return transaction_begun(r);
	transaction_numbered(r);
	if (!r->tx.claim.keyed)
		return transaction_begun(r);
	found = transaction_found(r);
	if (found == PASS && db_bool(r->db.last, r->tx.at_lock, 0, 0))
		return r->tx.session ? transaction_begun(r) : PASS;
	transaction_abandon(r);
	if (found != PASS)
		return found;
	/* After a retry on another connection, the request's own first transaction may hold the key until PostgreSQL
	 * notices the lost connection. */
	return reply_error(r, r->db.last->n_retries ? ERROR_KEY_UNAVAILABLE : ERROR_KEY_IN_PROGRESS, NULL);
}

/* --- closing -------------------------------------------------------------------- */

static void answer_store(struct req *r)
{
	struct idempotency_answer answer = {
	    .status = r->reply.status,
	    .content_type = reply_header_get(&r->reply, "Content-Type"),
	    .etag = reply_header_get(&r->reply, "ETag"),
	    .body = r->reply.out.data ? r->reply.out.data : "",
	    .body_len = r->reply.out.len,
	};

	if (r->reply.stored) {
		answer.body = r->reply.stored;
		answer.body_len = r->reply.stored_len;
	}
	if (r->route->flags & ROUTE_SECRET)
		answer_seal(r, &answer, &r->arena);
	idempotency_store(req_sql(r, "key_store", NULL), &r->tx.claim, &answer,
	    config_scaled_ms(r->server->config, IDEMPOTENCY_KEEP_MS));
}

/* True when the answer is stored. Requests that were rejected before they ran leave no trace, as the API's description
 * says. */
static bool answer_is_kept(const struct req_reply *reply)
{
	return reply->status == 200 || reply->status == 404 || reply->status == 403 || reply->status == 500;
}

/* Ends the transaction with "commit" or "rollback". */
static void commit_send(struct req *r, enum req_phase phase, const char *end)
{
	exchange_command(r, end, end);
	r->tx.phase = phase;
	r->tx.ask_until_us = clock_mono_us() + OUTCOME_US;
	exchange_send(r, DB_WRITE, false, FAULT_ERROR(commit_soon) ? COMMIT_SOON_MS : COMMIT_MS);
}

bool transaction_commit(struct req *r)
{
	if (!r->tx.session)
		return false;
	if (r->reply.status == 200)
		outbox_write(r);
	else /* drops statements that were added before the error was found */
		exchange_forget_statements(&r->db);
	if (r->reply.status != 200 && !(r->tx.claim.keyed && answer_is_kept(&r->reply))) {
		bool waits = joint_doubts(r) || r->tx.claim.keyed;
		if (waits) /* once the refusal is sent, the client may use the key again at once */
			commit_send(r, PHASE_COMMIT, "rollback");
		else
			transaction_abandon(r);
		return waits;
	}
	FAULT_POINT(changes);
	if (FAULT_ERROR(changes_error))
		exchange_command(r, NULL, "select 1 / 0");
	if (r->tx.attempt == 0 && FAULT_ERROR(conflict))
		exchange_command(r, NULL, "do $$begin raise sqlstate '40001'; end$$");
	if (r->tx.claim.keyed)
		answer_store(r);
	FAULT_POINT(key_row);
	exchange_forget_results(&r->db); /* the answer and the statements have copies; a repeated run loads again */
	/* A dry run does all that the write does, then undoes it. A change that would exclude other writes is not made
	 * at all: the answer is already known, and the locks of its rows would block those writes. */
	if (r->given.dry && r->tx.exclusive)
		exchange_forget_statements(&r->db);
	commit_send(r, PHASE_COMMIT, r->given.dry ? "rollback" : "commit");
	FAULT_POINT(commit_sent);
	return true;
}

/* The joint transaction was rolled back, for whatever reason: the request runs again by itself. */
static enum step transaction_alone(struct req *r)
{
	exchange_forget_statements(&r->db);
	reply_forget(&r->reply);
	issues_free(&r->given.issues);
	issues_init(&r->given.issues);
	r->tx.phase = PHASE_RUN;
	req_forget(r);
	r->next = r->tx.open_step;
	return PASS;
}

enum step transaction_again(struct req *r)
{
	transaction_abandon(r);
	reply_forget(&r->reply);
	if (++r->tx.attempt >= ATTEMPTS_MAX)
		return reply_unavailable(r, ERROR_UNAVAILABLE, "repeated conflicts with other writes");
	r->tx.phase = PHASE_RUN;
	req_forget(r);
	r->next = r->tx.open_step;
	return PASS;
}

/* The work was rolled back. A transaction of its own stores the 500 under the key. */
static enum step store_500(struct req *r)
{
	reply_error(r, ERROR_INTERNAL, NULL);
	if (!r->tx.claim.keyed) {
		transaction_abandon(r);
		return DONE;
	}
	exchange_forget_statements(&r->db);
	if (r->tx.session) /* the failed COMMIT has already returned it */
		exchange_command(r, "rollback", "rollback");
	exchange_command(r, "begin", "begin");
	/* A duplicate may have taken the key between the rollback and this lock; then its answer counts. */
	transaction_claim(r, true);
	answer_store(r);
	commit_send(r, PHASE_STORE_500, "commit");
	FAULT_POINT(store_500_sent);
	return WAIT;
}

/* Stored or not, the work was rolled back. If the 500 was not stored, a retry runs the request again, so the answer
 * must say so. */
static enum step stored_500(struct req *r)
{
	FAULT_POINT(store_500_answered);
	if (r->db.last->status == DB_LOST) /* it may be stored, so a 503 would wrongly promise that a retry runs */
		return commit_outcome_ask(r);
	if (r->db.last->status != DB_OK) {
		reply_forget(&r->reply);
		return reply_no_database(r, ERROR_UNAVAILABLE, r->db.last->lane);
	}
	transaction_found(r);
	return DONE;
}

/* --- failures --------------------------------------------------------------------- */

static bool is_passing(const char *sqlstate)
{
	return strcmp(sqlstate, "40001") == 0 || strcmp(sqlstate, "40P01") == 0 || strcmp(sqlstate, "55P03") == 0;
}

/* A violated foreign key or unique constraint: since the look-up, a record was deleted or a name was taken. */
static bool is_overtaken(const char *sqlstate)
{
	return strcmp(sqlstate, "23503") == 0 || strcmp(sqlstate, "23505") == 0;
}

enum step transaction_unavailable(struct req *r)
{
	bool claiming = r->tx.claim.keyed && r->tx.opening;

	transaction_abandon(r);
	reply_forget(&r->reply);
	return reply_no_database(r, claiming ? ERROR_KEY_UNAVAILABLE : ERROR_UNAVAILABLE, r->db.last->lane);
}

static enum step statement_failed(struct req *r, step_fn *timed_out, step_fn *unknown_value)
{
	const struct db_exchange *x = r->db.last;
	bool writing = r->tx.session || r->tx.phase == PHASE_COMMIT;

	reply_forget(&r->reply);
	if (writing && is_overtaken(x->sqlstate) && r->tx.attempt + 1 == ATTEMPTS_MAX)
		log_error("request", "%s: repeated conflicts with other writes: %s (%s)", r->route->path, x->message,
		    x->constraint);
	if (writing && (is_passing(x->sqlstate) || is_overtaken(x->sqlstate)))
		return transaction_again(r);
	if (strcmp(x->sqlstate, "57014") == 0 && timed_out)
		return timed_out(r);
	if (strcmp(x->sqlstate, "22023") == 0 && unknown_value) /* invalid_parameter_value */
		return unknown_value(r);
	/* Class 57: statement timeout or operator; 53: out of resources; 58: system error. The transaction was rolled
	 * back, so the client may retry. The store has logged the error. */
	if (strncmp(x->sqlstate, "57", 2) == 0 || strncmp(x->sqlstate, "53", 2) == 0 ||
	    strncmp(x->sqlstate, "58", 2) == 0)
		return transaction_unavailable(r);
	log_error("request", "%s: statement %d failed: %s %s (%s)", r->route->path, x->failed, x->sqlstate, x->message,
	    x->constraint);
	return store_500(r);
}

/* --- the end of an exchange --------------------------------------------------------------- */

enum step transaction_ended(struct req *r)
{
	enum db_status status = r->db.last->status;
	step_fn *timed_out = r->db.timed_out, *unknown_value = r->db.unknown_value; /* set only for this exchange */

	r->db.timed_out = r->db.unknown_value = NULL;
	if (joint_again(r))
		return transaction_alone(r);
	if (r->tx.phase == PHASE_ASK)
		return commit_outcome_answered(r);
	if (r->tx.phase == PHASE_STORE_500)
		return stored_500(r);
	switch (status) {
	case DB_OK:
		if (r->tx.phase == PHASE_COMMIT) {
			FAULT_POINT(commit_answered);
			if (r->reply.status == 200 && !r->given.dry)
				outbox_committed(r);
			return DONE;
		}
		return r->tx.opening ? transaction_opened(r) : PASS;
	case DB_FAILED:
		return statement_failed(r, timed_out, unknown_value);
	case DB_LOST:
		if (r->tx.phase == PHASE_COMMIT)
			return commit_outcome_ask(r);
		return transaction_unavailable(r);
	case DB_BUSY:
	case DB_UNAVAILABLE:
		break;
	}
	r->tx.phase = PHASE_RUN;
	return transaction_unavailable(r);
}
