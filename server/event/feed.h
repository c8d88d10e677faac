/* The event feed, GET /v1/events: the workspace's events that the caller may see, in commit order, a page from a
 * position on. With the parameter "record" it has the events of one record, its history. A request without new events
 * may wait for some, without holding a database connection (wait.c). GET /v1/events/stream reads page after page
 * (feed_stream.c). */
#ifndef KITH_SERVER_EVENT_FEED_H
#define KITH_SERVER_EVENT_FEED_H

#include "server/base/list.h"
#include "server/event/feed_filter.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* State of a request that keeps its place among those that wait: a stream. */
enum feed_place {
	FEED_NO_PLACE,
	FEED_READS,
	FEED_SENDS, /* sends until the client has read */
	FEED_RESTS, /* pauses until rests_until_us; then it waits */
	FEED_WAITS
};

/* State of a feed request, r->state.feed. */
struct feed {
	struct event_position at; /* all events before this position, in the order of the page, were read */
	struct feed_filter filter;
	struct event_position newest; /* with filter.newest: the newer end of the page */
	int limit, items, scanned, asked;
	size_t bytes; /* limits of a page; a single event may be longer */
	int row;      /* the next event of those read */
	bool more;
	int64_t until_us;   /* deadline of the wait; 0: the request does not wait */
	const char *types;  /* a history: the types of its events begin with this, as "person."; NULL: all events */
	struct uuid record; /* the record of the history; all zeros, which no event has, for an unknown record */
	struct event_listener listener;
	const char *cursor_name; /* the parameter that an error about the cursor names, and its message */
	const char *cursor_wrong;

	/* functions in which a page and a stream differ */
	void (*write)(struct req *r, struct feed *f, const struct event_row *e); /* the caller may see e */
	enum step (*paged)(struct req *r, struct feed *f); /* a page was read, or nothing is left to read */
	/* Continues after a wait. True: events may have come. False: the deadline has passed, the client has
	 * disconnected, or the server stops. */
	void (*resume)(struct req *r, bool again);
	struct event_stream *stream;

	/* used by wait.c */
	struct req *r;
	struct fair_item turn; /* while it waits */
	uint64_t round;        /* round in which its workspace was last polled */
	bool ready;            /* events have arrived, or the deadline has passed */
	bool key_doubtful;     /* the key of some request of the workspace has ended */
	enum feed_place place;
	struct list places;
	int64_t rests_until_us;
};

/* The viewer for events: what a user may see of them. */
struct event_listener feed_listener(struct req *r, const struct viewer *v);

/* Reads the parameter "record", and opens a cursor (empty: none). Returns false with an issue. */
void feed_read_record(struct req *r, struct feed *f);
bool feed_read_cursor(struct req *r, struct feed *f, const char *text, size_t len);

/* Begins a page from f->at on. event_feed_answer must be the next step. */
enum step feed_read_page(struct req *r, struct feed *f);

/* Writes the members of an event, an object. */
void feed_write_event(struct req *r, struct feed *f, const struct event_row *e);

/* Steps that look up the key of a request that has waited, without counting it. Between them is step_admitted(). */
step_fn feed_admit, feed_snapshot;

/* The steps of GET /v1/events. A stream has the second one, too. */
step_fn event_feed, event_feed_answer;

#endif
