/* The table of limits. */
#include "server/input/limits.h"

#include <stdio.h>

const struct limit limits[LIMITS] = {
    [LIMIT_REMINDERS] = {"A workspace", "reminders with a next time", 10 * 1000},
    [LIMIT_WEBHOOKS] = {"A workspace", "webhooks", 100},
    [LIMIT_KEYS] = {"A workspace", "API keys", 1000},
    [LIMIT_DEVICES] = {"A user", "passwords of devices", 50},
    [LIMIT_VIEWS] = {"A workspace", "views", 500},
    [LIMIT_USERS] = {"A workspace", "users", 10 * 1000},
    [LIMIT_GROUPS] = {"A workspace", "groups", 1000},
    [LIMIT_TYPES] = {"A group", "object types", 50},
    [LIMIT_FIELDS] = {"A group", "custom fields for one kind of entity", 200},
    [LIMIT_ALL_FIELDS] = {"A workspace", "custom fields", 10 * 1000},
    [LIMIT_OPTIONS] = {"A field", "options", 1000},
    [LIMIT_ALL_OPTIONS] = {"A workspace", "options of custom fields", 20 * 1000},
    /* With the fields' own limits, this keeps a record under 1 MiB. */
    [LIMIT_CUSTOM_BYTES] = {"A record", "bytes of custom field values", 256 * 1024},
    /* A merge moves them while the other writes of the workspace wait. */
    [LIMIT_MERGE_REFERENCES] = {"A merged record", "references from records", 10 * 1000},
    [LIMIT_MERGE_ACTIVITIES] = {"A merged record", "notes, tasks, reminders and interactions", 10 * 1000},
};

char *limit_text(char out[LIMIT_TEXT_SIZE], enum limit_name which, int64_t present)
{
	const struct limit *l = &limits[which];

	if (present < 0)
		snprintf(out, LIMIT_TEXT_SIZE, "%s has at most %lld %s; this one has more", l->holder,
		    (long long)l->most, l->unit);
	else
		snprintf(out, LIMIT_TEXT_SIZE, "%s has at most %lld %s; this one has %lld", l->holder,
		    (long long)l->most, l->unit, (long long)present);
	return out;
}

bool limit_check(struct issues *is, const struct path *at, enum limit_name which, int64_t present, int64_t more)
{
	char text[LIMIT_TEXT_SIZE];

	if (more <= 0 || present + more <= limits[which].most)
		return true;
	issue_custom(is, at, "%s", limit_text(text, which, present));
	return false;
}

bool limit_exceeded(enum limit_name which, int64_t was, int64_t becomes)
{
	return becomes > limits[which].most && becomes > was;
}
