/* The event feed, GET /v1/events: the workspace's events that the caller may see, in commit order, a page from a
 * position on; with the parameter "record" those of one record, its history. A request without new events may wait for
 * some, without holding a database connection (wait.c). GET /v1/events/stream reads page after page (stream.c). */
#ifndef KITH_SERVER_EVENT_FEED_H
#define KITH_SERVER_EVENT_FEED_H

#include "server/base/list.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* Where a request is that keeps its place among the waiting ones: a stream. */
enum feed_place {
	FEED_NO_PLACE,
	FEED_READS,
	FEED_SENDS, /* until the client has read */
	FEED_RESTS, /* until rests_until_us; then it waits */
	FEED_WAITS
};

/* State of a feed request, r->state.feed. */
struct feed {
	struct event_position at; /* all events before it were read */
	int limit, items, scanned, asked;
	size_t bytes; /* of a page, at most; a single event may have more */
	int row;      /* the next one of those asked for */
	bool more;
	int64_t until_us;   /* deadline of the wait; 0: does not wait */
	const char *types;  /* a history: its events' types begin with "person."; NULL: all events */
	struct uuid record; /* of the history; all zeros, which no event has: of an unknown record */
	struct event_listener listener;
	const char *cursor_name; /* what an error about the cursor names, and its message */
	const char *cursor_wrong;

	/* what a page and a stream do differently */
	void (*write)(struct req *r, struct feed *f, const struct event_row *e); /* e: the caller may see it */
	enum step (*paged)(struct req *r, struct feed *f); /* a page was read, or the present reached */
	/* Continues after a wait: events may have come; false: the deadline has, the client has gone, or the server
	 * stops. */
	void (*resume)(struct req *r, bool again);
	struct event_stream *stream;

	/* wait.c's */
	struct req *r;
	struct list link;
	uint64_t round; /* of the last poll of its workspace */
	bool ready;     /* events have arrived, or the deadline has */
	enum feed_place place;
	struct list places;
	int64_t rests_until_us;
};

/* What a user may see of events. */
struct event_listener feed_listener(struct req *r, const struct viewer *v);

/* Reads the parameter "record", and opens a cursor (empty: none); false with an issue. */
void feed_read_record(struct req *r, struct feed *f);
bool feed_read_cursor(struct req *r, struct feed *f, const char *text, size_t len);

/* Begins a page from f->at on; event_feed_answer is to be the next step. */
enum step feed_read_page(struct req *r, struct feed *f);

/* Writes the members of an event, an object. */
void feed_write_event(struct req *r, const struct feed *f, const struct event_row *e);

/* The steps of GET /v1/events; the second one is also that of a stream. */
step_fn event_feed, event_feed_answer;

#endif
