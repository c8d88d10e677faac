/*
 * The event feed, GET /v1/events: the workspace's events that the caller may see,
 * in commit order. A page is read from a position on; a request that has nothing
 * to tell yet may wait for it, without a connection of the database (wait.c).
 */
#ifndef KITH_SERVER_EVENT_FEED_H
#define KITH_SERVER_EVENT_FEED_H

#include "server/base/list.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* A request of the feed: its r->state.feed. */
struct feed {
	struct event_position at; /* all before it was read */
	int limit, items, scanned, asked;
	bool more;
	int64_t until_us; /* waits so long; 0: it does not */
	struct event_listener listener;

	/* wait.c's */
	struct req *r;
	struct list link;
	uint64_t round; /* of the last look for its workspace */
	bool ready;     /* there is something, or it is time to answer */
};

/* Goes on with a request that waited: reads, or answers with an empty page. */
void event_feed_read_again(struct req *r);
void event_feed_end_wait(struct req *r);

/* The steps of GET /v1/events. */
step_fn event_feed, event_feed_answer;

#endif
