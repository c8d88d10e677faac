/* Reads a snapshot of a workspace from the database. */
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/loop.h"
#include "server/base/text.h"
#include "server/snapshot/workspace.h"
#include "store/horizon.h"

enum { TEXT_MAX = 64 << 10 }; /* far more than an escaped name and address can take */

void workspace_statements(struct sql *out[WORKSPACE_STATEMENTS], struct arena *a, const struct uuid *id)
{
	/* The version is read first, so the later statements see data that is at least as new. */
	static const struct {
		const char *name, *text;
	} parts[WORKSPACE_STATEMENTS] = {
	    {"snapshot_version",
	        "select " HORIZON_VERSION
	        ", w.moving, w.held_until, w.moved_to, w.cursor_key, w.cursor_key_before from workspaces w, "
	        "event_generation g where w.workspace_id = $1"},
	    {"snapshot_users", "select id, full_name, email, role = 'admin', coalesce(time_zone, 'UTC') from users "
	                       "where workspace_id = $1 order by id"},
	    {"snapshot_groups",
	        "select id, name, visibility = 'private', created_at, created_by, removed_at is not null from groups "
	        "where workspace_id = $1 order by id"},
	    {"snapshot_members",
	        "select group_id, user_id, role from group_members where workspace_id = $1 order by group_id, user_id"},
	    {"snapshot_types", "select group_id, id, name, created_at, removed_at is not null from object_types where "
	                       "workspace_id = $1 order by group_id, id"},
	    {"snapshot_fields",
	        "select group_id, id, entity, type_id, name, type, options, format, decimals, currency "
	        "from custom_fields where workspace_id = $1 and removed_at is null order by group_id, id"},
	    {"snapshot_groups_gone", "select id, user_ids from groups_gone where workspace_id = $1"},
	    {"snapshot_contacts_gone", "select id from contacts_gone where workspace_id = $1 order by id"},
	};

	for (int i = 0; i < WORKSPACE_STATEMENTS; i++) {
		out[i] = arena_alloc(a, sizeof *out[i]);
		sql_begin(out[i], a, parts[i].name, id);
		sql_add(out[i], parts[i].text);
	}
}

/* Copies a text into the snapshot. */
static const char *load_keep_text(struct workspace *ws, struct buf *text, size_t *len)
{
	const char *kept = arena_dup(&ws->arena, text->data, text->len);

	*len = text->len;
	buf_free(text);
	return kept;
}

/* {"id": …, KEY: name}, with an email if there is one: a user or group as answers show it. */
static const char *load_render_reference(struct workspace *ws, enum id_kind kind, const struct uuid *id,
    const char *key, const char *name, const char *email, size_t *len)
{
	struct json_out o;
	struct buf text;
	char id_text[ID_SIZE];

	buf_init(&text, TEXT_MAX);
	json_out_init(&o, &text);
	json_begin_object(&o);
	json_add_string(&o, "id", id_format(kind, id, id_text));
	json_add_string(&o, key, name);
	if (email) {
		json_add_string(&o, "email", email);
	}
	json_end_object(&o);
	return load_keep_text(ws, &text, len);
}

/* A name as a JSON key, with its colon. */
static const char *load_render_key(struct workspace *ws, const char *name, size_t *len)
{
	struct json_out o;
	struct buf text;

	buf_init(&text, TEXT_MAX);
	json_out_init(&o, &text);
	json_key(&o, name);
	return load_keep_text(ws, &text, len);
}

/* --- rows ------------------------------------------------------------------------ */

/* The state of a load. */
struct workspace_loading {
	struct workspace *ws;
	const struct db_exchange *x;
	int part, row, rows; /* the part, and its next row of rows; row -1: not begun */
	int st;              /* the statement of the part */
	struct group *group; /* from the previous row */
	struct member *members;
	struct object_type *types;
	struct custom_field *fields;
	int n_types;
};

static const char *load_text_at(const struct workspace_loading *l, int row, int col)
{
	return db_null(l->x, l->st, row, col) ? NULL : arena_dupz(&l->ws->arena, db_text(l->x, l->st, row, col, NULL));
}

static void begin_users(struct workspace_loading *l)
{
	l->ws->users = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->users);
	table_init(&l->ws->emails, &l->ws->arena, (size_t)l->rows);
}

static void load_user(struct workspace_loading *l, int row)
{
	struct workspace *ws = l->ws;
	struct user *u = &ws->users[ws->n_users++];
	char *small;

	u->id = db_uuid(l->x, l->st, row, 0);
	u->full_name = load_text_at(l, row, 1);
	u->email = load_text_at(l, row, 2);
	u->admin = db_bool(l->x, l->st, row, 3);
	u->time_zone = load_text_at(l, row, 4);
	u->reference =
	    load_render_reference(ws, ID_USER, &u->id, "fullName", u->full_name, u->email, &u->reference_len);
	small = arena_dupz(&ws->arena, u->email);
	for (char *c = small; *c; c++)
		*c = text_lower(*c);
	table_row(&ws->emails, small, strlen(small))->value = u;
}

static void begin_groups(struct workspace_loading *l)
{
	l->ws->groups = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->groups);
	l->ws->removed_groups = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->removed_groups);
}

static void load_group(struct workspace_loading *l, int row)
{
	struct workspace *ws = l->ws;
	struct group *g = &ws->groups[ws->n_groups];
	struct uuid group = db_uuid(l->x, l->st, row, 0);
	char id[ID_SIZE];

	if (db_bool(l->x, l->st, row, 5)) {
		ws->removed_groups[ws->n_removed_groups++] = group;
		return;
	}
	ws->n_groups++;
	g->id = group;
	g->name = load_text_at(l, row, 1);
	g->private = db_bool(l->x, l->st, row, 2);
	g->created_at = db_time_ms(l->x, l->st, row, 3);
	g->created_by = db_uuid(l->x, l->st, row, 4);
	g->reference = load_render_reference(ws, ID_GROUP, &g->id, "name", g->name, NULL, &g->reference_len);
	g->key = load_render_key(ws, id_format(ID_GROUP, &g->id, id), &g->key_len);
}

/* The group of a row; rows are ordered by group. NULL for a removed group, and for one made after the groups were read.
 * In the latter case the version shows that the snapshot is old. */
static struct group *group_of(struct workspace_loading *l, int row)
{
	struct uuid id = db_uuid(l->x, l->st, row, 0);

	if (!l->group || !uuid_equal(&l->group->id, &id))
		l->group = (struct group *)workspace_group(l->ws, &id);
	return l->group;
}

static void begin_members(struct workspace_loading *l)
{
	l->members = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->members);
}

static void load_member(struct workspace_loading *l, int row)
{
	struct group *g = group_of(l, row);

	if (!g)
		return;
	if (g->n_members++ == 0)
		g->members = &l->members[row];
	l->members[row] = (struct member){
	    .user = db_uuid(l->x, l->st, row, 1), .role = role_parse(db_text(l->x, l->st, row, 2, NULL))};
}

static void begin_types(struct workspace_loading *l)
{
	l->types = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->types);
	l->ws->removed_types = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->removed_types);
}

static void load_type(struct workspace_loading *l, int row)
{
	struct workspace *ws = l->ws;
	struct object_type *type = &l->types[l->n_types];
	struct group *g;

	if (db_bool(l->x, l->st, row, 4)) {
		ws->removed_types[ws->n_removed_types++] = db_uuid(l->x, l->st, row, 1);
		return;
	}
	g = group_of(l, row);
	if (!g)
		return;
	*type = (struct object_type){
	    .id = db_uuid(l->x, l->st, row, 1),
	    .group = g->id,
	    .name = load_text_at(l, row, 2),
	    .created_at = db_time_ms(l->x, l->st, row, 3),
	};
	if (g->n_types++ == 0)
		g->types = type;
	l->n_types++;
}

static const char *load_option_text(struct workspace *ws, const struct json *option, const char *key)
{
	const struct json *m = json_member(option, key);

	return arena_dupz(&ws->arena, m ? m->text : "");
}

static void load_options(struct workspace *ws, struct custom_field *f, const char *text, size_t len)
{
	struct arena arena;
	const char *error;
	const struct json *list;
	size_t most;

	arena_init(&arena);
	list = json_read(&arena, text, len, &error);
	most = list ? list->count : 0;
	f->options = arena_alloc(&ws->arena, most * sizeof *f->options);
	f->gone = arena_alloc(&ws->arena, most * sizeof *f->gone);
	f->gone_ids = arena_alloc(&ws->arena, most * sizeof *f->gone_ids);
	f->tables = arena_alloc(&ws->arena, sizeof *f->tables);
	f->tables->arena = &ws->arena;
	json_each(o, list) {
		bool gone = json_member(o, "removed");
		struct custom_option *option = gone ? &f->gone[f->n_gone] : &f->options[f->n_options];
		const struct json *id = json_member(o, "id");
		if (!id || !uuid_parse(id->text, id->len, &option->id))
			continue; /* kith did not write this */
		if (gone)
			f->gone_ids[f->n_gone++] = option->id;
		else
			f->n_options++;
		option->gone = gone;
		option->label = load_option_text(ws, o, "label");
		option->color = load_option_text(ws, o, "color");
	}
	arena_free(&arena);
}

static void load_definition(const struct workspace_loading *l, struct custom_field *f, int row)
{
	static const char *const entities[] = {"person", "company", "object"};
	const char *entity = db_text(l->x, l->st, row, 2, NULL), *options;
	size_t len;

	f->id = db_uuid(l->x, l->st, row, 1);
	while (strcmp(entities[f->entity], entity) != 0 && f->entity < ENTITY_OBJECT)
		f->entity++;
	db_uuid_read(l->x, l->st, row, 3, &f->object_type);
	f->name = load_text_at(l, row, 4);
	f->key = load_render_key(l->ws, f->name, &f->key_len);
	f->type = custom_type_parse(db_text(l->x, l->st, row, 5, NULL));
	options = db_text(l->x, l->st, row, 6, &len);
	load_options(l->ws, f, options, len);
	f->format = load_text_at(l, row, 7);
	f->decimals = db_null(l->x, l->st, row, 8) ? -1 : (int)db_int(l->x, l->st, row, 8);
	f->currency = load_text_at(l, row, 9);
}

static int compare_fields(const void *a, const void *b)
{
	return uuid_compare(&(*(struct custom_field *const *)a)->id, &(*(struct custom_field *const *)b)->id);
}

static void make_unset(struct workspace *ws, struct group *g, enum custom_entity entity)
{
	size_t room = sizeof "{}";
	struct json_out o;
	struct buf text;
	bool any = false;

	for (size_t i = 0; i < g->n_fields; i++)
		room += g->fields[i].key_len + sizeof ",null";
	buf_init(&text, room);
	json_out_init(&o, &text);
	json_begin_object(&o);
	for (size_t i = 0; i < g->n_fields; i++) {
		const struct custom_field *f = &g->fields[i];
		if (f->entity != entity)
			continue;
		json_key_raw(&o, f->key, f->key_len);
		json_null(&o);
		any = true;
	}
	json_end_object(&o);
	if (any)
		g->unset[entity] = load_keep_text(ws, &text, &g->unset_len[entity]);
	else
		buf_free(&text);
}

static void begin_fields(struct workspace_loading *l)
{
	l->fields = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->fields);
	l->ws->fields = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->fields);
}

static void load_field(struct workspace_loading *l, int row)
{
	struct custom_field *f = &l->fields[l->ws->n_fields];
	struct group *g = group_of(l, row);
	struct table_row *named;

	/* If this program does not know a type, none of its tables has it. */
	if (!g || custom_type_parse(db_text(l->x, l->st, row, 5, NULL)) == CUSTOM_TYPES)
		return;
	f->group = g->id;
	load_definition(l, f, row);
	l->ws->fields[l->ws->n_fields++] = f;
	if (g->n_fields++ == 0) {
		g->fields = f;
		table_init(&g->names, &l->ws->arena, 0);
	}
	named = table_row(&g->names, f->name, strlen(f->name));
	f->namesake = named->value;
	named->value = f;
}

static void begin_unset(struct workspace_loading *l)
{
	qsort(l->ws->fields, l->ws->n_fields, sizeof *l->ws->fields, compare_fields);
	l->rows = (int)l->ws->n_groups;
}

static void load_unset(struct workspace_loading *l, int row)
{
	for (enum custom_entity entity = 0; entity < ENTITY_OBJECT; entity++)
		make_unset(l->ws, &l->ws->groups[row], entity);
}

static void begin_gone(struct workspace_loading *l)
{
	l->ws->gone = arena_alloc(&l->ws->arena, (size_t)l->rows * sizeof *l->ws->gone);
}

static void load_gone(struct workspace_loading *l, int row)
{
	struct gone_group *g = &l->ws->gone[l->ws->n_gone++];

	g->id = db_uuid(l->x, l->st, row, 0);
	g->n_users = db_uuid_array(l->x, l->st, row, 1, &l->ws->arena, &g->users);
	if (g->n_users)
		qsort(g->users, g->n_users, sizeof *g->users, uuid_compare);
}

static void begin_gone_contacts(struct workspace_loading *l)
{
	l->ws->n_gone_contacts = db_uuid_column(l->x, l->st, 0, &l->ws->arena, &l->ws->gone_contacts);
	l->rows = 0;
}

/* --- all of it -------------------------------------------------------------------- */

static const struct {
	int statement;
	void (*begin)(struct workspace_loading *l);
	void (*one)(struct workspace_loading *l, int row);
} parts[] = {
    {1, begin_users, load_user},
    {2, begin_groups, load_group},
    {3, begin_members, load_member},
    {4, begin_types, load_type},
    {5, begin_fields, load_field},
    {5, begin_unset, load_unset},
    {6, begin_gone, load_gone},
    {7, begin_gone_contacts, NULL},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* NULL: none. */
static const unsigned char *load_key(struct workspace *ws, const struct db_exchange *x, int column)
{
	size_t len;
	const char *key = db_null(x, 0, 0, column) ? NULL : db_text(x, 0, 0, column, &len);

	return key ? (const unsigned char *)arena_dup(&ws->arena, key, len) : NULL;
}

/* While a workspace moves back to this server, requests are still sent to moved_to. */
static void load_place(struct workspace *ws, const struct db_exchange *x)
{
	enum { VERSION, MOVING, HELD_UNTIL, MOVED_TO, CURSOR_KEY, CURSOR_KEY_BEFORE };
	const char *moving = db_null(x, 0, 0, MOVING) ? "" : db_text(x, 0, 0, MOVING, NULL);

	ws->cursor_key = load_key(ws, x, CURSOR_KEY);
	ws->cursor_key_before = load_key(ws, x, CURSOR_KEY_BEFORE);
	if (!db_null(x, 0, 0, MOVED_TO))
		ws->moved_to = arena_dupz(&ws->arena, db_text(x, 0, 0, MOVED_TO, NULL));
	if (strcmp(moving, "held") == 0 && !db_null(x, 0, 0, HELD_UNTIL)) {
		ws->place = WORKSPACE_HELD;
		ws->held_until_ms = db_time_ms(x, 0, 0, HELD_UNTIL);
	} else if (strcmp(moving, "moved") == 0 || (strcmp(moving, "arriving") == 0 && ws->moved_to)) {
		ws->place = WORKSPACE_MOVED;
	} else if (strcmp(moving, "arriving") == 0 || strcmp(moving, "arrived") == 0) {
		ws->place = WORKSPACE_ARRIVES;
	}
}

struct workspace_loading *workspace_load_begin(struct arena *a, const struct db_exchange *x, const struct uuid *id)
{
	struct workspace_loading *l;
	struct arena arena;
	struct workspace *ws;

	if (db_rows(x, 0) == 0)
		return NULL;
	arena_init(&arena);
	ws = arena_alloc(&arena, sizeof *ws);
	ws->arena = arena;
	ws->id = *id;
	ws->holders = 1;
	ws->version = db_int(x, 0, 0, 0);
	load_place(ws, x);
	l = arena_alloc(a, sizeof *l);
	*l = (struct workspace_loading){.ws = ws, .x = x, .row = -1};
	return l;
}

struct workspace *workspace_load_some(struct workspace_loading *l, int64_t *since_us)
{
	for (; l->part < PARTS; l->part++, l->row = -1) {
		if (l->row < 0) {
			l->st = parts[l->part].statement;
			l->rows = db_rows(l->x, l->st);
			l->row = 0;
			l->group = NULL;
			parts[l->part].begin(l);
		}
		while (l->row < l->rows) {
			parts[l->part].one(l, l->row++);
			if (since_us && loop_slice_passed(since_us))
				return NULL;
		}
	}
	return l->ws;
}

void workspace_load_drop(struct workspace_loading *l)
{
	workspace_release(l->ws);
}
