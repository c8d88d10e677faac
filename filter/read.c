/* Fields and values of filters; see read.h. */
#include "filter/read.h"

#include <string.h>

#include "filter/tables.h"
#include "server/base/clock.h"
#include "server/base/text.h"

enum { VALUE_MAX = 5000, MS_PER_DAY = 24 * 60 * 60 * 1000 };

static const char custom_prefix[] = "customFieldValues.";
enum { CUSTOM_PREFIX_LEN = sizeof custom_prefix - 1 };

/* --- fields -------------------------------------------------------------------- */

static enum filter_found refused(struct filter_reading *rd, const struct path *at, const char *why)
{
	issue_custom(rd->issues, at, "%s", why);
	return FILTER_REFUSED;
}

/* "<group id>.<name>" of people and companies, "<name>" of objects. */
static enum filter_found find_custom(
    struct filter_reading *rd, const char *name, size_t len, const struct path *at, struct filter_condition *c)
{
	bool objects = rd->table == &object_filters;
	struct filter_custom custom = {.n_gone = 0};

	if (!objects) {
		if (len <= ID_LEN || memchr(name, '.', len) != name + ID_LEN)
			return FILTER_UNKNOWN;
		if (!id_parse(ID_GROUP, name, ID_LEN, &c->group) || !rd->resolver->group(rd->resolver->ctx, &c->group))
			return refused(rd, at, "Group not found");
		name += ID_LEN + 1;
		len -= ID_LEN + 1;
	}
	if (!rd->resolver->custom(rd->resolver->ctx, objects ? NULL : &c->group, name, len, &custom))
		return refused(rd, at, "Unknown custom field");
	c->custom = custom.id;
	c->gone = custom.gone;
	c->n_gone = custom.n_gone;
	c->field = filter_custom_field(custom.type);
	if (!c->field)
		return refused(rd, at, "Values of this type of custom field cannot be filtered by");
	if (objects && strcmp(custom.type, "objectField") == 0)
		return refused(rd, at, "Values of an objectField are filtered by on people and companies only");
	return FILTER_FOUND;
}

/* "companies.industry": a field of what is related. */
static enum filter_found find_related(
    struct filter_reading *rd, const char *name, size_t len, struct filter_condition *c)
{
	const char *dot = memchr(name, '.', len);

	if (!rd->relations || !dot)
		return FILTER_UNKNOWN;
	c->relation = filter_relation_find(rd->table, name, (size_t)(dot - name));
	if (!c->relation)
		return FILTER_UNKNOWN;
	len -= (size_t)(dot + 1 - name);
	c->field = filter_field_find(c->relation->target, dot + 1, len);
	return c->field ? FILTER_FOUND : FILTER_UNKNOWN;
}

enum filter_found filter_find(
    struct filter_reading *rd, const char *name, size_t len, const struct path *at, struct filter_condition *c)
{
	memset(c, 0, sizeof *c);
	c->field = filter_field_find(rd->table, name, len);
	if (c->field)
		return FILTER_FOUND;
	if (rd->table->custom && len > CUSTOM_PREFIX_LEN && memcmp(name, custom_prefix, CUSTOM_PREFIX_LEN) == 0)
		return find_custom(rd, name + CUSTOM_PREFIX_LEN, len - CUSTOM_PREFIX_LEN, at, c);
	return find_related(rd, name, len, c);
}

/* --- values -------------------------------------------------------------------- */

/* What a built-in field's type does not allow is wrong in itself; a custom field's type is data. */
static bool wrong(struct filter_reading *rd, const struct filter_condition *c, const struct path *at,
    const char *validation, const char *expected)
{
	if (c->field->source == FILTER_CUSTOM)
		issue_custom(rd->issues, at, "Expected %s", expected);
	else
		issue_string(rd->issues, at, validation);
	return false;
}

static bool read_number(struct filter_reading *rd, const struct filter_condition *c, const char *text, size_t len,
    const struct path *at, struct filter_value *v)
{
	struct json received = {.type = JSON_STRING};

	v->text = text_decimal(rd->arena, text, len);
	if (v->text) {
		v->len = strlen(v->text);
		return true;
	}
	if (c->field->source == FILTER_CUSTOM)
		return wrong(rd, c, at, NULL, "a number or a numeric string");
	issue_type(rd->issues, at, "number", &received);
	return false;
}

static bool read_instant(struct filter_reading *rd, const struct filter_condition *c, const char *text, size_t len,
    const struct path *at, struct filter_value *v)
{
	bool by_day = c->field->type == FILTER_DAY;
	int64_t ms;
	int32_t day;

	if (date_parse(text, len, &day)) {
		v->from_ms = (int64_t)day * MS_PER_DAY;
		v->to_ms = v->from_ms + MS_PER_DAY;
		return true;
	}
	if (!time_parse(text, len, &ms))
		return wrong(rd, c, at, by_day ? "date" : "datetime", "a date such as 2026-01-31");
	v->from_ms = by_day ? ms - ((ms % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY : ms;
	v->to_ms = v->from_ms + (by_day ? MS_PER_DAY : 1);
	return true;
}

static bool read_choice(struct filter_reading *rd, const struct filter_condition *c, const char *text, size_t len,
    const struct path *at, struct filter_value *v)
{
	for (int i = 0; c->field->choices[i]; i++) {
		v->text = c->field->choices[i];
		v->len = strlen(v->text);
		if (v->len == len && memcmp(v->text, text, len) == 0)
			return true;
	}
	issue_choice(rd->issues, at, c->field->choices, text, len);
	return false;
}

/* A group that cannot be seen is a mistake worth telling; any other unknown id just matches nothing. */
static bool read_id(struct filter_reading *rd, const struct filter_condition *c, const char *text, size_t len,
    const struct path *at, struct filter_value *v)
{
	size_t points = text_code_points(text, len);
	enum id_kind kind = ID_KINDS;

	if (points != ID_LEN) {
		issue_range(rd->issues, at, points > ID_LEN, ID_LEN, "string", true);
		return false;
	}
	v->nobody = !id_parse_any(text, len, &kind, &v->id) || !(c->field->kinds & 1u << kind);
	if (c->field->kinds == 1u << ID_GROUP && (v->nobody || !rd->resolver->group(rd->resolver->ctx, &v->id))) {
		issue_custom(rd->issues, at, "Group not found");
		return false;
	}
	if (kind == ID_KINDS) {
		issue_string(rd->issues, at, "regex");
		return false;
	}
	return true;
}

static bool read_ref(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *v)
{
	if (subkey != FILTER_SUBKEY_EMAIL)
		return read_id(rd, c, text, len, at, v);
	v->nobody = !rd->resolver->user(rd->resolver->ctx, text, len, &v->id);
	return true;
}

static bool read_text(struct filter_reading *rd, const char *text, size_t len, const struct path *at)
{
	size_t points = text_code_points(text, len);

	if (points > 0 && points <= VALUE_MAX)
		return true;
	issue_range(rd->issues, at, points > 0, points > 0 ? VALUE_MAX : 1, "string", false);
	return false;
}

bool filter_value_read(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *v)
{
	memset(v, 0, sizeof *v);
	if (!read_text(rd, text, len, at))
		return false;
	v->text = text;
	v->len = len;
	switch (c->field->type) {
	case FILTER_TEXT:
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
		return true;
	case FILTER_CHOICE:
		return read_choice(rd, c, text, len, at, v);
	case FILTER_NUMBER:
		return read_number(rd, c, text, len, at, v);
	case FILTER_DATE:
		return date_parse(text, len, &v->day) || wrong(rd, c, at, "date", "a date such as 2026-01-31");
	case FILTER_DAY:
	case FILTER_INSTANT:
		return read_instant(rd, c, text, len, at, v);
	case FILTER_OPTION:
	case FILTER_OPTIONS:
		if (rd->resolver->option(rd->resolver->ctx, &c->custom, text, len, &v->id))
			return true;
		issue_custom(rd->issues, at, "Unknown option");
		return false;
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_ENTITY:
	case FILTER_REFS:
		return read_ref(rd, c, subkey, text, len, at, v);
	}
	return false;
}

/* --- what is common to both forms ------------------------------------------------- */

unsigned filter_subkey_parse(const char *text, size_t len)
{
	if (len == 2 && memcmp(text, "id", 2) == 0)
		return FILTER_SUBKEY_ID;
	return len == 5 && memcmp(text, "email", 5) == 0 ? FILTER_SUBKEY_EMAIL : 0;
}

bool filter_count_check(struct filter_reading *rd, enum filter_op op, size_t count, const struct path *at)
{
	long most = op == FILTER_GT || op == FILTER_LT ? 1 : FILTER_VALUES_MAX;

	if (count <= (size_t)most)
		return true;
	issue_range(rd->issues, at, true, most, "array", false);
	return false;
}

const char *filter_condition_name(struct arena *a, const char *field, size_t len, enum filter_op op)
{
	return arena_printf(a, "%.*s %s", (int)len, field, filter_op_word(op));
}

void filter_total_check(struct filter_reading *rd, const struct path *at)
{
	if (rd->n_conditions > FILTERS_MAX)
		issue_range(rd->issues, at, true, FILTERS_MAX, "array", false);
}
