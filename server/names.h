/* Names of contacts and objects that values of custom fields refer to: gathered
 * by id, asked for in one exchange, looked up while rendering. */
#ifndef KITH_SERVER_NAMES_H
#define KITH_SERVER_NAMES_H

#include "server/base/id.h"
#include "server/request.h"

struct named {
	struct uuid id;
	enum id_kind kind;
	const char *name;        /* NULL: not asked for yet, or there is no such record */
	struct uuid type, group; /* objects */
};

struct names {
	struct named *items; /* by id, once asked for */
	size_t count, cap;
};

void names_want(struct arena *a, struct names *n, enum id_kind kind, const struct uuid *id);

/* Adds the statements that read the wanted names; *at is the first. */
enum { NAMES_STATEMENTS = 3 };
void names_ask(struct req *r, struct names *n, int *at);
/* Takes the answers; the texts stay in the results. */
void names_take(struct names *n, const struct db_exchange *x, int at);

const struct named *names_find(const struct names *n, const struct uuid *id);

#endif
