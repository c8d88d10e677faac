/* Gathers the reads of a turn by workspace and resource. */
#include "server/together.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/fatal.h"
#include "server/route.h"
#include "server/server.h"
#include "server/transaction.h"
#include "store/record.h"

struct together {
	struct list link; /* the server's, until it is sent */
	struct server *server;
	const struct resource *resource;
	struct uuid workspace, ids[TOGETHER_MAX];
	struct req *members[TOGETHER_MAX];
	int n, holders;
	struct arena arena;
	struct sql statement, *statements[1];
	struct db_exchange x;
};

static void let_go(struct together *t)
{
	if (--t->holders)
		return;
	db_exchange_clear(&t->x);
	arena_free(&t->arena);
	free(t);
}

void together_release(struct req *r)
{
	if (r->together)
		let_go(r->together);
	r->together = NULL;
}

static struct together *gathering(struct req *r)
{
	struct list *all = &r->server->together;
	struct together *t;

	for (struct list *node = all->next; node != all; node = node->next) {
		t = list_item(node, struct together, link);
		if (t->resource == r->route->resource && t->n < TOGETHER_MAX && uuid_equal(&t->workspace, &r->ws->id))
			return t;
	}
	t = mem_zalloc(sizeof *t);
	arena_init(&t->arena);
	t->server = r->server;
	t->resource = r->route->resource;
	t->workspace = r->ws->id;
	list_append(all, &t->link);
	return t;
}

/* The ids of the rows: every resource's first column. */
static int read_found(const struct together *t, struct uuid found[TOGETHER_MAX])
{
	int rows = t->x.status == DB_OK ? db_rows(&t->x, 0) : 0;

	if (rows > t->n)
		fatal("more rows than were asked for");
	for (int row = 0; row < rows; row++)
		found[row] = db_uuid(&t->x, 0, row, 0);
	return rows;
}

static int row_of(const struct uuid *found, int rows, const struct uuid *id)
{
	for (int row = 0; row < rows; row++)
		if (uuid_equal(&found[row], id))
			return row;
	return -1;
}

static void done(struct db_exchange *x)
{
	struct together *t = x->owner;
	struct uuid found[TOGETHER_MAX];
	int rows = read_found(t, found);

	t->holders++; /* while the members go on, and are freed */
	for (int i = 0; i < t->n; i++) {
		struct req *r = t->members[i];
		r->x = x;
		r->row = row_of(found, rows, &t->ids[i]);
		r->database_us += x->took_us;
		r->n_exchanges++;
		request_resume(r);
	}
	let_go(t);
}

static void send(struct together *t)
{
	struct sql *s = &t->statement;
	bool one = t->n == 1;

	sql_begin(
	    s, &t->arena, arena_printf(&t->arena, one ? "get %s" : "get some %s", t->resource->table), &t->workspace);
	record_select(s, t->resource);
	sql_add(s, one ? " and t.id = " : " and t.id = any (");
	if (one) {
		sql_uuid(s, &t->ids[0]);
	} else {
		sql_uuid_array(s, t->ids, (size_t)t->n);
		sql_add(s, ")");
	}
	t->statements[0] = s;
	t->x = (struct db_exchange){
	    .lane = DB_POINT, .statements = t->statements, .n_statements = 1, .done = done, .owner = t};
	db_send(t->server->db, &t->x);
}

void together_flush(struct server *s)
{
	while (!list_empty(&s->together)) {
		struct together *t = list_item(s->together.next, struct together, link);
		list_remove(&t->link);
		send(t);
	}
}

enum step together_get(struct req *r, const struct uuid *id)
{
	struct together *t;

	if (r->server->closing) /* no turn will end any more */
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	t = gathering(r);
	t->ids[t->n] = *id;
	t->members[t->n++] = r;
	t->holders++;
	r->together = t;
	return WAIT;
}
