/*
 * Cursors of lists: where a page ended, sealed so that nobody can make one, or
 * use one on another list than it was made for.
 *
 * A cursor is base64url over what it holds and 16 bytes of HMAC-SHA256 of that
 * and of the context: a hash over everything that shapes the list. It carries
 * no secret, only ids and sort values that the page showed anyway.
 */
#ifndef KITH_BASE_CURSOR_H
#define KITH_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "id.h"

enum {
	CURSOR_SECRET_SIZE = 32,
	CURSOR_CONTEXT_SIZE = 32,
	CURSOR_SIZE = 80 /* room for any cursor with its NUL; 512 characters are allowed */
};

/* The key of the last row of a page. */
struct cursor {
	uint8_t sort; /* which order: the owner's own numbering */
	bool has_id, has_value, has_page;
	struct uuid id;
	int64_t value; /* the sort value before the id, such as a time in microseconds */
	int64_t page;  /* for lists that count pages instead */
};

/* Writes the cursor as text with a NUL; answers out. */
char *cursor_seal(char out[CURSOR_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct cursor *c);

/* Reads one back. False, with *c zeroed, on anything that cursor_seal() did not
 * make with this secret and context. Takes the same time wherever a seal differs. */
bool cursor_open(struct cursor *c, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len);

/*
 * Builds a context: the workspace and endpoint it begins with (endpoint: the
 * route's pattern), then each path parameter, filter and shaping parameter by
 * its name and one value. They count as a set: neither order nor repetition
 * makes a difference. A name tells its kind ("sort", "filter:emails:eq").
 */
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
