/* Writes records. A field type has one form everywhere. */
#include "server/output/record.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/output/custom_record.h"
#include "server/output/metadata.h"
#include "server/input/subscription.h"
#include "store/entity_kind.h"

enum { KEY_MAX = 200, SHAPES_MAX = 32 };

void render_time(struct json_out *o, int64_t unix_ms)
{
	char text[TIME_TEXT_SIZE];

	time_format(unix_ms, text);
	json_plain(o, text, strlen(text));
}

/* People have a fullName, all else a name. */
static void id_name(struct json_out *o, enum id_kind kind, const struct uuid *id, const char *name)
{
	json_begin_object(o);
	json_key_literal(o, "id");
	json_id(o, kind, id);
	if (kind == ID_PERSON)
		json_key_literal(o, "fullName");
	else
		json_key_literal(o, "name");
	json_string(o, name);
	json_end_object(o);
}

void render_user(struct json_out *o, const struct workspace *ws, const struct uuid *id)
{
	const struct user *u = workspace_user(ws, id);

	if (u)
		json_raw(o, u->reference, u->reference_len);
	else
		json_null(o);
}

void render_group(struct json_out *o, const struct workspace *ws, const struct group *g)
{
	json_begin_object(o);
	json_key(o, "id");
	json_id(o, ID_GROUP, &g->id);
	json_key(o, "name");
	json_string(o, g->name);
	json_key(o, "visibility");
	json_string(o, g->private ? "private" : "public");
	json_key(o, "createdAt");
	render_time(o, g->created_at);
	json_key(o, "createdBy");
	render_user(o, ws, &g->created_by);
	json_end_object(o);
}

void render_member(struct json_out *o, const struct workspace *ws, const struct member *m)
{
	const struct user *u = workspace_user(ws, &m->user);

	json_begin_object(o);
	json_key(o, "id");
	json_id(o, ID_USER, &m->user);
	json_key(o, "fullName");
	json_string(o, u ? u->full_name : "");
	json_key(o, "email");
	json_string(o, u ? u->email : "");
	json_key(o, "role");
	json_string(o, role_name(m->role));
	json_end_object(o);
}

static void groups(struct json_out *o, const struct value *v, const struct workspace *ws, const struct viewer *viewer)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++) {
		const struct group *g = visible_group(ws, &v->ids[i], viewer);
		if (g)
			json_raw(o, g->reference, g->reference_len);
	}
	json_end_array(o);
}

static void contacts(struct json_out *o, const struct value *v, enum id_kind kind, const struct workspace *ws)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++)
		if (!workspace_gone_contact(ws, &v->ids[i]))
			id_name(o, kind, &v->ids[i], v->names[i]);
	json_end_array(o);
}

static void texts(struct json_out *o, const struct value *v)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_items; i++)
		json_string_len(o, v->items[i], v->lens[i]);
	json_end_array(o);
}

static void users(struct json_out *o, const struct value *v, const struct workspace *ws)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++)
		render_user(o, ws, &v->ids[i]);
	json_end_array(o);
}

void render_entity(struct json_out *o, const struct value *v)
{
	json_begin_object(o);
	json_key(o, "id");
	json_id(o, v->kind->id_kind, &v->entity);
	json_key(o, "entityType");
	json_string(o, v->kind->type);
	json_key(o, "fullName");
	json_string_len(o, v->entity_name, v->entity_name_len);
	json_end_object(o);
}

void render_entity_reference(struct json_out *o, const struct value *v)
{
	json_begin_object(o);
	json_key(o, "id");
	json_id(o, v->kind->id_kind, &v->entity);
	json_key(o, "entityType");
	json_string(o, v->kind->type);
	json_end_object(o);
}

static void author(struct json_out *o, const struct workspace *ws, const struct uuid *id)
{
	const struct user *u = workspace_user(ws, id);

	json_begin_object(o);
	json_key(o, "type");
	json_string(o, "user");
	json_key(o, "id");
	json_id(o, ID_USER, id);
	json_key(o, "fullName");
	json_string(o, u ? u->full_name : "");
	json_key(o, "email");
	json_string(o, u ? u->email : "");
	json_key(o, "deleted");
	json_bool(o, !u);
	json_end_object(o);
}

static void members(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v,
    const struct names *names, bool nested);

/* A parent does not tell its own parent. */
static void parent(struct json_out *o, const struct resource *res, const struct value *p, const struct workspace *ws,
    const struct viewer *v)
{
	json_begin_object(o);
	if (p->parent_record) {
		members(o, p->parent_record, ws, v, NULL, true);
	} else {
		json_key(o, "id");
		json_id(o, res->id_kind, &p->parent);
	}
	json_key(o, "deleted");
	json_bool(o, !p->parent_record);
	json_end_object(o);
}

static void party(struct json_out *o, const char *type, enum id_kind kind, const struct uuid *id, const char *name)
{
	json_begin_object(o);
	json_key(o, "type");
	json_string(o, type);
	json_key(o, "value");
	json_id(o, kind, id);
	json_key(o, "name");
	json_string(o, name);
	json_end_object(o);
}

static void from_user(struct json_out *o, const struct workspace *ws, const struct uuid *id)
{
	const struct user *u = workspace_user(ws, id);

	party(o, "user", ID_USER, id, u ? u->full_name : "");
}

/* The record's value of the one field of that type. */
static const struct value *value_of(const struct record *rec, enum field_type type)
{
	int i = 0;

	while (rec->resource->fields[i].type != type)
		i++;
	return &rec->values[i];
}

/* A day, a year or a time of day. */
static void calendar(struct json_out *o, enum field_type type, int number)
{
	char text[DATE_TEXT_SIZE];

	if (type == FIELD_DATE)
		date_format(number, text);
	else if (type == FIELD_YEAR)
		snprintf(text, sizeof text, "%04d", number);
	else
		snprintf(text, sizeof text, "%02d:%02d", number / 60 % 24, number % 60);
	json_plain(o, text, strlen(text));
}

bool render_scalar(struct json_out *o, enum field_type type, const struct value *v)
{
	switch (type) {
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_DECIMAL:
	case FIELD_RULE:
	case FIELD_ACTIVITY:
	case FIELD_URL:
		json_string_len(o, v->text, v->len);
		return true;
	case FIELD_DATE:
	case FIELD_YEAR:
	case FIELD_CLOCK:
		calendar(o, type, (int)v->number);
		return true;
	case FIELD_TIME:
		render_time(o, v->number);
		return true;
	case FIELD_FLAG:
		json_bool(o, v->number != 0);
		return true;
	default:
		return false;
	}
}

/* What only webhooks and their deliveries have. */
static void delivered(struct json_out *o, const struct record *rec, const struct field *f, const struct value *v,
    const struct workspace *ws, const struct viewer *viewer)
{
	switch (f->type) {
	case FIELD_EVENTS:
		webhook_events_render(o, v, &value_of(rec, FIELD_USER_ID)->id, ws, viewer);
		break;
	case FIELD_ATTEMPTS:
		json_raw(o, v->text, v->len);
		break;
	case FIELD_EVENT_ID:
		json_id(o, ID_EVENT, &v->id);
		break;
	case FIELD_COUNT:
		json_int(o, v->number);
		break;
	default: /* never shown */
		break;
	}
}

/* What only notes, tasks, reminders and interactions have. */
static void linked(struct json_out *o, const struct record *rec, const struct field *f, const struct value *v,
    const struct workspace *ws, const struct viewer *viewer)
{
	switch (f->type) {
	case FIELD_ENTITY:
		render_entity(o, v);
		break;
	case FIELD_AUTHOR:
		author(o, ws, &v->id);
		break;
	case FIELD_PARENT:
		parent(o, rec->resource, v, ws, viewer);
		break;
	case FIELD_FROM:
		from_user(o, ws, &v->id);
		break;
	case FIELD_TO:
		party(o, v->kind->type, v->kind->id_kind, &v->entity, v->entity_name);
		break;
	case FIELD_USERS:
		users(o, v, ws);
		break;
	default:
		delivered(o, rec, f, v, ws, viewer);
		break;
	}
}

static void value(struct json_out *o, const struct record *rec, const struct field *f, const struct value *v,
    const struct workspace *ws, const struct viewer *viewer)
{
	if (render_scalar(o, f->type, v))
		return;
	switch (f->type) {
	case FIELD_ID:
		json_id(o, rec->resource->id_kind, &v->id);
		break;
	case FIELD_TEXTS:
		texts(o, v);
		break;
	case FIELD_GROUPS:
		groups(o, v, ws, viewer);
		break;
	case FIELD_COMPANIES:
		contacts(o, v, ID_COMPANY, ws);
		break;
	case FIELD_PEOPLE:
		contacts(o, v, ID_PERSON, ws);
		break;
	case FIELD_USER:
	case FIELD_USER_ID:
		render_user(o, ws, &v->id);
		break;
	case FIELD_CUSTOM: /* in render_record_named() */
	case FIELD_HIDDEN_ID:
	case FIELD_DEFINITION: /* in server/resource/custom_field.c */
		break;
	case FIELD_CONNECTION:
		connection_render(o, value_of(rec, FIELD_METADATA), value_of(rec, FIELD_GROUPS), ws, viewer);
		break;
	case FIELD_METADATA:
		metadata_render(o, v, ws, viewer);
		break;
	default:
		linked(o, rec, f, v, ws, viewer);
		break;
	}
}

static bool always(enum field_type type)
{
	return type == FIELD_CUSTOM || type == FIELD_CONNECTION || type == FIELD_METADATA;
}

/* What members() needs of a resource's table, made once. */
struct shape {
	const struct resource *resource;
	struct shape_field {
		char *key; /* quoted, with its colon; NULL: hidden */
		size_t key_len;
		int shows; /* the field whose value it shows: its own, or the one it repeats */
	} fields[FIELDS_MAX];
};

static void shape_make(struct shape *shape, const struct resource *res)
{
	struct json_out o;
	struct buf key;

	shape->resource = res;
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->flags & FIELD_HIDDEN)
			continue;
		buf_init(&key, KEY_MAX);
		json_out_init(&o, &key);
		json_key(&o, f->name);
		shape->fields[i].key = buf_take(&key, &shape->fields[i].key_len);
		shape->fields[i].shows = f->same_as ? field_find(res, f->same_as, strlen(f->same_as)) : i;
	}
}

/* Resources are few and never go. */
static const struct shape *shape_of(const struct resource *res)
{
	static struct shape shapes[SHAPES_MAX];
	int i = 0;

	while (shapes[i].resource != res && shapes[i].resource)
		if (++i == SHAPES_MAX)
			fatal("more resources than shapes");
	if (!shapes[i].resource)
		shape_make(&shapes[i], res);
	return &shapes[i];
}

static void members(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v,
    const struct names *names, bool nested)
{
	const struct shape *shape = shape_of(rec->resource);

	for (int i = 0; i < rec->resource->n_fields; i++) {
		const struct field *f = &rec->resource->fields[i];
		const struct value *own = &rec->values[shape->fields[i].shows];
		if (!shape->fields[i].key || (nested && f->type == FIELD_PARENT))
			continue;
		json_key_raw(o, shape->fields[i].key, shape->fields[i].key_len);
		if (f->type == FIELD_CUSTOM)
			custom_render(o, rec, ws, v, names);
		else if (!own->null || always(f->type))
			value(o, rec, f, own, ws, v);
		else if (f->unset)
			json_string(o, f->unset);
		else
			json_null(o);
	}
}

void render_record_named(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *v, const struct names *names)
{
	json_begin_object(o);
	members(o, rec, ws, v, names, false);
	json_end_object(o);
}

void render_record(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v)
{
	render_record_named(o, rec, ws, v, NULL);
}
