/* Counts by workspace: see usage_count.h. The id of a workspace selects a set of four places; the workspace takes one
 * of them. */
#include "server/request/usage_count.h"

#include <stdlib.h>

#include "server/base/clock.h"

enum { SETS = 1024, WAYS = 4 };

struct usages {
	struct usage places[SETS][WAYS];
};

struct usages *usages_new(void)
{
	return mem_zalloc(sizeof(struct usages));
}

void usages_free(struct usages *u)
{
	free(u);
}

/* The last bytes of an id are random. */
static size_t set_of(const struct uuid *workspace)
{
	return (size_t)(workspace->b[14] << 8 | workspace->b[15]) % SETS;
}

static const struct usage *usage_find(const struct usages *u, const struct uuid *workspace)
{
	const struct usage *set = u->places[set_of(workspace)];

	for (int i = 0; i < WAYS; i++)
		if (uuid_equal(&set[i].workspace, workspace))
			return &set[i];
	return NULL;
}

static struct usage *usage_place(struct usages *u, const struct uuid *workspace)
{
	struct usage *set = u->places[set_of(workspace)], *oldest = set;

	for (int i = 0; i < WAYS; i++) {
		if (uuid_equal(&set[i].workspace, workspace))
			return &set[i];
		if (set[i].used_us < oldest->used_us)
			oldest = &set[i];
	}
	*oldest = (struct usage){.workspace = *workspace, .since_ms = clock_now_ms()};
	return oldest;
}

void usage_count(struct usages *u, const struct req *r, int64_t duration_us)
{
	struct usage *w;

	if (!r->caller.counted)
		return;
	w = usage_place(u, &r->caller.ticket.workspace);
	w->used_us = r->started_us + duration_us;
	w->requests++;
	w->took_us += (uint64_t)duration_us;
	w->replayed += r->reply.replayed;
	w->errors += r->reply.status >= 500;
	w->limited += r->reply.status == 429;
	w->refused += r->reply.status >= 400 && r->reply.status < 500 && r->reply.status != 429;
	if (r->reply.status == 200 && !r->given.dry && !r->reply.replayed)
		w->events += r->tx.n_events;
}

struct usage usage_of(const struct usages *u, const struct uuid *workspace)
{
	const struct usage *w = usage_find(u, workspace);

	return w ? *w : (struct usage){.workspace = *workspace, .since_ms = clock_now_ms()};
}
