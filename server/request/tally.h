/* Counts of requests, for /metrics (server/admin/). The table of routes bounds the memory: there is one histogram for
 * each route, method and status that has occurred. */
#ifndef KITH_SERVER_REQUEST_TALLY_H
#define KITH_SERVER_REQUEST_TALLY_H

#include "server/base/histogram.h"
#include "server/request/request.h"

struct tally;

struct tally *tally_new(void);
void tally_free(struct tally *t);

/* Counts a request just before it is answered. */
void tally_request(struct tally *t, const struct req *r, int64_t duration_us);

/* Counts an answer of admission. */
void tally_admission(struct tally *t, enum admission_status status);

struct tally_counts {
	uint64_t limited[ADMISSION_POLICIES];
	uint64_t admissions[ADMISSION_BUSY + 1]; /* by enum admission_status */
	uint64_t replayed;
	/* idempotency keys that refused a request: the first request is still running, the key belongs to another
	 * request, the first answer could not be stored, the key could not be looked up */
	uint64_t in_progress, reused, not_stored, key_unavailable;
};
const struct tally_counts *tally_counts(const struct tally *t);

/* Requests of a route, method and status. */
struct tally_row {
	const struct route *route; /* NULL: the path is unknown or does not have the method */
	const char *method;
	int status; /* 0: statuses for which no row was left */
	struct histogram durations;
};
/* Calls show for each row. */
void tally_each(const struct tally *t, void (*show)(void *ctx, const struct tally_row *row), void *ctx);

#endif
