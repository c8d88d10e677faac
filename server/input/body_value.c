/* Readers of values by type of field; the table is at the end. "" unsets every field that may be unset. */
#include "server/input/body_value.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/emoji.h"
#include "server/base/text.h"
#include "server/input/body.h"
#include "server/input/custom.h"
#include "server/input/body_subscription.h"
#include "server/recurrence/expand.h"
#include "store/entity_kind.h"

enum { EMAIL_MAX = 254 };

/* --- single values ---------------------------------------------------------------------- */

/* A text of min to f->max characters. */
static bool value_take_text(
    struct reading *rd, const struct field *f, int min, const struct json *json, const struct path *at, struct value *v)
{
	if (!body_text(rd->shape, json, min, f->max, at))
		return false;
	v->text = json->text;
	v->len = json->len;
	return true;
}

/* Returns false for "", which unsets the field, and with an issue for a value that is not a string. */
static bool value_given(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (json->type != JSON_STRING)
		issue_type(rd->shape, at, "string", json);
	else
		v->null = json->len == 0 && !(f->flags & FIELD_NO_EMPTY);
	return json->type == JSON_STRING && !v->null;
}

static void read_text(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (value_take_text(rd, f, f->flags & FIELD_NO_EMPTY ? 1 : 0, json, at, v))
		v->null = (f->flags & FIELD_NULL_EMPTY) && json->len == 0;
}

static bool value_text_is(const struct json *json, const char *text)
{
	return json->len == strlen(text) && memcmp(json->text, text, json->len) == 0;
}

static void read_choice(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	const char *options[16];
	int n = 0;

	if (!value_given(rd, f, json, at, v))
		return;
	v->null = f->unset && value_text_is(json, f->unset);
	for (; f->choices[n] && !v->null; n++) {
		if (value_text_is(json, f->choices[n])) {
			v->text = f->choices[n];
			v->len = strlen(v->text);
			return;
		}
		options[n] = f->choices[n];
	}
	if (v->null)
		return;
	if (f->unset)
		options[n++] = f->unset;
	options[n] = NULL;
	issue_choice(rd->shape, at, options, json->text, json->len);
}

static void read_activity(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (!value_take_text(rd, f, 1, json, at, v))
		return;
	for (int n = 0; f->choices[n]; n++)
		if (value_text_is(json, f->choices[n]))
			return;
	if (!emoji_is_one(json->text, json->len))
		issue_choice(rd->shape, at, f->choices, json->text, json->len);
}

static void read_date(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	int32_t days = 0;

	if (value_given(rd, f, json, at, v) && !date_parse(json->text, json->len, &days))
		issue_string(rd->shape, at, "date");
	v->number = days;
}

static void read_clock(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	int minutes = 0;

	if (value_given(rd, f, json, at, v) && !clock_time_parse(json->text, json->len, &minutes))
		issue_string(rd->shape, at, "time");
	v->number = minutes;
}

static void read_rule(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct recurrence_times *times;

	if (!value_take_text(rd, f, 0, json, at, v))
		return;
	times = arena_alloc(rd->arena, sizeof *times);
	if (!recurrence_start(times, json->text, json->len, clock_now_ms()))
		issue_string(rd->shape, at, "rrule");
	v->times = times;
}

/* Reads four digits in a string, or an integer from 1000 to 2100. */
static void read_year(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	uint64_t year = 0;
	bool whole = json->text && text_uint(json->text, json->len, &year);

	if (json->type != JSON_NUMBER) {
		if (value_given(rd, f, json, at, v) && (json->len != 4 || !whole))
			issue_string_form(rd->shape, at, "YYYY");
	} else if (json->text[0] == '-' || (whole && year < 1000)) {
		issue_range(rd->shape, at, false, 1000, "number", false);
	} else if (!whole) {
		issue_type(rd->shape, at, "integer", json);
	} else if (year > 2100) {
		issue_range(rd->shape, at, true, 2100, "number", false);
	}
	v->number = (int64_t)year;
}

static void read_decimal(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (json->type != JSON_NUMBER && json->type != JSON_STRING) {
		issue_type(rd->shape, at, "number", json);
		return;
	}
	if (json->type == JSON_STRING && !value_given(rd, f, json, at, v))
		return;
	v->text = text_decimal(rd->arena, json->text, json->len);
	v->len = v->text ? strlen(v->text) : 0;
	if (!v->text)
		issue_string_form(rd->shape, at, "a number such as 1234.5");
	else if (v->text[0] == '-')
		issue_range(rd->shape, at, false, 0, "number", false);
}

static void read_flag(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	(void)f;
	if (json->type != JSON_BOOL)
		issue_type(rd->shape, at, "boolean", json);
	v->number = json->truth;
}

static void read_time(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	if (!body_text(rd->shape, json, 0, f->max, at) || !value_given(rd, f, json, at, v))
		return;
	if (!time_parse(json->text, json->len, &v->number))
		issue_string(rd->shape, at, "datetime");
	else if ((f->flags & FIELD_FROM_ADMIN) && v->number < 0) /* ids begin with the milliseconds since 1970 */
		body_refuse(rd, at, "The time of creation must be in 1970 or later");
	else if ((f->flags & FIELD_FROM_ADMIN) && v->number > clock_now_ms())
		body_refuse(rd, at, "The time of creation must not be in the future");
}

/* --- lists and references ---------------------------------------------------------------- */

/* Returns false with an issue for an empty list where an empty list is refused. */
static bool value_list_given(struct reading *rd, const struct field *f, const struct json *json, const struct path *at)
{
	if (json->count || !(f->flags & FIELD_NO_EMPTY))
		return true;
	issue_range(rd->shape, at, false, 1, "array", false);
	return false;
}

static bool value_is_choice(const char *const *choices, const struct json *json)
{
	for (int i = 0; choices[i]; i++)
		if (value_text_is(json, choices[i]))
			return true;
	return false;
}

static void read_texts(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	size_t index = 0;

	if (!body_array(rd, json, f->max, at) || !value_list_given(rd, f, json, at))
		return;
	v->items = arena_alloc(rd->arena, json->count * sizeof *v->items);
	v->lens = arena_alloc(rd->arena, json->count * sizeof *v->lens);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (f->choices && item->type == JSON_STRING && !value_is_choice(f->choices, item))
			issue_choice(rd->shape, &here, f->choices, item->text, item->len);
		else if (!body_text(rd->shape, item, 1, f->item_max, &here))
			continue;
		if (value_has_text(v, item->text, item->len))
			continue;
		v->items[v->n_items] = item->text;
		v->lens[v->n_items++] = item->len;
	}
}

static void value_add_ref(struct contact_refs *list, const struct contact_ref *ref)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct contact_ref *old = &list->items[i];
		if (ref->name ? old->name && old->len == ref->len && memcmp(old->name, ref->name, ref->len) == 0
		              : !old->name && strcmp(old->asked, ref->asked) == 0)
			return;
	}
	list->items[list->count++] = *ref;
}

/* Reads contacts by id; a person's company also by name (item_max). */
static void read_ref(struct reading *rd, const struct field *f, const struct json *item, size_t index,
    const struct path *here, struct contact_refs *list)
{
	const struct json *id = json_member(item, "id"), *name = id || !f->item_max ? NULL : json_member(item, "name");
	struct path id_path = PATH_NAME(here, "id"), name_path = PATH_NAME(here, "name");
	struct contact_ref ref = {.index = index};
	bool good;

	if (name) {
		good = body_text(rd->shape, name, 1, f->item_max, &name_path);
		ref.name = name->text;
		ref.len = name->len;
	} else {
		good = body_id(rd, f->type == FIELD_PEOPLE ? ID_PERSON : ID_COMPANY, id, &id_path, &ref.id);
		ref.asked = id ? id->text : NULL;
	}
	body_unknown(rd->shape, item, f->type == FIELD_PEOPLE ? reference_person : reference_named, here);
	if (good)
		value_add_ref(list, &ref);
}

static void read_contacts(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct contact_refs *list = f->type == FIELD_PEOPLE ? &rd->input->people : &rd->input->companies;
	size_t index = 0;

	(void)v; /* the resource's steps set it when they look up the contacts */
	list->count = 0;
	if (!body_array(rd, json, f->max, at))
		return;
	list->items = arena_alloc(rd->arena, json->count * sizeof *list->items);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (body_object(rd, item, &here))
			read_ref(rd, f, item, index, &here, list);
	}
}

/* Says to what the records can belong. choices NULL: to everything. */
static void entity_hint(struct reading *rd, const char *const *choices)
{
	const char *kinds = "";

	for (int i = 0; choices && choices[i]; i++)
		kinds = arena_printf(rd->arena, "%s%s%s", kinds, i ? " or " : "", choices[i]);
	if (rd->references && *kinds)
		issue_hint(rd->references, "the id of a %s", kinds);
}

/* The resource's steps check whether it exists (server/resource/entity.h). */
static void read_entity(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct path id_path = PATH_NAME(at, "id");
	const struct json *id;
	enum id_kind kind;
	bool accepted;

	if (!body_object(rd, json, at))
		return;
	id = json_member(json, "id");
	if (body_id_text(rd, id, &id_path)) {
		v->kind = id_parse_any(id->text, id->len, &kind, &v->entity) ? entity_kind_of(kind) : NULL;
		accepted = v->kind && !f->choices;
		for (int i = 0; v->kind && f->choices && f->choices[i]; i++)
			accepted |= strcmp(f->choices[i], v->kind->type) == 0;
		if (!accepted) {
			body_refuse(rd, &id_path, "Entity not found");
			entity_hint(rd, f->choices);
		}
	}
	body_unknown(rd->shape, json, reference_entity, at);
}

static void read_parent(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	static const char *const members[] = {
	    "id", "entity", "content", "visibility", "author", "createdAt", "deleted", NULL};
	struct path id_path = PATH_NAME(at, "id");

	(void)f;
	if (!body_object(rd, json, at))
		return;
	body_id(rd, rd->input->resource->id_kind, json_member(json, "id"), &id_path, &v->parent);
	body_unknown(rd->shape, json, members, at);
}

static bool read_group(struct reading *rd, const struct json *item, const struct path *here, struct uuid *id)
{
	struct path id_path = PATH_NAME(here, "id");
	bool good = body_id(rd, ID_GROUP, json_member(item, "id"), &id_path, id);
	bool hidden = good && rd->references && !visible_group(rd->ws, id, rd->viewer);

	if (hidden)
		issue_custom(rd->references, &id_path, "Group not found");
	body_unknown(rd->shape, item, reference_named, here);
	return good && !hidden;
}

/* Reads a user by id or e-mail address. */
static bool read_user(struct reading *rd, const struct json *item, const struct path *here, struct uuid *id)
{
	const struct json *by_id = json_member(item, "id"), *email = by_id ? NULL : json_member(item, "email");
	struct path at = PATH_NAME(here, email ? "email" : "id");
	const struct user *u = NULL;
	bool good;

	if (email) {
		good = body_text(rd->shape, email, 1, EMAIL_MAX, &at);
		u = good ? workspace_user_by_email(rd->ws, email->text, email->len) : NULL;
	} else {
		good = body_id(rd, ID_USER, by_id, &at, id);
		u = good ? workspace_user(rd->ws, id) : NULL;
	}
	if (good && !u)
		body_refuse(rd, &at, "User not found");
	body_unknown(rd->shape, item, by_id ? reference_user : reference_by_email, here);
	if (u)
		*id = u->id;
	return u != NULL;
}

/* Reads the user who created an imported record, only by id. */
static void read_creator(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct path id_path = PATH_NAME(at, "id");

	(void)f;
	if (!body_object(rd, json, at))
		return;
	if (body_id(rd, ID_USER, json_member(json, "id"), &id_path, &v->id) && !workspace_user(rd->ws, &v->id))
		body_refuse(rd, &id_path, "User not found");
	body_unknown(rd->shape, json, reference_user, at);
}

/* Reads groups or users. */
static void read_ids(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	size_t index = 0;

	if (!body_array(rd, json, f->max, at) || !value_list_given(rd, f, json, at))
		return;
	v->ids = arena_alloc(rd->arena, json->count * sizeof *v->ids);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		struct uuid id;
		if (!body_object(rd, item, &here))
			continue;
		if ((f->type == FIELD_GROUPS ? read_group : read_user)(rd, item, &here, &id) &&
		    !uuid_in(v->ids, v->n_ids, &id))
			v->ids[v->n_ids++] = id;
	}
}

static void read_id(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	(void)f;
	body_id(rd, rd->input->resource->id_kind, json, at, &v->id);
}

static void read_user_id(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	(void)f;
	body_id(rd, ID_USER, json, at, &v->id);
}

static void read_group_id(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	(void)f;
	if (body_id(rd, ID_GROUP, json, at, &v->id) && !visible_group(rd->ws, &v->id, rd->viewer))
		body_refuse(rd, at, "Group not found");
}

/* --- the table --------------------------------------------------------------------------- */

/* clang-format off */
const struct field_reader field_readers[FIELD_TYPES] = {
	[FIELD_ID]         = {"string",  read_id},
	[FIELD_TEXT]       = {"string",  read_text},
	[FIELD_CHOICE]     = {"string",  read_choice},
	[FIELD_DATE]       = {"string",  read_date},
	[FIELD_YEAR]       = {"string",  read_year},
	[FIELD_DECIMAL]    = {"number",  read_decimal},
	[FIELD_TIME]       = {"string",  read_time},
	[FIELD_FLAG]       = {"boolean", read_flag},
	[FIELD_TEXTS]      = {"array",   read_texts},
	[FIELD_GROUPS]     = {"array",   read_ids},
	[FIELD_COMPANIES]  = {"array",   read_contacts},
	[FIELD_PEOPLE]     = {"array",   read_contacts},
	[FIELD_USER]       = {"object",  read_creator},
	[FIELD_USER_ID]    = {"string",  read_user_id},
	[FIELD_GROUP_ID]   = {"string",  read_group_id},
	[FIELD_DEFINITION] = {"string",  definition_shape},
	[FIELD_USERS]      = {"array",   read_ids},
	[FIELD_ENTITY]     = {"object",  read_entity},
	[FIELD_CLOCK]      = {"string",  read_clock},
	[FIELD_RULE]       = {"string",  read_rule},
	[FIELD_PARENT]     = {"object",  read_parent},
	[FIELD_CUSTOM]     = {"object",  custom_values_read},
	[FIELD_ACTIVITY]   = {"string",  read_activity},
	[FIELD_URL]        = {"string",  subscription_url_read},
	[FIELD_EVENTS]     = {"array",   subscription_events_read},
	[FIELD_VIEW_PART]  = {"object",  view_part_read},
};
/* clang-format on */
