/* Requests that wait for events. */
#include "server/event/wait.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/loop.h"
#include "server/request/server.h"
#include "server/request/commit_notify.h"
#include "store/db_ask.h"

enum {
	LOOK_MAX = 64,   /* workspaces in one exchange */
	TICK_MS = 50,    /* how exact deadlines are */
	GONE_TICKS = 20, /* between looks whether clients are still there */
	IDLE_MS = 1000,  /* between looks that nothing gave rise to: a word of a commit may be lost */
	SOON_MS = 5,     /* before the second look for what is not readable yet; doubled up to: */
	SOON_MOST_MS = 200,
	READING_MAX = 64 /* waiting for a connection of the lane: more would be too many */
};

struct event_waits {
	struct server *server;
	struct list waiting; /* a workspace's by arrival; whose turn it was stand last */
	int count;
	bool ticking, woken, looking;
	bool soon;      /* a timer for the next look runs */
	bool going_on;  /* and one for those that could not go on at once */
	bool pending;   /* of the round: some workspace has events that are not readable yet */
	uint64_t round; /* of looks */
	unsigned ticks;
	int64_t look_at_us; /* the next one that nothing gives rise to */
	int soon_ms;

	struct uuid workspaces[LOOK_MAX];
	struct db_ask ask; /* the look under way */
};

static struct feed *feed_of(struct list *node)
{
	return list_item(node, struct feed, link);
}

/* --- going on ------------------------------------------------------------------------------- */

static void leave(struct event_waits *w, struct feed *f)
{
	list_remove(&f->link);
	w->count--;
}

static void go_on_later(void *ctx);

/* All of its workspace go behind those of others, and stay in their order. */
static void go_behind(struct event_waits *w, const struct uuid *workspace)
{
	struct list own;

	list_init(&own);
	for (struct list *node = w->waiting.next, *next; node != &w->waiting; node = next) {
		next = node->next;
		if (!uuid_equal(&feed_of(node)->r->ws->id, workspace))
			continue;
		list_remove(node);
		list_append(&own, node);
	}
	while (!list_empty(&own))
		list_append(&w->waiting, list_take(&own));
}

static struct feed *first_ready(struct event_waits *w)
{
	for (struct list *node = w->waiting.next; node != &w->waiting; node = node->next)
		if (feed_of(node)->ready)
			return feed_of(node);
	return NULL;
}

/* As many as the lane has room for, in turn of their workspaces; the others a little later. */
static void go_on(struct event_waits *w)
{
	struct db_stats stats;
	struct feed *f;
	int room;

	db_stats_get(w->server->db, &stats);
	room = READING_MAX - stats.waiting[DB_FEED];
	while ((f = first_ready(w)) && room-- > 0) {
		struct uuid workspace = f->r->ws->id;
		leave(w, f);
		go_behind(w, &workspace);
		event_feed_read_again(f->r);
	}
	if (f && !w->going_on) {
		w->going_on = true;
		loop_after(w->server->loop, SOON_MS, go_on_later, w);
	}
}

static void go_on_later(void *ctx)
{
	struct event_waits *w = ctx;

	w->going_on = false;
	go_on(w);
}

/* --- looking -------------------------------------------------------------------------------- */

static int workspace_of(const struct event_waits *w, int n, const struct feed *f)
{
	int i = 0;

	while (i < n && !uuid_equal(&w->workspaces[i], &f->r->ws->id))
		i++;
	return i;
}

/* Some workspaces that this round has not looked at, and the earliest position of each. */
static int gather(struct event_waits *w, struct event_position *from)
{
	int n = 0;

	for (struct list *node = w->waiting.next; node != &w->waiting; node = node->next) {
		struct feed *f = feed_of(node);
		int i;
		if (f->round == w->round || f->ready)
			continue;
		i = workspace_of(w, n, f);
		if (i == LOOK_MAX)
			continue;
		if (i == n) {
			w->workspaces[n++] = f->r->ws->id;
			from[i] = f->at;
		}
		if (event_position_compare(&f->at, &from[i]) < 0)
			from[i] = f->at;
		f->round = w->round;
	}
	return n;
}

static void look_sql(struct event_waits *w, int i, const struct event_position *from)
{
	struct sql *s = db_ask_add(&w->ask);

	sql_begin(s, &w->ask.arena, event_position_set(from) ? "events_look" : "events_look_first", &w->workspaces[i]);
	sql_add(s, "select exists (select from events e where e.workspace_id = $1 and e.webhook_id is null");
	event_row_after(s, from);
	sql_add(s,
	    "), exists (select from events e where e.workspace_id = $1 "
	    "and (e.generation, e.xid) >= (kith_generation(), "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint) and e.created_at >= now() - interval '1 day')");
}

static void looked(struct db_exchange *x);

static bool look(struct event_waits *w)
{
	struct event_position from[LOOK_MAX];
	int n = gather(w, from);

	if (n == 0)
		return false;
	db_ask_begin(&w->ask);
	for (int i = 0; i < n; i++)
		look_sql(w, i, &from[i]);
	w->looking = true;
	db_ask_send(&w->ask, w->server->db, DB_POINT, looked, w);
	return true;
}

static void begin_round(struct event_waits *w)
{
	if (w->looking || w->server->closing)
		return;
	w->woken = false;
	w->pending = false;
	w->round++;
	w->look_at_us = clock_mono_us() + IDLE_MS * INT64_C(1000);
	look(w);
}

static void look_soon(void *ctx)
{
	struct event_waits *w = ctx;

	w->soon = false;
	if (w->count > 0)
		begin_round(w);
}

static void end_round(struct event_waits *w)
{
	if (w->woken) {
		w->soon_ms = SOON_MS;
		begin_round(w);
	} else if (w->pending && !w->soon) {
		w->soon = true;
		loop_after(w->server->loop, w->soon_ms, look_soon, w);
		w->soon_ms = w->soon_ms * 2 < SOON_MOST_MS ? w->soon_ms * 2 : SOON_MOST_MS;
	}
}

/* A look that failed is one without news: the next comes by itself. */
static void looked(struct db_exchange *x)
{
	struct event_waits *w = x->owner;

	w->looking = false;
	for (int i = 0; x->status == DB_OK && i < x->n_statements; i++) {
		bool news = db_bool(x, i, 0, 0);
		w->pending |= db_bool(x, i, 0, 1);
		for (struct list *node = w->waiting.next; news && node != &w->waiting; node = node->next)
			if (uuid_equal(&feed_of(node)->r->ws->id, &w->workspaces[i]))
				feed_of(node)->ready = true;
	}
	db_ask_end(&w->ask);
	if (w->server->closing)
		return;
	go_on(w);
	if (!look(w))
		end_round(w);
}

static void woken(void *ctx)
{
	struct event_waits *w = ctx;

	w->woken = true;
	w->soon_ms = SOON_MS;
	if (w->count > 0)
		begin_round(w);
}

/* --- time ------------------------------------------------------------------------------------- */

static void tick(void *ctx)
{
	struct event_waits *w = ctx;
	int64_t now_us = clock_mono_us();
	bool ask_gone = ++w->ticks % GONE_TICKS == 0;

	w->ticking = false;
	for (struct list *node = w->waiting.next, *next; node != &w->waiting; node = next) {
		struct feed *f = feed_of(node);
		next = node->next;
		if (now_us < f->until_us && !(ask_gone && http_gone(f->r->call)))
			continue;
		leave(w, f);
		event_feed_end_wait(f->r);
	}
	if (w->count == 0)
		return;
	if (now_us >= w->look_at_us)
		begin_round(w);
	if (w->count > 0 && !w->ticking) {
		w->ticking = true;
		loop_after(w->server->loop, TICK_MS, tick, w);
	}
}

bool event_wait(struct req *r, struct feed *f)
{
	struct event_waits *w = r->server->event_waits;
	int of_user = 0, of_workspace = 0;

	for (struct list *node = w->waiting.next; node != &w->waiting; node = node->next) {
		of_user += uuid_equal(&feed_of(node)->r->viewer.user, &r->viewer.user);
		of_workspace += uuid_equal(&feed_of(node)->r->ws->id, &r->ws->id);
	}
	if (w->count >= EVENT_WAITS_MAX || of_user >= EVENT_WAITS_OF_USER || of_workspace >= EVENT_WAITS_OF_WORKSPACE)
		return false;
	f->ready = false;
	f->round = 0;
	list_append(&w->waiting, &f->link);
	w->count++;
	if (!w->ticking) {
		w->ticking = true;
		loop_after(w->server->loop, TICK_MS, tick, w);
	}
	/* What was committed while it read may have been woken for already. */
	if (!w->looking)
		begin_round(w);
	else
		w->woken = true;
	return true;
}

/* --- start and stop ------------------------------------------------------------------------------ */

void event_waits_start(struct server *s)
{
	struct event_waits *w = mem_zalloc(sizeof *w);

	w->server = s;
	w->soon_ms = SOON_MS;
	list_init(&w->waiting);
	s->event_waits = w;
	wake_subscribe(s, woken, w);
}

void event_waits_stop(struct server *s)
{
	struct list *node;

	while ((node = list_take(&s->event_waits->waiting))) {
		s->event_waits->count--;
		event_feed_end_wait(feed_of(node)->r);
	}
}

void event_waits_free(struct server *s)
{
	free(s->event_waits);
	s->event_waits = NULL;
}
