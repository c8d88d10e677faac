/* Notifies requests, followers and other processes of commits. */
#include "server/request/commit_notify.h"

#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/base/loop.h"
#include "server/request/server.h"
#include "store/db_ask.h"

enum { SUBSCRIBERS_MAX = 4, NOTIFY_PAUSE_MS = 10 };

struct wake {
	struct server *server;
	struct {
		wake_fn *fn;
		void *ctx;
	} subscribers[SUBSCRIBERS_MAX];
	int n_subscribers;
	bool woken;        /* subscribers are to be called */
	bool tell;         /* other processes are to be notified */
	bool waiting;      /* a timer is running */
	int64_t at_us;     /* of the last NOTIFY */
	struct db_ask ask; /* a NOTIFY */
};

static void told(struct db_exchange *x)
{
	struct wake *w = x->owner;

	/* A failed NOTIFY is repeated when the connection is back. */
	if (x->status != DB_OK)
		w->tell = true;
	db_ask_end(&w->ask);
}

static void waited(void *ctx)
{
	((struct wake *)ctx)->waiting = false; /* the turn's end does the rest */
}

static void tell(struct wake *w)
{
	int64_t passed_us = clock_mono_us() - w->at_us;
	struct sql *s;

	if (w->ask.busy || w->waiting || db_signal_generation(w->server->db) == 0)
		return;
	if (passed_us < NOTIFY_PAUSE_MS * 1000) {
		w->waiting = true;
		loop_after(w->server->loop, NOTIFY_PAUSE_MS - (int)(passed_us / 1000), waited, w);
		return;
	}
	w->tell = false;
	w->at_us = clock_mono_us();
	db_ask_begin(&w->ask);
	s = db_ask_add(&w->ask);
	sql_begin_system(s, &w->ask.arena, "notify");
	sql_add(s, "notify " DB_CHANNEL);
	db_ask_send(&w->ask, w->server->db, DB_SIGNAL, told, w);
}

static void turn_ended(void *ctx)
{
	struct wake *w = ctx;

	if (w->server->closing)
		return;
	if (w->woken) {
		w->woken = false;
		for (int i = 0; i < w->n_subscribers; i++)
			w->subscribers[i].fn(w->subscribers[i].ctx);
	}
	if (w->tell)
		tell(w);
}

static void signalled(void *ctx, enum db_signal what)
{
	struct wake *w = ctx;

	if (what != DB_SIGNAL_DOWN)
		w->woken = true;
}

void wake_start(struct server *s)
{
	struct wake *w = mem_zalloc(sizeof *w);

	w->server = s;
	s->wake = w;
	db_on_signal(s->db, signalled, w);
	loop_at_turn_end(s->loop, turn_ended, w);
}

void wake_free(struct server *s)
{
	free(s->wake);
	s->wake = NULL;
}

void wake_committed(struct server *s)
{
	if (!s->wake)
		return;
	s->wake->woken = true;
	s->wake->tell = true;
}

void wake_subscribe(struct server *s, wake_fn *fn, void *ctx)
{
	struct wake *w = s->wake;

	if (w->n_subscribers == SUBSCRIBERS_MAX)
		fatal("wake: too many subscribers");
	w->subscribers[w->n_subscribers].fn = fn;
	w->subscribers[w->n_subscribers++].ctx = ctx;
}
