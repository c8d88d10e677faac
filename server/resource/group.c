/* Groups. They are in the workspace's snapshot, so reading needs no query. A write locks the workspace's settings and
 * decides with fresh ones. */
#include <string.h>

#include "server/input/body.h"
#include "server/input/limits.h"
#include "server/request/object_scope.h"
#include "server/request/page.h"
#include "server/resource/removal.h"
#include "server/output/render.h"
#include "server/resource/steps.h"
#include "store/record.h"

enum step group_list(struct req *r)
{
	struct page_walk w;

	if (!page_walk_begin(r, &w))
		return DONE;
	for (size_t i = 0; i < r->caller.ws->n_groups && !w.more; i++) {
		const struct group *g = &r->caller.ws->groups[i];
		if (group_role(g, &r->caller.viewer) != ROLE_NONE && page_walk_shows(r, &w, &g->id))
			render_group(&r->reply.json, r->caller.ws, g);
	}
	return page_walk_end(r, &w);
}

enum step group_get(struct req *r)
{
	const struct group *g = visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer);

	if (!g)
		return reply_not_found(r);
	render_group(reply_begin(r), r->caller.ws, g);
	return reply_end(r);
}

enum step group_create(struct req *r)
{
	struct record *rec = record_new(&group_resource, &r->arena);
	struct sql *s;

	if (r->caller.viewer.n_groups)
		return reply_error(
		    r, ERROR_FORBIDDEN, "This API key is limited to certain groups: it cannot create groups");
	if (!limit_check(&r->given.issues, NULL, LIMIT_GROUPS, (int64_t)r->caller.ws->n_groups, 1))
		return reply_issues(r, "Invalid input");
	body_take(rec, r->given.input);
	rec->values[GROUP_ID] = (struct value){.id = id_new()};
	rec->values[GROUP_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	rec->values[GROUP_CREATED_BY] = (struct value){.id = r->caller.viewer.user};
	record_insert(req_sql(r, "group_insert", NULL), rec);
	s = req_sql(r, "group_first_member", NULL);
	sql_add(s, "insert into group_members (workspace_id, group_id, user_id, role) values ($1, ");
	sql_uuid(s, &rec->values[GROUP_ID].id);
	sql_add_uuid(s, ", ", &r->caller.viewer.user);
	sql_add(s, ", 'admin')");
	return reply_record(r, rec);
}

static struct value group_text(const char *text)
{
	return (struct value){.text = text, .len = strlen(text)};
}

enum step group_update(struct req *r)
{
	const struct group *g = group_administered(r);
	struct record *old, *new;
	field_set changed;

	if (!g)
		return DONE;
	old = record_new(&group_resource, &r->arena);
	old->values[GROUP_ID] = (struct value){.id = g->id};
	old->values[GROUP_NAME] = group_text(g->name);
	old->values[GROUP_VISIBILITY] = group_text(g->private ? "private" : "public");
	old->values[GROUP_CREATED_AT] = (struct value){.number = g->created_at};
	old->values[GROUP_CREATED_BY] = (struct value){.id = g->created_by};
	new = record_copy(old, &r->arena);
	body_take(new, r->given.input);
	changed = record_diff(old, new);
	if (changed)
		record_update(req_sql(r, NULL, NULL), new, changed);
	return reply_record(r, new);
}

/* First reads the content of the group. It needs the objects, because more than their rows is deleted with them, and
 * the number of contacts. */
enum step group_delete(struct req *r)
{
	const struct group *g = group_administered(r);
	int most = removal_sizes()->at_once + 1;
	struct sql *s;

	if (!g)
		return DONE;
	s = req_sql(r, req_lock_name(r, "group_objects"), &r->at);
	sql_add(s, "select id from objects where workspace_id = $1 and type_id in (select y.id from object_types y "
	           "where y.workspace_id = $1 and y.group_id = ");
	sql_uuid(s, &g->id);
	sql_add_int8(s, ") limit ", most);
	sql_add(s, req_lock(r, " for update"));
	for (int i = 0; i < GROUP_LINKS; i++) {
		s = req_sql(r, NULL, NULL);
		sql_addf(s, "select count(*) from (select from %s where workspace_id = $1 and group_id = ",
		    link_tables[i].name);
		sql_uuid(s, &g->id);
		sql_addf(s, " limit %d) l", most);
	}
	return transaction_ask(r);
}

static bool group_is_small(const struct req *r)
{
	int64_t n = db_rows(r->db.last, r->at);

	for (int i = 0; i < GROUP_LINKS; i++)
		n += db_int(r->db.last, r->at + 1 + i, 0, 0);
	return n <= removal_sizes()->at_once;
}

/* Stores which users may still see the events of the deleted group. */
static void group_keep_audience(struct req *r, const struct group *g)
{
	struct uuid *users = arena_alloc(&r->arena, g->n_members * sizeof *users);
	struct sql *s = req_sql(r, "group_gone", NULL);

	for (size_t i = 0; i < g->n_members; i++)
		users[i] = g->members[i].user;
	sql_add_uuid(s, "insert into groups_gone (workspace_id, id, user_ids) values ($1, ", &g->id);
	sql_add_uuid_array(s, ", ", users, g->n_members);
	sql_add(s, ")");
}

static void group_remove_content(struct req *r, const struct group *g)
{
	struct statements st = req_statements(r);
	struct uuid *ids;
	size_t n = db_uuid_column(r->db.last, r->at, 0, &r->arena, &ids);

	for (int i = 0; i < GROUP_LINKS; i++)
		removal_leave(&st, &link_tables[i], &g->id, NULL);
	removal_objects(&st, &g->id, ids, n, false);
}

enum step group_delete_all(struct req *r)
{
	const struct group *g = workspace_group(r->caller.ws, &r->given.path[0].id);
	bool now = group_is_small(r);

	if (now)
		group_remove_content(r, g);
	removal_definition(r, "groups", &g->id, now); /* foreign keys delete members, types and fields */
	if (g->private)
		group_keep_audience(r, g);
	return reply_id(r, ID_GROUP, &g->id);
}
