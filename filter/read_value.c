/* Fields and values of filters; see read.h. */
#include "filter/read.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/text.h"

enum { VALUE_MAX = 5000, MS_PER_DAY = 24 * 60 * 60 * 1000 };

static const char custom_prefix[] = "customFieldValues.", custom_unknown[] = "Unknown custom field";
enum { CUSTOM_PREFIX_LEN = sizeof custom_prefix - 1 };

/* --- fields -------------------------------------------------------------------- */

/* "<group id>.<name>" of people and companies, "<name>" of objects. NULL when found, else the reason; "" for an unknown
 * name. */
static const char *find_custom(struct filter_reading *rd, const char *name, size_t len, struct filter_condition *c)
{
	const struct filter_resolver *resolver = rd->resolver;
	bool objects = rd->table == &object_filters;
	struct uuid group;

	if (!objects) {
		if (len <= ID_LEN || memchr(name, '.', len) != name + ID_LEN)
			return "";
		if (!id_parse(ID_GROUP, name, ID_LEN, &group) || !resolver->group(resolver->ctx, &group))
			return "Group not found";
		name += ID_LEN + 1;
		len -= ID_LEN + 1;
	}
	if (!resolver->custom(resolver->ctx, objects ? NULL : &group, name, len, &c->custom))
		return custom_unknown;
	c->field = filter_custom_field(c->custom.type);
	if (!c->field)
		return "Values of this type of custom field cannot be filtered by";
	return NULL;
}

static bool is_custom(const struct filter_reading *rd, const char *name, size_t len)
{
	return rd->table->custom && len > CUSTOM_PREFIX_LEN && memcmp(name, custom_prefix, CUSTOM_PREFIX_LEN) == 0;
}

const char *filter_look_up(struct filter_reading *rd, const char *name, size_t len, struct filter_condition *c)
{
	c->field = filter_field_find(rd->table, name, len);
	if (c->field)
		return NULL;
	return is_custom(rd, name, len) ? find_custom(rd, name + CUSTOM_PREFIX_LEN, len - CUSTOM_PREFIX_LEN, c) : "";
}

/* The names that the resolver has for a hint. */
struct resolver_names {
	const struct filter_resolver *resolver;
	const struct uuid *of; /* a group, NULL: the listed objects'; or a field */
};

static void customs_near(const void *ctx, struct near *n)
{
	const struct resolver_names *names = ctx;

	if (names->resolver->custom_near)
		names->resolver->custom_near(names->resolver->ctx, names->of, n);
}

static void options_near(const void *ctx, struct near *n)
{
	const struct resolver_names *names = ctx;

	if (names->resolver->option_near)
		names->resolver->option_near(names->resolver->ctx, names->of, n);
}

/* name: the part after the prefix. */
static void hint_custom(struct filter_reading *rd, const char *name, size_t len)
{
	struct resolver_names names = {rd->resolver, NULL};
	struct uuid group;
	size_t skip = 0;

	if (rd->table != &object_filters) {
		if (len <= ID_LEN || !id_parse(ID_GROUP, name, ID_LEN, &group))
			return;
		names.of = &group;
		skip = ID_LEN + 1;
	}
	issue_hint_near(rd->issues, name + skip, len - skip, customs_near, &names, "custom fields");
}

void filter_hint_custom(struct filter_reading *rd, const char *name, size_t len)
{
	if (is_custom(rd, name, len))
		hint_custom(rd, name + CUSTOM_PREFIX_LEN, len - CUSTOM_PREFIX_LEN);
}

/* "companies.industry": a field of related records. */
static bool find_related(struct filter_reading *rd, const char *name, size_t len, struct filter_condition *c)
{
	const char *dot = rd->query ? NULL : memchr(name, '.', len);

	c->relation = dot ? filter_relation_find(rd->table, name, (size_t)(dot - name)) : NULL;
	if (c->relation)
		c->field = filter_field_find(c->relation->target, dot + 1, len - (size_t)(dot + 1 - name));
	return c->field != NULL;
}

bool filter_find(struct filter_reading *rd, const char *name, size_t len, const struct path *at,
    struct issue_keys *unknown, struct filter_condition *c)
{
	const char *why = filter_look_up(rd, name, len, c);

	if (!why && rd->table == &object_filters && c->custom.type && strcmp(c->custom.type, "objectField") == 0)
		why = "Values of an objectField are filtered by on people and companies only";
	else if (why && !*why && find_related(rd, name, len, c))
		why = NULL;
	if (why && *why)
		issue_custom(rd->issues, at, "%s", why);
	if (why == custom_unknown)
		hint_custom(rd, name + CUSTOM_PREFIX_LEN, len - CUSTOM_PREFIX_LEN);
	if (why && !*why)
		issue_keys_add(unknown, name, len);
	return !why;
}

/* --- values -------------------------------------------------------------------- */

/* A value being read: its field, text and path. */
struct item {
	struct filter_reading *rd;
	const struct filter_field *field;
	const char *text;
	size_t len;
	const struct path *at;
	struct filter_value *v;
};

/* The issue of a value that the type does not allow. Types of built-in fields are part of the API, those of custom
 * fields are data. */
static bool value_refuse(const struct item *i, const char *validation, const char *expected)
{
	if (i->field->source == FILTER_CUSTOM)
		issue_custom(i->rd->issues, i->at, "Expected %s", expected);
	else
		issue_string(i->rd->issues, i->at, validation);
	if (i->field->source == FILTER_CUSTOM && validation)
		issue_hint(i->rd->issues, "YYYY-MM-DD");
	return false;
}

static bool filter_read_number(const struct item *i)
{
	struct json received = {.type = JSON_STRING};

	i->v->text = text_decimal(i->rd->arena, i->text, i->len);
	i->v->len = i->v->text ? strlen(i->v->text) : 0;
	if (!i->v->text && i->field->source == FILTER_CUSTOM)
		value_refuse(i, NULL, "a number or a numeric string");
	else if (!i->v->text)
		issue_type(i->rd->issues, i->at, "number", &received);
	return i->v->text != NULL;
}

static bool read_instant(const struct item *i)
{
	bool by_day = i->field->type == FILTER_DAY;
	int64_t ms;
	int32_t day;

	if (date_parse(i->text, i->len, &day)) {
		by_day = true;
		ms = (int64_t)day * MS_PER_DAY;
	} else if (!time_parse(i->text, i->len, &ms)) {
		return value_refuse(i, by_day ? "date" : "datetime", "a date such as 2026-01-31");
	}
	i->v->from_ms = by_day ? ms - ((ms % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY : ms;
	i->v->to_ms = i->v->from_ms + (by_day ? MS_PER_DAY : 1);
	return true;
}

static bool filter_read_choice(const struct item *i)
{
	for (const char *const *word = i->field->choices; *word; word++) {
		i->v->text = *word;
		i->v->len = strlen(*word);
		if (i->v->len == i->len && memcmp(*word, i->text, i->len) == 0)
			return true;
	}
	issue_choice(i->rd->issues, i->at, i->field->choices, i->text, i->len);
	return false;
}

/* NULL when there are several kinds. */
static const char *kind_prefix(unsigned kinds)
{
	for (enum id_kind kind = 0; kind < ID_KINDS; kind++)
		if (kinds == 1u << kind)
			return id_prefix(kind);
	return NULL;
}

/* An unknown or hidden group is reported; any other unknown id matches nothing. */
static bool filter_read_id(const struct item *i)
{
	const struct filter_resolver *resolver = i->rd->resolver;
	size_t points = text_code_points(i->text, i->len);
	enum id_kind kind = ID_KINDS;

	if (points != ID_LEN) {
		issue_id(i->rd->issues, i->at, points > ID_LEN, kind_prefix(i->field->kinds));
		return false;
	}
	i->v->unknown = !id_parse_any(i->text, i->len, &kind, &i->v->id) || !(i->field->kinds & 1u << kind);
	if (i->field->kinds == 1u << ID_GROUP && (i->v->unknown || !resolver->group(resolver->ctx, &i->v->id)))
		issue_custom(i->rd->issues, i->at, "Group not found");
	else if (kind == ID_KINDS)
		issue_string_form(i->rd->issues, i->at, "an id: a prefix such as `per_`, and a UUID");
	else
		return true;
	return false;
}

bool filter_value_read(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *v)
{
	const struct filter_resolver *resolver = rd->resolver;
	struct item i = {rd, c->field, text, len, at, v};
	size_t points = text_code_points(text, len);

	*v = (struct filter_value){.text = text, .len = len};
	if (points == 0 || points > VALUE_MAX) {
		issue_range(rd->issues, at, points > 0, points > 0 ? VALUE_MAX : 1, "string", false);
		return false;
	}
	switch (c->field->type) {
	case FILTER_TEXT:
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
		return true;
	case FILTER_CHOICE:
		return filter_read_choice(&i);
	case FILTER_NUMBER:
		return filter_read_number(&i);
	case FILTER_DATE:
		return date_parse(text, len, &v->day) || value_refuse(&i, "date", "a date such as 2026-01-31");
	case FILTER_DAY:
	case FILTER_INSTANT:
		return read_instant(&i);
	case FILTER_OPTION:
	case FILTER_OPTIONS:
		if (resolver->option(resolver->ctx, &c->custom.id, text, len, &v->id))
			return true;
		issue_custom(rd->issues, at, "Unknown option");
		issue_hint_near(
		    rd->issues, text, len, options_near, &(struct resolver_names){resolver, &c->custom.id}, "options");
		return false;
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_ENTITY:
	case FILTER_REFS:
		if (subkey != FILTER_SUBKEY_EMAIL)
			return filter_read_id(&i);
		v->unknown = !resolver->user(resolver->ctx, text, len, &v->id);
		return true;
	}
	return false;
}
