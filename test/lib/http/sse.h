/* A client of GET /v1/events/stream that reads Server-Sent Events as browsers do: it remembers the last id, also of
 * frames without an event, and comes again with it. */
#ifndef KITH_TEST_LIB_HTTP_SSE_H
#define KITH_TEST_LIB_HTTP_SSE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/buf.h"
#include "test/lib/http/caller.h"

enum { SSE_TEXT_MAX = 512 };

/* What sse_next() has seen. */
enum sse_news {
	SSE_EVENT, /* type, data and last_id are set */
	SSE_FRAME, /* a frame without an event: last_id or retry_ms may be new, or it was a comment */
	SSE_END,   /* the answer came to its proper end */
	SSE_CUT,   /* the connection ended within it */
	SSE_SILENT /* nothing came in that time */
};

struct sse {
	int fd; /* -1: not connected */
	int status;
	char head[4096]; /* status line and headers */
	char last_id[SSE_TEXT_MAX];
	int retry_ms;  /* the last one, -1: none */
	int comments;  /* how many came */
	char type[64]; /* of the last event */
	struct buf data;

	bool chunked, ended;
	struct buf raw, text; /* as received; without the framing, not yet read */
	bool has_data;
};

/* To be called once before the first connection, and at the end. */
void sse_init(struct sse *s);
void sse_free(struct sse *s);

/* Connects and sends the request, with the last id if it is not empty, and reads the head: the status; 0: no answer. */
int sse_open(struct sse *s, const char *base, const char *key, const char *target);
/* The same with another version of HTTP ("1.0") or method, and a small receive buffer if so wanted. */
int sse_open_as(struct sse *s, const char *base, const char *key, const char *method, const char *target,
    const char *version, bool small);
void sse_close(struct sse *s);

/* Reads the next frame, waiting at most ms. */
enum sse_news sse_next(struct sse *s, int64_t ms);
/* Reads up to the next event, passing over other frames. */
enum sse_news sse_next_event(struct sse *s, int64_t ms);

/* The same, which must be an event of that type that names the record; ends the test otherwise. */
void sse_expect(struct sse *s, const char *type, const char *record);

/* Sets last_id to the end of the feed as c may see it: a stream without one may begin a moment before. */
void sse_to_end(struct sse *s, struct caller *c);
/* A stream from there on that has begun: its first frame is the cursor. Ends the test otherwise. */
void sse_begin(struct sse *s, struct caller *c, const char *base, const char *key, const char *target);

/* The value of a header of the answer in a static buffer, NULL: absent. */
const char *sse_header(const struct sse *s, const char *name);

#endif
