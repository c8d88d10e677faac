/* Cursors of lists. A cursor says where a page ended. It is sealed, so that it cannot be forged or used for another
 * list. It is the base64url of its content and 16 bytes of HMAC-SHA256 over the content and the context, a hash over
 * everything that defines the list. It contains no secrets, only ids and sort values that the page showed anyway. */
#ifndef KITH_SERVER_BASE_CURSOR_H
#define KITH_SERVER_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "id.h"

enum {
	CURSOR_SECRET_SIZE = 32,
	CURSOR_CONTEXT_SIZE = 32,
	CURSOR_SIZE = 104 /* buffer size for any cursor with its NUL; cursors of up to 512 characters are accepted */
};

/* The key of the last row of a page. */
struct cursor {
	uint8_t sort; /* the order, numbered by its owner */
	bool has_id, has_value, has_page, has_second;
	struct uuid id;
	struct uuid second; /* a further id, for a key of two */
	int64_t value;      /* the sort value before the id, such as a time in microseconds */
	int64_t page;       /* for lists that count pages instead */
};

/* Writes the cursor as text with a NUL, and returns out. */
char *cursor_seal(char out[CURSOR_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct cursor *c);

/* The inverse. False, with *c zeroed, for anything that cursor_seal() did not make with this secret and context.
 * Compares in constant time. */
bool cursor_open(struct cursor *c, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len);

/* Builds a context: the workspace and the endpoint (the route's pattern), then each path parameter, filter and shaping
 * parameter with its name and one value. They form a set: order and repetition do not matter. A name includes its kind
 * ("sort", "filter:emails:eq"). */
struct cursor_context {
	struct arena *arena;
	unsigned char (*items)[32]; /* SHA-256 of each */
	size_t count, cap;
};

void cursor_context_begin(
    struct cursor_context *x, struct arena *a, const struct uuid *workspace, const char *endpoint);
void cursor_context_add(
    struct cursor_context *x, const char *name, size_t name_len, const char *value, size_t value_len);
void cursor_context_end(struct cursor_context *x, unsigned char out[CURSOR_CONTEXT_SIZE]);

#endif
