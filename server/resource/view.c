/* Views: saved lists. A private one belongs to its maker; for others it does not exist. */
#include <string.h>

#include "server/input/limits.h"
#include "server/request/validate.h"
#include "server/resource/activity.h"
#include "server/resource/steps.h"
#include "store/record.h"

/* --- reading ---------------------------------------------------------------------------- */

/* Leaves the views that the viewer may see. Those that name a hidden group do not exist for the viewer. */
static void view_visible_sql(const struct req *r, struct sql *s)
{
	const struct workspace *ws = r->caller.ws;
	struct uuid *hidden;
	size_t n = workspace_absent(ws, &r->caller.viewer, s->arena, &hidden);

	sql_add_uuid(s, " and (t.visibility = 'public' or t.created_by = ", &r->caller.viewer.user);
	sql_add_uuid_array(s, ") and not t.group_ids && ", hidden, n);
	sql_add_uuid_array(s, " and (t.type_id is null or t.type_id <> all (", ws->removed_types, ws->n_removed_types);
	sql_add(s, "))");
}

/* The type of a view of objects; NULL: another kind. */
static const struct object_type *view_type(const struct workspace *ws, const struct record *rec)
{
	const struct group *g = workspace_group(ws, &rec->values[VIEW_GROUP].id);

	for (size_t i = 0; g && i < g->n_types; i++)
		if (uuid_equal(&g->types[i].id, &rec->values[VIEW_TYPE].id))
			return &g->types[i];
	return NULL;
}

static void view_complete(const struct workspace *ws, struct record *rec)
{
	const struct object_type *t = view_type(ws, rec);

	rec->values[VIEW_TYPE_NAME] = (struct value){.null = !t};
	if (t) {
		rec->values[VIEW_TYPE_NAME].text = t->name;
		rec->values[VIEW_TYPE_NAME].len = strlen(t->name);
	}
}

enum step view_completed(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++)
		view_complete(r->caller.ws, r->records[i]);
	return PASS;
}

static void view_ask(struct req *r, const char *lock)
{
	struct sql *s = req_sql(r, NULL, &r->at);

	record_select(s, &view_resource);
	view_visible_sql(r, s);
	sql_add_uuid(s, " and t.id = ", &r->given.path[0].id);
	sql_add(s, lock);
}

enum step view_get(struct req *r)
{
	view_ask(r, "");
	return req_ask(r, DB_POINT);
}

/* --- the list ------------------------------------------------------------------------------ */

/* Types of that name in all groups. Those that the viewer may not see match no view that is shown. */
static void view_types_sql(const struct workspace *ws, const struct param_value *name, struct sql *s)
{
	struct uuid *ids = arena_alloc(s->arena, ws->n_groups * sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < ws->n_groups; i++) {
		const struct object_type *t = group_type(&ws->groups[i], name->text, name->len);
		if (t)
			ids[n++] = t->id;
	}
	sql_add_uuid_array(s, " and t.type_id = any (", ids, n);
	sql_add(s, ")");
}

static void view_conditions(void *ctx, struct sql *s)
{
	struct req *r = ctx;
	const struct param_value *kind = req_param(r, "kind"), *group = req_param(r, "groupId"),
	                         *type = req_param(r, "objectType");
	struct uuid id = {{0}};

	view_visible_sql(r, s);
	if (kind->given) {
		sql_add(s, " and t.kind = ");
		sql_text(s, kind->text, kind->len);
	}
	if (group->given) {
		id_parse(ID_GROUP, group->text, group->len, &id);
		sql_add_uuid(s, " and t.group_id = ", &id);
	}
	if (type->given)
		view_types_sql(r->caller.ws, type, s);
}

enum step view_list(struct req *r)
{
	r->list.conditions = view_conditions;
	return PASS;
}

/* --- groups that a view names ----------------------------------------------------------------- */

/* Ids of groups in texts: as values, and within the names of custom fields. */
struct view_groups {
	struct uuid *ids;
	size_t n, room;
};

static void view_groups_add(struct view_groups *g, struct arena *a, const struct uuid *id)
{
	struct uuid *more;

	if (uuid_in(g->ids, g->n, id))
		return;
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 8;
		more = arena_alloc(a, g->room * sizeof *more);
		if (g->n)
			memcpy(more, g->ids, g->n * sizeof *more);
		g->ids = more;
	}
	g->ids[g->n++] = *id;
}

static void view_groups_in(struct view_groups *g, struct arena *a, const char *text, size_t len)
{
	const char *end = text + len;
	struct uuid id;

	for (; end - text >= ID_LEN; text++)
		if (*text == 'g' && id_parse(ID_GROUP, text, ID_LEN, &id))
			view_groups_add(g, a, &id);
}

static void view_groups_of(struct view_groups *g, struct arena *a, const struct record *rec, int field)
{
	const struct value *v = &rec->values[field];

	if (v->null)
		return;
	if (field == VIEW_GROUP)
		view_groups_add(g, a, &v->id);
	else if (field != VIEW_COLUMNS)
		view_groups_in(g, a, v->text, v->len);
	for (size_t i = 0; field == VIEW_COLUMNS && i < v->n_items; i++)
		view_groups_in(g, a, v->items[i], v->lens[i]);
}

/* Sets the groups that the view names. False with issues: the viewer cannot see one of those in a changed part, so the
 * viewer could not see the view either. */
static bool view_settle_groups(struct req *r, struct record *rec, field_set changed)
{
	static const int fields[] = {VIEW_GROUP, VIEW_QUERY, VIEW_COLUMNS, VIEW_BOARD, VIEW_CHART};
	struct view_groups all = {.n = 0};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		struct path at = PATH_NAME(NULL, view_resource.fields[fields[i]].name);
		struct view_groups own = {.n = 0};
		bool hidden = false;
		view_groups_of(&own, &r->arena, rec, fields[i]);
		for (size_t n = 0; n < own.n; n++) {
			view_groups_add(&all, &r->arena, &own.ids[n]);
			hidden |= !visible_group(r->caller.ws, &own.ids[n], &r->caller.viewer);
		}
		if (hidden && changed & FIELD_BIT(fields[i]))
			issue_custom(&r->given.issues, &at, "Group not found");
	}
	rec->values[VIEW_GROUPS].ids = all.ids;
	rec->values[VIEW_GROUPS].n_ids = all.n;
	return r->given.issues.count == 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

enum step view_create_open(struct req *r)
{
	r->tx.exclusive = true; /* nobody else can add a view between the count and COMMIT */
	transaction_begin(r);
	sql_add(req_sql(r, "view_count", &r->at), "select count(*) from views where workspace_id = $1");
	return transaction_ask(r);
}

static void view_set_text(struct value *v, const char *text)
{
	if (v->null)
		*v = (struct value){.text = text, .len = strlen(text)};
}

enum step view_create(struct req *r)
{
	struct record *rec;
	struct value *v;
	const struct object_type *t;

	if (!limit_check(&r->given.issues, NULL, LIMIT_VIEWS, db_int(r->db.last, r->at, 0, 0), 1))
		return reply_issues(r, "Invalid input");
	rec = activity_new(r, VIEW_CREATED_BY, VIEW_CREATED_AT);
	v = rec->values;
	view_set_text(&v[VIEW_QUERY], "{}");
	view_set_text(&v[VIEW_VISIBILITY], "private");
	t = v[VIEW_GROUP].null ? NULL
	                       : group_type(workspace_group(r->caller.ws, &v[VIEW_GROUP].id), v[VIEW_TYPE_NAME].text,
	                             v[VIEW_TYPE_NAME].len);
	if (t)
		v[VIEW_TYPE] = (struct value){.id = t->id};
	if (!view_settle_groups(r, rec, ~(field_set)0))
		return reply_issues(r, "Invalid input");
	record_insert(req_sql(r, "view_insert", NULL), rec);
	return reply_record(r, rec);
}

enum step view_open(struct req *r)
{
	transaction_begin(r);
	view_ask(r, " for update of t");
	return transaction_ask(r);
}

/* The locked view that the viewer may change. NULL with a reply: a 404, 403 or 412. */
static struct record *view_changeable(struct req *r)
{
	struct record *rec;

	if (db_rows(r->db.last, r->at) == 0) {
		reply_not_found(r);
		return NULL;
	}
	rec = record_load(r->db.last, r->at, 0, &view_resource, &r->arena);
	view_complete(r->caller.ws, rec);
	if (!r->caller.viewer.admin && !uuid_equal(&rec->values[VIEW_CREATED_BY].id, &r->caller.viewer.user))
		reply_error(r, ERROR_FORBIDDEN, "Only the view's maker and admins of the workspace may do this");
	else if (!request_matches(&r->given, rec))
		reply_unmatched(r, rec);
	else
		return rec;
	return NULL;
}

enum step view_update(struct req *r)
{
	struct record *old = view_changeable(r), *rec;
	struct path_value path[2];
	field_set changed;

	if (!old)
		return DONE;
	rec = record_copy(old, &r->arena);
	body_take(rec, r->given.input);
	changed = record_diff(old, rec);
	path[0] = (struct path_value){.id = old->values[VIEW_GROUP].id};
	path[1] = (struct path_value){.text = old->values[VIEW_TYPE_NAME].text, .len = old->values[VIEW_TYPE_NAME].len};
	validate_view_parts(r, old->values[VIEW_KIND].text, path, changed);
	if (!view_settle_groups(r, rec, changed) || r->given.issues.count)
		return reply_issues(r, "Invalid input");
	changed = record_diff(old, rec);
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed | record_touch(rec, req_now_ms(r)));
	return reply_record(r, rec);
}

enum step view_delete(struct req *r)
{
	const struct record *rec = view_changeable(r);
	struct sql *s;

	if (!rec)
		return DONE;
	s = req_sql(r, "view_delete", NULL);
	sql_add_uuid(s, "delete from views where workspace_id = $1 and id = ", &r->given.path[0].id);
	return reply_id(r, ID_VIEW, &r->given.path[0].id);
}
