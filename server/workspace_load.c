/* Reads a snapshot of a workspace out of the database. */
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/workspace.h"
#include "store/horizon.h"

enum { TEXT_MAX = 64 << 10 }; /* far more than a name and an address can take, all escaped */

void workspace_statements(struct sql *out[WORKSPACE_STATEMENTS], struct arena *a, const struct uuid *id)
{
	/* The version is read first: what the later statements see is at least as new. */
	static const struct {
		const char *name, *text;
	} parts[WORKSPACE_STATEMENTS] = {
	    {"snapshot_version",
	        "select " HORIZON_VERSION " from workspaces w, event_generation g where w.workspace_id = $1"},
	    {"snapshot_users",
	        "select id, full_name, email, role = 'admin' from users where workspace_id = $1 order by id"},
	    {"snapshot_groups",
	        "select id, name, visibility = 'private', created_at, created_by, removed_at is not null from groups "
	        "where workspace_id = $1 order by id"},
	    {"snapshot_members",
	        "select group_id, user_id, role from group_members where workspace_id = $1 order by group_id, user_id"},
	    {"snapshot_types", "select group_id, id, name, created_at, removed_at is not null from object_types where "
	                       "workspace_id = $1 "
	                       "order by group_id, id"},
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

/* Moves a text, which fits, into the snapshot. */
static const char *keep(struct workspace *ws, struct buf *text, size_t *len)
{
	const char *kept = arena_dup(&ws->arena, text->data, text->len);

	*len = text->len;
	buf_free(text);
	return kept;
}

/* {"id": …, KEY: name} with an email if there is one; what answers say of a user or group. */
static const char *reference(struct workspace *ws, enum id_kind kind, const struct uuid *id, const char *key,
    const char *name, const char *email, size_t *len)
{
	struct json_out o;
	struct buf text;
	char id_text[ID_SIZE];

	buf_init(&text, TEXT_MAX);
	json_out_init(&o, &text);
	json_begin_object(&o);
	json_key(&o, "id");
	json_string(&o, id_format(kind, id, id_text));
	json_key(&o, key);
	json_string(&o, name);
	if (email) {
		json_key(&o, "email");
		json_string(&o, email);
	}
	json_end_object(&o);
	return keep(ws, &text, len);
}

/* A name as answers have it in front of a value. */
static const char *key(struct workspace *ws, const char *name, size_t *len)
{
	struct json_out o;
	struct buf text;

	buf_init(&text, TEXT_MAX);
	json_out_init(&o, &text);
	json_key(&o, name);
	return keep(ws, &text, len);
}

static void load_users(struct workspace *ws, const struct db_exchange *x, int st)
{
	size_t len;

	ws->n_users = (size_t)db_rows(x, st);
	ws->users = arena_alloc(&ws->arena, ws->n_users * sizeof *ws->users);
	for (size_t i = 0; i < ws->n_users; i++) {
		struct user *u = &ws->users[i];
		u->id = db_uuid(x, st, (int)i, 0);
		u->full_name = arena_dupz(&ws->arena, db_text(x, st, (int)i, 1, &len));
		u->email = arena_dupz(&ws->arena, db_text(x, st, (int)i, 2, &len));
		u->admin = db_bool(x, st, (int)i, 3);
		u->reference = reference(ws, ID_USER, &u->id, "fullName", u->full_name, u->email, &u->reference_len);
	}
}

static void load_groups(struct workspace *ws, const struct db_exchange *x, int st)
{
	char id[ID_SIZE];
	size_t len;
	int rows = db_rows(x, st);

	ws->groups = arena_alloc(&ws->arena, (size_t)rows * sizeof *ws->groups);
	ws->removed_groups = arena_alloc(&ws->arena, (size_t)rows * sizeof *ws->removed_groups);
	for (int i = 0; i < rows; i++) {
		struct group *g = &ws->groups[ws->n_groups];
		struct uuid group = db_uuid(x, st, i, 0);
		if (db_bool(x, st, i, 5)) {
			ws->removed_groups[ws->n_removed_groups++] = group;
			continue;
		}
		ws->n_groups++;
		g->id = group;
		g->name = arena_dupz(&ws->arena, db_text(x, st, i, 1, &len));
		g->private = db_bool(x, st, i, 2);
		g->created_at = db_time_ms(x, st, i, 3);
		g->created_by = db_uuid(x, st, i, 4);
		g->reference = reference(ws, ID_GROUP, &g->id, "name", g->name, NULL, &g->reference_len);
		g->key = key(ws, id_format(ID_GROUP, &g->id, id), &g->key_len);
	}
}

/* Members come in the order of their groups. */
static void load_members(struct workspace *ws, const struct db_exchange *x, int st)
{
	int rows = db_rows(x, st);
	struct member *all = arena_alloc(&ws->arena, (size_t)rows * sizeof *all);
	struct group *g = NULL;
	size_t len;

	for (int i = 0; i < rows; i++) {
		struct uuid id = db_uuid(x, st, i, 0);
		if (!g || !uuid_equal(&g->id, &id)) {
			g = (struct group *)workspace_group(ws, &id);
			if (!g)
				continue; /* removed, or made after the groups were read: the version tells */
			g->members = &all[i];
		}
		all[i].user = db_uuid(x, st, i, 1);
		all[i].role = role_parse(db_text(x, st, i, 2, &len));
		g->n_members++;
	}
}

/* Rows come in the order of their groups: the group of one, given that of the row before. */
static struct group *group_of(struct workspace *ws, const struct db_exchange *x, int st, int row, struct group *before)
{
	struct uuid id = db_uuid(x, st, row, 0);

	/* A removed group is not there, nor is one made after the groups were read: the version tells. */
	return before && uuid_equal(&before->id, &id) ? before : (struct group *)workspace_group(ws, &id);
}

static const char *text_at(struct workspace *ws, const struct db_exchange *x, int st, int row, int col)
{
	size_t len;
	return db_null(x, st, row, col) ? NULL : arena_dupz(&ws->arena, db_text(x, st, row, col, &len));
}

static void load_types(struct workspace *ws, const struct db_exchange *x, int st)
{
	int rows = db_rows(x, st);
	struct object_type *all = arena_alloc(&ws->arena, (size_t)rows * sizeof *all);
	struct group *g = NULL;
	int n = 0;

	ws->removed_types = arena_alloc(&ws->arena, (size_t)rows * sizeof *ws->removed_types);
	for (int i = 0; i < rows; i++) {
		if (db_bool(x, st, i, 4)) {
			ws->removed_types[ws->n_removed_types++] = db_uuid(x, st, i, 1);
			continue;
		}
		g = group_of(ws, x, st, i, g);
		if (!g)
			continue;
		all[n] = (struct object_type){
		    .id = db_uuid(x, st, i, 1),
		    .group = g->id,
		    .name = text_at(ws, x, st, i, 2),
		    .created_at = db_time_ms(x, st, i, 3),
		};
		if (g->n_types++ == 0)
			g->types = &all[n];
		n++;
	}
}

static const char *option_text(struct workspace *ws, const struct json *option, const char *key)
{
	const struct json *m = json_member(option, key);
	return arena_dupz(&ws->arena, m ? m->text : "");
}

static void load_options(struct workspace *ws, struct custom_field *f, const char *text, size_t len)
{
	struct arena arena;
	const char *error;
	const struct json *list;

	arena_init(&arena);
	list = json_read(&arena, text, len, &error);
	f->options = arena_alloc(&ws->arena, (list ? list->count : 0) * sizeof *f->options);
	f->gone = arena_alloc(&ws->arena, (list ? list->count : 0) * sizeof *f->gone);
	f->gone_ids = arena_alloc(&ws->arena, (list ? list->count : 0) * sizeof *f->gone_ids);
	for (const struct json *o = list ? list->first : NULL; o; o = o->next) {
		bool gone = json_member(o, "removed");
		struct custom_option *option = gone ? &f->gone[f->n_gone] : &f->options[f->n_options];
		const struct json *id = json_member(o, "id");
		if (!id || !uuid_parse(id->text, id->len, &option->id))
			continue; /* never written by us */
		if (gone)
			f->gone_ids[f->n_gone++] = option->id;
		else
			f->n_options++;
		option->label = option_text(ws, o, "label");
		option->color = option_text(ws, o, "color");
	}
	arena_free(&arena);
}

static void load_field(struct workspace *ws, struct custom_field *f, const struct db_exchange *x, int st, int row)
{
	static const char *const entities[] = {"person", "company", "object"};
	size_t len;
	const char *entity = db_text(x, st, row, 2, &len), *options;

	f->id = db_uuid(x, st, row, 1);
	while (strcmp(entities[f->entity], entity) != 0 && f->entity < ENTITY_OBJECT)
		f->entity++;
	if (!db_null(x, st, row, 3))
		f->object_type = db_uuid(x, st, row, 3);
	f->name = text_at(ws, x, st, row, 4);
	f->key = key(ws, f->name, &f->key_len);
	f->type = custom_type_parse(db_text(x, st, row, 5, &len));
	options = db_text(x, st, row, 6, &len);
	load_options(ws, f, options, len);
	f->format = text_at(ws, x, st, row, 7);
	f->decimals = db_null(x, st, row, 8) ? -1 : (int)db_int(x, st, row, 8);
	f->currency = text_at(ws, x, st, row, 9);
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
		g->unset[entity] = keep(ws, &text, &g->unset_len[entity]);
	else
		buf_free(&text);
}

static void load_fields(struct workspace *ws, const struct db_exchange *x, int st)
{
	int rows = db_rows(x, st);
	struct custom_field *all = arena_alloc(&ws->arena, (size_t)rows * sizeof *all);
	struct group *g = NULL;

	ws->fields = arena_alloc(&ws->arena, (size_t)rows * sizeof *ws->fields);
	for (int i = 0; i < rows; i++) {
		g = group_of(ws, x, st, i, g);
		if (!g)
			continue;
		all[i].group = g->id;
		load_field(ws, &all[i], x, st, i);
		ws->fields[ws->n_fields++] = &all[i];
		if (g->n_fields++ == 0)
			g->fields = &all[i];
	}
	qsort(ws->fields, ws->n_fields, sizeof *ws->fields, compare_fields);
	for (size_t i = 0; i < ws->n_groups; i++)
		for (enum custom_entity entity = 0; entity < ENTITY_OBJECT; entity++)
			make_unset(ws, &ws->groups[i], entity);
}

static void load_gone(struct workspace *ws, const struct db_exchange *x, int st)
{
	ws->n_gone = (size_t)db_rows(x, st);
	ws->gone = arena_alloc(&ws->arena, ws->n_gone * sizeof *ws->gone);
	for (size_t i = 0; i < ws->n_gone; i++) {
		struct gone_group *g = &ws->gone[i];
		g->id = db_uuid(x, st, (int)i, 0);
		g->n_users = db_uuid_array(x, st, (int)i, 1, &ws->arena, &g->users);
	}
}

static void load_gone_contacts(struct workspace *ws, const struct db_exchange *x, int st)
{
	ws->n_gone_contacts = db_uuid_column(x, st, 0, &ws->arena, &ws->gone_contacts);
}

struct workspace *workspace_load(const struct db_exchange *x, int first, const struct uuid *id)
{
	struct arena arena;
	struct workspace *ws;

	if (db_rows(x, first) == 0)
		return NULL;
	arena_init(&arena);
	ws = arena_alloc(&arena, sizeof *ws);
	ws->arena = arena;
	ws->id = *id;
	ws->holders = 1;
	ws->version = db_int(x, first, 0, 0);
	load_users(ws, x, first + 1);
	load_groups(ws, x, first + 2);
	load_members(ws, x, first + 3);
	load_types(ws, x, first + 4);
	load_fields(ws, x, first + 5);
	load_gone(ws, x, first + 6);
	load_gone_contacts(ws, x, first + 7);
	return ws;
}
