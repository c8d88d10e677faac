/* Reading what a server has logged, for cmocka tests: lines are waited for. */
#ifndef KITH_TEST_LIB_SERVER_LOGGED_H
#define KITH_TEST_LIB_SERVER_LOGGED_H

#include <stdbool.h>

#include "server/base/json.h"
#include "test/lib/http/caller.h"
#include "test/lib/server/kith_server.h"

/* Calls fn for each line, until it returns true; false: it did for none. */
typedef bool logged_fn(void *ctx, const struct json *line);
bool logged_each(struct arena *a, const struct server_process *s, logged_fn *fn, void *ctx);

/* The text of a line's member; NULL: it has none. */
const char *logged_text(const struct json *line, const char *key);
/* Fails the test when it is another one; text NULL: it must have none. */
void logged_expect(const struct json *line, const char *key, const char *text);

/* The first line whose member is that text; NULL: no such line yet. */
const struct json *logged_find(struct arena *a, const struct server_process *s, const char *key, const char *text);
/* Waits for the first line whose member is that text; and for the line of the request that got that answer. */
const struct json *logged_with(struct arena *a, const struct server_process *s, const char *key, const char *text);
const struct json *logged_of(struct arena *a, const struct server_process *s, const struct caller_answer *answer);

/* Waits until the lines whose member begins with that text, and what the lines that count others say, make up all;
 * another sum fails the test. Returns the number of lines that count nothing. */
int logged_until(struct arena *a, const struct server_process *s, const char *key, const char *text, int all);

#endif
