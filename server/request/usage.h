/* What this process has counted of each workspace's requests, for GET /v1/usage. Memory is bounded: when there are too
 * many workspaces, one that has not asked for long is counted anew. */
#ifndef KITH_SERVER_REQUEST_USAGE_H
#define KITH_SERVER_REQUEST_USAGE_H

#include "server/request/request.h"

struct usages;

/* Requests of a workspace that were admitted or refused by its limits; those of this moment are not among them. */
struct usage {
	struct uuid workspace;
	int64_t since_ms, used_us; /* first counted; last */
	uint64_t requests, refused, errors, limited, replayed;
	uint64_t events;  /* that they made, apart from those of deletions by set */
	uint64_t took_us; /* all of them together */
};

struct usages *usages_new(void);
void usages_free(struct usages *u);

/* Counts a request that is about to be answered, if its workspace is known. */
void usage_count(struct usages *u, const struct req *r, int64_t duration_us);

/* Of that workspace; zero but for since_ms, the present, if nothing was counted. */
struct usage usage_of(const struct usages *u, const struct uuid *workspace);

#endif
