/* Renders records. A type of field has the same form everywhere: the table of types is in the middle. */
#include "server/output/render.h"

#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/output/render_custom.h"
#include "server/input/body_subscription.h"
#include "store/entity_kind.h"

enum { KEY_MAX = 200, SHAPES_MAX = 32 };

void render_time(struct json_out *o, int64_t unix_ms)
{
	char text[TIME_TEXT_SIZE];

	time_format(unix_ms, text);
	json_plain(o, text, strlen(text));
}

/* People have a fullName, everything else a name. */
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
	json_add_id(o, "id", ID_GROUP, &g->id);
	json_add_string(o, "name", g->name);
	json_add_string(o, "visibility", g->private ? "private" : "public");
	json_key(o, "createdAt");
	render_time(o, g->created_at);
	json_key(o, "createdBy");
	render_user(o, ws, &g->created_by);
	json_end_object(o);
}

/* The members of a user to whom the record refers. Returns false when the user no longer exists. */
static bool render_user_members(struct json_out *o, const struct workspace *ws, const struct uuid *id)
{
	const struct user *u = workspace_user(ws, id);

	json_add_id(o, "id", ID_USER, id);
	json_add_string(o, "fullName", u ? u->full_name : "");
	json_add_string(o, "email", u ? u->email : "");
	return u != NULL;
}

void render_member(struct json_out *o, const struct workspace *ws, const struct member *m)
{
	json_begin_object(o);
	render_user_members(o, ws, &m->user);
	json_add_string(o, "role", role_name(m->role));
	json_end_object(o);
}

/* --- types that need only the value ----------------------------------------------------- */

static void text_render(struct json_out *o, const struct value *v)
{
	json_string_len(o, v->text, v->len);
}

static void date_render(struct json_out *o, const struct value *v)
{
	char text[DATE_TEXT_SIZE];

	date_format((int32_t)v->number, text);
	json_plain(o, text, strlen(text));
}

static void year_render(struct json_out *o, const struct value *v)
{
	char text[DATE_TEXT_SIZE];

	json_plain(o, text, (size_t)snprintf(text, sizeof text, "%04d", (int)v->number));
}

static void clock_render(struct json_out *o, const struct value *v)
{
	char text[DATE_TEXT_SIZE];
	int minutes = (int)v->number;

	json_plain(o, text, (size_t)snprintf(text, sizeof text, "%02d:%02d", minutes / 60 % 24, minutes % 60));
}

static void time_render(struct json_out *o, const struct value *v)
{
	render_time(o, v->number);
}

static void stamp_render(struct json_out *o, const struct value *v)
{
	render_time(o, v->number / 1000);
}

static void flag_render(struct json_out *o, const struct value *v)
{
	json_bool(o, v->number != 0);
}

static void texts_render(struct json_out *o, const struct value *v)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_items; i++)
		json_string_len(o, v->items[i], v->lens[i]);
	json_end_array(o);
}

static void event_id_render(struct json_out *o, const struct value *v)
{
	json_id(o, ID_EVENT, &v->id);
}

static void group_id_render(struct json_out *o, const struct value *v)
{
	json_id(o, ID_GROUP, &v->id);
}

static void count_render(struct json_out *o, const struct value *v)
{
	json_int(o, v->number);
}

static void json_render(struct json_out *o, const struct value *v)
{
	json_raw(o, v->text, v->len);
}

static void entity_begin(struct json_out *o, const struct value *v)
{
	json_begin_object(o);
	json_add_id(o, "id", v->kind->id_kind, &v->entity);
	json_add_string(o, "entityType", v->kind->type);
}

static void entity_render(struct json_out *o, const struct value *v)
{
	entity_begin(o, v);
	json_key(o, "fullName");
	json_string_len(o, v->entity_name, v->entity_name_len);
	json_end_object(o);
}

void render_entity_reference(struct json_out *o, const struct value *v)
{
	entity_begin(o, v);
	json_end_object(o);
}

static void render_party(
    struct json_out *o, const char *type, enum id_kind kind, const struct uuid *id, const char *name)
{
	json_begin_object(o);
	json_add_string(o, "type", type);
	json_add_id(o, "value", kind, id);
	json_add_string(o, "name", name);
	json_end_object(o);
}

static void to_render(struct json_out *o, const struct value *v)
{
	render_party(o, v->kind->type, v->kind->id_kind, &v->entity, v->entity_name);
}

/* --- types that need the record, the workspace or the viewer --------------------------- */

static void id_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	json_id(o, s->record->resource->id_kind, &v->id);
}

static void groups_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++) {
		const struct group *g = visible_group(s->ws, &v->ids[i], s->viewer);
		if (g)
			json_raw(o, g->reference, g->reference_len);
	}
	json_end_array(o);
}

static void contacts_show(struct json_out *o, const struct value *v, const struct showing *s, enum id_kind kind)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++)
		if (!workspace_gone_contact(s->ws, &v->ids[i]))
			id_name(o, kind, &v->ids[i], v->names[i]);
	json_end_array(o);
}

static void companies_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	contacts_show(o, v, s, ID_COMPANY);
}

static void people_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	contacts_show(o, v, s, ID_PERSON);
}

static void render_user_value(struct json_out *o, const struct value *v, const struct showing *s)
{
	render_user(o, s->ws, &v->id);
}

static void users_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	json_begin_array(o);
	for (size_t i = 0; i < v->n_ids; i++)
		render_user(o, s->ws, &v->ids[i]);
	json_end_array(o);
}

static void author_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	bool known;

	json_begin_object(o);
	json_add_string(o, "type", "user");
	known = render_user_members(o, s->ws, &v->id);
	json_add_bool(o, "deleted", !known);
	json_end_object(o);
}

static void from_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	const struct user *u = workspace_user(s->ws, &v->id);

	render_party(o, "user", ID_USER, &v->id, u ? u->full_name : "");
}

static void render_members(struct json_out *o, const struct showing *s);

/* A parent is shown without its own parent. */
static void parent_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	struct showing nested = {.record = v->parent_record, .ws = s->ws, .viewer = s->viewer, .nested = true};

	json_begin_object(o);
	if (v->parent_record)
		render_members(o, &nested);
	else
		json_add_id(o, "id", s->record->resource->id_kind, &v->parent);
	json_add_bool(o, "deleted", !v->parent_record);
	json_end_object(o);
}

static void custom_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	(void)v;
	render_custom(o, s->record, s->ws, s->viewer, s->names);
}

/* The value of the record's only field of that type. */
static const struct value *value_of(const struct record *rec, enum field_type type)
{
	int i = 0;

	while (rec->resource->fields[i].type != type)
		i++;
	return &rec->values[i];
}

static void metadata_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	metadata_render(o, v, s->ws, s->viewer);
}

static void connection_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	(void)v;
	metadata_render_connection(
	    o, value_of(s->record, FIELD_METADATA), value_of(s->record, FIELD_GROUPS), s->ws, s->viewer);
}

static void events_show(struct json_out *o, const struct value *v, const struct showing *s)
{
	subscription_events_render(o, v, &value_of(s->record, FIELD_USER)->id, s->ws, s->viewer);
}

/* --- the table -------------------------------------------------------------------------- */

/* clang-format off */
const struct field_view field_views[FIELD_TYPES] = {
	[FIELD_ID]         = {.show = id_show},
	[FIELD_TEXT]       = {.render = text_render, .scalar = true},
	[FIELD_CHOICE]     = {.render = text_render, .scalar = true},
	[FIELD_DATE]       = {.render = date_render, .scalar = true},
	[FIELD_YEAR]       = {.render = year_render, .scalar = true},
	[FIELD_DECIMAL]    = {.render = text_render, .scalar = true},
	[FIELD_TIME]       = {.render = time_render, .scalar = true},
	[FIELD_STAMP]      = {.render = stamp_render},
	[FIELD_FLAG]       = {.render = flag_render, .scalar = true},
	[FIELD_TEXTS]      = {.render = texts_render},
	[FIELD_GROUPS]     = {.show = groups_show},
	[FIELD_COMPANIES]  = {.show = companies_show},
	[FIELD_PEOPLE]     = {.show = people_show},
	[FIELD_USER]       = {.show = render_user_value},
	[FIELD_USER_ID]    = {.show = render_user_value},
	[FIELD_GROUP_ID]   = {.render = group_id_render},
	[FIELD_USERS]      = {.show = users_show},
	[FIELD_ENTITY]     = {.render = entity_render},
	[FIELD_CLOCK]      = {.render = clock_render, .scalar = true},
	[FIELD_RULE]       = {.render = text_render, .scalar = true},
	[FIELD_AUTHOR]     = {.show = author_show},
	[FIELD_PARENT]     = {.show = parent_show},
	[FIELD_CUSTOM]     = {.show = custom_show, .always = true},
	[FIELD_METADATA]   = {.show = metadata_show, .always = true},
	[FIELD_CONNECTION] = {.show = connection_show, .always = true},
	[FIELD_ACTIVITY]   = {.render = text_render, .scalar = true},
	[FIELD_FROM]       = {.show = from_show},
	[FIELD_TO]         = {.render = to_render},
	[FIELD_URL]        = {.render = text_render, .scalar = true},
	[FIELD_EVENTS]     = {.show = events_show},
	[FIELD_EVENT_ID]   = {.render = event_id_render},
	[FIELD_ATTEMPTS]   = {.render = json_render},
	[FIELD_COUNT]      = {.render = count_render},
	[FIELD_REASONS]    = {.render = json_render},
	[FIELD_VIEW_PART]  = {.render = json_render},
};
/* clang-format on */

/* --- records ------------------------------------------------------------------------------ */

/* A resource's field table in the form that render_members() uses, made once. */
struct record_shape {
	const struct resource *resource;
	struct shape_field {
		char *key; /* the name in quotes, with its colon; NULL: hidden */
		size_t key_len;
		int shows; /* the field whose value is shown: the field itself, or the field that it repeats */
	} fields[FIELDS_MAX];
};

static void shape_make(struct record_shape *shape, const struct resource *res)
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

/* There are few resources, and the process keeps them until it ends. */
static const struct record_shape *shape_of(const struct resource *res)
{
	static struct record_shape shapes[SHAPES_MAX];
	int i = 0;

	while (shapes[i].resource != res && shapes[i].resource)
		if (++i == SHAPES_MAX)
			fatal_abort("more resources than shapes");
	if (!shapes[i].resource)
		shape_make(&shapes[i], res);
	return &shapes[i];
}

static void render_members(struct json_out *o, const struct showing *s)
{
	const struct resource *res = s->record->resource;
	const struct record_shape *shape = shape_of(res);

	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const struct field_view *view = &field_views[f->type];
		const struct value *v = &s->record->values[shape->fields[i].shows];
		if (!shape->fields[i].key || (s->nested && f->type == FIELD_PARENT))
			continue;
		json_key_raw(o, shape->fields[i].key, shape->fields[i].key_len);
		if (v->null && !view->always)
			f->unset ? json_string(o, f->unset) : json_null(o);
		else if (view->render)
			view->render(o, v);
		else
			view->show(o, v, s);
	}
}

void render_record(struct json_out *o, const struct record *rec, const struct workspace *ws, const struct viewer *v,
    const struct names *names)
{
	struct showing s = {.record = rec, .ws = ws, .viewer = v, .names = names};

	json_begin_object(o);
	render_members(o, &s);
	json_end_object(o);
}
