/* Names of what is referred to. */
#include "server/names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return uuid_compare(&((const struct named *)a)->id, &((const struct named *)b)->id);
}

void names_want(struct arena *a, struct names *n, enum id_kind kind, const struct uuid *id)
{
	if (n->count == n->cap) {
		size_t cap = n->cap ? 2 * n->cap : 16;
		struct named *bigger = arena_alloc(a, cap * sizeof *bigger);
		if (n->count)
			memcpy(bigger, n->items, n->count * sizeof *bigger);
		n->items = bigger;
		n->cap = cap;
	}
	n->items[n->count++] = (struct named){.id = *id, .kind = kind};
}

void names_sort(struct names *n)
{
	size_t kept = 0;

	qsort(n->items, n->count, sizeof *n->items, compare);
	for (size_t i = 0; i < n->count; i++)
		if (i == 0 || !uuid_equal(&n->items[i].id, &n->items[kept - 1].id))
			n->items[kept++] = n->items[i];
	n->count = kept;
}

const struct named *names_find(const struct names *n, const struct uuid *id)
{
	struct named key = {.id = *id};
	return n && n->count ? bsearch(&key, n->items, n->count, sizeof *n->items, compare) : NULL;
}
