/* The grammar of filter keys: filter[field][operator][sub-key][index]. Here all parts are text; fields and their
 * operators are checked elsewhere. */
#ifndef KITH_FILTER_KEY_H
#define KITH_FILTER_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum filter_op {
	FILTER_OP_NONE, /* the word is not an operator */
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

/* The operator's word as written in a key; "" for FILTER_OP_NONE. */
const char *filter_op_word(enum filter_op op);
enum filter_op filter_op_parse(const char *text, size_t len);

enum filter_key_status {
	FILTER_KEY_OK,
	FILTER_KEY_NONE,       /* does not begin with "filter[": not a filter */
	FILTER_KEY_MALFORMED,  /* does not end in ']': field is all that follows "filter[" */
	FILTER_KEY_NO_OP,      /* filter[field]: op is empty */
	FILTER_KEY_UNKNOWN_OP, /* filter[field][word]: op is the word in the operator's place */
	FILTER_KEY_BAD_SUFFIX  /* more than a sub-key and an index after the operator: subkey is all of it */
};

/* A parsed key; the slices point into the key. */
struct filter_key {
	const char *field; /* may be empty, and may contain brackets, dots and any Unicode */
	size_t field_len;
	const char *op; /* its word */
	size_t op_len;
	enum filter_op kind;
	const char *subkey; /* "id" of [in][id], or any other word in that place; NULL: none */
	size_t subkey_len;
	bool indexed; /* ended in [] or [0] */
};

/* Parses a decoded key from the right, because a field's name may contain anything: the operator is the last
 * operator word in brackets that follows something in brackets; an optional sub-key and an optional index ([] or
 * digits) follow it; the field precedes it. */
enum filter_key_status filter_key_parse(struct filter_key *k, const char *key, size_t len);

#endif
