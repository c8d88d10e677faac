/* Finds similar names: by edit distance, or because one is part of the other. */
#include "server/base/near.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "server/base/text.h"

/* A name inside another one is less similar than any name that differs by edits. */
enum { WITHIN_LEAST = 4, WITHIN = 100 };

/* A name in the form that is compared. */
struct near_text {
	char text[NEAR_LONGEST + 1];
	size_t len;
};

static bool near_plain(struct near_text *p, const char *text, size_t len)
{
	p->len = 0;
	for (size_t i = 0; i < len && p->len <= NEAR_LONGEST; i++)
		if (!strchr("-_. ", text[i]) || !text[i])
			p->text[p->len++] = text_lower(text[i]);
	return p->len <= NEAR_LONGEST;
}

static size_t near_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes the optimal string alignment. It keeps three rows of the table of distances between prefixes. */
static size_t near_edits(const struct near_text *a, const struct near_text *b)
{
	uint8_t rows[3][NEAR_LONGEST + 2];

	for (size_t j = 0; j <= b->len; j++)
		rows[0][j] = (uint8_t)j;
	for (size_t i = 1; i <= a->len; i++) {
		uint8_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		row[0] = (uint8_t)i;
		for (size_t j = 1; j <= b->len; j++) {
			bool same = a->text[i - 1] == b->text[j - 1];
			bool swapped =
			    i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] && a->text[i - 2] == b->text[j - 1];
			size_t least = near_least(near_least(row[j - 1], above[j]) + 1, above[j - 1] + (size_t)!same);
			row[j] = (uint8_t)(swapped ? near_least(least, before[j - 2] + (size_t)1) : least);
		}
	}
	return rows[a->len % 3][b->len];
}

size_t near_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	struct near_text plain_a, plain_b;

	return near_plain(&plain_a, a, a_len) && near_plain(&plain_b, b, b_len) ? near_edits(&plain_a, &plain_b)
	                                                                        : SIZE_MAX;
}

static bool near_within(const struct near_text *whole, const struct near_text *part)
{
	for (size_t i = 0; part->len >= WITHIN_LEAST && i + part->len <= whole->len; i++)
		if (memcmp(whole->text + i, part->text, part->len) == 0)
			return true;
	return false;
}

/* Returns a lower score for a more similar name; SIZE_MAX: not similar. At most a third of the
 * characters may differ. */
static size_t near_score(const struct near_text *a, const struct near_text *b, int *budget)
{
	const struct near_text *longer = a->len > b->len ? a : b, *shorter = longer == a ? b : a;
	size_t apart = longer->len - shorter->len, most = longer->len / 3, edits = SIZE_MAX;

	*budget -= (int)longer->len;
	if (apart <= most) {
		*budget -= (int)(a->len * b->len);
		edits = near_edits(a, b);
	}
	if (edits <= most)
		return edits;
	return near_within(longer, shorter) ? WITHIN + apart : SIZE_MAX;
}

void near_begin(struct near *n, const char *given, size_t len, int *budget)
{
	*n = (struct near){.given = given, .given_len = len, .budget = budget, .score = SIZE_MAX};
}

void near_try(struct near *n, const char *name, size_t len)
{
	struct near_text given, tried;
	size_t score;

	if (n->count < NEAR_LISTED) {
		n->names[n->count] = name;
		n->lens[n->count] = len;
	}
	n->count++;
	if (*n->budget <= 0 || !near_plain(&given, n->given, n->given_len) || !near_plain(&tried, name, len))
		return;
	score = near_score(&given, &tried, n->budget);
	if (score >= n->score)
		return;
	n->score = score;
	n->best = name;
	n->best_len = len;
}

void near_list(const void *ctx, struct near *n)
{
	for (const char *const *name = ctx; *name; name++)
		near_try(n, *name, strlen(*name));
}
