/* Reads a connection's results and assigns each to its statement. The end of an exchange is handled by its kind of
 * lane. */
#include <string.h>

#include "server/base/log.h"
#include "store/db_private.h"

bool conn_result_fatal(const PGresult *r)
{
	const char *severity = PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);

	return severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0);
}

/* The server is read-only: nothing was done, and another one has to be found. */
static bool result_read_only(const PGresult *r)
{
	const char *sqlstate = PQresultErrorField(r, PG_DIAG_SQLSTATE);

	return sqlstate && strcmp(sqlstate, "25006") == 0;
}

static void on_statement(struct conn *c, struct op *op, PGresult *r)
{
	struct db_exchange *x = op->x;
	ExecStatusType status = PQresultStatus(r);

	if (!x || op->has_result) {
		PQclear(r);
		return;
	}
	if (status == PGRES_FATAL_ERROR && x->status == DB_OK)
		exchange_failed(x, op->index, r);
	x->results[op->index] = (struct db_result *)r;
	x->position = op->index + 1;
	if (lane_shared(c->lane) && x->position == x->n_statements) {
		op->x = NULL;
		shared_statement_ended(c, x);
	}
}

static void on_prepare(struct conn *c, struct op *op, PGresult *r)
{
	if (PQresultStatus(r) != PGRES_COMMAND_OK)
		c->prepared[op->name / 8] &= (unsigned char)~(1 << op->name % 8);
	if (PQresultStatus(r) == PGRES_FATAL_ERROR && op->x)
		exchange_failed(op->x, op->index, r);
	PQclear(r);
}

/* An error in place of the Sync: the implicit commit of statements outside BEGIN failed. */
static void on_sync_error(struct conn *c, PGresult *r)
{
	if (c->x)
		exchange_failed(c->x, c->x->n_statements - 1, r);
	else if (c->n_in_flight == 1)
		exchange_failed(list_item(c->in_flight.next, struct db_exchange, link), 0, r);
	PQclear(r);
}

/* False when the connection is gone. */
static bool on_result(struct conn *c, PGresult *r)
{
	struct op *op = conn_op_head(c);
	ExecStatusType status = PQresultStatus(r);

	if (status == PGRES_PIPELINE_SYNC) {
		PQclear(r);
		if (op->kind != OP_SYNC) {
			conn_lost(c, NULL);
			return false;
		}
		conn_op_pop(c);
		if (lane_shared(c->lane))
			shared_sync(c);
		else
			exclusive_sync(c);
		return true;
	}
	bool error = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
	if (error && result_read_only(r)) {
		conn_read_only(c, r);
		PQclear(r);
		return false;
	}
	bool copy = status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
	if (copy || (error && (conn_result_fatal(r) || PQstatus(c->pg) != CONNECTION_OK))) {
		conn_lost(c, conn_result_fatal(r) ? r : NULL);
		PQclear(r);
		return false;
	}
	c->group_failed |= error || status == PGRES_PIPELINE_ABORTED;
	if (op->kind == OP_STATEMENT)
		on_statement(c, op, r);
	else if (op->kind == OP_PREPARE)
		on_prepare(c, op, r);
	else if (op->kind == OP_SYNC)
		on_sync_error(c, r);
	else {
		if (op->kind == OP_WORKSPACE || op->kind == OP_WORKSPACE_PREPARE)
			conn_workspace_result(c, op, r);
		if (op->kind == OP_TIMEOUT && error && op->x && op->x->status == DB_OK)
			exchange_failed(op->x, 0, r);
		if (op->kind == OP_LISTEN && error)
			log_error("db", "cannot listen: %s", PQresultErrorMessage(r));
		PQclear(r);
	}
	if (op->kind != OP_SYNC)
		op->has_result = true;
	return true;
}

/* Reads available results; libpq puts a NULL after the results of each query, none after a Sync. */
static bool input_results(struct conn *c)
{
	bool null_before = false;

	while (c->n_ops > 0 && !PQisBusy(c->pg)) {
		PGresult *r = PQgetResult(c->pg);
		if (r) {
			null_before = false;
			if (!on_result(c, r))
				return false;
			continue;
		}
		if (conn_op_head(c)->has_result)
			conn_op_pop(c);
		else if (null_before)
			break;
		null_before = !null_before;
	}
	return true;
}

void conn_input(struct conn *c)
{
	if (c->state != CONN_UP)
		return;
	int alive = PQconsumeInput(c->pg);
	c->db->heard = true;
	if (!input_results(c))
		return;
	signal_notified(c);
	if (!alive || PQstatus(c->pg) != CONNECTION_OK)
		conn_lost(c, NULL);
	else
		conn_flush(c);
}
