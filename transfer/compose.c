/* Texts of columns to the members of a body. */
#include <stdlib.h>

#include "transfer/compose_private.h"
#include "transfer/value.h"

/* --- single values ------------------------------------------------------------------------------- */

static bool compose_date(
    struct compose *b, struct entry *e, const struct transfer_field *f, const struct entry_value *v, struct json_out *o)
{
	bool day_first = compose_column(b, v)->day_first;
	char date[DATE_TEXT_SIZE], time[TIME_TEXT_SIZE];
	enum value_state state =
	    f->shape == SHAPE_DATE ? value_date(v->text, day_first, date) : value_time(v->text, day_first, time);

	b->no_year += state == VALUE_NONE && strncmp(v->text, "0/0/0", 5) != 0;
	if (state == VALUE_BAD)
		entry_refuse(e, "%s \"%.100s\" is no %s", f->name, v->text, f->shape == SHAPE_DATE ? "date" : "time");
	if (state == VALUE_GOOD)
		compose_member(o, f->name, f->shape == SHAPE_DATE ? date : time);
	return state != VALUE_BAD;
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

static bool compose_is_author(const struct transfer_field *f)
{
	return f->shape == SHAPE_USER || strcmp(f->name, "createdAt") == 0;
}

static bool compose_scalar(
    struct compose *b, struct entry *e, const struct transfer_field *f, const struct entry_value *v, struct json_out *o)
{
	const char *number;

	switch (f->shape) {
	case SHAPE_DATE:
	case SHAPE_TIME:
		return compose_date(b, e, f, v, o);
	case SHAPE_NUMBER:
		number = value_number(&e->arena, v->text);
		if (!number)
			entry_refuse(e, "%s \"%.100s\" is no number", f->name, v->text);
		compose_member(o, f->name, number);
		return number != NULL;
	case SHAPE_YEAR:
		compose_member(o, f->name, arena_dup(&e->arena, v->text, v->len < 4 ? v->len : 4));
		return true;
	case SHAPE_RANGE:
		compose_member(o, f->name, value_range(v->text));
		return true;
	case SHAPE_GENDER:
		compose_member(o, f->name, value_gender(v->text));
		return true;
	case SHAPE_BOOL:
		json_key(o, f->name);
		json_bool(o, strchr("tTyY1", *v->text) != NULL);
		return true;
	case SHAPE_USER:
		compose_user(b, f, v->text, o);
		return true;
	case SHAPE_ENTITY:
		json_key(o, f->name);
		json_begin_object(o);
		compose_member(o, "id", v->text);
		json_end_object(o);
		return true;
	default:
		compose_member(o, f->name, v->text);
		return true;
	}
}

/* --- custom fields ---------------------------------------------------------------------------------- */

static bool compose_custom_value(struct compose *b, struct entry *e, const struct entry_value *v, struct json_out *o)
{
	const struct mapping_column *c = compose_column(b, v);
	struct compose_items items = {0};
	char date[DATE_TEXT_SIZE];
	enum value_state state;
	const char *number;

	if (c->type == MAPPING_DATE) {
		state = value_date(v->text, c->day_first, date);
		if (state == VALUE_BAD)
			entry_refuse(e, "%s \"%.100s\" is no date", c->custom, v->text);
		if (state == VALUE_GOOD)
			compose_member(o, c->custom, date);
		return state != VALUE_BAD;
	}
	if (c->type == MAPPING_NUMBER) {
		number = value_number(&e->arena, v->text);
		if (!number)
			entry_refuse(e, "%s \"%.100s\" is no number", c->custom, v->text);
		compose_member(o, c->custom, number);
		return number != NULL;
	}
	if (c->type != MAPPING_SELECTS && c->type != MAPPING_USERS) {
		compose_member(o, c->custom, v->text);
		return true;
	}
	compose_put_items(b, &items, v, ";\n");
	json_key(o, c->custom);
	json_begin_array(o);
	for (size_t i = 0; i < items.n; i++) {
		if (c->type == MAPPING_USERS) {
			json_begin_object(o);
			json_key(o, "email");
		}
		json_string_len(o, items.items[i].text, items.items[i].len);
		if (c->type == MAPPING_USERS)
			json_end_object(o);
	}
	json_end_array(o);
	return true;
}

static bool compose_custom(struct compose *b, struct entry *e, struct json_out *o)
{
	bool any = false, ok = true;

	for (size_t i = 0; ok && i < e->n_values; i++) {
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
		ok = compose_custom_value(b, e, &e->values[i], o);
	}
	if (any && b->kind != TRANSFER_OBJECTS)
		json_end_object(o);
	if (any)
		json_end_object(o);
	return ok;
}

/* --- all ------------------------------------------------------------------------------------------------ */

static bool compose_field(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	const struct entry_value *v;
	size_t at = 0;

	if (compose_several(b, e, f, o) || (v = compose_value(b, e, f, &at)) == NULL)
		return true;
	if (!compose_is_author(f) || b->keeps_authors)
		return compose_scalar(b, e, f, v, o);
	b->authors++;
	return true;
}

bool compose_entry(struct compose *b, struct entry *e, struct buf *out)
{
	struct json_out o;
	bool ok = !e->refused;

	json_out_init(&o, out);
	json_begin_object(&o);
	if (ok && e->object)
		ok = compose_object(b, e, &o);
	else
		for (const struct transfer_field *f = field_after(NULL); ok && f; f = field_after(f))
			if (f->kinds & 1U << b->kind)
				ok = compose_field(b, e, f, &o);
	ok = ok && (e->object || compose_custom(b, e, &o));
	json_end_object(&o);
	return ok;
}

void compose_free(struct compose *b)
{
	for (size_t i = 0; i < b->n_labels; i++)
		free(b->labels[i].name);
}
