/* Readers of single values. "" unsets wherever a field may be unset. */
#include "server/input/value.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/emoji.h"
#include "server/base/text.h"
#include "server/recurrence/expand.h"

bool body_text(struct issues *is, const struct json *json, int min, int max, const struct path *at)
{
	size_t count;

	if (json->type != JSON_STRING) {
		issue_type(is, at, "string", json);
		return false;
	}
	if (json->has_nul && memchr(json->text, '\0', json->len)) {
		issue_string(is, at, "regex"); /* PostgreSQL keeps every character but U+0000 */
		return false;
	}
	count = text_code_points(json->text, json->len);
	if (count < (size_t)min || count > (size_t)max) {
		issue_range(is, at, count > (size_t)max, count > (size_t)max ? max : min, "string", false);
		return false;
	}
	return true;
}

static void read_text(
    struct issues *is, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (!body_text(is, json, f->flags & FIELD_NO_EMPTY ? 1 : 0, f->max, at))
		return;
	v->text = json->text;
	v->len = json->len;
	v->null = (f->flags & FIELD_NULL_EMPTY) && json->len == 0;
}

static bool same(const struct json *json, const char *text)
{
	return json->len == strlen(text) && memcmp(json->text, text, json->len) == 0;
}

static void read_choice(
    struct issues *is, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	const char *options[16];
	int n = 0;

	if (json->type != JSON_STRING) {
		issue_type(is, at, "string", json);
		return;
	}
	if ((json->len == 0 && !(f->flags & FIELD_NO_EMPTY)) || (f->unset && same(json, f->unset))) {
		v->null = true;
		return;
	}
	for (; f->choices[n]; n++) {
		if (same(json, f->choices[n])) {
			v->text = f->choices[n];
			v->len = strlen(v->text);
			return;
		}
		options[n] = f->choices[n];
	}
	if (f->unset)
		options[n++] = f->unset;
	options[n] = NULL;
	issue_choice(is, at, options, json->text, json->len);
}

static void read_activity(
    struct issues *is, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (!body_text(is, json, 1, f->max, at))
		return;
	v->text = json->text;
	v->len = json->len;
	for (int n = 0; f->choices[n]; n++)
		if (same(json, f->choices[n]))
			return;
	if (!emoji_is_one(json->text, json->len))
		issue_choice(is, at, f->choices, json->text, json->len);
}

static void read_date(
    struct issues *is, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	int32_t days;

	if (json->type != JSON_STRING) {
		issue_type(is, at, "string", json);
	} else if (json->len == 0 && !(f->flags & FIELD_NO_EMPTY)) {
		v->null = true;
	} else if (!date_parse(json->text, json->len, &days)) {
		issue_string(is, at, "date");
	} else {
		v->number = days;
	}
}

static void read_clock(struct issues *is, const struct json *json, const struct path *at, struct value *v)
{
	int minutes;

	if (json->type != JSON_STRING) {
		issue_type(is, at, "string", json);
	} else if (json->len == 0) {
		v->null = true;
	} else if (!clock_time_parse(json->text, json->len, &minutes)) {
		issue_string(is, at, "time");
	} else {
		v->number = minutes;
	}
}

static void read_rule(struct issues *is, const struct field *f, const struct json *json, const struct path *at,
    struct value *v, struct arena *a)
{
	struct recurrence_times *times;

	if (!body_text(is, json, 0, f->max, at))
		return;
	times = arena_alloc(a, sizeof *times);
	if (!recurrence_start(times, json->text, json->len, clock_now_ms()))
		issue_string(is, at, "rrule");
	v->text = json->text;
	v->len = json->len;
	v->times = times;
}

/* Four digits in a string, or an integer from 1000 to 2100. */
static void read_year(struct issues *is, const struct json *json, const struct path *at, struct value *v)
{
	uint64_t year;
	bool whole =
	    (json->type == JSON_NUMBER || json->type == JSON_STRING) && text_uint(json->text, json->len, &year);

	if (json->type == JSON_STRING && json->len == 0) {
		v->null = true;
	} else if (json->type == JSON_STRING) {
		if (json->len == 4 && whole)
			v->number = (int64_t)year;
		else
			issue_string(is, at, "regex");
	} else if (json->type != JSON_NUMBER) {
		issue_type(is, at, "string", json);
	} else if (json->text[0] == '-' || (whole && year < 1000)) {
		issue_range(is, at, false, 1000, "number", false);
	} else if (!whole) {
		issue_type(is, at, "integer", json);
	} else if (year > 2100) {
		issue_range(is, at, true, 2100, "number", false);
	} else {
		v->number = (int64_t)year;
	}
}

static void read_decimal(
    struct issues *is, const struct json *json, const struct path *at, struct value *v, struct arena *a)
{
	if (json->type != JSON_NUMBER && json->type != JSON_STRING) {
		issue_type(is, at, "number", json);
		return;
	}
	if (json->type == JSON_STRING && json->len == 0) {
		v->null = true;
		return;
	}
	v->text = text_decimal(a, json->text, json->len);
	v->len = v->text ? strlen(v->text) : 0;
	if (!v->text)
		issue_string(is, at, "regex");
	else if (v->text[0] == '-')
		issue_range(is, at, false, 0, "number", false);
}

static void read_flag(struct issues *is, const struct json *json, const struct path *at, struct value *v)
{
	if (json->type != JSON_BOOL)
		issue_type(is, at, "boolean", json);
	v->number = json->truth;
}

static void read_time(
    struct issues *is, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (!body_text(is, json, 0, f->max, at))
		return;
	if (json->len == 0 && !(f->flags & FIELD_NO_EMPTY))
		v->null = true;
	else if (!time_parse(json->text, json->len, &v->number))
		issue_string(is, at, "datetime");
}

void body_value(struct issues *is, const struct field *f, const struct json *json, const struct path *at,
    struct value *v, struct arena *a)
{
	switch (f->type) {
	case FIELD_TEXT:
		read_text(is, f, json, at, v);
		break;
	case FIELD_CHOICE:
		read_choice(is, f, json, at, v);
		break;
	case FIELD_ACTIVITY:
		read_activity(is, f, json, at, v);
		break;
	case FIELD_DATE:
		read_date(is, f, json, at, v);
		break;
	case FIELD_YEAR:
		read_year(is, json, at, v);
		break;
	case FIELD_DECIMAL:
		read_decimal(is, json, at, v, a);
		break;
	case FIELD_FLAG:
		read_flag(is, json, at, v);
		break;
	case FIELD_TIME:
		read_time(is, f, json, at, v);
		break;
	case FIELD_CLOCK:
		read_clock(is, json, at, v);
		break;
	case FIELD_RULE:
		read_rule(is, f, json, at, v, a);
		break;
	default: /* lists and references are read in body.c, the rest is never written */
		break;
	}
}

const char *body_expected(const struct field *f)
{
	switch (f->type) {
	case FIELD_FLAG:
		return "boolean";
	case FIELD_DECIMAL:
		return "number";
	case FIELD_TEXTS:
	case FIELD_EVENTS:
	case FIELD_GROUPS:
	case FIELD_COMPANIES:
	case FIELD_USERS:
	case FIELD_PEOPLE:
		return "array";
	case FIELD_ENTITY:
	case FIELD_PARENT:
	case FIELD_CUSTOM:
		return "object";
	default:
		return "string";
	}
}
