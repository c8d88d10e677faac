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
	POLL_MAX = 64,        /* workspaces per query */
	TICK_MS = 50,         /* precision of deadlines */
	GONE_TICKS = 20,      /* ticks between checks for disconnected clients */
	IDLE_MS = 500,        /* interval of polls without a notification, because notifications may be lost */
	KEYS_US = 400 * 1000, /* least time between two polls that also look at the keys */
	PAUSE_MS = 5,         /* pause before the next poll for events that are not readable yet; it doubles up to: */
	PAUSE_MOST_MS = 200,
	READING_MAX = 64 /* limit on queued reads in the lane */
};

struct event_waits {
	struct server *server;
	struct fair_queue waiting; /* by workspace */
	struct list places;        /* requests that keep their place, whatever they do */
	bool ticking, notified;
	bool poll_scheduled;   /* a timer for the next poll is running */
	bool resume_scheduled; /* a timer for requests that could not read yet is running */
	bool unreadable;       /* some workspace of this round has events that are not readable yet */
	uint64_t round;        /* number of the round */
	unsigned ticks;
	int64_t poll_at_us; /* time of the next poll without a notification */
	int64_t keys_at_us; /* time of the next poll that looks at the keys */
	int pause_ms;

	bool with_keys; /* the running round looks at the keys */
	struct uuid workspaces[POLL_MAX];
	int n_keys[POLL_MAX]; /* keys of the workspace that the running poll looks at */
	struct db_ask ask;    /* the running poll */
};

/* Takes the request out of the queue. */
static void wait_take(struct feed *f)
{
	fair_item_leave(&f->turn);
	if (f->place != FEED_NO_PLACE)
		f->place = FEED_READS;
}

/* --- resuming ------------------------------------------------------------------------------- */

static void wait_resume_later(void *ctx);

static struct feed *wait_first_ready(struct event_waits *w)
{
	fair_each(f, &w->waiting, struct feed, turn)
		if (f->ready)
			return f;
	return NULL;
}

/* Lets as many requests read as the lane has room for. Workspaces take turns, and the other requests read a little
 * later. */
static void wait_resume(struct event_waits *w)
{
	struct db_stats stats;
	struct feed *f;
	int room;

	db_stats_get(w->server->db, &stats);
	room = READING_MAX - stats.waiting[DB_FEED];
	while ((f = wait_first_ready(w)) && room-- > 0) {
		struct uuid workspace = f->r->caller.ws->id;
		wait_take(f);
		fair_queue_go_behind(&w->waiting, &workspace);
		f->resume(f->r, true);
	}
	if (f && !w->resume_scheduled) {
		w->resume_scheduled = true;
		loop_after(w->server->loop, PAUSE_MS, wait_resume_later, w);
	}
}

static void wait_resume_later(void *ctx)
{
	struct event_waits *w = ctx;

	w->resume_scheduled = false;
	wait_resume(w);
}

/* --- polls ---------------------------------------------------------------------------------- */

/* Collects the workspaces that were not polled in this round, with the earliest position of each. The requests of a
 * workspace follow each other in the queue. */
static int wait_gather(struct event_waits *w, struct event_position *from)
{
	int n = 0;

	fair_each(f, &w->waiting, struct feed, turn) {
		const struct uuid *workspace = &f->r->caller.ws->id;

		if (f->round == w->round || f->ready)
			continue;
		if (n == 0 || !uuid_equal(&w->workspaces[n - 1], workspace)) {
			if (n == POLL_MAX)
				break;
			w->workspaces[n] = *workspace;
			from[n++] = f->at;
		}
		if (event_position_compare(&f->at, &from[n - 1]) < 0)
			from[n - 1] = f->at;
		f->round = w->round;
	}
	return n;
}

/* The number of keys that are still valid, of those with which requests of the workspace wait. */
static void wait_keys_sql(struct event_waits *w, int i, struct sql *s)
{
	const void *hashes[EVENT_WAITS_MAX];
	size_t lens[EVENT_WAITS_MAX], n = 0;
	int64_t counts[EVENT_WAITS_MAX];

	fair_each(f, &w->waiting, struct feed, turn) {
		if (n == EVENT_WAITS_MAX || !w->with_keys || !uuid_equal(&f->r->caller.ws->id, &w->workspaces[i]))
			continue;
		hashes[n] = f->r->caller.ticket.key_hash;
		lens[n] = ADMISSION_KEY_SIZE;
		counts[n++] = 1;
	}
	w->n_keys[i] = (int)n;
	sql_add(s, ", (select count(*) from kith_keys(");
	sql_bytea_array(s, hashes, lens, n);
	sql_add(s, ", ");
	sql_int8_array(s, counts, n);
	sql_add(s, "))");
}

static void wait_poll_sql(struct event_waits *w, int i, const struct event_position *from)
{
	struct sql *s = db_ask_add(&w->ask);

	sql_begin(s, &w->ask.arena, event_position_set(from) ? "events_poll" : "events_poll_first", &w->workspaces[i]);
	sql_add(s, "select exists (select from events e where e.workspace_id = $1 and e.webhook_id is null");
	event_row_after(s, from);
	sql_add(s,
	    "), exists (select from events e where e.workspace_id = $1 "
	    "and (e.generation, e.xid) >= (kith_generation(), "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint) and e.created_at >= now() - interval '1 day')");
	wait_keys_sql(w, i, s);
}

static void wait_polled(struct db_exchange *x);

static bool wait_poll(struct event_waits *w)
{
	struct event_position from[POLL_MAX];
	int n = wait_gather(w, from);

	if (n == 0)
		return false;
	db_ask_begin(&w->ask);
	for (int i = 0; i < n; i++)
		wait_poll_sql(w, i, &from[i]);
	db_ask_send(&w->ask, w->server->db, DB_POINT, wait_polled, w);
	return true;
}

static void wait_begin_round(struct event_waits *w)
{
	int64_t now_us = clock_mono_us();

	if (w->ask.busy || w->waiting.n_items == 0 || w->server->closing)
		return;
	w->notified = false;
	w->unreadable = false;
	w->round++;
	w->poll_at_us = now_us + IDLE_MS * INT64_C(1000);
	w->with_keys = now_us >= w->keys_at_us;
	if (w->with_keys)
		w->keys_at_us = now_us + KEYS_US;
	wait_poll(w);
}

static void wait_poll_again(void *ctx)
{
	struct event_waits *w = ctx;

	w->poll_scheduled = false;
	wait_begin_round(w);
}

static void wait_end_round(struct event_waits *w)
{
	if (w->notified) {
		w->pause_ms = PAUSE_MS;
		wait_begin_round(w);
	} else if (w->unreadable && !w->poll_scheduled) {
		w->poll_scheduled = true;
		loop_after(w->server->loop, w->pause_ms, wait_poll_again, w);
		w->pause_ms = w->pause_ms * 2 < PAUSE_MOST_MS ? w->pause_ms * 2 : PAUSE_MOST_MS;
	}
}

/* A failed poll counts as one without new events; the timer starts the next poll. */
static void wait_polled(struct db_exchange *x)
{
	struct event_waits *w = x->owner;

	for (int i = 0; x->status == DB_OK && i < x->n_statements; i++) {
		bool key_ended = db_int(x, i, 0, 2) < w->n_keys[i];
		w->unreadable |= db_bool(x, i, 0, 1);
		if (!db_bool(x, i, 0, 0) && !key_ended)
			continue;
		fair_each(f, &w->waiting, struct feed, turn) {
			if (!uuid_equal(&f->r->caller.ws->id, &w->workspaces[i]))
				continue;
			f->ready = true;
			f->key_doubtful |= key_ended;
		}
	}
	db_ask_end(&w->ask);
	if (w->server->closing)
		return;
	wait_resume(w);
	if (!wait_poll(w))
		wait_end_round(w);
}

static void wait_notified(void *ctx)
{
	struct event_waits *w = ctx;

	w->notified = true;
	w->pause_ms = PAUSE_MS;
	wait_begin_round(w);
}

/* --- time ------------------------------------------------------------------------------------- */

static void wait_tick(void *ctx);

static void wait_tick_later(struct event_waits *w)
{
	if (w->ticking || (w->waiting.n_items == 0 && list_empty(&w->places)))
		return;
	w->ticking = true;
	loop_after(w->server->loop, TICK_MS, wait_tick, w);
}

/* Requests whose pause is over wait; requests whose clients have disconnected end. */
static void wait_tick_places(struct event_waits *w, int64_t now_us, bool ask_gone)
{
	list_each(f, &w->places, struct feed, places) {
		if (f->place == FEED_RESTS && now_us >= f->rests_until_us)
			event_wait(f->r, f);
		else if (f->place == FEED_SENDS && ask_gone && http_disconnected(f->r->call))
			f->resume(f->r, false);
	}
}

static void wait_tick(void *ctx)
{
	struct event_waits *w = ctx;
	int64_t now_us = clock_mono_us();
	bool ask_gone = ++w->ticks % GONE_TICKS == 0;

	w->ticking = false;
	fair_each(f, &w->waiting, struct feed, turn) {
		if (now_us < f->until_us && !(ask_gone && http_disconnected(f->r->call)))
			continue;
		wait_take(f);
		f->resume(f->r, false);
	}
	wait_tick_places(w, now_us, ask_gone);
	if (now_us >= w->poll_at_us)
		wait_begin_round(w);
	wait_tick_later(w);
}

/* --- places ----------------------------------------------------------------------------------- */

struct wait_count {
	int all, of_user, of_workspace;
};

static void wait_count_add(struct wait_count *n, const struct req *r, const struct feed *f)
{
	n->all++;
	n->of_user += uuid_equal(&f->r->caller.viewer.user, &r->caller.viewer.user);
	n->of_workspace += uuid_equal(&f->r->caller.ws->id, &r->caller.ws->id);
}

static bool wait_has_room(struct event_waits *w, const struct req *r)
{
	struct wait_count n = {0};

	fair_each(f, &w->waiting, struct feed, turn)
		if (f->place == FEED_NO_PLACE)
			wait_count_add(&n, r, f);
	list_each(f, &w->places, struct feed, places)
		wait_count_add(&n, r, f);
	return n.all < EVENT_WAITS_MAX && n.of_user < EVENT_WAITS_OF_USER && n.of_workspace < EVENT_WAITS_OF_WORKSPACE;
}

bool event_wait(struct req *r, struct feed *f)
{
	struct event_waits *w = r->server->event_waits;

	if (f->place == FEED_NO_PLACE && !wait_has_room(w, r))
		return false;
	if (f->place != FEED_NO_PLACE)
		f->place = FEED_WAITS;
	f->ready = false;
	f->round = 0;
	r->waits_for = "events";
	fair_queue_add(&w->waiting, &r->caller.ws->id, &f->turn);
	wait_tick_later(w);
	/* A commit between the read and this point may have been announced already. */
	w->notified = true;
	wait_begin_round(w);
	return true;
}

bool event_wait_enter(struct req *r, struct feed *f)
{
	struct event_waits *w = r->server->event_waits;

	if (!wait_has_room(w, r))
		return false;
	f->place = FEED_READS;
	list_append(&w->places, &f->places);
	wait_tick_later(w);
	return true;
}

void event_wait_place(struct feed *f, enum feed_place place)
{
	f->place = place;
	f->r->waits_for = place == FEED_SENDS ? "client" : "events";
	if (place == FEED_NO_PLACE)
		list_remove(&f->places);
}

/* --- start and stop ------------------------------------------------------------------------------ */

void event_waits_start(struct server *s)
{
	struct event_waits *w = mem_zalloc(sizeof *w);

	w->server = s;
	w->pause_ms = PAUSE_MS;
	fair_queue_init(&w->waiting);
	list_init(&w->places);
	s->event_waits = w;
	commit_notify_subscribe(s, wait_notified, w);
}

void event_waits_stop(struct server *s)
{
	struct event_waits *w = s->event_waits;
	struct feed *first;

	while ((first = fair_as(fair_queue_first(&w->waiting), struct feed, turn))) {
		wait_take(first);
		first->resume(first->r, false);
	}
	list_each(f, &w->places, struct feed, places)
		if (f->place != FEED_READS) /* those that keep their place see for themselves that the server stops */
			f->resume(f->r, false);
}

void event_waits_free(struct server *s)
{
	free(s->event_waits);
	s->event_waits = NULL;
}
