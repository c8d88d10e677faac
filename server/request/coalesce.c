/* Collects the reads of a turn by workspace and resource. */
#include "server/request/coalesce.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/fatal.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "store/db_ask.h"
#include "store/record.h"

struct coalesce {
	struct list link; /* in the server's list until it is sent */
	struct server *server;
	const struct resource *resource;
	struct uuid workspace, ids[COALESCE_MAX];
	struct req *members[COALESCE_MAX]; /* NULL: no longer needs its row */
	struct uuid found[COALESCE_MAX];   /* the ids of the rows */
	int n, n_found, holders;           /* the exchange in progress holds it, too */
	bool ended;
	struct db_ask ask;
};

static void coalesce_let_go(struct coalesce *t)
{
	if (--t->holders)
		return;
	list_remove(&t->link);
	db_ask_end(&t->ask);
	free(t);
}

void coalesce_release(struct req *r)
{
	struct coalesce *t = r->coalesced;

	if (!t)
		return;
	if (!t->ended)
		t->members[r->member] = NULL;
	r->coalesced = NULL;
	coalesce_let_go(t);
}

static struct coalesce *coalesce_open(const struct req *r)
{
	struct list *all = &r->server->coalesced;
	struct coalesce *t;

	for (struct list *node = all->next; node != all; node = node->next) {
		t = list_item(node, struct coalesce, link);
		if (t->resource == r->route->resource && t->n < COALESCE_MAX && uuid_equal(&t->workspace, &r->ws->id))
			return t;
	}
	t = mem_zalloc(sizeof *t);
	db_ask_begin(&t->ask);
	t->server = r->server;
	t->resource = r->route->resource;
	t->workspace = r->ws->id;
	list_append(all, &t->link);
	return t;
}

/* The ids of the rows, from every resource's first column. */
static void read_found(struct coalesce *t)
{
	t->n_found = t->ask.x.status == DB_OK ? db_rows(&t->ask.x, 0) : 0;
	if (t->n_found > t->n)
		fatal_abort("more rows than were asked for");
	for (int row = 0; row < t->n_found; row++)
		t->found[row] = db_uuid(&t->ask.x, 0, row, 0);
}

/* Passes the result to the request. */
static void coalesce_take(struct req *r)
{
	struct coalesce *t = r->coalesced;
	const struct uuid *id = &t->ids[r->member];

	r->x = &t->ask.x;
	r->database_us += t->ask.x.took_us;
	r->n_exchanges++;
	for (r->row = t->n_found - 1; r->row >= 0; r->row--)
		if (uuid_equal(&t->found[r->row], id))
			break;
}

static void coalesce_done(struct db_exchange *x)
{
	struct coalesce *t = x->owner;

	read_found(t);
	t->ended = true;
	for (int i = 0; i < t->n; i++) {
		struct req *r = t->members[i];
		if (!r)
			continue;
		coalesce_take(r);
		request_resume(r);
	}
	coalesce_let_go(t);
}

static void coalesce_send(struct coalesce *t)
{
	struct sql *s = db_ask_add(&t->ask);
	struct arena *a = &t->ask.arena;
	bool one = t->n == 1;

	sql_begin(s, a, arena_printf(a, one ? "get %s" : "get some %s", t->resource->table), &t->workspace);
	record_select(s, t->resource);
	sql_add(s, one ? " and t.id = " : " and t.id = any (");
	if (one) {
		sql_uuid(s, &t->ids[0]);
	} else {
		sql_uuid_array(s, t->ids, (size_t)t->n);
		sql_add(s, ")");
	}
	t->holders++;
	db_ask_send(&t->ask, t->server->db, DB_POINT, coalesce_done, t);
}

void coalesce_flush(struct server *s)
{
	while (!list_empty(&s->coalesced)) {
		struct coalesce *t = list_item(s->coalesced.next, struct coalesce, link);
		list_remove(&t->link);
		coalesce_send(t);
	}
}

static void coalesce_join(struct req *r, const struct uuid *id)
{
	struct coalesce *t = coalesce_open(r);

	t->ids[t->n] = *id;
	t->members[t->n] = r;
	t->holders++;
	r->member = t->n++;
	r->coalesced = t;
}

enum step coalesce_get(struct req *r, const struct uuid *id)
{
	if (r->server->closing) /* no turn will follow */
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	coalesce_join(r, id);
	return WAIT;
}
