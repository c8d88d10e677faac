/* Splits and decodes the query string. This parser is our own, because evhttp's parser fails on a key without '=',
 * never decodes keys, and cuts values at %00. */
#ifndef KITH_SERVER_BASE_QUERY_H
#define KITH_SERVER_BASE_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

enum { QUERY_MAX = 8192, QUERY_PAIRS_MAX = 512 };

/* Decoded text: any bytes, NUL included, followed by a NUL. */
struct query_text {
	const char *text;
	size_t len;
	bool has_nul;  /* a NUL byte inside: PostgreSQL text cannot hold it */
	bool bad_utf8; /* not UTF-8 by RFC 3629 */
};

struct query_pair {
	struct query_text key, value;
	bool has_value; /* the pair has a '='; without one the value is empty */
};

struct query {
	struct query_pair *pairs; /* in the order sent; in the arena, as are the texts */
	size_t count;
};

enum query_status {
	QUERY_OK,
	QUERY_TOO_LONG, /* over QUERY_MAX bytes as sent */
	QUERY_TOO_MANY  /* over QUERY_PAIRS_MAX pairs */
};

/* Splits "a=b&c&d=" (without the '?') at '&', and each part at its first '='. Then it decodes key and value: %XX, and
 * '+' as a space; a '%' without two hex digits is kept. Empty parts are skipped. Unless it returns QUERY_OK, *q is
 * empty. */
enum query_status query_parse(struct query *q, struct arena *a, const char *text, size_t len);

/* Returns the last pair with that key, because the last one counts for a single parameter. NULL: there is none. */
const struct query_pair *query_last(const struct query *q, const char *key);

#endif
