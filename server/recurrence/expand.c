/* The instants of recurrence rules: local times from walk.c, converted in their zones. */
#include "server/recurrence/expand.h"

#include <string.h>

#include "server/base/civil.h"
#include "server/recurrence/walk.h"
#include "server/recurrence/zone.h"

enum { DAY = 24 * 60 * 60, INSTANT_WORK = 4 };

/* The last local time that may still count, because times in a gap of the clock become instants after those of later
 * local times. */
static int64_t last_local(const struct recurrence *r)
{
	if (r->until_kind == UNTIL_NEVER)
		return INT64_MAX;
	return r->until_kind == UNTIL_LOCAL ? r->until : r->until + zone_offset(r->zone, r->until);
}

bool recurrence_first(const struct recurrence *r, int64_t *local)
{
	struct recurrence_mark none = {.known = false};
	struct recurrence_walk w;

	*local = r->start;
	if (!r->rules)
		return true;
	walk_begin(&w, r, &none, r->start, 0);
	return walk_next(&w, r->start, local);
}

int64_t recurrence_until(const struct recurrence *r)
{
	return r->until_kind == UNTIL_LOCAL ? zone_instant(r->zone, r->until) : r->until;
}

/* work: steps that the caller has already used. */
static enum recurrence_found recurrence_search(
    const struct recurrence *r, struct recurrence_mark *mark, int64_t after_ms, int64_t *next_ms, int64_t *work)
{
	int64_t after = civil_floor(after_ms, 1000), from, local, utc, last = last_local(r), best = 0, best_local = 0;
	bool found = false;
	struct recurrence_walk w;

	if (!r->rules) {
		*next_ms = zone_instant(r->zone, r->start) * 1000;
		return *next_ms > after_ms ? RECURRENCE_FOUND : RECURRENCE_OVER;
	}
	/* Local times that a change of the clock skips become instants after those of later local times. */
	from = after + zone_offset(r->zone, after) - zone_put_forward(r->zone, after);
	walk_begin(&w, r, mark, from, *work);
	for (bool first = true; walk_next(&w, from, &local); first = false) {
		if (first)
			*mark = w.mark; /* everything before this period has passed */
		if (local > last || (found && local > best_local))
			break;
		utc = zone_instant(r->zone, local);
		if (utc > after && (r->until_kind != UNTIL_UTC || utc <= r->until) && (!found || utc < best)) {
			best = utc;
			best_local = utc + zone_offset(r->zone, utc);
			found = true;
		}
		w.work += INSTANT_WORK;
		if (w.work > RECURRENCE_WORK_MAX)
			break;
	}
	*work = w.work;
	if (found) {
		*next_ms = best * 1000;
		return RECURRENCE_FOUND;
	}
	if (w.work > RECURRENCE_WORK_MAX && w.mark.known)
		*mark = w.mark; /* the next call continues there */
	return w.work > RECURRENCE_WORK_MAX ? RECURRENCE_TOO_LONG : RECURRENCE_OVER;
}

bool recurrence_start(struct recurrence_times *times, const char *text, size_t len, int64_t now_ms)
{
	struct recurrence_mark unused = {.known = false};
	struct recurrence r;
	int64_t work = 0, first_ms;

	memset(times, 0, sizeof *times);
	if (!recurrence_parse(&r, text, len))
		return false;
	switch (recurrence_search(&r, &times->mark, now_ms, &times->next_ms, &work)) {
	case RECURRENCE_FOUND:
		return true;
	case RECURRENCE_OVER: /* all occurrences are in the past, if there were any */
		times->over = true;
		return recurrence_search(&r, &unused, (r.start - 2 * DAY) * 1000, &first_ms, &work) == RECURRENCE_FOUND;
	default:
		return false;
	}
}

enum recurrence_found recurrence_next(
    const char *text, size_t len, struct recurrence_mark *mark, int64_t after_ms, int64_t *next_ms)
{
	struct recurrence r;
	int64_t work = 0;

	return recurrence_parse(&r, text, len) ? recurrence_search(&r, mark, after_ms, next_ms, &work)
	                                       : RECURRENCE_UNREADABLE;
}
