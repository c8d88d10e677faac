/* Limits on what a workspace, a group, a field and a record may hold, one row per limit. Data that already exceeds a
 * limit can be read, changed and reduced; only additions are refused. */
#ifndef KITH_SERVER_INPUT_LIMITS_H
#define KITH_SERVER_INPUT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/issues.h"

enum limit_name {
	LIMIT_REMINDERS,
	LIMIT_WEBHOOKS,
	LIMIT_KEYS,
	LIMIT_DEVICES,
	LIMIT_VIEWS,
	LIMIT_USERS,
	LIMIT_GROUPS,
	LIMIT_TYPES,
	LIMIT_FIELDS,
	LIMIT_ALL_FIELDS,
	LIMIT_OPTIONS,
	LIMIT_ALL_OPTIONS,
	LIMIT_CUSTOM_BYTES,
	LIMIT_MERGE_REFERENCES,
	LIMIT_MERGE_ACTIVITIES,
	LIMITS
};

struct limit {
	const char *holder, *unit;
	int64_t most;
};

extern const struct limit limits[LIMITS];

/* Returns false when more cannot be added, with an issue at that path that names the limit and the current number. */
bool limit_check(struct issues *is, const struct path *at, enum limit_name which, int64_t present, int64_t more);

/* For replacements: true when the new size exceeds both the limit and the old size. */
bool limit_exceeded(enum limit_name which, int64_t was, int64_t becomes);

/* Writes the text of the issue for an exceeded limit. Returns out. */
enum { LIMIT_TEXT_SIZE = 160 };
char *limit_text(char out[LIMIT_TEXT_SIZE], enum limit_name which, int64_t present);

#endif
