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
	int all = 0, own = 0;

	for (struct list *node = s->large_waiting.next; node != &s->large_waiting; node = node->next, all++)
		own += uuid_equal(&list_item(node, struct req, queue.large)->caller.ws->id, workspace);
	return all == LARGE_WAITING_MAX || own == LARGE_WAITING_OF_WORKSPACE;
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
	list_append(&s->large_waiting, &r->queue.large);
	r->queue.large_since_us = clock_mono_us();
	r->next--;
	r->waits_for = "turn of large batches";
	return WAIT;
}

/* Moves a workspace's requests to the end of the queue, in their order. */
static void large_go_behind(struct server *s, const struct uuid *workspace)
{
	struct list own;

	list_init(&own);
	for (struct list *node = s->large_waiting.next, *next; node != &s->large_waiting; node = next) {
		next = node->next;
		if (!uuid_equal(&list_item(node, struct req, queue.large)->caller.ws->id, workspace))
			continue;
		list_remove(node);
		list_append(&own, node);
	}
	while (!list_empty(&own))
		list_append(&s->large_waiting, list_take(&own));
}

void large_release(struct req *r)
{
	struct server *s = r->server;

	if (s->large != r)
		return;
	s->large = NULL;
	large_go_behind(s, &r->caller.ws->id);
}

static void large_turn_away(struct list *node)
{
	struct req *r = list_item(node, struct req, queue.large);

	list_remove(node);
	request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, large_waits));
}

/* Refuses the requests that have waited too long, as the lane's queue does. */
static void end_late(struct server *s)
{
	int64_t since_us = clock_mono_us() - LARGE_WAIT_MS * INT64_C(1000);

	for (struct list *node = s->large_waiting.next, *next; node != &s->large_waiting; node = next) {
		next = node->next;
		if (list_item(node, struct req, queue.large)->queue.large_since_us <= since_us)
			large_turn_away(node);
	}
}

void large_flush(struct server *s)
{
	struct list *all = &s->large_waiting;

	if (list_empty(all))
		return;
	end_late(s);
	/* Skips requests of disconnected clients, who may send them again. */
	while (!s->large && !list_empty(all) && http_disconnected(list_item(all->next, struct req, queue.large)->call))
		large_turn_away(all->next);
	if (s->large || list_empty(all))
		return;
	s->large = list_item(list_take(all), struct req, queue.large);
	request_continue(s->large, PASS);
}

void large_stop(struct server *s)
{
	while (!list_empty(&s->large_waiting))
		large_turn_away(s->large_waiting.next);
}
