/* Values in the filters of subscriptions, by the type of the attribute. */
#include "server/input/body_subscription.h"

#include "server/input/custom.h"
#include "server/input/body_value.h"

enum { TEXT_MAX = 5000, ITEMS_MAX = 100 };

/* Writes the value that was read: a reference as {id}, an option as its label. */
static void write_change(struct reading *rd, const struct custom_change *c, const struct path *at, struct json_out *out)
{
	const struct custom_ref *ref = c->n_refs ? &c->refs[0] : NULL;

	if (!ref) {
		json_string_len(out, c->text, c->len);
	} else if (c->field->type == CUSTOM_SINGLE || c->field->type == CUSTOM_MULTIPLE) {
		json_string(out, ref->asked);
	} else if (ref->unknown) {
		issue_custom(rd->references, at,
		    c->field->type == CUSTOM_USER      ? "User not found"
		    : c->field->type == CUSTOM_CONTACT ? "Expected the id of a person or a company"
		                                       : "Expected the id of an object");
	} else {
		json_begin_object(out);
		json_add_id(out, "id", ref->kind, &ref->id);
		json_end_object(out);
	}
}

/* A reference may also be only the id. */
static void custom_item(struct reading *rd, const struct custom_field *f, const struct json *json,
    const struct path *at, struct json_out *out)
{
	struct json id = *json, object = {.type = JSON_OBJECT, .count = 1, .first = &id};
	struct custom_change change;

	id.key = "id";
	id.key_len = 2;
	id.next = NULL;
	if (json->type == JSON_STRING && f->type >= CUSTOM_CONTACT)
		json = &object;
	if (f->type == CUSTOM_TEXT && !body_text(rd->shape, json, 0, TEXT_MAX, at))
		return;
	if (custom_read_item(rd, f, json, at, &change))
		write_change(rd, &change, at, out);
}

/* Reads a single value of a field of a person, company or object. */
static void plain_value(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct json_out *out)
{
	struct value v = {0};
	int before = rd->shape->count;

	if (f->flags & FIELD_SILENT) {
		issue_custom(rd->references, at, "Events do not carry values of this attribute");
		return;
	}
	field_readers[f->type].read(rd, f, json, at, &v);
	if (rd->shape->count != before)
		return;
	if (v.null)
		json_string(out, "");
	else if (f->type == FIELD_DATE)
		json_string_len(out, json->text, json->len);
	else if (f->type == FIELD_YEAR)
		json_string(out, arena_printf(rd->arena, "%04d", (int)v.number));
	else
		json_string_len(out, v.text, v.len);
}

static void read_item(struct reading *rd, const struct webhook_attribute *a, const struct json *json,
    const struct path *at, struct json_out *out)
{
	if (a->custom)
		custom_item(rd, a->custom, json, at, out);
	else if (a->field->type != FIELD_TEXTS)
		plain_value(rd, a->field, json, at, out);
	else if (body_text(rd->shape, json, 1, a->field->item_max, at))
		json_string_len(out, json->text, json->len);
}

void subscription_value_read(struct reading *rd, const struct webhook_attribute *a, const struct json *json,
    const struct path *at, struct json_out *out)
{
	int before = rd->shape->count + rd->references->count;
	size_t index = 0;

	if (json->type != JSON_ARRAY || !(a->field ? a->field->type == FIELD_TEXTS : custom_is_list(a->custom))) {
		read_item(rd, a, json, at, out);
	} else if (body_array(rd, json, ITEMS_MAX, at)) {
		if (json->count == 0)
			issue_range(rd->shape, at, false, 1, "array", false);
		json_begin_array(out);
		for (const struct json *i = json->first; i; i = i->next, index++) {
			struct path here = PATH_INDEX(at, index);
			read_item(rd, a, i, &here, out);
		}
		json_end_array(out);
		return;
	}
	if (rd->shape->count + rd->references->count != before)
		json_null(out);
}
