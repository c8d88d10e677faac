/* See replica.h. */
#include "server/request/replica.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/built_in.h"
#include "server/base/clock.h"
#include "server/base/loop.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "store/resources.h"

/* The look-up reads the events of one day, or of two around midnight. It reads those since WINDOW_MS before the floor,
 * which is a horizon of FLOOR_MS ago or older. Every snapshot that has reached the floor includes everything older. So
 * a standby may lag by FLOOR_MS for workspaces that have written nothing since. Transactions that change lists end
 * within WINDOW_MS. */
enum { FLOOR_MS = 60000, WINDOW_MS = 2 * 3600000, DAY_MS = 86400000 };

/* When a snapshot on the standby lacked something, newer changes are read on the primary for this time. When the
 * standby did not answer, all lists are. */
enum { BEHIND_US = 10000, SILENT_US = 1000000 };

const char *const replica_results[REPLICA_RESULTS] = {
    [REPLICA_READ] = "read",
    [REPLICA_ABSENT] = "absent",
    [REPLICA_BEHIND] = "behind",
    [REPLICA_AHEAD] = "ahead",
    [REPLICA_FAILED] = "failed",
};

struct replica {
	struct db *db;                    /* NULL after the stop */
	struct horizon_point floor, next; /* next becomes the floor when it is old enough */
	int64_t next_us;
	struct list marks; /* look-ups of this turn of the loop, sent at its end */
	uint64_t xmin;     /* the xmin that the latest insufficient snapshot lacked */
	int64_t behind_until_us, silent_until_us;
	uint64_t counts[REPLICA_RESULTS];
};

/* The look-up on the primary, for all lists of a workspace in a turn of the loop. */
struct replica_mark {
	struct list link;
	struct list readers;
	struct uuid workspace;
	struct horizon_point floor;
	struct db_ask ask;
};

/* One list that is being read; it is allocated in its request's arena. */
struct replica_read {
	struct list link; /* linked with the other readers of its mark */
	struct req *r;
	struct db_ask *list; /* the request's exchange */
	void (*done)(struct db_exchange *x);
	struct horizon_point floor;
	uint64_t least;       /* the xmin of the snapshot must not be below this */
	const char *snapshot; /* the snapshot of the look-up: what still runs there must not be visible */
};

/* --- the standby ------------------------------------------------------------------------- */

void replica_start(struct server *s)
{
	struct db_config lanes;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (!s->config->replica_url)
		return;
	s->replica = mem_zalloc(sizeof *s->replica);
	list_init(&s->replica->marks);
	db_config_default(&lanes, s->config->replica_url, cores > 0 ? (int)cores : 1);
	db_config_replica(&lanes, s->config->replica_url, s->identity);
	s->replica->db = db_open(loop_base(s->loop), &lanes);
}

void replica_stop(struct server *s)
{
	struct db *db = s->replica ? s->replica->db : NULL;

	if (!db)
		return;
	s->replica->db = NULL;
	replica_flush(s);
	db_close(db);
}

void replica_free(struct server *s)
{
	free(s->replica);
	s->replica = NULL;
}

const struct db *replica_db(const struct server *s)
{
	return s->replica ? s->replica->db : NULL;
}

uint64_t replica_count(const struct server *s, enum replica_result result)
{
	return s->replica ? s->replica->counts[result] : 0;
}

/* In a newer generation every position is above all older ones. */
static struct horizon_point replica_floor(struct replica *p, const struct horizon_point *now)
{
	int64_t now_us = clock_mono_us();

	if (p->next.generation != now->generation)
		p->floor = p->next = *now;
	else if (now_us - p->next_us < FLOOR_MS * INT64_C(1000))
		return p->floor;
	p->floor = p->next;
	p->next = *now;
	p->next_us = now_us;
	return p->floor;
}

/* --- which lists ---------------------------------------------------------------------------- */

/* Every change of these resources leaves an event, so the look-up finds it. A search over all kinds reads only these.
 */
static bool replica_has_events(const struct resource *resource)
{
	if (resource == &search_hit_resource)
		return true;
	switch (resource->id_kind) {
	case ID_PERSON:
	case ID_COMPANY:
	case ID_OBJECT:
	case ID_NOTE:
	case ID_TASK:
	case ID_REMINDER:
	case ID_INTERACTION:
		return true;
	default:
		return false;
	}
}

bool replica_takes(const struct req *r)
{
	return route_reads_list(r->route) && !r->tx.session && replica_has_events(r->route->resource);
}

/* --- the primary's last word ------------------------------------------------------------------ */

static void replica_back(struct req *r, enum replica_result why)
{
	struct replica_read *rd = r->db.replica_read;

	r->server->replica->counts[why]++;
	db_exchange_clear(&rd->list->x);
	db_ask_send(rd->list, r->server->db, DB_LIST, rd->done, r);
}

const char *replica_text(struct arena *a, const char *name, int64_t floor_ms, int64_t now_ms, const char **prepared)
{
	char from[DATE_TEXT_SIZE], to[DATE_TEXT_SIZE];
	const char *text = built_in_text(name), *out = "", *at;

	date_format((int32_t)((floor_ms - WINDOW_MS) / DAY_MS), from);
	date_format((int32_t)((now_ms + WINDOW_MS + DAY_MS) / DAY_MS), to);
	for (; (at = strstr(text, ":'")); text = strchr(at + 2, '\'') + 1)
		out = arena_printf(a, "%s%.*s'%s 00:00+00'", out, (int)(at - text), text, at[2] == 'f' ? from : to);
	*prepared = arena_printf(a, "%s:%s:%s", name, from, to);
	return arena_printf(a, "%s%s", out, text);
}

static void mark_done(struct db_exchange *x);
static void mark_send(struct server *s, struct replica_mark *m)
{
	struct arena *a = &m->ask.arena;
	struct sql *sql = db_ask_add(&m->ask);
	const struct replica_read *first = list_item(m->readers.next, struct replica_read, link);
	const char *prepared;
	const char *text =
	    replica_text(a, "replica last_write", m->floor.at_ms, first->r->caller.ticket.now_ms, &prepared);

	sql_begin(sql, a, prepared, &m->workspace);
	sql_int8(sql, m->floor.generation);
	sql_whole(sql, text);
	db_ask_send(&m->ask, s->db, DB_POINT, mark_done, m);
}

void replica_flush(struct server *s)
{
	struct list *node;

	while (s->replica && (node = list_take(&s->replica->marks)))
		mark_send(s, list_item(node, struct replica_mark, link));
}

/* A look-up that was already sent is of no use: it may have read before this request came. */
static void mark_join(struct replica *p, struct replica_read *rd)
{
	struct replica_mark *m;

	list_each(open, &p->marks, struct replica_mark, link)
		if (uuid_equal(&open->workspace, &rd->r->caller.ws->id) &&
		    open->floor.generation == rd->floor.generation) {
			rd->floor = open->floor;
			list_append(&open->readers, &rd->link);
			return;
		}
	m = mem_zalloc(sizeof *m);
	m->workspace = rd->r->caller.ws->id;
	m->floor = rd->floor;
	list_init(&m->readers);
	list_append(&m->readers, &rd->link);
	list_append(&p->marks, &m->link);
	db_ask_begin(&m->ask);
}

/* --- the standby's answer ----------------------------------------------------------------------- */

enum { COL_FOUND, COL_XMIN };
_Static_assert(REPLICA_READ == 0 && REPLICA_BEHIND == 2 && REPLICA_AHEAD == 3, "the numbers in replica.sql");

/* This check comes first in the exchange of the list, which has one snapshot. When that snapshot differs from the
 * primary's, the check hides the workspace from the statements that follow, so that they end at once. */
static struct sql *replica_check_sql(const struct req_caller *caller, struct replica_read *rd)
{
	struct arena *a = &rd->list->arena;
	struct sql *s = arena_alloc(a, sizeof *s);
	const char *prepared;
	const char *text = replica_text(a, "replica check", rd->floor.at_ms, caller->ticket.now_ms, &prepared);

	sql_begin(s, a, prepared, &caller->ws->id);
	sql_int8(s, rd->floor.generation);
	sql_int8(s, (int64_t)rd->least);
	sql_int8(s, caller->ws->version);
	sql_int8(s, strtoll(rd->snapshot, NULL, 10)); /* the text begins with its xmin */
	sql_textz(s, rd->snapshot);
	sql_whole(s, text);
	return s;
}

/* Moves the result of the check to the end, so that the results of the list have their own numbers. */
static void replica_check_last(struct db_exchange *x)
{
	struct db_result *check = x->results[0];

	memmove(x->results, x->results + 1, (size_t)(x->n_statements - 1) * sizeof(struct db_result *));
	x->results[x->n_statements - 1] = check;
}

static void replica_answered(struct req *r, struct db_exchange *x)
{
	struct replica_read *rd = r->db.replica_read;
	struct replica *p = r->server->replica;
	enum replica_result found =
	    db_rows(x, 0) == 1 ? (enum replica_result)db_int(x, 0, 0, COL_FOUND) : REPLICA_BEHIND;

	if (found == REPLICA_BEHIND) {
		p->xmin = db_rows(x, 0) == 1 ? (uint64_t)db_int(x, 0, 0, COL_XMIN) : 0;
		p->behind_until_us = clock_mono_us() + BEHIND_US;
	}
	if (found != REPLICA_READ) {
		replica_back(r, found);
		return;
	}
	p->counts[REPLICA_READ]++;
	replica_check_last(x);
	rd->done(x);
}

static void replica_failed(struct req *r, const struct db_exchange *x)
{
	if (x->status == DB_LOST || strcmp(x->sqlstate, "55P03") == 0) /* waits for a lock that recovery holds */
		r->server->replica->silent_until_us = clock_mono_us() + SILENT_US;
	replica_back(r, REPLICA_FAILED);
}

static void replica_done(struct db_exchange *x)
{
	struct req *r = x->owner;

	r->db.us += x->status == DB_OK ? 0 : x->took_us;
	if (x->status == DB_OK)
		replica_answered(r, x);
	else if (strcmp(x->sqlstate, "57014") == 0 && x->failed > 0 && x->most_ms &&
	         x->took_us >= x->most_ms * INT64_C(1000)) {
		x->failed--;                 /* the number among the list's own statements: see replica_check_last() */
		r->db.replica_read->done(x); /* it has used all the time that it may take on any server */
	} else if (x->status == DB_BUSY)
		replica_back(r, REPLICA_ABSENT);
	else
		replica_failed(r, x);
}

static void replica_ask(struct req *r, const char *snapshot)
{
	struct db_ask *list = r->db.replica_read->list;
	struct db_exchange *x = &list->x;
	struct sql **all = arena_alloc(&list->arena, (size_t)(list->n + 1) * sizeof *all);

	r->db.replica_read->snapshot = arena_printf(&list->arena, "%s", snapshot);
	all[0] = replica_check_sql(&r->caller, r->db.replica_read);
	memcpy(all + 1, list->statements, (size_t)list->n * sizeof *all);
	x->lane = DB_REPLICA;
	x->statements = all;
	x->n_statements = list->n + 1;
	x->done = replica_done;
	x->owner = r;
	db_send(r->server->replica->db, x);
}

static void replica_marked(struct replica *p, struct replica_read *rd, const struct db_exchange *x)
{
	struct req *r = rd->r;
	uint64_t last = x->status == DB_OK && !db_null(x, 0, 0, 0) ? (uint64_t)db_int(x, 0, 0, 0) : 0;

	r->db.us += x->took_us;
	r->db.n_exchanges++;
	rd->least = last < rd->floor.xid ? rd->floor.xid : last + 1;
	if (!p->db || x->status != DB_OK)
		replica_back(r, REPLICA_ABSENT);
	else if (rd->least > p->xmin && clock_mono_us() < p->behind_until_us)
		replica_back(r, REPLICA_BEHIND);
	else
		replica_ask(r, db_text(x, 0, 0, 1, NULL));
}

static void mark_done(struct db_exchange *x)
{
	struct replica_mark *m = x->owner;
	struct list *node;

	while ((node = list_take(&m->readers))) {
		struct replica_read *rd = list_item(node, struct replica_read, link);
		replica_marked(rd->r->server->replica, rd, x);
	}
	db_ask_end(&m->ask);
	free(m);
}

void replica_send(struct req *r, struct db_ask *list, void (*done)(struct db_exchange *x))
{
	struct replica *p = r->server->replica;
	struct replica_read *rd = arena_alloc(&r->arena, sizeof *rd);

	*rd = (struct replica_read){.r = r, .list = list, .done = done};
	rd->floor = replica_floor(p, &r->caller.ticket.horizon);
	r->db.replica_read = rd;
	if (p->db && db_ready(p->db) && clock_mono_us() >= p->silent_until_us)
		mark_join(p, rd);
	else
		replica_back(r, REPLICA_ABSENT);
}
