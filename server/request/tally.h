/* What is counted of requests, for /metrics (server/admin/). Memory is bounded by the table of routes: a histogram for
 * each route, method and status that has occurred. */
#ifndef KITH_SERVER_REQUEST_TALLY_H
#define KITH_SERVER_REQUEST_TALLY_H

#include "server/base/histogram.h"
#include "server/request/request.h"

struct tally;

struct tally *tally_new(void);
void tally_free(struct tally *t);

/* Counts a request that is about to be answered. */
void tally_request(struct tally *t, const struct req *r, int64_t duration_us);

/* Requests of a route, method and status. */
struct tally_row {
	const struct route *route; /* NULL: the path or method has none */
	const char *method;
	int status; /* 0: one of those for which there was no row left */
	struct histogram durations;
};
/* Calls show for each. */
void tally_each(const struct tally *t, void (*show)(void *ctx, const struct tally_row *row), void *ctx);

#endif
