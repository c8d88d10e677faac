/* The table of limits. */
#include "server/limits.h"

const struct limit limits[LIMITS] = {
    [LIMIT_REMINDERS] = {"A workspace", "reminders with a next time", 10 * 1000},
    [LIMIT_WEBHOOKS] = {"A workspace", "webhooks", 100},
};

bool limit_check(struct issues *is, const struct path *at, enum limit_name which, int64_t present, int64_t more)
{
	const struct limit *l = &limits[which];

	if (more <= 0 || present + more <= l->most)
		return true;
	issue_custom(is, at, "%s has at most %lld %s; this one has %lld", l->holder, (long long)l->most, l->unit,
	    (long long)present);
	return false;
}
