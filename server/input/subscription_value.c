/* Values in the filters of subscriptions, by the type of the attribute. */
#include "server/input/subscription_value.h"

#include <stdio.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/input/value.h"

enum { TEXT_MAX = 5000, ITEMS_MAX = 100 };

static void expect_value(struct reading *rd, const struct path *at, const char *what)
{
	issue_custom(rd->references, at, "Expected %s", what);
}

static void read_option(struct reading *rd, const struct custom_field *f, const struct json *json,
    const struct path *at, struct json_out *out)
{
	if (json->type != JSON_STRING) {
		expect_value(rd, at, "the label of an option");
		return;
	}
	if (field_option(f, json->text, json->len))
		json_string_len(out, json->text, json->len);
	else
		issue_custom(rd->references, at, "Unknown option");
}

static const struct user *subscription_find_user(struct reading *rd, const struct json *id, const struct json *email)
{
	struct uuid uuid;

	if (email)
		return workspace_user_by_email(rd->ws, email->text, email->len);
	return id_parse(ID_USER, id->text, id->len, &uuid) ? workspace_user(rd->ws, &uuid) : NULL;
}

static bool field_refers(const struct custom_field *f, enum id_kind kind)
{
	if (f->type == CUSTOM_CONTACT)
		return kind == ID_PERSON || kind == ID_COMPANY;
	return kind == (f->type == CUSTOM_USER ? ID_USER : ID_OBJECT);
}

/* Reads {id} with other members as read, {email} for a user, or just the id; stored as {id}. */
static void read_reference(struct reading *rd, const struct custom_field *f, const struct json *json,
    const struct path *at, struct json_out *out)
{
	bool object = json->type == JSON_OBJECT, user = f->type == CUSTOM_USER;
	const struct json *id = object ? json_member(json, "id") : json,
	                  *email = object && user && !id ? json_member(json, "email") : NULL;
	const struct json *given = email ? email : id;
	const struct user *u;
	enum id_kind kind = ID_USER;
	struct uuid uuid;

	if (!given || given->type != JSON_STRING) {
		expect_value(rd, at, user ? "an object with id or email" : "an object with id");
		return;
	}
	if (object)
		body_unknown(rd->shape, json,
		    email  ? reference_by_email
		    : user ? reference_user
		           : reference_entity,
		    at);
	if (user) {
		u = subscription_find_user(rd, id, email);
		if (u)
			uuid = u->id;
		else
			issue_custom(rd->references, at, "User not found");
		if (!u)
			return;
	} else if (!id_parse_any(id->text, id->len, &kind, &uuid) || !field_refers(f, kind)) {
		expect_value(
		    rd, at, f->type == CUSTOM_CONTACT ? "the id of a person or a company" : "the id of an object");
		return;
	}
	json_begin_object(out);
	json_key(out, "id");
	json_id(out, kind, &uuid);
	json_end_object(out);
}

static void custom_item(struct reading *rd, const struct custom_field *f, const struct json *json,
    const struct path *at, struct json_out *out)
{
	char *number = NULL;
	int32_t days;

	switch (f->type) {
	case CUSTOM_TEXT:
		if (body_text(rd->shape, json, 0, TEXT_MAX, at))
			json_string_len(out, json->text, json->len);
		break;
	case CUSTOM_NUMBER:
		if (json->type == JSON_NUMBER || json->type == JSON_STRING)
			number = text_decimal(rd->arena, json->text, json->len);
		if (number)
			json_string(out, number);
		else
			expect_value(rd, at, "a number or a numeric string");
		break;
	case CUSTOM_DATE:
		if (json->type == JSON_STRING && date_parse(json->text, json->len, &days))
			json_string_len(out, json->text, json->len);
		else
			expect_value(rd, at, "a date such as 2026-01-31");
		break;
	case CUSTOM_SINGLE:
	case CUSTOM_MULTIPLE:
		read_option(rd, f, json, at, out);
		break;
	default:
		read_reference(rd, f, json, at, out);
		break;
	}
}

/* A single value of a field of a person, company or object. */
static void plain_value(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct json_out *out)
{
	struct value v = {0};
	int before = rd->shape->count;

	if (f->flags & FIELD_SILENT) {
		issue_custom(rd->references, at, "Events carry no value of this attribute");
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

static bool is_list(const struct webhook_attribute *a)
{
	if (a->field)
		return a->field->type == FIELD_TEXTS;
	return a->custom->type == CUSTOM_MULTIPLE || a->custom->type == CUSTOM_CONTACT ||
	       a->custom->type == CUSTOM_USER || a->custom->type == CUSTOM_OBJECT;
}

void subscription_value_read(struct reading *rd, const struct webhook_attribute *a, const struct json *json,
    const struct path *at, struct json_out *out)
{
	int before = rd->shape->count + rd->references->count;
	size_t index = 0;

	if (json->type != JSON_ARRAY || !is_list(a)) {
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
