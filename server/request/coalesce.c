/* Collects the reads of a turn by workspace and resource. */
#include "server/request/coalesce.h"

#include <stdlib.h>

#include "server/request/route.h"
#include "server/request/server.h"
#include "store/db_ask.h"
#include "store/record.h"

struct coalesce {
	struct list link; /* in the server's list until it is sent */
	const struct resource *resource;
	struct uuid workspace, ids[COALESCE_MAX];
	struct req *members[COALESCE_MAX]; /* NULL: the request no longer needs its row */
	int n, holders;                    /* the running exchange holds a reference, too */
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

void coalesce_release(struct req_db *db)
{
	struct coalesce *t = db->coalesced;

	if (!t)
		return;
	t->members[db->member] = NULL;
	db->coalesced = NULL;
	coalesce_let_go(t);
}

static struct coalesce *coalesce_open(const struct req *r)
{
	struct coalesce *t;

	list_each(open, &r->server->coalesced, struct coalesce, link)
		if (open->resource == r->route->resource && open->n < COALESCE_MAX &&
		    uuid_equal(&open->workspace, &r->caller.ws->id))
			return open;
	t = mem_zalloc(sizeof *t);
	db_ask_begin(&t->ask);
	t->resource = r->route->resource;
	t->workspace = r->caller.ws->id;
	list_append(&r->server->coalesced, &t->link);
	return t;
}

/* Finds the row of each waiting request; the id is the first column of every resource. */
static void coalesce_find_rows(struct coalesce *t)
{
	int n = t->ask.x.status == DB_OK ? db_rows(&t->ask.x, 0) : 0;

	for (int row = 0; row < n; row++) {
		struct uuid id = db_uuid(&t->ask.x, 0, row, 0);
		for (int i = 0; i < t->n; i++)
			if (t->members[i] && uuid_equal(&t->ids[i], &id))
				t->members[i]->db.row = row;
	}
}

static void coalesce_done(struct db_exchange *x)
{
	struct coalesce *t = x->owner;

	coalesce_find_rows(t);
	for (int i = 0; i < t->n; i++) {
		struct req *r = t->members[i];
		if (!r)
			continue;
		r->db.last = x;
		r->db.us += x->took_us;
		r->db.n_exchanges++;
		request_resume(r);
	}
	coalesce_let_go(t);
}

static void coalesce_send(struct db *db, struct coalesce *t)
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
	db_ask_send(&t->ask, db, DB_POINT, coalesce_done, t);
}

void coalesce_flush(struct server *s)
{
	struct list *node;

	while ((node = list_take(&s->coalesced)))
		coalesce_send(s->db, list_item(node, struct coalesce, link));
}

enum step coalesce_get(struct req *r, const struct uuid *id)
{
	struct coalesce *t;

	if (r->server->closing) /* no further turn will follow */
		return reply_unavailable(r, ERROR_UNAVAILABLE, reply_stopping);
	t = coalesce_open(r);
	t->ids[t->n] = *id;
	t->members[t->n] = r;
	t->holders++;
	r->db.member = t->n++;
	r->db.row = -1;
	r->db.coalesced = t;
	r->waits_for = "database";
	return WAIT;
}
