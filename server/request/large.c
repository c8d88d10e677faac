/* Large batches take turns within a process: see large.h.
 *
 * Several at once take a processor and a WRITE connection each and are not done sooner: with 16 clients of 8 MiB
 * batches on two cores, another workspace's reads take 10 ms (p99) with turns and 60 without, its creates 15 and 70.
 * Workspaces take turns, too: after its turn a workspace moves behind all others, and its queue is limited. */
#include "server/request/large.h"

#include "server/base/clock.h"
#include "server/request/server.h"

enum { LOOK_US = 50 * 1000 };

static int waiting_of(const struct server *s, const struct uuid *workspace)
{
	int n = 0;

	for (struct list *node = s->large_waiting.next; node != &s->large_waiting; node = node->next)
		n += uuid_equal(&list_item(node, struct req, large)->ws->id, workspace);
	return n;
}

enum step large_turn(struct req *r)
{
	struct server *s = r->server;

	if (!r->batch || r->bytes_in < LARGE_BYTES || s->large == r)
		return PASS;
	if (!s->large) {
		s->large = r;
		return PASS;
	}
	if (s->closing || s->n_large_waiting == LARGE_WAITING_MAX ||
	    waiting_of(s, &r->ws->id) == LARGE_WAITING_OF_WORKSPACE)
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	list_append(&s->large_waiting, &r->large);
	s->n_large_waiting++;
	r->large_since_us = clock_mono_us();
	r->next--;
	return WAIT;
}

/* Moves a workspace's requests to the end of the queue, in their order. */
static void large_go_behind(struct server *s, const struct uuid *workspace)
{
	struct list own;

	list_init(&own);
	for (struct list *node = s->large_waiting.next, *next; node != &s->large_waiting; node = next) {
		next = node->next;
		if (!uuid_equal(&list_item(node, struct req, large)->ws->id, workspace))
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
	large_go_behind(s, &r->ws->id);
}

/* Takes the next one from the queue; NULL: none waits. */
static struct req *large_next_waiting(struct server *s)
{
	struct list *node = list_take(&s->large_waiting);

	s->n_large_waiting -= node != NULL;
	return node ? list_item(node, struct req, large) : NULL;
}

static void large_turn_away(struct req *r)
{
	request_continue(r, reply_error(r, ERROR_UNAVAILABLE, NULL));
}

/* Refuses those that have waited too long, as the lane's queue does. */
static void end_late(struct server *s)
{
	int64_t now_us = clock_mono_us();

	if (now_us < s->large_look_us)
		return;
	s->large_look_us = now_us + LOOK_US;
	for (struct list *node = s->large_waiting.next, *next; node != &s->large_waiting; node = next) {
		struct req *r = list_item(node, struct req, large);
		next = node->next;
		if (now_us - r->large_since_us < LARGE_WAIT_MS * INT64_C(1000))
			continue;
		list_remove(node);
		s->n_large_waiting--;
		large_turn_away(r);
	}
}

void large_flush(struct server *s)
{
	struct req *r = NULL;

	end_late(s);
	/* Skips clients that have disconnected; they may send it again. */
	while (!s->large && (r = large_next_waiting(s)) && http_disconnected(r->call))
		large_turn_away(r);
	if (s->large || !r)
		return;
	s->large = r;
	request_continue(r, PASS);
}

void large_stop(struct server *s)
{
	struct req *r;

	while ((r = large_next_waiting(s)))
		large_turn_away(r);
}
