/* The requests of each workspace that this process has counted, for GET /v1/usage. Memory is bounded. When there are
 * too many workspaces, the count of one that has been quiet for long starts again from zero. */
#ifndef KITH_SERVER_REQUEST_USAGE_COUNT_H
#define KITH_SERVER_REQUEST_USAGE_COUNT_H

#include "server/request/request.h"

struct usages;

/* Requests of a workspace that were admitted or refused by its limits. Requests that are still running are not
 * included. */
struct usage {
	struct uuid workspace;
	int64_t since_ms, used_us; /* time of the first and of the last counted request */
	uint64_t requests, refused, errors, limited, replayed;
	uint64_t events;  /* events that the requests made, without those of deletions of sets */
	uint64_t took_us; /* totals of all requests */
};

struct usages *usages_new(void);
void usages_free(struct usages *u);

/* Counts a request just before it is answered, if its workspace is known. */
void usage_count(struct usages *u, const struct req *r, int64_t duration_us);

/* The counts of that workspace. If nothing was counted, all is zero except since_ms, which is the current time. */
struct usage usage_of(const struct usages *u, const struct uuid *workspace);

#endif
