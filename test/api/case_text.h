/* Variables and generators in the texts of cases: {{name}}, <repeat TEXT N>, <list TEXT N>. */
#ifndef KITH_TEST_API_CASE_TEXT_H
#define KITH_TEST_API_CASE_TEXT_H

#include <stddef.h>

#include "server/base/arena.h"

struct variable {
	const char *name, *value;
	struct variable *next;
};

/* The newest is first and hides an older one of that name. */
struct variables {
	struct arena *arena;
	struct variable *first;
};

/* Both texts are copied. */
void variable_set(struct variables *v, const char *name, const char *value);
const char *variable_get(const struct variables *v, const char *name); /* NULL: unknown */

/* Puts variables in, then runs the generators. The result lives in the arena;
 * NULL with a message in *error for an unknown variable or a broken generator. */
const char *expand_case_text(
    const struct variables *v, struct arena *a, const char *text, size_t *len, const char **error);

/* Undoes \n \r \t \0 \\ and \xHH; the result may hold any byte. NULL with a message for another escape. */
const char *expand_escapes(struct arena *a, const char *text, size_t *len, const char **error);

#endif
