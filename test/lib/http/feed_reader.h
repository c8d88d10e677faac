/* Reading the event feed in tests. */
#ifndef KITH_TEST_LIB_HTTP_FEED_READER_H
#define KITH_TEST_LIB_HTTP_FEED_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/json.h"
#include "test/lib/http/caller.h"

struct feed_event {
	const char *id, *type, *record; /* data.id */
	const struct json *data;
};

struct feed_page {
	struct caller_answer answer;
	struct feed_event *items; /* in the caller's arena */
	size_t n;
	const char *cursor; /* "" unless 200 */
	bool more;          /* there is a nextLink */
	const char *next;   /* its path and query; "" */
};

/* after: "" for the oldest. Negative limit and wait (s) are left out. */
struct feed_page feed_get(struct caller *c, const char *after, int limit, int wait);

/* The page at that path and query, such as the history of a record. */
struct feed_page feed_page_at(struct caller *c, const char *target);

/* Makes an event: a person of that first name. Their id. */
const char *feed_create_person(struct caller *c, const char *name);

/* A list's X-Events-Cursor, NULL when absent. */
const char *feed_cursor_of(const struct caller_answer *list);

/* "data" of an answer, NULL when the body is not JSON. */
const struct json *feed_data(struct caller *c, const struct caller_answer *a);

#endif
