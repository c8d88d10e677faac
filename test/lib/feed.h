/* The event feed as a test follows it. */
#ifndef KITH_TEST_FEED_H
#define KITH_TEST_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/json.h"
#include "test/lib/caller.h"

struct feed_event {
	const char *id, *type, *record; /* data.id */
	const struct json *data;
};

struct feed_page {
	struct answer answer;
	struct feed_event *items; /* in the caller's arena */
	size_t n;
	const char *cursor; /* "" unless 200 */
	bool more;          /* nextLink is there */
};

/* after: "" for the oldest. limit and wait (s) below 0 are left out. */
struct feed_page feed_get(struct caller *c, const char *after, int limit, int wait);

/* X-Events-Cursor of a list, NULL when it has none. */
const char *feed_cursor_of(const struct answer *list);

/* "data" of an answer, NULL when the body is none. */
const struct json *feed_data(struct caller *c, const struct answer *a);

#endif
