/* Counts of requests: see tally.h. */
#include "server/request/tally.h"

#include <stdlib.h>

#include "server/request/route.h"

enum { STATUSES_MAX = 24 /* rows of a route; further statuses share one extra row */ };

struct tally_cell {
	struct tally_row row;
	struct tally_cell *next;
};

struct tally {
	struct tally_cell **cells; /* by route; the last entry is for requests without a route */
	struct tally_counts counts;
};

struct tally *tally_new(void)
{
	struct tally *t = mem_zalloc(sizeof *t);

	t->cells = mem_zalloc((size_t)(n_routes_all + 1) * sizeof *t->cells);
	return t;
}

void tally_free(struct tally *t)
{
	for (int i = 0; i <= n_routes_all; i++)
		for (struct tally_cell *c = t->cells[i], *next; c; c = next) {
			next = c->next;
			free(c);
		}
	free(t->cells);
	free(t);
}

/* A call of a tool counts for the route that it was turned into. */
static const char *tally_method(const struct req *r)
{
	if (!r->route)
		return http_method_name(r->in->method);
	return r->route->method == HTTP_GET && r->in->method == HTTP_HEAD ? "HEAD" : http_method_name(r->route->method);
}

static struct tally_row *tally_find(struct tally *t, const struct req *r)
{
	struct tally_cell **at = &t->cells[r->route ? r->route - routes : n_routes_all];
	const char *method = tally_method(r);
	int status = r->reply.status;

	for (int n = 0;; n++, at = &(*at)->next) {
		if (n == STATUSES_MAX)
			status = 0;
		if (!*at) {
			*at = mem_zalloc(sizeof **at);
			(*at)->row = (struct tally_row){.route = r->route, .method = method, .status = status};
		}
		/* The names of methods are constants of this file, so pointers can be compared. */
		if ((*at)->row.status == status && (*at)->row.method == method)
			return &(*at)->row;
	}
}

static void tally_error(struct tally_counts *c, const struct req *r)
{
	switch (r->reply.error) {
	case ERROR_RATE_LIMITED:
		c->limited[r->caller.ticket.hit]++;
		break;
	case ERROR_KEY_IN_PROGRESS:
		c->in_progress++;
		break;
	case ERROR_KEY_REUSED:
		c->reused++;
		break;
	case ERROR_KEY_NOT_STORED:
		c->not_stored++;
		break;
	case ERROR_KEY_UNAVAILABLE:
		c->key_unavailable++;
		break;
	default:
		break;
	}
}

void tally_request(struct tally *t, const struct req *r, int64_t duration_us)
{
	if (r->reply.replayed)
		t->counts.replayed++;
	else if (r->reply.status >= 400)
		tally_error(&t->counts, r);
	histogram_add(&tally_find(t, r)->durations, duration_us);
}

void tally_admission(struct tally *t, enum admission_status status)
{
	t->counts.admissions[status]++;
}

const struct tally_counts *tally_counts(const struct tally *t)
{
	return &t->counts;
}

void tally_each(const struct tally *t, void (*show)(void *ctx, const struct tally_row *row), void *ctx)
{
	for (int i = 0; i <= n_routes_all; i++)
		for (const struct tally_cell *c = t->cells[i]; c; c = c->next)
			show(ctx, &c->row);
}
