/*
 * Large batches take turns in a process: see large.h.
 *
 * What takes the database long in them are parts of texts, which it gathers in a list for each index and files when the
 * list is long; whoever writes next has to. Several large batches at once fill these lists faster than they are filed,
 * and somebody's small write, of another workspace too, then took ten seconds. One at a time is not slower in all.
 * Workspaces take turns, too: who had one goes behind all others, and each may have so many that wait.
 */
#include "server/large.h"

#include "server/server.h"

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
	if (s->n_large_waiting == LARGE_WAITING_MAX || waiting_of(s, &r->ws->id) == LARGE_WAITING_OF_WORKSPACE)
		return reply_error(r, ERROR_UNAVAILABLE, NULL);
	list_append(&s->large_waiting, &r->large);
	s->n_large_waiting++;
	r->next--;
	return WAIT;
}

/* All of a workspace's go behind those of others, and stay in their order. */
static void go_behind(struct server *s, const struct uuid *workspace)
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
	go_behind(s, &r->ws->id);
}

void large_flush(struct server *s)
{
	struct req *r;

	if (s->large || list_empty(&s->large_waiting))
		return;
	r = list_item(list_take(&s->large_waiting), struct req, large);
	s->n_large_waiting--;
	s->large = r;
	request_run(r);
}
