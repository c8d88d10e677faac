/* Writes statements into a connection's pipeline and records the results to expect. Never waits or reads. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/base/fault.h"
#include "store/db_private.h"

/* --- the ring of awaited results ------------------------------------------- */

struct op *conn_op_push(struct conn *c, enum op_kind kind, struct db_exchange *x, int index)
{
	if (c->n_ops == c->cap_ops) {
		int cap = c->cap_ops ? c->cap_ops * 2 : 32;
		struct op *ops = mem_alloc((size_t)cap * sizeof *ops);
		for (int i = 0; i < c->n_ops; i++)
			ops[i] = c->ops[(c->ops_first + i) % c->cap_ops];
		free(c->ops);
		c->ops = ops;
		c->ops_first = 0;
		c->cap_ops = cap;
	}
	struct op *op = &c->ops[(c->ops_first + c->n_ops++) % c->cap_ops];
	*op = (struct op){.kind = kind, .x = x, .index = index, .name = -1};
	return op;
}

struct op *conn_op_head(struct conn *c)
{
	return c->n_ops ? &c->ops[c->ops_first] : NULL;
}

void conn_op_pop(struct conn *c)
{
	c->ops_first = (c->ops_first + 1) % c->cap_ops;
	c->n_ops--;
}

/* --- checks ---------------------------------------------------------------- */

/* The index of a statement's name, -1 when it has none or there are too many. */
static int name_find(struct db *db, const struct sql *s)
{
	if (!s->name)
		return -1;
	for (int i = 0; i < db->n_names; i++) {
		struct name *n = &db->names[i];
		if (strcmp(n->name, s->name) != 0)
			continue;
		if (n->len != s->len || memcmp(n->text, s->text, s->len) != 0) {
			char message[120];
			snprintf(message, sizeof message, "db: two texts under one statement name: %s", s->name);
			fatal_abort(message);
		}
		return i;
	}
	return -1;
}

static int name_add(struct db *db, const struct sql *s)
{
	bool variant = s->name && strchr(s->name, ':');

	if (!s->name || db->n_names == NAMES_MAX || (variant && db->n_variants == VARIANTS_MAX))
		return -1;
	db->n_variants += variant;
	db->names[db->n_names] = (struct name){.name = mem_dupz(s->name), .text = mem_dupz(s->text), .len = s->len};
	return db->n_names++;
}

void statement_check(struct db *db, const struct sql *s)
{
	if (name_find(db, s) >= 0)
		return; /* a statement that was checked before */
	if (!s->system && (!strstr(s->text, "workspace_id") || !strstr(s->text, "$1"))) {
		char message[120];
		snprintf(message, sizeof message, "db: a statement without workspace_id and $1 (%s)",
		    s->name ? s->name : "unnamed");
		fatal_abort(message);
	}
	name_add(db, s);
}

/* True when the statement begins with these words, in any case. */
static bool statement_begins(const struct sql *s, const char *words)
{
	const char *text = s->text + strspn(s->text, " \t\n");
	size_t len = strlen(words);

	return strncasecmp(text, words, len) == 0 && !isalnum((unsigned char)text[len]) && text[len] != '_';
}

bool statement_rolls_back(const struct sql *s)
{
	return statement_begins(s, "rollback");
}

/* The first position in x from which on something may be committed if the connection breaks: that of a COMMIT; if no
 * transaction is open at the end, that of the Sync, which commits statements outside transactions; else INT_MAX,
 * never. */
int statement_commit_from(const struct db_exchange *x, bool in_transaction)
{
	bool pending = false; /* a statement ran that the Sync will commit */

	for (int i = 0; i < x->n_statements; i++) {
		const struct sql *s = x->statements[i];
		if (statement_begins(s, "begin"))
			in_transaction = true;
		else if (statement_begins(s, "commit") || statement_begins(s, "end"))
			return i;
		else if (statement_rolls_back(s) && !statement_begins(s, "rollback to"))
			in_transaction = pending = false;
		else
			pending = true;
	}
	return in_transaction || !pending ? INT_MAX : x->n_statements;
}

/* --- sending --------------------------------------------------------------- */

/* A statement's parameters as libpq takes them; in its arena. */
struct params {
	Oid *types;
	const char **values;
	int *lens, *formats;
};

static struct params params_of(const struct sql *s)
{
	size_t n = (size_t)s->n_params;
	struct params p = {.types = arena_alloc(s->arena, n * sizeof *p.types),
	    .values = arena_alloc(s->arena, n * sizeof *p.values),
	    .lens = arena_alloc(s->arena, n * sizeof *p.lens),
	    .formats = arena_alloc(s->arena, n * sizeof *p.formats)};

	for (size_t i = 0; i < n; i++) {
		p.types[i] = s->params[i].type;
		p.values[i] = s->params[i].value;
		p.lens[i] = s->params[i].len;
		p.formats[i] = s->params[i].format;
	}
	return p;
}

static bool name_is_prepared(const struct conn *c, int name)
{
	return c->prepared[name / 8] & 1 << name % 8;
}

static bool statement_write(struct conn *c, struct db_exchange *x, int index)
{
	struct db *db = c->db;
	const struct sql *s = x->statements[index];
	struct sql average = *s;
	int name = name_find(db, s);

	if (lane_lists(c->lane)) {
		sql_average_list(&average);
		s = &average;
	}
	if (!conn_workspace(c, x, index))
		return false;
	struct params p = params_of(s);
	if (name < 0) {
		if (!PQsendQueryParams(c->pg, s->text, s->n_params, p.types, p.values, p.lens, p.formats, 1))
			return false;
	} else {
		if (!name_is_prepared(c, name)) {
			if (!PQsendPrepare(c->pg, s->name, s->text, s->n_params, p.types))
				return false;
			conn_op_push(c, OP_PREPARE, x, index)->name = name;
			c->prepared[name / 8] |= (unsigned char)(1 << name % 8);
		}
		if (!PQsendQueryPrepared(c->pg, s->name, s->n_params, p.values, p.lens, p.formats, 1))
			return false;
	}
	conn_op_push(c, OP_STATEMENT, x, index);
	return true;
}

/* For this exchange only, which is a transaction: the setting is local. */
bool conn_timeout(struct conn *c, struct db_exchange *x, int ms)
{
	char text[80];

	snprintf(text, sizeof text, "select set_config('statement_timeout', '%d', true)", ms);
	if (!PQsendQueryParams(c->pg, text, 0, NULL, NULL, NULL, NULL, 1))
		return false;
	conn_op_push(c, OP_TIMEOUT, x, 0);
	return true;
}

bool conn_write(struct conn *c, struct db_exchange *x)
{
	x->connection = c;
	list_append(&c->in_flight, &x->link);
	c->n_in_flight++;
	for (int i = 0; i < x->n_statements; i++) {
		if (!statement_write(c, x, i)) {
			conn_break(c);
			return false;
		}
	}
	return true;
}

bool conn_sync(struct conn *c)
{
	c->needs_sync = false;
	if (c->broken || !PQpipelineSync(c->pg)) {
		conn_break(c);
		return false;
	}
	conn_op_push(c, OP_SYNC, NULL, 0);
	c->db->stats.syncs++;
	return true;
}

bool conn_rollback(struct conn *c)
{
	if (FAULT_ERROR(slow_rollback) && PQtransactionStatus(c->pg) == PQTRANS_INTRANS &&
	    PQsendQueryParams(c->pg, "select pg_sleep(0.05)", 0, NULL, NULL, NULL, NULL, 1))
		conn_op_push(c, OP_ROLLBACK, NULL, 0);
	if (c->broken || !PQsendQueryParams(c->pg, "rollback", 0, NULL, NULL, NULL, NULL, 1)) {
		conn_break(c);
		return false;
	}
	conn_workspace_forget(c);
	conn_op_push(c, OP_ROLLBACK, NULL, 0);
	return conn_sync(c);
}

void conn_break(struct conn *c)
{
	c->broken = true;
	db_later(c->db);
}

void conn_flush(struct conn *c)
{
	if (c->state != CONN_UP || c->broken)
		return;
	int rest = PQflush(c->pg);
	if (rest < 0)
		conn_break(c);
	else if (rest > 0)
		event_add(&c->write_event, NULL);
	else
		event_del(&c->write_event);
}
