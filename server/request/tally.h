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

/* Counts an answer of admission. */
void tally_admission(struct tally *t, enum admission_status status);

struct tally_counts {
	uint64_t limited[ADMISSION_POLICIES];
	uint64_t admissions[ADMISSION_BUSY + 1]; /* by enum admission_status */
	uint64_t replayed;
	/* idempotency keys that refused a request: its twin is running, it is another request, the first one's answer
	 * could not be stored, the key could not be asked for */
	uint64_t in_progress, reused, not_stored, key_unavailable;
};
const struct tally_counts *tally_counts(const struct tally *t);

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
