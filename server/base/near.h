/* The name most similar to a mistyped one, for "did you mean". */
#ifndef KITH_SERVER_BASE_NEAR_H
#define KITH_SERVER_BASE_NEAR_H

#include <stddef.h>

enum { NEAR_LISTED = 20, NEAR_LONGEST = 63 };

/* The number of characters inserted, deleted, replaced or swapped with their neighbour that make one of the other;
 * case and the characters "-_. " are ignored. SIZE_MAX when one of them is longer than NEAR_LONGEST. */
size_t near_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/* Begin with the mistyped name, then try each name that there is. */
struct near {
	const char *given;
	size_t given_len;
	int *budget;      /* pairs of characters that may still be compared: limits the work of one request */
	const char *best; /* NULL: none is similar */
	size_t best_len, score;
	const char *names[NEAR_LISTED];  /* the first ones tried */
	size_t lens[NEAR_LISTED], count; /* of all that were tried */
};
void near_begin(struct near *n, const char *given, size_t len, int *budget);
void near_try(struct near *n, const char *name, size_t len);

/* Tries all names that ctx stands for. */
typedef void near_names(const void *ctx, struct near *n);
/* ctx: an array of texts that ends with NULL. */
near_names near_list;

#endif
