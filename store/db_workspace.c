/* The workspace whose rows a connection may see: the setting kith.workspace, which row-level security compares
 * (migrations/0009_row_security.sql). It is sent in the same pipeline, before the first statement of another
 * workspace.
 *
 * A setting made in a transaction is undone by a rollback, so after any failure it counts as unknown. On a shared
 * lane further groups that rely on it may have been sent by then: they are sent again, as the other exchanges of a
 * failed group are. */
#include <string.h>

#include "store/db_private.h"

static const char set_name[] = "kith_workspace";
static const char set_sql[] = "select set_config('kith.workspace', $1, false)";

enum { OID_TEXT = 25 };

static bool workspace_write(struct conn *c, struct db_exchange *x, int index, const char *value)
{
	const Oid types[] = {OID_TEXT};
	const char *const values[] = {value};

	if (!c->workspace_prepared) {
		if (!PQsendPrepare(c->pg, set_name, set_sql, 1, types))
			return false;
		conn_op_push(c, OP_WORKSPACE_PREPARE, x, index);
		c->workspace_prepared = true;
	}
	if (!PQsendQueryPrepared(c->pg, set_name, 1, values, NULL, NULL, 1))
		return false;
	conn_op_push(c, OP_WORKSPACE, x, index);
	return true;
}

bool conn_workspace(struct conn *c, struct db_exchange *x, int index)
{
	const struct sql *s = x->statements[index];
	char value[37];
	struct uuid id;

	if (s->system) {
		/* A rollback needs no setting, and would undo one that is sent before it. */
		if (statement_rolls_back(s)) {
			conn_workspace_forget(c);
			return true;
		}
		/* Each exchange sets it again, even if it seems to be set. A system job that saw only one workspace
		 * would silently skip work. */
		if (!lane_system(c->lane) || (index > 0 && c->workspace_set == WORKSPACE_ALL))
			return true;
		c->workspace_set = WORKSPACE_ALL;
		return workspace_write(c, x, index, "all");
	}
	memcpy(id.b, s->params[0].value, sizeof id.b); /* sql_begin() */
	if (c->workspace_set == WORKSPACE_ONE && uuid_compare(&c->workspace, &id) == 0)
		return true;
	c->workspace_set = WORKSPACE_ONE;
	c->workspace = id;
	return workspace_write(c, x, index, uuid_format(&id, value));
}

void conn_workspace_forget(struct conn *c)
{
	c->workspace_set = WORKSPACE_UNKNOWN;
}

void conn_workspace_synced(struct conn *c)
{
	/* Exchanges on this lane are never sent again, because admission would count a request twice. The setting of
	 * the lane never changes. */
	if (c->lane == DB_ADMIT)
		return;
	if (c->group_failed) {
		conn_workspace_forget(c);
		c->n_suspect = c->needs_sync;
		for (int i = 0; i < c->n_ops; i++)
			c->n_suspect += c->ops[(c->ops_first + i) % c->cap_ops].kind == OP_SYNC;
	}
	c->group_suspect = c->n_suspect > 0;
	c->n_suspect -= c->group_suspect;
}

void conn_workspace_result(struct conn *c, const struct op *op, const PGresult *r)
{
	ExecStatusType status = PQresultStatus(r);

	if (op->kind == OP_WORKSPACE_PREPARE && status != PGRES_COMMAND_OK)
		c->workspace_prepared = false; /* failed or skipped */
	/* On a shared lane the whole group has failed, and x is sent again. */
	if (status == PGRES_FATAL_ERROR && op->x && op->x->status == DB_OK && !lane_shared(c->lane))
		exchange_failed(op->x, op->index, r);
}
