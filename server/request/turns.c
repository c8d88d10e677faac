/* Exclusive transactions take turns; see turns.h. */
#include "server/request/turns.h"

#include "server/base/clock.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

static const char turns_waits[] = "too many exclusive changes are waiting, or this one has waited too long";

/* The change that runs in the workspace, or waits for its lock; NULL: none. */
static struct req *turns_running(struct server *s, const struct uuid *workspace)
{
	list_each(r, &s->turns_running, struct req, queue.turn)
		if (uuid_equal(&r->caller.ws->id, workspace))
			return r;
	return NULL;
}

static bool turns_full(struct server *s, const struct req *r)
{
	int own = 0;

	list_each(other, &s->turns_waiting, const struct req, queue.turn)
		own += uuid_equal(&other->caller.ws->id, &r->caller.ws->id) &&
		       uuid_equal(&other->caller.viewer.user, &r->caller.viewer.user);
	return own >= TURNS_WAITING_OF_USER;
}

static void turns_begin(struct server *s, struct req *r)
{
	list_append(&s->turns_running, &r->queue.turn);
	r->queue.turn_of = TURN_RUNS;
}

bool turns_enter(struct req *r)
{
	struct server *s = r->server;

	if (!r->tx.exclusive || r->given.dry || r->queue.turn_of == TURN_RUNS)
		return true;
	if (!turns_running(s, &r->caller.ws->id)) {
		turns_begin(s, r);
		return true;
	}
	r->queue.turn_of = turns_full(s, r) ? TURN_REFUSED : TURN_WAITS;
	list_append(&s->turns_waiting,
	    &r->queue.turn); /* turns_flush() answers a refused request, because a step must not do that */
	r->queue.turn_since_us = clock_mono_us();
	r->waits_for = "turn of exclusive changes";
	return false;
}

/* The first request of another user, else the first request. */
static struct req *turns_next(struct server *s, const struct req *last)
{
	struct req *first = NULL;

	list_each(r, &s->turns_waiting, struct req, queue.turn) {
		if (r->queue.turn_of != TURN_WAITS || !uuid_equal(&r->caller.ws->id, &last->caller.ws->id))
			continue;
		if (!uuid_equal(&r->caller.viewer.user, &last->caller.viewer.user))
			return r;
		first = first ? first : r;
	}
	return first;
}

void turns_release(struct req *r)
{
	bool ran = r->queue.turn_of == TURN_RUNS;
	struct req *next;

	if (r->queue.turn_of == TURN_NONE)
		return;
	list_remove(&r->queue.turn);
	r->queue.turn_of = TURN_NONE;
	next = ran ? turns_next(r->server, r) : NULL;
	if (!next)
		return;
	list_remove(&next->queue.turn);
	turns_begin(r->server, next);
	transaction_send(next);
}

static void turns_turn_away(struct req *r)
{
	list_remove(&r->queue.turn);
	r->queue.turn_of = TURN_NONE;
	r->tx.opening = false;
	exchange_forget_statements(&r->db);
	request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, turns_waits));
}

void turns_flush(struct server *s)
{
	int64_t since_us = clock_mono_us() - TURNS_WAIT_MS * INT64_C(1000);

	list_each(r, &s->turns_waiting, struct req, queue.turn) {
		/* The client may have disconnected; it may send the request again. */
		if (r->queue.turn_of == TURN_REFUSED || r->queue.turn_since_us <= since_us ||
		    http_disconnected(r->call))
			turns_turn_away(r);
	}
}

void turns_stop(struct server *s)
{
	while (!list_empty(&s->turns_waiting))
		turns_turn_away(list_item(s->turns_waiting.next, struct req, queue.turn));
}
