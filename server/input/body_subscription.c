/* Subscriptions in bodies and in answers (docs/api.md, "Webhooks"). */
#include "server/input/body_subscription.h"

#include <string.h>

#include "store/resources.h"
#include "webhook/event.h"
#include "webhook/subscription.h"
#include "webhook/target.h"

enum { NAME_MAX_POINTS = 500, EVENTS_TEXT_MAX = 64 << 10 };

void subscription_url_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct target *t = arena_alloc(rd->arena, sizeof *t);

	if (!body_text(rd->shape, json, 1, f->max, at))
		return;
	v->text = json->text;
	v->len = json->len;
	switch (target_parse(t, rd->targets, json->text, json->len)) {
	case TARGET_OK:
		break;
	case TARGET_MALFORMED:
		issue_string(rd->shape, at, "url");
		break;
	case TARGET_FORBIDDEN:
		issue_custom(rd->references, at, "The URL of a webhook must have a public address");
		break;
	}
}

/* --- filters -------------------------------------------------------------------------- */

/* The content of a filter, as far as it could be read. */
struct subscription_filter {
	const struct event_kind *kind;
	const struct json *group_id, *type_name, *steps, *value; /* as sent; NULL: not given */
	const struct group *group;
	const struct object_type *type;
	bool good_path; /* steps is an array of 1 to 3 strings */
};

static const struct {
	const char *name;
	unsigned by;
} members[] = {
    {"groupId", EVENT_BY_GROUP}, {"objectType", EVENT_BY_TYPE}, {"path", EVENT_BY_PATH}, {"value", EVENT_BY_PATH}};

enum { N_MEMBERS = sizeof members / sizeof *members };

static const struct group *subscription_group(struct reading *rd, const struct json *json, const struct path *at)
{
	const struct group *g = NULL;
	struct uuid id;

	if (!body_id(rd, ID_GROUP, json, at, &id))
		return NULL;
	g = visible_group(rd->ws, &id, rd->viewer);
	if (!g)
		issue_custom(rd->references, at, "Group not found");
	return g;
}

static bool read_steps(struct reading *rd, const struct json *json, const struct path *at)
{
	int before = rd->shape->count;
	size_t index = 0;

	if (!body_array(rd, json, SUBSCRIPTION_PATH_MAX, at))
		return false;
	if (json->count == 0)
		issue_range(rd->shape, at, false, 1, "array", false);
	for (const struct json *step = json->first; step; step = step->next, index++) {
		struct path here = PATH_INDEX(at, index);
		body_text(rd->shape, step, 1, NAME_MAX_POINTS, &here);
	}
	return rd->shape->count == before;
}

static void type_unknown(struct reading *rd, const struct subscription_filter *f, const struct path *at)
{
	issue_custom(rd->references, at, "Object type not found");
	issue_hint_near(
	    rd->references, f->type_name->text, f->type_name->len, group_types_near, f->group, "object types");
}

static void read_type(struct reading *rd, struct subscription_filter *f, const struct path *at)
{
	if (!body_text(rd->shape, f->type_name, 1, NAME_MAX_POINTS, at) || !f->group)
		return;
	f->type = group_type(f->group, f->type_name->text, f->type_name->len);
	if (!f->type)
		type_unknown(rd, f, at);
}

static void subscription_require(
    struct reading *rd, const struct json *given, const struct path *filter, const char *name, const char *expected)
{
	struct path at = PATH_NAME(filter, name);

	if (!given)
		issue_required(rd->shape, &at, expected);
}

/* A type requires a group, an object's attribute requires a type, and a value requires an attribute. */
static void check_together(struct reading *rd, const struct subscription_filter *f, const struct path *at)
{
	bool of_object = f->kind->filters & EVENT_BY_TYPE;

	if (f->type_name || (of_object && f->steps))
		subscription_require(rd, f->group_id, at, "groupId", "string");
	if (of_object && f->steps)
		subscription_require(rd, f->type_name, at, "objectType", "string");
	if (f->value)
		subscription_require(rd, f->steps, at, "path", "array");
}

/* --- attributes ------------------------------------------------------------------------- */

static const struct watched {
	enum id_kind kind;
	const struct resource *resource;
	enum custom_entity entity;
} resources[] = {
    {ID_PERSON, &person_resource, ENTITY_PERSON},
    {ID_COMPANY, &company_resource, ENTITY_COMPANY},
    {ID_OBJECT, &object_resource, ENTITY_OBJECT},
};

/* Lists the fields of the resource that webhooks may watch, in order. */
static void unknown_attribute(
    struct reading *rd, const struct path *at, const struct resource *res, const struct json *given)
{
	const char *names[FIELDS_MAX + 1] = {NULL};
	int n = 0;

	for (int position = 1; position <= FIELDS_MAX; position++)
		for (int i = 0; i < res->n_fields; i++)
			if (res->fields[i].watched == position)
				names[n++] = res->fields[i].name;
	issue_choice(rd->shape, at, names, given->text, given->len);
}

static const struct custom_field *custom_attribute(
    struct reading *rd, const struct subscription_filter *f, enum custom_entity entity, const struct path *at)
{
	bool of_object = entity == ENTITY_OBJECT;
	const struct json *second = f->steps->first->next, *name = of_object ? second : second ? second->next : NULL;
	struct path group_at = PATH_INDEX(at, 1), name_at = PATH_INDEX(at, of_object ? 1 : 2);
	const struct group *g = f->group;
	const struct custom_field *field;
	struct field_names names;

	if (!name || name->next) {
		issue_custom(rd->references, at, "Expected %s",
		    of_object ? "[\"customFieldValues\", name]" : "[\"customFieldValues\", group id, name]");
		return NULL;
	}
	if (!of_object)
		g = subscription_group(rd, second, &group_at);
	if (!g || (of_object && !f->type))
		return NULL;
	names = (struct field_names){g, entity, of_object ? &f->type->id : NULL};
	field = group_field(g, entity, names.type, name->text, name->len);
	if (!field) {
		issue_custom(rd->references, &name_at, "Unknown custom field");
		issue_hint_near(rd->references, name->text, name->len, field_names_near, &names, "custom fields");
	}
	return field;
}

/* Returns false with an issue when there is no such attribute. */
static bool find_attribute(
    struct reading *rd, const struct subscription_filter *f, const struct path *at, struct webhook_attribute *out)
{
	struct path first_at = PATH_INDEX(at, 0);
	const struct json *first = f->steps->first;
	const struct watched *w = resources;
	int i;

	*out = (struct webhook_attribute){0};
	while (w->kind != f->kind->id_kind)
		w++;
	i = field_find(w->resource, first->text, first->len);
	if (i < 0 || !w->resource->fields[i].watched) {
		unknown_attribute(rd, &first_at, w->resource, first);
	} else if (w->resource->fields[i].type == FIELD_CUSTOM) {
		out->custom = custom_attribute(rd, f, w->entity, at);
	} else if (first->next) {
		issue_custom(rd->references, at, "This attribute has no path below it");
	} else {
		out->field = &w->resource->fields[i];
	}
	return out->field || out->custom;
}

/* --- reading ------------------------------------------------------------------------------ */

/* Writes the filter as stored, in the order in which it was sent. */
static void read_filter(struct reading *rd, const struct event_kind *kind, const struct json *json,
    const struct path *at, struct json_out *out)
{
	struct subscription_filter f = {.kind = kind};
	struct webhook_attribute attribute;
	struct path path_at = PATH_NAME(at, "path"), value_at = PATH_NAME(at, "value"),
	            group_at = PATH_NAME(at, "groupId"), type_at = PATH_NAME(at, "objectType");
	const char *names[N_MEMBERS + 1] = {NULL};
	int n = 0;

	for (int i = 0; i < N_MEMBERS; i++)
		if (kind->filters & members[i].by)
			names[n++] = members[i].name;
	f.group_id = kind->filters & EVENT_BY_GROUP ? json_member(json, "groupId") : NULL;
	f.type_name = kind->filters & EVENT_BY_TYPE ? json_member(json, "objectType") : NULL;
	f.steps = kind->filters & EVENT_BY_PATH ? json_member(json, "path") : NULL;
	f.value = kind->filters & EVENT_BY_PATH ? json_member(json, "value") : NULL;
	if (f.group_id)
		f.group = subscription_group(rd, f.group_id, &group_at);
	if (f.type_name)
		read_type(rd, &f, &type_at);
	if (f.steps)
		f.good_path = read_steps(rd, f.steps, &path_at) && find_attribute(rd, &f, &path_at, &attribute);
	json_each_member(m, json) {
		json_key_len(out, m->key, m->key_len);
		if (m == f.value && f.good_path)
			subscription_value_read(rd, &attribute, m, &value_at, out);
		else
			json_value(out, m);
	}
	check_together(rd, &f, at);
	body_unknown(rd->shape, json, names, at);
}

/* Returns NULL with an issue when the event cannot be subscribed to. */
static const struct event_kind *read_event(struct reading *rd, const struct json *type, const struct path *at)
{
	enum event_type event;

	if (!type)
		return NULL;
	if (type->type != JSON_STRING) {
		issue_type(rd->shape, at, "string", type);
		return NULL;
	}
	event = event_type_parse(type->text, type->len);
	if (event != EVENT_TYPES && event_kinds[event].can_subscribe)
		return &event_kinds[event];
	issue_choice(rd->shape, at, event_type_names(), type->text, type->len);
	return NULL;
}

static void read_item(struct reading *rd, const struct json *item, const struct path *at, struct json_out *out)
{
	static const char *const item_members[] = {"eventType", "filter", NULL};
	const struct json *type = json_member(item, "eventType"), *filter = json_member(item, "filter");
	struct path type_at = PATH_NAME(at, "eventType"), filter_at = PATH_NAME(at, "filter");
	const struct event_kind *kind = read_event(rd, type, &type_at);

	json_begin_object(out);
	json_add_string(out, "eventType", kind ? kind->name : "");
	json_key(out, "filter");
	json_begin_object(out);
	if (filter && body_object(rd, filter, &filter_at) && kind)
		read_filter(rd, kind, filter, &filter_at, out);
	json_end_object(out);
	json_end_object(out);
	if (!type)
		issue_required(rd->shape, &type_at, "string");
	body_unknown(rd->shape, item, item_members, at);
}

void subscription_events_read(
    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v)
{
	struct json_out out;
	struct buf text;
	size_t index = 0;

	if (!body_array(rd, json, f->max, at))
		return;
	if (json->count == 0)
		issue_range(rd->shape, at, false, 1, "array", false);
	buf_init(&text, EVENTS_TEXT_MAX);
	json_out_init(&out, &text);
	json_begin_array(&out);
	for (const struct json *item = json->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (body_object(rd, item, &here))
			read_item(rd, item, &here, &out);
	}
	json_end_array(&out);
	if (text.overflow)
		issue_custom(rd->shape, at, "At most %d bytes", EVENTS_TEXT_MAX);
	v->text = arena_dup(rd->arena, text.data, text.len);
	v->len = text.len;
	buf_free(&text);
}

/* --- showing ------------------------------------------------------------------------------ */

static bool group_hidden(
    const struct json *id, const struct uuid *creator, const struct workspace *ws, const struct viewer *viewer)
{
	struct uuid group;

	if (!id || id->type != JSON_STRING || !id_parse(ID_GROUP, id->text, id->len, &group))
		return false;
	if (workspace_group(ws, &group))
		return !visible_group(ws, &group, viewer);
	return !viewer->admin && !uuid_equal(creator, &viewer->user);
}

static bool names_hidden(
    const struct json *item, const struct uuid *creator, const struct workspace *ws, const struct viewer *viewer)
{
	const struct json *filter = json_member(item, "filter"), *first = json_items(json_member(filter, "path"));

	return group_hidden(json_member(filter, "groupId"), creator, ws, viewer) ||
	       (first && group_hidden(first->next, creator, ws, viewer));
}

void subscription_events_render(struct json_out *o, const struct value *v, const struct uuid *creator,
    const struct workspace *ws, const struct viewer *viewer)
{
	const struct json *list;
	const char *error;
	struct arena a;

	arena_init(&a);
	list = json_read(&a, v->text, v->len, &error);
	json_begin_array(o);
	json_each(item, list)
		if (!names_hidden(item, creator, ws, viewer))
			json_value(o, item);
	json_end_array(o);
	arena_free(&a);
}
