/* Writes records. A field type has one form everywhere. */
#include "server/render.h"

#include <stdio.h>

#include "server/base/clock.h"
#include "server/custom.h"

void render_id(struct json_out *o, enum id_kind kind, const struct uuid *id)
{
	char text[ID_SIZE];
	json_string(o, id_format(kind, id, text));
}

void render_time(struct json_out *o, int64_t unix_ms)
{
	char text[TIME_TEXT_SIZE];
	json_string(o, time_format(unix_ms, text));
}

/* People have a fullName, all else a name. */
static void id_name(struct json_out *o, enum id_kind kind, const struct uuid *id, const char *name)
{
	json_begin_object(o);
	json_key(o, "id");
	render_id(o, kind, id);
	json_key(o, kind == ID_PERSON ? "fullName" : "name");
	json_string(o, name);
	json_end_object(o);
}

void render_user(struct json_out *o, const struct workspace *ws, const struct uuid *id)
{
	const struct user *u = workspace_user(ws, id);

	if (!u) {
		json_null(o);
		return;
	}
	json_begin_object(o);
	json_key(o, "id");
	render_id(o, ID_USER, &u->id);
	json_key(o, "fullName");
	json_string(o, u->full_name);
	json_key(o, "email");
	json_string(o, u->email);
	json_end_object(o);
}

void render_group(struct json_out *o, const struct workspace *ws, const struct group *g)
{
	json_begin_object(o);
	json_key(o, "id");
	render_id(o, ID_GROUP, &g->id);
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
	render_id(o, ID_USER, &m->user);
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
			id_name(o, ID_GROUP, &g->id, g->name);
	}
	json_end_array(o);
}

static void contacts(struct json_out *o, const struct value *v, enum id_kind kind)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++)
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

static void counter(struct json_out *o, const char *key, bool users)
{
	json_key(o, key);
	json_begin_object(o);
	json_key(o, "approximateCount");
	json_int(o, 0);
	json_key(o, "lastInteractedAt");
	json_null(o);
	if (users) {
		json_key(o, "lastInteractedBy");
		json_begin_array(o);
		json_end_array(o);
	}
	json_end_object(o);
}

/* Nothing logs interactions yet, so both counters stand at zero. */
static void metadata(struct json_out *o)
{
	json_begin_object(o);
	counter(o, "user", false);
	counter(o, "workspace", true);
	json_end_object(o);
}

static void value(
    struct json_out *o, const struct record *rec, int index, const struct workspace *ws, const struct viewer *viewer)
{
	const struct field *f = &rec->resource->fields[index];
	const struct value *v = &rec->values[index];
	char text[DATE_TEXT_SIZE];

	switch (f->type) {
	case FIELD_ID:
		render_id(o, rec->resource->id_kind, &v->id);
		break;
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_DECIMAL:
		json_string_len(o, v->text, v->len);
		break;
	case FIELD_DATE:
		json_string(o, date_format((int32_t)v->number, text));
		break;
	case FIELD_YEAR:
		snprintf(text, sizeof text, "%04d", (int)v->number);
		json_string(o, text);
		break;
	case FIELD_TIME:
		render_time(o, v->number);
		break;
	case FIELD_FLAG:
		json_bool(o, v->number != 0);
		break;
	case FIELD_TEXTS:
		texts(o, v);
		break;
	case FIELD_GROUPS:
		groups(o, v, ws, viewer);
		break;
	case FIELD_COMPANIES:
		contacts(o, v, ID_COMPANY);
		break;
	case FIELD_PEOPLE:
		contacts(o, v, ID_PERSON);
		break;
	case FIELD_USER:
	case FIELD_USER_ID:
		render_user(o, ws, &v->id);
		break;
	case FIELD_CUSTOM: /* in render_record_named() */
	case FIELD_HIDDEN_ID:
	case FIELD_DEFINITION: /* in custom_field.c */
		break;
	case FIELD_CONNECTION:
		json_begin_object(o);
		json_end_object(o);
		break;
	case FIELD_METADATA:
		metadata(o);
		break;
	}
}

static bool always(enum field_type type)
{
	return type == FIELD_CUSTOM || type == FIELD_CONNECTION || type == FIELD_METADATA;
}

void render_record_named(struct json_out *o, const struct record *rec, const struct workspace *ws,
    const struct viewer *v, struct arena *a, const struct names *names)
{
	json_begin_object(o);
	for (int i = 0; i < rec->resource->n_fields; i++) {
		const struct field *f = &rec->resource->fields[i];
		if (f->flags & FIELD_HIDDEN)
			continue;
		json_key(o, f->name);
		if (f->type == FIELD_CUSTOM)
			custom_render(o, a, rec, ws, v, names);
		else if (!rec->values[i].null || always(f->type))
			value(o, rec, i, ws, v);
		else if (f->unset)
			json_string(o, f->unset);
		else
			json_null(o);
	}
	json_end_object(o);
}

void render_record(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v)
{
	struct arena arena;

	arena_init(&arena);
	render_record_named(o, rec, ws, v, &arena, NULL);
	arena_free(&arena);
}
