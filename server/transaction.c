/*
 * A request's exchanges with the database, and its transaction: opened with the
 * claim of its key, committed with its stored answer, run again when it lost a
 * race, and asked after when the answer to COMMIT was lost.
 */
#include "server/transaction.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/loop.h"
#include "server/route.h"
#include "server/server.h"

enum {
	ATTEMPTS_MAX = 3,
	ASK_FOR_US = 20 * 1000 * 1000, /* how long to ask what became of a lost COMMIT */
	ASK_AGAIN_MS = 50
};

struct req_exchange {
	struct db_exchange x;
	struct req_exchange *older;
};

void transaction_free(struct req *r)
{
	for (struct req_exchange *e = r->exchanges; e; e = e->older)
		db_exchange_clear(&e->x);
	r->exchanges = NULL;
}

static struct sql *new_statement(struct req *r, int *index)
{
	struct sql *s = arena_alloc(&r->arena, sizeof *s);

	if (r->n_statements == r->cap_statements) {
		int cap = r->cap_statements ? 2 * r->cap_statements : 8;
		struct sql **bigger = arena_alloc(&r->arena, (size_t)cap * sizeof *bigger);
		if (r->n_statements)
			memcpy(bigger, r->statements, (size_t)r->n_statements * sizeof *bigger);
		r->statements = bigger;
		r->cap_statements = cap;
	}
	if (index)
		*index = r->n_statements;
	r->statements[r->n_statements++] = s;
	s->arena = &r->arena;
	return s;
}

struct sql *req_sql(struct req *r, const char *name, int *index)
{
	struct sql *s = new_statement(r, index);
	sql_begin(s, &r->arena, name, &r->ws->id);
	return s;
}

static void command(struct req *r, const char *name, const char *text)
{
	struct sql *s = new_statement(r, NULL);
	sql_begin_system(s, &r->arena, name);
	sql_add(s, text);
}

static void exchange_done(struct db_exchange *x)
{
	struct req *r = x->owner;

	r->x = x;
	r->database_us += x->took_us;
	r->session = x->session;
	request_resume(r);
}

static enum step send(struct req *r, enum db_lane lane, bool keep)
{
	struct req_exchange *e = arena_alloc(&r->arena, sizeof *e);

	e->older = r->exchanges;
	r->exchanges = e;
	e->x.lane = lane;
	e->x.keep = keep;
	e->x.session = r->session;
	e->x.statements = r->statements;
	e->x.n_statements = r->n_statements;
	e->x.done = exchange_done;
	e->x.owner = r;
	r->statements = NULL;
	r->n_statements = r->cap_statements = 0;
	db_send(r->server->db, &e->x);
	return WAIT;
}

enum step ask(struct req *r, enum db_lane lane)
{
	return send(r, lane, false);
}

/* --- opening ------------------------------------------------------------------ */

/* The statements in front of a write's own loads. */
enum { OPEN_BEGIN, OPEN_LOCK, OPEN_LOOKUP, OPEN_XID = OPEN_LOCK };

void write_begin(struct req *r)
{
	r->opening = true;
	command(r, "begin", "begin");
	if (r->claim.keyed) {
		idempotency_lock(new_statement(r, NULL), &r->claim, false);
		idempotency_lookup(
		    req_sql(r, "key_lookup", NULL), &r->claim, server_scaled_ms(r->server, IDEMPOTENCY_KEEP_MS));
	} else {
		/* The transaction's id, so that the fate of a lost COMMIT can be asked for. */
		command(r, "xid", "select pg_current_xact_id()::text");
	}
}

enum step ask_write(struct req *r)
{
	return send(r, DB_WRITE, true);
}

void transaction_abandon(struct req *r)
{
	if (r->session)
		db_session_abandon(r->server->db, r->session);
	r->session = NULL;
	r->statements = NULL;
	r->n_statements = r->cap_statements = 0;
}

static enum step replay(struct req *r, const struct idempotency_answer *answer)
{
	r->replayed = true;
	r->status = answer->status;
	buf_add(&r->out, answer->body, answer->body_len);
	if (answer->content_type)
		reply_header(r, "Content-Type", answer->content_type);
	if (answer->deprecation)
		reply_header(r, "Deprecation", answer->deprecation);
	if (answer->sunset)
		reply_header(r, "Sunset", answer->sunset);
	reply_header(r, "Idempotent-Replayed", "true");
	return DONE;
}

enum step transaction_opened(struct req *r)
{
	struct idempotency_answer answer;
	enum idempotency_found found;
	size_t len;

	r->opening = false;
	if (!r->claim.keyed) {
		snprintf(r->xid, sizeof r->xid, "%s", db_text(r->x, OPEN_XID, 0, 0, &len));
		return PASS;
	}
	found = idempotency_read(&r->claim, r->x, OPEN_LOOKUP, &answer);
	if (found == IDEMPOTENCY_NONE && db_bool(r->x, OPEN_LOCK, 0, 0))
		return PASS;
	transaction_abandon(r);
	switch (found) {
	case IDEMPOTENCY_NONE:
		return reply_error(r, ERROR_KEY_IN_PROGRESS, NULL);
	case IDEMPOTENCY_OTHER_REQUEST:
		return reply_error(r, ERROR_KEY_REUSED, NULL);
	case IDEMPOTENCY_NOT_STORED:
		return reply_error(r, ERROR_KEY_NOT_STORED, NULL);
	case IDEMPOTENCY_REPLAY:
		break;
	}
	return replay(r, &answer);
}

/* --- closing -------------------------------------------------------------------- */

static const char *header_value(const struct req *r, const char *name)
{
	for (size_t i = 0; i < r->n_headers; i++)
		if (strcmp(r->headers[i].name, name) == 0)
			return r->headers[i].value;
	return NULL;
}

static void store_answer(struct req *r)
{
	struct idempotency_answer answer = {
	    .status = r->status,
	    .content_type = header_value(r, "Content-Type"),
	    .deprecation = header_value(r, "Deprecation"),
	    .sunset = header_value(r, "Sunset"),
	    .body = r->out.data ? r->out.data : "",
	    .body_len = r->out.len,
	};

	idempotency_store(req_sql(r, "key_store", NULL), &r->claim, &answer);
}

/* What the description calls rejected before running leaves no trace. */
static bool kept(const struct req *r)
{
	return r->status == 200 || r->status == 404 || r->status == 403 || r->status == 500;
}

bool transaction_commit(struct req *r)
{
	if (!r->session)
		return false;
	if (r->status != 200 && !(r->claim.keyed && kept(r))) {
		transaction_abandon(r);
		return false;
	}
	if (r->claim.keyed)
		store_answer(r);
	command(r, "commit", "commit");
	r->phase = PHASE_COMMIT;
	send(r, DB_WRITE, false);
	return true;
}

enum step write_again(struct req *r)
{
	transaction_abandon(r);
	request_forget_reply(r);
	if (++r->attempt >= ATTEMPTS_MAX)
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	r->phase = PHASE_RUN;
	r->state = NULL;
	r->next = r->open_step;
	return PASS;
}

/* The work was rolled back; its 500 is kept under the key, by a transaction of its own. */
static enum step store_500(struct req *r)
{
	reply_error(r, ERROR_INTERNAL, NULL);
	if (!r->claim.keyed) {
		transaction_abandon(r);
		return DONE;
	}
	r->statements = NULL;
	r->n_statements = r->cap_statements = 0;
	if (r->session) /* a failed COMMIT has given it back already */
		command(r, "rollback", "rollback");
	command(r, "begin", "begin");
	idempotency_lock(new_statement(r, NULL), &r->claim, true);
	store_answer(r);
	command(r, "commit", "commit");
	r->phase = PHASE_STORE_500;
	return send(r, DB_WRITE, false);
}

/* --- failures --------------------------------------------------------------------- */

static bool passing(const char *sqlstate)
{
	return strcmp(sqlstate, "40001") == 0 || strcmp(sqlstate, "40P01") == 0 || strcmp(sqlstate, "55P03") == 0;
}

/* A reference to what somebody deleted, or a name that somebody took, since we looked. */
static bool overtaken(const char *sqlstate)
{
	return strcmp(sqlstate, "23503") == 0 || strcmp(sqlstate, "23505") == 0;
}

static enum step unavailable(struct req *r)
{
	bool claiming = r->claim.keyed && r->opening;

	transaction_abandon(r);
	request_forget_reply(r);
	return reply_error(r, claiming ? ERROR_KEY_UNAVAILABLE : ERROR_UNAVAILABLE, NULL);
}

static enum step statement_failed(struct req *r)
{
	const struct db_exchange *x = r->x;
	bool writing = r->session != NULL || r->phase == PHASE_COMMIT;

	request_forget_reply(r);
	if (writing && (passing(x->sqlstate) || (overtaken(x->sqlstate) && r->attempt + 1 < ATTEMPTS_MAX)))
		return write_again(r);
	/* 57014: statement timeout; 53: out of resources. Rolled back, so the caller may try again. */
	if (strcmp(x->sqlstate, "57014") == 0 || strncmp(x->sqlstate, "53", 2) == 0)
		return unavailable(r);
	log_error("request", "%s: statement %d failed: %s %s (%s)", r->route->path, x->failed, x->sqlstate, x->message,
	    x->constraint);
	return store_500(r);
}

/* --- a lost COMMIT ------------------------------------------------------------------- */

static void ask_fate(void *ctx)
{
	struct req *r = ctx;

	r->session = NULL;
	if (r->claim.keyed) {
		/* The lock is free once the lost transaction has ended, one way or the other. */
		command(r, "begin", "begin");
		idempotency_lock(new_statement(r, NULL), &r->claim, true);
		idempotency_lookup(
		    req_sql(r, "key_lookup", NULL), &r->claim, server_scaled_ms(r->server, IDEMPOTENCY_KEEP_MS));
		command(r, "commit", "commit");
	} else {
		struct sql *s = new_statement(r, NULL);
		sql_begin_system(s, &r->arena, "fate");
		sql_add(s, "select pg_xact_status(");
		sql_textz(s, r->xid);
		/* A crash may hand the number of a transaction that left no trace to another one. */
		sql_add(s, "::xid8), greatest(pg_postmaster_start_time(), (select stats_reset from pg_stat_wal)) > ");
		sql_time(s, clock_now_ms() - (clock_mono_us() - r->started_us) / 1000);
	}
	send(r, DB_WRITE, false);
}

static enum step ask_again(struct req *r)
{
	if (clock_mono_us() > r->ask_until_us) {
		log_error("request",
		    "%s: the answer to COMMIT was lost and the database did not tell what became of it",
		    r->route->path);
		request_forget_reply(r);
		r->phase = PHASE_RUN;
		return reply_error(
		    r, ERROR_INTERNAL, "The outcome of this operation is unknown; check it before you try again");
	}
	loop_after(r->server->loop, ASK_AGAIN_MS, ask_fate, r);
	return WAIT;
}

static enum step commit_lost(struct req *r)
{
	log_warn("request", "%s: the answer to COMMIT was lost; asking what became of it", r->route->path);
	r->phase = PHASE_ASK;
	r->ask_until_us = clock_mono_us() + ASK_FOR_US;
	ask_fate(r);
	return WAIT;
}

enum fate { FATE_COMMITTED, FATE_ABORTED, FATE_UNKNOWN, FATE_RUNNING };

static enum fate read_fate(const struct req *r)
{
	struct idempotency_answer answer;
	const char *status;
	size_t len;

	if (r->claim.keyed)
		return idempotency_read(&r->claim, r->x, OPEN_LOOKUP, &answer) == IDEMPOTENCY_NONE ? FATE_ABORTED
		                                                                                   : FATE_COMMITTED;
	if (db_null(r->x, 0, 0, 0))
		return FATE_UNKNOWN;
	status = db_text(r->x, 0, 0, 0, &len);
	if (strcmp(status, "in progress") == 0)
		return FATE_RUNNING;
	if (strcmp(status, "aborted") == 0)
		return FATE_ABORTED;
	return db_bool(r->x, 0, 0, 1) ? FATE_UNKNOWN : FATE_COMMITTED;
}

static enum step fate_answered(struct req *r)
{
	if (r->x->status == DB_FAILED && strcmp(r->x->sqlstate, "22023") == 0) { /* a number not yet given out again */
		r->phase = PHASE_RUN;
		return unavailable(r);
	}
	if (r->x->status != DB_OK)
		return ask_again(r);
	switch (read_fate(r)) {
	case FATE_COMMITTED:
		return DONE;
	case FATE_ABORTED:
		r->phase = PHASE_RUN;
		return unavailable(r);
	case FATE_UNKNOWN:
		r->ask_until_us = 0;
		break;
	case FATE_RUNNING:
		break;
	}
	return ask_again(r);
}

/* --- what an exchange ended with --------------------------------------------------------- */

enum step transaction_ended(struct req *r)
{
	enum db_status status = r->x->status;

	if (r->phase == PHASE_ASK)
		return fate_answered(r);
	if (r->phase == PHASE_STORE_500)
		return DONE; /* stored or not, the work was rolled back and that is the answer */
	switch (status) {
	case DB_OK:
		if (r->phase == PHASE_COMMIT)
			return DONE;
		return r->opening ? transaction_opened(r) : PASS;
	case DB_FAILED:
		return statement_failed(r);
	case DB_LOST:
		if (r->phase == PHASE_COMMIT)
			return commit_lost(r);
		return unavailable(r);
	case DB_BUSY:
	case DB_UNAVAILABLE:
		break;
	}
	r->phase = PHASE_RUN;
	return unavailable(r);
}
