/* Notifies requests, followers and other processes of commits. */
#include "server/request/commit_notify.h"

#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/base/loop.h"
#include "server/request/server.h"
#include "store/db_ask.h"

enum { SUBSCRIBERS_MAX = 4, NOTIFY_PAUSE_MS = 10 };

struct commit_notify {
	struct server *server;
	struct {
		commit_notify_fn *fn;
		void *ctx;
	} subscribers[SUBSCRIBERS_MAX];
	int n_subscribers;
	bool woken;        /* subscribers must be called */
	bool tell;         /* other processes must be notified */
	bool waiting;      /* a timer is running */
	int64_t at_us;     /* time of the last NOTIFY */
	struct db_ask ask; /* the running NOTIFY */
};

static void notify_done(struct db_exchange *x)
{
	struct commit_notify *w = x->owner;

	/* A failed NOTIFY is repeated when the connection is restored. */
	if (x->status != DB_OK)
		w->tell = true;
	db_ask_end(&w->ask);
}

static void notify_due(void *ctx)
{
	((struct commit_notify *)ctx)->waiting = false; /* the end of the turn does the rest */
}

static void notify_send(struct commit_notify *w)
{
	int64_t passed_us = clock_mono_us() - w->at_us;
	struct sql *s;

	if (w->ask.busy || w->waiting || db_signal_generation(w->server->db) == 0)
		return;
	if (passed_us < NOTIFY_PAUSE_MS * 1000) {
		w->waiting = true;
		loop_after(w->server->loop, NOTIFY_PAUSE_MS - (int)(passed_us / 1000), notify_due, w);
		return;
	}
	w->tell = false;
	w->at_us = clock_mono_us();
	db_ask_begin(&w->ask);
	s = db_ask_add(&w->ask);
	sql_begin_system(s, &w->ask.arena, "notify");
	sql_add(s, "notify " DB_CHANNEL);
	db_ask_send(&w->ask, w->server->db, DB_SIGNAL, notify_done, w);
}

static void turn_ended(void *ctx)
{
	struct commit_notify *w = ctx;

	if (w->server->closing)
		return;
	if (w->woken) {
		w->woken = false;
		for (int i = 0; i < w->n_subscribers; i++)
			w->subscribers[i].fn(w->subscribers[i].ctx);
	}
	if (w->tell)
		notify_send(w);
}

static void notify_received(void *ctx, enum db_signal what)
{
	struct commit_notify *w = ctx;

	if (what != DB_SIGNAL_DOWN)
		w->woken = true;
}

void commit_notify_start(struct server *s)
{
	struct commit_notify *w = mem_zalloc(sizeof *w);

	w->server = s;
	s->commit_notify = w;
	db_on_signal(s->db, notify_received, w);
	loop_at_turn_end(s->loop, turn_ended, w);
}

void commit_notify_free(struct server *s)
{
	free(s->commit_notify);
	s->commit_notify = NULL;
}

void commit_notify_send(struct server *s)
{
	if (!s->commit_notify)
		return;
	s->commit_notify->woken = true;
	s->commit_notify->tell = true;
}

void commit_notify_subscribe(struct server *s, commit_notify_fn *fn, void *ctx)
{
	struct commit_notify *w = s->commit_notify;

	if (w->n_subscribers == SUBSCRIBERS_MAX)
		fatal_abort("wake: too many subscribers");
	w->subscribers[w->n_subscribers].fn = fn;
	w->subscribers[w->n_subscribers++].ctx = ctx;
}
