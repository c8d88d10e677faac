/* Names of the contacts and objects that custom values refer to. They are collected by id, read in one exchange, and
 * looked up while rendering. */
#ifndef KITH_SERVER_OUTPUT_NAMES_H
#define KITH_SERVER_OUTPUT_NAMES_H

#include <stddef.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "server/base/table.h"

struct named {
	struct uuid id;
	enum id_kind kind;
	const char *name;        /* NULL: not read yet, or no such record */
	struct uuid type, group; /* for objects */
};

struct names {
	struct table table; /* of struct named, by id; empty when all zero */
	size_t count;
	int row; /* how far the result has been read */
};

void names_want(struct arena *a, struct names *n, enum id_kind kind, const struct uuid *id);

const struct named *names_find(const struct names *n, const struct uuid *id);

#endif
