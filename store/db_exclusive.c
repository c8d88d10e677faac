/* Exclusive lanes: a connection carries one exchange, ended by its own Sync, or is bound to an open transaction. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/db_private.h"

enum {
	END_EARLY_MS = 100, /* before the deadline, which PostgreSQL does not know */
	GIVEN_UP_MS = 250   /* wait after which given_up() is asked */
};

static bool conn_free(const struct conn *c)
{
	return c->state == CONN_UP && !c->broken && !c->leaving && !c->x && !c->session && !c->own_command;
}

/* The rule of fair turns, see db.h. */
static bool lane_permits(const struct fair_item *first, const void *lane)
{
	const struct lane *l = lane;
	const struct uuid *party = &fair_as(first, struct db_exchange, turn)->party;
	int n_free = 0, held = 0, spare = l->n_spare < l->n_up / 2 ? l->n_spare : l->n_up / 2;

	for (int i = 0; i < l->n_conns; i++) {
		const struct conn *c = &l->conns[i];
		n_free += conn_free(c);
		held += c->state == CONN_UP && !conn_free(c) && uuid_equal(&c->party, party);
	}
	/* Each kind of job gets one connection, so that neither jobs that wait for locks nor jobs that are due can take
	 * all. */
	if (lane_system(l->conns->lane) && party->b[sizeof party->b - 1] != DB_WORK_SEND)
		return held == 0;
	return held == 0 || (n_free > spare && (l->waiting.n_tenants == 1 || held < l->n_up / 2));
}

/* The time left until the deadline of an exchange is the time limit of its statements. A backend that worked longer
 * would be one more than the lane may have. */
static int64_t statement_time_ms(const struct conn *c, const struct db_exchange *x, int64_t now_us)
{
	int64_t left_ms = (x->deadline_us - now_us) / 1000 - END_EARLY_MS;
	int64_t time_ms = x->most_ms ? x->most_ms : c->db->config.statement_timeout_ms[c->lane];

	if (left_ms < time_ms)
		time_ms = left_ms;
	return time_ms > 1 ? time_ms : 1;
}

/* Sends a waiting exchange; false when it is not needed any more. */
static bool exclusive_begin(struct conn *c, struct db_exchange *x)
{
	int64_t now_us = clock_mono_us(), may_ms = statement_time_ms(c, x, now_us);

	if (x->given_up && now_us - x->sent_us > GIVEN_UP_MS * INT64_C(1000) && x->given_up(x)) {
		db_finish(c->db, x, DB_BUSY);
		return false;
	}
	histogram_add(&c->db->lanes[c->lane].waits, now_us - x->sent_us);
	c->party = x->party;
	if (lane_plans(c->lane) && may_ms < c->db->config.statement_timeout_ms[c->lane] &&
	    !conn_timeout(c, x, (int)may_ms))
		conn_break(c);
	exclusive_send(c, x);
	return true;
}

void exclusive_run(struct db *db, enum db_lane lane)
{
	struct lane *l = &db->lanes[lane];

	if (lane == DB_WORK && db->stalled_by)
		return;
	for (int i = 0; i < l->n_conns && l->waiting.n_items > 0; i++) {
		struct conn *c = &l->conns[i];
		struct db_exchange *x;
		while (conn_free(c) && (x = lane_take(l, lane_permits)) && !exclusive_begin(c, x))
			;
	}
}

void exclusive_send(struct conn *c, struct db_exchange *x)
{
	PGTransactionStatusType status = PQtransactionStatus(c->pg);

	c->x = x;
	c->commit_from = statement_commit_from(x, status == PQTRANS_INTRANS || status == PQTRANS_INERROR);
	if (!conn_write(c, x)) {
		/* If neither its COMMIT nor the Sync was written, nothing can be committed. */
		int written = 0;
		for (int i = 0; i < c->n_ops; i++)
			written += c->ops[(c->ops_first + i) % c->cap_ops].kind == OP_STATEMENT;
		if (written <= c->commit_from)
			c->commit_from = INT_MAX;
	} else if (conn_sync(c)) {
		conn_flush(c);
	}
}

/* --- sessions -------------------------------------------------------------- */

static struct db_session *session_new(struct conn *c)
{
	struct db_session *s = mem_zalloc(sizeof *s);

	s->conn = c;
	c->session = s;
	list_init(&s->link);
	list_append(&c->db->sessions, &s->link);
	return s;
}

void session_free(struct db_session *s)
{
	list_remove(&s->link);
	if (s->conn)
		s->conn->session = NULL;
	free(s);
}

/* Takes the connection from a session. The owner is told by the result of its next db_send(). */
static void session_detach(struct db_session *s)
{
	s->conn->session = NULL;
	s->conn = NULL;
}

/* Returns the connection to the lane; rolls back first if a transaction is open. */
static void conn_return(struct conn *c)
{
	if (PQtransactionStatus(c->pg) != PQTRANS_IDLE) {
		c->own_command = true;
		c->since_us = clock_mono_us();
		if (conn_rollback(c))
			conn_flush(c);
		return;
	}
	if (c->leaving)
		conn_break(c);
	exclusive_run(c->db, c->lane);
}

void session_tick(struct db *db, int64_t now_us)
{
	int64_t limit_us = db->config.idle_in_transaction_ms * INT64_C(1000);

	list_each(s, &db->sessions, struct db_session, link) {
		struct conn *c = s->conn;
		if (!c || c->x || c->broken || now_us - s->idle_since_us < limit_us ||
		    PQtransactionStatus(c->pg) == PQTRANS_IDLE)
			continue;
		log_warn(
		    "db", "a transaction that was idle for %d ms is rolled back", db->config.idle_in_transaction_ms);
		session_detach(s);
		conn_return(c);
	}
}

void db_session_abandon(struct db *db, struct db_session *session)
{
	struct conn *c = session->conn;

	(void)db;
	if (c && c->x) {
		c->x->keep = false; /* returned when it has ended */
		return;
	}
	session_free(session);
	if (c && !c->broken)
		conn_return(c);
}

/* --- the end of an exchange ------------------------------------------------ */

static void exclusive_ended(struct conn *c)
{
	struct db_exchange *x = c->x;

	c->x = NULL;
	if (!x)
		return;
	c->n_in_flight--;
	if (x->status != DB_OK)
		conn_workspace_forget(c);
	if (x->keep) {
		x->session = c->session ? c->session : session_new(c);
		x->session->idle_since_us = clock_mono_us();
	} else {
		if (c->session)
			session_free(c->session);
		x->session = NULL;
	}
	if (c->lane == DB_WRITE && x->status == DB_OK && c->commit_from != INT_MAX)
		trouble_written(c->db);
	if (c->lane == DB_SIGNAL)
		x->generation = c->db->generation;
	bool stale = exchange_name_trouble(x);
	db_finish(c->db, x, x->status);
	if (c->session)
		return;
	if (stale)
		conn_break(c); /* its prepared statements are for an older schema */
	else
		conn_return(c);
}

/* A standby reports its promotion. What it holds from then on may differ from the primary. */
static bool conn_promoted(const struct conn *c)
{
	const char *standby = PQparameterStatus(c->pg, "in_hot_standby");

	return c->lane == DB_REPLICA && standby && strcmp(standby, "off") == 0;
}

void exclusive_sync(struct conn *c)
{
	c->group_failed = false;
	if (conn_promoted(c))
		conn_break(c);
	if (c->own_command) {
		c->own_command = false;
		if (c->lane == DB_SIGNAL && c->db->generation == 0)
			signal_listening(c);
		if (PQtransactionStatus(c->pg) != PQTRANS_IDLE || c->leaving)
			conn_break(c);
		else
			exclusive_run(c->db, c->lane);
	} else {
		exclusive_ended(c);
	}
}

/*
 * The result of the exchange in progress when its connection breaks:
 *  - a transaction is open and it has no COMMIT: rolled back, DB_UNAVAILABLE;
 *  - a statement before the committing one failed, or the server's fatal error
 *    came there: rolled back as well;
 *  - else unknown: DB_LOST.
 * If certainly nothing was done, and it is not part of a transaction begun earlier,
 * it is tried once more.
 */
void exclusive_lost(struct conn *c, const PGresult *error)
{
	struct db *db = c->db;
	struct db_exchange *x = c->x;

	if (!x) {
		if (c->session)
			session_detach(c->session);
		return;
	}
	struct op *op = conn_op_head(c);
	int reached = op && op->x == x ? op->index : x->n_statements;
	bool undone = c->commit_from == INT_MAX || (error && reached < c->commit_from) ||
	              (x->status == DB_FAILED && x->failed < c->commit_from);
	bool bound = c->session != NULL;
	c->x = NULL;
	c->n_in_flight--;
	if (bound)
		session_free(c->session);
	x->session = NULL;
	if (!undone || bound || db->closing || x->n_retries > 0) {
		db_finish(db, x, undone ? DB_UNAVAILABLE : DB_LOST);
		return;
	}
	lane_ask_again(db, x);
}
