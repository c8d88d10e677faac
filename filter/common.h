/* What nearly all texts of a sample contain; see server/job/parts.c. */
#ifndef KITH_FILTER_COMMON_H
#define KITH_FILTER_COMMON_H

#include <stddef.h>

enum {
	COMMON_MOST = 4,        /* parts that are told of, the longest ones */
	COMMON_LEN_MOST = 200,  /* bytes of a text that are looked at */
	COMMON_MISSING_OF = 50, /* one text may lack a part, and one in so many; */
	COMMON_FEW = 20,        /* none of fewer texts than these */
};

struct common_text {
	const char *text; /* UTF-8, folded, a line an item */
	size_t len;
};

/*
 * Writes the longest parts that nearly all of the n texts contain into out, none of them within another one, each
 * inside one line and of whole characters; they point into the texts. Answers how many, at most COMMON_MOST.
 */
size_t common_parts(const struct common_text *texts, size_t n, struct common_text out[COMMON_MOST]);

#endif
