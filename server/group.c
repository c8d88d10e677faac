/* Groups. They live in the workspace's snapshot, so reading asks no database;
 * writing locks the workspace's settings and decides on fresh ones. */
#include <string.h>

#include "server/body.h"
#include "server/entity.h"
#include "server/event_cascade.h"
#include "server/page.h"
#include "server/render.h"
#include "server/steps.h"
#include "store/record.h"

enum step group_list(struct req *r)
{
	struct page p;
	struct json_out *o;
	struct cursor last = {.has_id = true};
	int shown = 0;
	bool more = false;

	if (!page_read(r, &p))
		return reply_issues(r, "Invalid query parameters");
	o = page_begin(r);
	for (size_t i = 0; i < r->ws->n_groups && !more; i++) {
		const struct group *g = &r->ws->groups[i];
		if (group_role(g, &r->viewer) == ROLE_NONE || (p.after && uuid_compare(&g->id, &p.cursor.id) <= 0))
			continue;
		more = shown == p.limit;
		if (more)
			break;
		render_group(o, r->ws, g);
		last.id = g->id;
		shown++;
	}
	return page_end(r, &p, more ? &last : NULL);
}

enum step group_get(struct req *r)
{
	const struct group *g = visible_group(r->ws, &r->path[0].id, &r->viewer);

	if (!g)
		return reply_not_found(r);
	render_group(reply_begin(r), r->ws, g);
	return reply_end(r);
}

static enum step show(struct req *r, const struct record *rec)
{
	render_record(reply_begin(r), rec, r->ws, &r->viewer);
	return reply_end(r);
}

static void take(struct record *rec, const struct input *in)
{
	for (int i = 0; i < GROUP_FIELDS; i++)
		if (in->given & FIELD_BIT(i))
			rec->values[i] = in->values[i];
}

enum step group_create(struct req *r)
{
	struct record *rec = record_new(&group_resource, &r->arena);
	struct sql *s;

	take(rec, r->input);
	rec->values[GROUP_ID] = (struct value){.id = id_new()};
	rec->values[GROUP_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	rec->values[GROUP_CREATED_BY] = (struct value){.id = r->viewer.user};
	record_insert(req_sql(r, "group_insert", NULL), rec);
	s = req_sql(r, "group_first_member", NULL);
	sql_add(s, "insert into group_members (workspace_id, group_id, user_id, role) values ($1, ");
	sql_uuid(s, &rec->values[GROUP_ID].id);
	sql_add(s, ", ");
	sql_uuid(s, &r->viewer.user);
	sql_add(s, ", 'admin')");
	return show(r, rec);
}

static struct value text_value(const char *text)
{
	return (struct value){.text = text, .len = strlen(text)};
}

/* The group when the viewer is its admin; else the reply is set and NULL is answered. */
static const struct group *administered(struct req *r)
{
	const struct group *g = visible_group(r->ws, &r->path[0].id, &r->viewer);

	if (!g)
		reply_not_found(r);
	else if (group_role(g, &r->viewer) != ROLE_ADMIN)
		reply_error(r, ERROR_FORBIDDEN, "Only an admin of the group may do this");
	else
		return g;
	return NULL;
}

enum step group_update(struct req *r)
{
	const struct group *g = administered(r);
	struct record *old, *new;
	field_set changed;

	if (!g)
		return DONE;
	old = record_new(&group_resource, &r->arena);
	old->values[GROUP_ID] = (struct value){.id = g->id};
	old->values[GROUP_NAME] = text_value(g->name);
	old->values[GROUP_VISIBILITY] = text_value(g->private ? "private" : "public");
	old->values[GROUP_CREATED_AT] = (struct value){.number = g->created_at};
	old->values[GROUP_CREATED_BY] = (struct value){.id = g->created_by};
	new = record_copy(old, &r->arena);
	take(new, r->input);
	changed = record_diff(old, new);
	if (changed)
		record_update(req_sql(r, NULL, NULL), new, changed);
	return show(r, new);
}

/* The ids of the group's custom fields as the values' keys. */
static void field_keys(struct req *r, struct sql *s, const struct group *g)
{
	const char **keys = arena_alloc(&r->arena, g->n_fields * sizeof *keys);
	size_t *lens = arena_alloc(&r->arena, g->n_fields * sizeof *lens);

	for (size_t i = 0; i < g->n_fields; i++) {
		keys[i] = uuid_format(&g->fields[i].id, arena_alloc(&r->arena, 37));
		lens[i] = 36;
	}
	sql_text_array(s, keys, lens, g->n_fields);
}

/* The group leaves the rows of people or companies, with its custom values, and the link table. */
static void leave(struct req *r, const struct group *g, const char *table, const char *links, const char *column)
{
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(s, "update %s set group_ids = array_remove(group_ids, ", table);
	sql_uuid(s, &g->id);
	sql_add(s, "), custom_values = custom_without_fields(custom_values, ");
	field_keys(r, s, g);
	sql_add(s, "), updated_at = ");
	sql_time(s, req_now_ms(r));
	sql_addf(s,
	    " where workspace_id = $1 and id in (select %s from %s where workspace_id = $1 and group_id = ", column,
	    links);
	sql_again(s, 2);
	sql_add(s, ")");
	s = req_sql(r, NULL, NULL);
	sql_addf(s, "delete from %s where workspace_id = $1 and group_id = ", links);
	sql_uuid(s, &g->id);
}

/* First its objects are asked for, since more than their rows goes with them. */
enum step group_delete(struct req *r)
{
	const struct group *g = administered(r);
	struct sql *s;

	if (!g)
		return DONE;
	s = req_sql(r, "group_objects", &r->at);
	sql_add(s, "select id from objects where workspace_id = $1 and group_id = ");
	sql_uuid(s, &g->id);
	sql_add(s, " order by id for update");
	return ask_write(r);
}

static void delete_rows(struct req *r, const char *table, const char *column, const struct uuid *group)
{
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(s, "delete from %s where workspace_id = $1 and %s = ", table, column);
	sql_uuid(s, group);
}

/* Who may hear of what was in it. */
static void remember(struct req *r, const struct group *g)
{
	struct uuid *users = arena_alloc(&r->arena, g->n_members * sizeof *users);
	struct sql *s = req_sql(r, "group_gone", NULL);

	for (size_t i = 0; i < g->n_members; i++)
		users[i] = g->members[i].user;
	sql_add(s, "insert into groups_gone (workspace_id, id, user_ids) values ($1, ");
	sql_uuid(s, &g->id);
	sql_add(s, ", ");
	sql_uuid_array(s, users, g->n_members);
	sql_add(s, ")");
}

enum step group_delete_objects(struct req *r)
{
	const struct group *g = workspace_group(r->ws, &r->path[0].id);
	size_t n = (size_t)db_rows(r->x, r->at);
	struct uuid *ids = arena_alloc(&r->arena, n * sizeof *ids);
	struct sql *s;

	for (size_t i = 0; i < n; i++)
		ids[i] = db_uuid(r->x, r->at, (int)i, 0);
	cascade_activities(r, ID_OBJECT, ids, n, &g->id);
	cascade_objects(r, "group_id", &g->id);
	cascade_group(r, &g->id);
	entity_forget(r, ids, n);
	leave(r, g, "people", "person_groups", "person_id");
	leave(r, g, "companies", "company_groups", "company_id");
	s = req_sql(r, "group_values", NULL);
	sql_add(s, "delete from field_values where workspace_id = $1 and field_id in "
	           "(select id from custom_fields where workspace_id = $1 and group_id = ");
	sql_uuid(s, &g->id);
	sql_add(s, ")");
	if (g->private)
		remember(r, g);
	delete_rows(r, "objects", "group_id", &g->id);
	delete_rows(r, "groups", "id", &g->id); /* members, types and fields go by their foreign keys */
	return reply_id(r, ID_GROUP, &g->id);
}
