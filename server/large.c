/*
 * Large batches take turns in a process: see large.h.
 *
 * What takes the database long in them are parts of texts, which it gathers in a list for each index and files when the
 * list is long; whoever writes next has to. Several large batches at once fill these lists faster than they are filed,
 * and somebody's small write, of another workspace too, then took ten seconds. One at a time is not slower in all.
 * Workspaces take turns, too.
 */
#include "server/large.h"

#include "server/server.h"

enum step large_turn(struct req *r)
{
	struct server *s = r->server;

	if (!r->batch || r->bytes_in < LARGE_BYTES || s->large == r)
		return PASS;
	if (!s->large) {
		s->large = r;
		return PASS;
	}
	if (s->n_large_waiting == LARGE_WAITING_MAX)
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	list_append(&s->large_waiting, &r->large);
	s->n_large_waiting++;
	r->next--;
	return WAIT;
}

void large_release(struct req *r)
{
	struct server *s = r->server;

	if (s->large != r)
		return;
	s->large = NULL;
	s->large_last = r->ws->id;
}

/* The first one of another workspace than the last, if there is one. */
static struct req *next_of(const struct server *s)
{
	for (struct list *node = s->large_waiting.next; node != &s->large_waiting; node = node->next) {
		struct req *r = list_item(node, struct req, large);
		if (!uuid_equal(&r->ws->id, &s->large_last))
			return r;
	}
	return list_item(s->large_waiting.next, struct req, large);
}

void large_flush(struct server *s)
{
	struct req *r;

	if (s->large || list_empty(&s->large_waiting))
		return;
	r = next_of(s);
	list_remove(&r->large);
	s->n_large_waiting--;
	s->large = r;
	request_run(r);
}
