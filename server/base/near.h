/* The name most similar to a mistyped one, for "did you mean". */
#ifndef KITH_SERVER_BASE_NEAR_H
#define KITH_SERVER_BASE_NEAR_H

#include <stddef.h>

enum { NEAR_LISTED = 20, NEAR_LONGEST = 63 };

/* Returns the number of characters to insert, delete, replace or swap with their neighbour to make one text of the
 * other. Case and the characters "-_. " are ignored. SIZE_MAX when one text is longer than NEAR_LONGEST. */
size_t near_distance(const char *a, size_t a_len, const char *b, size_t b_len);

/* Begin with the mistyped name, then try each known name. */
struct near {
	const char *given;
	size_t given_len;
	int *budget;      /* pairs of characters that may still be compared: limits the work of one request */
	const char *best; /* NULL: no name is similar */
	size_t best_len, score;
	const char *names[NEAR_LISTED];  /* the names that were tried first */
	size_t lens[NEAR_LISTED], count; /* lengths of those; number of all names that were tried */
};
void near_begin(struct near *n, const char *given, size_t len, int *budget);
void near_try(struct near *n, const char *name, size_t len);

/* Tries all names that ctx stands for. */
typedef void near_names(const void *ctx, struct near *n);
/* ctx is an array of texts that ends with NULL. */
near_names near_list;

#endif
