/*
 * How much a workspace, a group, a field and a record may hold: one row a limit. What is beyond already, from before
 * there was a limit, can be read, changed and made smaller; only what would add to it is refused.
 */
#ifndef KITH_SERVER_LIMITS_H
#define KITH_SERVER_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/issues.h"

enum limit_name { LIMIT_REMINDERS, LIMIT_WEBHOOKS, LIMITS };

struct limit {
	const char *holder, *unit;
	int64_t most;
};

extern const struct limit limits[LIMITS];

/* False, with an issue at that path that names the limit and the present number, when more cannot be added. */
bool limit_check(struct issues *is, const struct path *at, enum limit_name which, int64_t present, int64_t more);

#endif
