/*
 * The query string, split and decoded, and the grammar of filter keys. What a
 * field means, and which operators it takes, is decided elsewhere: here
 * everything is text. Our own, because evhttp's parser fails on a key without
 * '=', never decodes keys, and cuts values at %00.
 */
#ifndef KITH_FILTER_QUERY_H
#define KITH_FILTER_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

enum { QUERY_MAX = 8192, QUERY_PAIRS_MAX = 512 };

/* Decoded text: any bytes, NUL included, and one more NUL behind them. */
struct query_text {
	const char *text;
	size_t len;
	bool has_nul;  /* a NUL byte inside: PostgreSQL text cannot hold it */
	bool bad_utf8; /* not UTF-8 by RFC 3629 */
};

struct query_pair {
	struct query_text key, value;
	bool has_value; /* there was a '='; without one the value is empty */
};

struct query {
	struct query_pair *pairs; /* in the order they were sent; in the arena, as are the texts */
	size_t count;
};

enum query_status {
	QUERY_OK,
	QUERY_TOO_LONG, /* over QUERY_MAX bytes as sent */
	QUERY_TOO_MANY  /* over QUERY_PAIRS_MAX pairs */
};

/*
 * Splits "a=b&c&d=" (without the '?') at '&', each part at its first '=', then
 * decodes key and value: %XX, and '+' as a space; a '%' that begins no such
 * triple stays. Empty parts are left out. Unless QUERY_OK, *q is empty.
 */
enum query_status query_parse(struct query *q, struct arena *a, const char *text, size_t len);

/* The last pair with that key (of a repeated single parameter the last counts); NULL when there is none. */
const struct query_pair *query_last(const struct query *q, const char *key);

enum filter_op {
	FILTER_OP_NONE, /* the word is no operator */
	FILTER_EQ,
	FILTER_NOT_EQ,
	FILTER_GT,
	FILTER_LT,
	FILTER_LIKE,
	FILTER_NOT_LIKE,
	FILTER_ALL,
	FILTER_IN,
	FILTER_NOT_IN,
	FILTER_EMPTY,
	FILTER_NOT_EMPTY,
	FILTER_OPS
};

/* The operator's word as it is written in a key; "" for FILTER_OP_NONE. */
const char *filter_op_word(enum filter_op op);
enum filter_op filter_op_parse(const char *text, size_t len);

enum filter_key_status {
	FILTER_KEY_OK,
	FILTER_KEY_NONE,       /* does not begin with "filter[": no filter */
	FILTER_KEY_MALFORMED,  /* does not end in ']': field is all that follows "filter[" */
	FILTER_KEY_NO_OP,      /* filter[field]: op is empty */
	FILTER_KEY_UNKNOWN_OP, /* filter[field][word]: op is what stands in the operator's place */
	FILTER_KEY_BAD_SUFFIX  /* more than a sub-key and an index after the operator: subkey is all of it */
};

/* A key taken apart; the slices point into the key. */
struct filter_key {
	const char *field; /* may be empty, and may hold brackets, dots and any Unicode */
	size_t field_len;
	const char *op; /* its word */
	size_t op_len;
	enum filter_op kind;
	const char *subkey; /* "id" of [in][id], or any other word that stands there; NULL: none */
	size_t subkey_len;
	bool indexed; /* ended in [] or [0] */
};

/*
 * Takes a decoded key apart, from the right, since a field's name may hold
 * anything: the last operator word in brackets that something in brackets
 * stands before is the operator; what follows is an optional sub-key and an
 * optional index ([] or digits); what stands before it is the field.
 */
enum filter_key_status filter_key_parse(struct filter_key *k, const char *key, size_t len);

#endif
