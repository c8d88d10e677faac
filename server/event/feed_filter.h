/* What GET /v1/events can be asked for beyond a position: the parameters actor, via, type, since, until and sort. */
#ifndef KITH_SERVER_EVENT_FEED_FILTER_H
#define KITH_SERVER_EVENT_FEED_FILTER_H

#include "server/request/request.h"
#include "webhook/event.h"

/* Events that are tested for a page with a filter by actor, via or type. Then the page ends, and says where to
 * continue.
 */
enum { FEED_WALK = 20000 };

struct feed_filter {
	bool newest; /* the newest first */
	bool tests;  /* by actor, via or type */
	bool by_actor;
	struct uuid actor;  /* all zeros, whom no event has, for an unknown user */
	enum event_via via; /* VIA_UNKNOWN: any */
	uint64_t types;     /* bits; 0: any */
	bool has_since, has_until;
	int64_t since_ms, until_ms;
};

/* False with an issue. */
bool feed_filter_read(struct req *r, struct feed_filter *f);

/* "e.generation, e.xid, e.seq", or the reverse. */
const char *feed_filter_order(const struct feed_filter *f);

/* Appends " and …": events e behind the position in the order, below the horizon, between since and until. */
void feed_filter_range(struct sql *s, const struct feed_filter *f, const struct event_position *at);

/* Appends a condition of event e. */
void feed_filter_test(struct sql *s, const struct feed_filter *f, struct arena *a);

#endif
