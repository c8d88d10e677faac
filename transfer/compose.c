/* Turns the texts of columns into members of a body. */
#include <stdio.h>
#include <stdlib.h>

#include "transfer/compose_private.h"

void compose_refuse(const struct compose *b, struct entry *e, const struct entry_value *v, const char *why)
{
	const struct mapping_column *c = compose_column(b, v);
	bool grouped = b->kind != TRANSFER_OBJECTS;

	if (c->use == MAPPING_CUSTOM)
		entry_refuse(
		    e, HEADER_CUSTOM "%s%s%s: %s", grouped ? b->group : "", grouped ? "." : "", c->custom, why);
	else
		entry_refuse(e, "%s: %s", c->field->name, why);
}

/* --- single values ------------------------------------------------------------------------------- */

/* A text that is not a date is written as it is, so that the file of refused records has all values. */
static void compose_date(
    struct compose *b, struct entry *e, const struct transfer_field *f, const struct entry_value *v, struct json_out *o)
{
	bool day_first = compose_column(b, v)->day_first;
	char date[DATE_TEXT_SIZE], time[TIME_TEXT_SIZE];
	enum value_state state =
	    f->shape == SHAPE_DATE ? value_date(v->text, day_first, date) : value_time(v->text, day_first, time);

	b->no_year += state == VALUE_NONE && !value_is_empty_date(v->text);
	if (state == VALUE_BAD) {
		compose_refuse(b, e, v, f->shape == SHAPE_DATE ? "is not a date" : "is not a time");
		compose_member(o, f->name, v->text);
	}
	if (state == VALUE_GOOD)
		compose_member(o, f->name, f->shape == SHAPE_DATE ? date : time);
}

static void compose_user(struct compose *b, const struct transfer_field *f, const char *text, struct json_out *o)
{
	const struct roster_name *u = roster_user(b->roster, text);

	b->no_author += !u;
	if (!u)
		return;
	json_key(o, f->name);
	json_begin_object(o);
	compose_member(o, "id", u->id);
	json_end_object(o);
}

/* "9:30", "09:30:00" */
static void compose_clock(
    struct entry *e, const struct transfer_field *f, const struct entry_value *v, struct json_out *o)
{
	size_t len = strcspn(v->text, ":");
	bool whole = v->len >= len + 3;

	compose_member(o, f->name,
	    whole ? arena_printf(&e->arena, "%s%.*s", len == 1 ? "0" : "", (int)len + 3, v->text) : v->text);
}

static void compose_scalar(
    struct compose *b, struct entry *e, const struct transfer_field *f, const struct entry_value *v, struct json_out *o)
{
	const char *number;

	switch (f->shape) {
	case SHAPE_DATE:
	case SHAPE_TIME:
		compose_date(b, e, f, v, o);
		return;
	case SHAPE_NUMBER:
		number = value_number(&e->arena, v->text, compose_column(b, v)->decimal_comma);
		if (!number)
			compose_refuse(b, e, v, "is not a number");
		compose_member(o, f->name, number ? number : v->text);
		return;
	case SHAPE_YEAR:
		compose_member(o, f->name, arena_dup(&e->arena, v->text, v->len < 4 ? v->len : 4));
		return;
	case SHAPE_RANGE:
		compose_member(o, f->name, value_range(f->choices, v->text));
		return;
	case SHAPE_GENDER:
		compose_member(o, f->name, header_choice(b->kind, f, v->text));
		return;
	case SHAPE_BOOL:
		json_add_bool(o, f->name, strchr("tTyY1", *v->text) != NULL);
		return;
	case SHAPE_USER:
		compose_user(b, f, v->text, o);
		return;
	case SHAPE_CLOCK:
		compose_clock(e, f, v, o);
		return;
	default:
		compose_member(o, f->name, v->text);
	}
}

/* --- custom fields ---------------------------------------------------------------------------------- */

static void compose_custom_value(struct compose *b, struct entry *e, const struct entry_value *v, struct json_out *o)
{
	const struct mapping_column *c = compose_column(b, v);
	struct compose_items items = {0};
	char date[DATE_TEXT_SIZE];
	enum value_state state;
	const char *number;

	if (c->type == MAPPING_DATE) {
		state = value_date(v->text, c->day_first, date);
		if (state == VALUE_BAD)
			compose_refuse(b, e, v, "is not a date");
		if (state != VALUE_NONE)
			compose_member(o, c->custom, state == VALUE_GOOD ? date : v->text);
		return;
	}
	if (c->type == MAPPING_NUMBER) {
		number = value_number(&e->arena, v->text, c->decimal_comma);
		if (!number)
			compose_refuse(b, e, v, "is not a number");
		compose_member(o, c->custom, number ? number : v->text);
		return;
	}
	if (c->type != MAPPING_SELECTS && c->type != MAPPING_USERS) {
		compose_member(o, c->custom, v->text);
		return;
	}
	json_key(o, c->custom);
	json_begin_array(o);
	if (c->type == MAPPING_USERS)
		compose_users(b, e, v, o);
	else
		compose_put_items(b, &items, v, ";\n");
	for (size_t i = 0; i < items.n; i++)
		json_string_len(o, items.items[i].text, items.items[i].len);
	json_end_array(o);
}

static void compose_custom(struct compose *b, struct entry *e, struct json_out *o)
{
	bool any = false;

	for (size_t i = 0; i < e->n_values; i++) {
		const struct mapping_column *c = compose_column(b, &e->values[i]);
		bool again = false; /* two columns for one field: the first counts */
		for (size_t k = 0; k < i && c->use == MAPPING_CUSTOM; k++)
			again |= compose_column(b, &e->values[k])->use == MAPPING_CUSTOM &&
			         strcmp(compose_column(b, &e->values[k])->custom, c->custom) == 0;
		if (c->use != MAPPING_CUSTOM || c->type == MAPPING_OTHER || again)
			continue;
		if (!any) {
			json_key(o, "customFieldValues");
			json_begin_object(o);
		}
		if (!any && b->kind != TRANSFER_OBJECTS) {
			json_key(o, b->group);
			json_begin_object(o);
		}
		any = true;
		compose_custom_value(b, e, &e->values[i], o);
	}
	if (any && b->kind != TRANSFER_OBJECTS)
		json_end_object(o);
	if (any)
		json_end_object(o);
}

/* --- all ------------------------------------------------------------------------------------------------ */

/* True when the column of the field has a day. */
static bool compose_has_day(
    const struct compose *b, const struct entry *e, const char *field, char date[DATE_TEXT_SIZE])
{
	const struct entry_value *v = compose_first(b, e, field);

	return v && value_date(v->text, compose_column(b, v)->day_first, date) == VALUE_GOOD;
}

/* True for a task that is done, with the time or without. */
static bool compose_is_done(const struct compose *b, const struct entry *e)
{
	const struct entry_value *done = compose_first(b, e, "done");
	char date[DATE_TEXT_SIZE];

	return (done && value_is_done(done->text)) || compose_has_day(b, e, "completedAt", date);
}

/* Other programs have tasks without a day. One that is done was due when it was completed or made; one that is not is
 * due now, so that somebody sees it and chooses a day. */
static void compose_due(const struct compose *b, const struct entry *e, char date[DATE_TEXT_SIZE])
{
	bool done = compose_is_done(b, e);

	if (compose_has_day(b, e, "dueAt", date) || (done && compose_has_day(b, e, "completedAt", date)) ||
	    (done && compose_has_day(b, e, "createdAt", date)))
		return;
	memcpy(date, b->today, sizeof b->today);
}

/* A birthday whose year, month and day are in columns of their own. */
static void compose_birthday(struct compose *b, const struct entry *e, struct json_out *o)
{
	const struct entry_value *year = compose_first(b, e, "birthday.year"),
	                         *month = compose_first(b, e, "birthday.month"),
	                         *day = compose_first(b, e, "birthday.day");
	char text[32], date[DATE_TEXT_SIZE];

	if (!year && !month && !day)
		return;
	snprintf(text, sizeof text, "%.9s-%.9s-%.9s", year ? year->text : "", month ? month->text : "",
	    day ? day->text : "");
	if (value_date(text, false, date) == VALUE_GOOD)
		compose_member(o, "birthday", date);
	else
		b->no_year++;
}

/* Other programs have no private notes, and tasks that are done without a time. */
static void compose_absent(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	char date[DATE_TEXT_SIZE], time[TIME_TEXT_SIZE];

	if (strcmp(f->name, "birthday") == 0)
		compose_birthday(b, e, o);
	if (b->kind == TRANSFER_NOTES && strcmp(f->name, "visibility") == 0)
		compose_member(o, f->name, "public");
	if (b->kind != TRANSFER_TASKS)
		return;
	compose_due(b, e, date);
	if (strcmp(f->name, "dueAt") == 0) {
		b->no_due++;
		compose_member(o, f->name, date);
	}
	if (strcmp(f->name, "completedAt") == 0 && compose_is_done(b, e) && value_time(date, false, time) == VALUE_GOOD)
		compose_member(o, f->name, time);
}

static void compose_field(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	const struct entry_value *v;
	size_t at = 0;

	if (compose_several(b, e, f, o))
		return;
	v = compose_value(b, e, f, &at);
	if (!v || ((f->shape == SHAPE_DATE || f->shape == SHAPE_TIME) && value_is_empty_date(v->text)))
		compose_absent(b, e, f, o);
	else if (!f->from_admin || b->keeps_authors)
		compose_scalar(b, e, f, v, o);
	else
		b->authors++;
}

bool compose_entry(struct compose *b, struct entry *e, struct buf *out)
{
	const struct transfer_field *f;
	struct json_out o;

	e->lost = NULL;
	e->assumed = false;
	json_out_init(&o, out);
	json_begin_object(&o);
	for (size_t i = 0; !e->object && (f = field_at(b->kind, i)); i++)
		compose_field(b, e, f, &o);
	if (e->object)
		compose_object(b, e, &o);
	else
		compose_custom(b, e, &o);
	json_end_object(&o);
	return !e->refused;
}

void compose_free(struct compose *b)
{
	for (size_t i = 0; i < b->n_labels; i++)
		free(b->labels[i].name);
}
