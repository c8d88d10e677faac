/* Dates in words become what the API takes: see when.h. */
#include "server/mcp/refer.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/recurrence/zone.h"

const char *words_zone_name(const struct req *r)
{
	const struct user *me = workspace_user(r->caller.ws, &r->caller.viewer.user);

	return me ? me->time_zone : "UTC";
}

static const struct zone *words_zone(const struct req *r)
{
	const char *name = words_zone_name(r);
	const struct zone *zone = zone_find(name, strlen(name));

	return zone ? zone : zone_utc();
}

static void words_put(struct json *at, const char *text)
{
	at->text = text;
	at->len = strlen(text);
}

/* The last millisecond of a day. */
static int64_t words_end(const struct req *r, int32_t day)
{
	return zone_instant(words_zone(r), ((int64_t)day + 1) * 24 * 60 * 60) * 1000 - 1;
}

/* Writes what was understood in the form that the API takes. Returns what is wrong; NULL: nothing. */
static const char *words_write(
    struct req *r, struct json *at, enum words_form form, const struct when *when, const char **clock)
{
	bool timed = when->minute >= 0;
	char *text = arena_alloc(&r->arena, TIME_TEXT_SIZE);

	if (form == WORDS_TIME && !timed)
		return "The time of day is missing, such as: today 15:00";
	if (timed && (form == WORDS_DAYS || (form == WORDS_DAY && !clock)))
		return "This is a day, without a time";
	if (form == WORDS_TIME || form == WORDS_START || form == WORDS_END) {
		words_put(at,
		    time_format(form == WORDS_END && !timed ? words_end(r, when->day) : when->instant * 1000, text));
		return NULL;
	}
	words_put(at, date_format(when->day, text));
	if (timed)
		*clock = arena_printf(&r->arena, "%02d:%02d", when->minute / 60, when->minute % 60);
	return NULL;
}

void words_replace(struct req *r, struct json *at, enum words_form form, enum when_side side, const struct path *path,
    const char **clock)
{
	struct when_asked asked = {words_zone(r), req_now_ms(r) / 1000, side};
	char why[WHEN_WHY_SIZE];
	const char *wrong = NULL;
	struct when when;

	if (at->type != JSON_STRING)
		return;
	switch (when_read(&asked, at->text, at->len, &when, why)) {
	case WHEN_OTHER:
		return;
	case WHEN_UNCERTAIN:
		wrong = why;
		break;
	case WHEN_READ:
		call_of(r)->worded = true;
		wrong = words_write(r, at, form, &when, clock);
		break;
	}
	if (wrong)
		issue_custom(&r->given.issues, path, "%s", wrong);
}
