/* The event feed, GET /v1/events: the workspace's events that the caller may see, in commit order, a page from a
 * position on; with the parameter "record" those of one record, its history. A request without new events may wait for
 * some, without holding a database connection (wait.c). */
#ifndef KITH_SERVER_EVENT_FEED_H
#define KITH_SERVER_EVENT_FEED_H

#include "server/base/list.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* State of a feed request, r->state.feed. */
struct feed {
	struct event_position at; /* all events before it were read */
	int limit, items, scanned, asked;
	int row; /* the next one of those asked for */
	bool more;
	int64_t until_us;   /* deadline of the wait; 0: does not wait */
	const char *types;  /* a history: its events' types begin with "person."; NULL: all events */
	struct uuid record; /* of the history; all zeros, which no event has: of an unknown record */
	struct event_listener listener;

	/* wait.c's */
	struct req *r;
	struct list link;
	uint64_t round; /* of the last poll of its workspace */
	bool ready;     /* events have arrived, or the deadline has */
};

/* What a user may see of events. */
struct event_listener feed_listener(struct req *r, const struct viewer *v);

/* Continues a request that waited: reads again, or answers with an empty page. */
void event_feed_resume(struct req *r, bool again);

/* The steps of GET /v1/events. */
step_fn event_feed, event_feed_answer;

#endif
