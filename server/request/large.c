/* Large batches take turns within a process: see large.h.
 *
 * Several at once would each take a processor and a WRITE connection and would not be done sooner. With 16 clients of 8
 * MiB batches on two cores, another workspace's reads take 10 ms (p99) with turns and 60 ms without. Its creates take
 * 15 ms with turns and 70 ms without. Workspaces take turns, too: after its turn a workspace moves behind all others,
 * and its queue is limited. */
#include "server/request/large.h"

#include "server/base/clock.h"
#include "server/request/server.h"

static struct req *large_request(struct fair_item *turn)
{
	return list_item(turn, struct req, queue.large);
}

/* True when the queue of this workspace, or the queue of all, is full. */
static bool queue_full(const struct server *s, const struct uuid *workspace)
{
	return s->large_waiting.n_items == LARGE_WAITING_MAX ||
	       fair_queue_count(&s->large_waiting, workspace) == LARGE_WAITING_OF_WORKSPACE;
}

static const char large_waits[] = "too many large batches are waiting, or this one has waited too long";

enum step large_turn(struct req *r)
{
	struct server *s = r->server;

	if (!r->given.batch || r->bytes_in < LARGE_BYTES || s->large == r)
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

	for (struct fair_item *turn = fair_queue_first(&s->large_waiting), *next; turn; turn = next) {
		next = fair_item_next(turn);
		if (large_request(turn)->queue.large_since_us <= since_us)
			large_turn_away(large_request(turn));
	}
}

void large_flush(struct server *s)
{
	struct fair_item *first;

	if (s->large_waiting.n_items == 0)
		return;
	end_late(s);
	/* Skips requests of disconnected clients, who may send them again. */
	while (
	    !s->large && (first = fair_queue_first(&s->large_waiting)) && http_disconnected(large_request(first)->call))
		large_turn_away(large_request(first));
	first = s->large ? NULL : fair_queue_take(&s->large_waiting, NULL, NULL);
	if (!first)
		return;
	s->large = large_request(first);
	request_continue(s->large, PASS);
}

void large_stop(struct server *s)
{
	struct fair_item *first;

	while ((first = fair_queue_first(&s->large_waiting)))
		large_turn_away(large_request(first));
}
