/* Large batches take turns within a process: see large.h.
 *
 * Several at once would each take a processor and a WRITE connection and would not be done sooner. With 16 clients of 8
 * MiB batches on two cores, another workspace's reads take 10 ms (p99) with turns and 60 ms without. Its creates take
 * 15 ms with turns and 70 ms without. Workspaces take turns, too: after its turn a workspace moves behind all others,
 * and its queue is limited. */
#include "server/request/large.h"

#include "server/base/clock.h"
#include "server/request/server.h"

/* True when the queue of this workspace, or the queue of all, is full. */
static bool queue_full(const struct server *s, const struct uuid *workspace)
{
	return s->large_waiting.n_items == LARGE_WAITING_MAX ||
	       fair_queue_count(&s->large_waiting, workspace) == LARGE_WAITING_OF_WORKSPACE;
}

static const char large_waits[] = "too many large batches are waiting, or this one has waited too long";

/* Calendars take turns because each is held in memory until it is sent: many at once would need too much. */
enum step large_take_turn(struct req *r)
{
	struct server *s = r->server;

	if (s->large == r)
		return PASS;
	if (!s->large) {
		s->large = r;
		return PASS;
	}
	if (s->closing || queue_full(s, &r->caller.ws->id))
		return reply_unavailable(r, ERROR_UNAVAILABLE, large_waits);
	fair_queue_add(&s->large_waiting, &r->caller.ws->id, &r->queue.large);
	r->queue.large_since_us = clock_mono_us();
	r->next--;
	r->waits_for = "turn of large batches";
	return WAIT;
}

enum step large_turn(struct req *r)
{
	return r->given.batch && r->bytes_in >= LARGE_BYTES ? large_take_turn(r) : PASS;
}

void large_release(struct req *r)
{
	struct server *s = r->server;

	if (s->large != r)
		return;
	s->large = NULL;
	fair_queue_go_behind(&s->large_waiting, &r->caller.ws->id);
}

static void large_turn_away(struct req *r)
{
	fair_item_leave(&r->queue.large);
	request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, large_waits));
}

/* Refuses the requests that have waited too long, as the lane's queue does. */
static void end_late(struct server *s)
{
	int64_t since_us = clock_mono_us() - LARGE_WAIT_MS * INT64_C(1000);

	fair_each(r, &s->large_waiting, struct req, queue.large)
		if (r->queue.large_since_us <= since_us)
			large_turn_away(r);
}

static struct req *large_first(struct server *s)
{
	return fair_as(fair_queue_first(&s->large_waiting), struct req, queue.large);
}

void large_flush(struct server *s)
{
	struct req *first;

	if (s->large_waiting.n_items == 0)
		return;
	end_late(s);
	/* Skips requests of disconnected clients, who may send them again. */
	while (!s->large && (first = large_first(s)) && http_disconnected(first->call))
		large_turn_away(first);
	first = large_first(s);
	if (s->large || !first)
		return;
	fair_item_leave(&first->queue.large);
	s->large = first;
	request_continue(first, PASS);
}

void large_stop(struct server *s)
{
	struct req *first;

	while ((first = large_first(s)))
		large_turn_away(first);
}
