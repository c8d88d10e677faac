/* Object types of a group. */
#include <string.h>
#include <strings.h>

#include "server/input/body.h"
#include "server/input/limits.h"
#include "server/request/object_scope.h"
#include "server/request/page.h"
#include "server/resource/removal.h"
#include "server/output/render.h"
#include "server/resource/steps.h"

static void object_type_put(struct json_out *o, const char *name, int64_t created_at)
{
	json_begin_object(o);
	json_add_string(o, "name", name);
	json_key(o, "createdAt");
	render_time(o, created_at);
	json_end_object(o);
}

enum step type_list(struct req *r)
{
	struct page_walk w;
	const struct group *g = page_walk_group(r, &w);

	if (!g)
		return DONE;
	for (size_t i = 0; i < g->n_types && !w.more; i++) {
		const struct object_type *t = &g->types[i];
		if (page_walk_shows(r, &w, &t->id))
			object_type_put(&r->reply.json, t->name, t->created_at);
	}
	return page_walk_end(r, &w);
}

/* Names that mean something else in a path. */
static bool name_reserved(const char *name)
{
	static const char *const names[] = {
	    "person", "company", "members", "custom-fields", "object-types", "batch", ".", "..", NULL};

	for (int i = 0; names[i]; i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

/* The name in the body. Returns false with an issue when the name is not available. */
static bool object_type_check_name(struct req_given *given, const struct group *g, const struct object_type *own)
{
	const struct value *name = &given->input->values[TYPE_NAME];
	const struct object_type *other = group_type(g, name->text, name->len);
	struct path at = PATH_NAME(NULL, "name");

	if (name_reserved(name->text))
		issue_custom(&given->issues, &at, "This name is reserved");
	else if (other && other != own)
		issue_custom(&given->issues, &at, "Another object type of the group has this name");
	return given->issues.count == 0;
}

enum step type_create(struct req *r)
{
	const struct group *g = group_administered(r);
	const struct value *name = &r->given.input->values[TYPE_NAME];
	struct uuid id = id_new();
	struct sql *s;

	if (!g)
		return DONE;
	if (!object_type_check_name(&r->given, g, NULL) ||
	    !limit_check(&r->given.issues, NULL, LIMIT_TYPES, (int64_t)g->n_types, 1))
		return reply_issues(r, "Invalid input");
	s = req_sql(r, "type_insert", NULL);
	sql_add_uuid(s, "insert into object_types (workspace_id, id, group_id, name, created_at) values ($1, ", &id);
	sql_add_uuid(s, ", ", &g->id);
	sql_add(s, ", ");
	sql_text(s, name->text, name->len);
	sql_add_time(s, ", ", req_now_ms(r));
	sql_add(s, ")");
	object_type_put(reply_begin(r), name->text, req_now_ms(r));
	return reply_end(r);
}

/* The type in the path, if the viewer is an admin of its group; else NULL, and the reply is set. */
static const struct object_type *object_type_administered(struct req *r)
{
	struct custom_scope scope;
	enum role role;

	if (!group_administered(r) || !object_scope(r, &scope, &role))
		return NULL;
	return scope.type;
}

enum step type_update(struct req *r)
{
	const struct object_type *t = object_type_administered(r);
	const struct value *name = &r->given.input->values[TYPE_NAME];
	bool given = r->given.input->given & FIELD_BIT(TYPE_NAME);
	struct sql *s;

	if (!t)
		return DONE;
	if (given && !object_type_check_name(&r->given, workspace_group(r->caller.ws, &t->group), t))
		return reply_issues(r, "Invalid input");
	if (given) {
		s = req_sql(r, "type_update", NULL);
		sql_add(s, "update object_types set name = ");
		sql_text(s, name->text, name->len);
		sql_add_uuid(s, " where workspace_id = $1 and id = ", &t->id);
	}
	object_type_put(reply_begin(r), given ? name->text : t->name, t->created_at);
	return reply_end(r);
}

static bool object_type_forced(const struct req_given *given)
{
	return given->params[0].given && given->params[0].number == 0; /* the first choice is "true" */
}

/* First reads the objects of the type, because more than their rows is deleted with them. */
enum step type_delete(struct req *r)
{
	const struct object_type *t = object_type_administered(r);
	struct sql *s;

	if (!t)
		return DONE;
	s = req_sql(r, req_lock_name(r, "type_objects"), &r->at);
	sql_add_uuid(s, "select id from objects where workspace_id = $1 and type_id = ", &t->id);
	sql_add_int8(s, " order by id limit ", removal_sizes()->at_once + 1);
	sql_add(s, req_lock(r, " for update"));
	if (!object_type_forced(&r->given)) { /* for the message, which has the number */
		s = req_sql(r, "type_count", NULL);
		sql_add_uuid(s, "select count(*) from objects where workspace_id = $1 and type_id = ", &t->id);
	}
	return transaction_ask(r);
}

static void object_type_remove_objects(struct req *r, const struct object_type *t)
{
	struct statements st = req_statements(r);
	struct uuid *ids;
	size_t n = db_uuid_column(r->db.last, r->at, 0, &r->arena, &ids);

	removal_objects(&st, &t->group, ids, n, true);
}

enum step type_delete_all(struct req *r)
{
	const struct group *g = workspace_group(r->caller.ws, &r->given.path[0].id);
	const struct object_type *t = group_type(g, r->given.path[1].text, r->given.path[1].len);
	int n = db_rows(r->db.last, r->at);
	bool now;
	struct path at = PATH_NAME(NULL, "objectType");

	if (n && !object_type_forced(&r->given)) {
		issue_custom(&r->given.issues, &at, "The type has %lld objects: delete them first, or add ?force=true",
		    (long long)db_int(r->db.last, r->at + 1, 0, 0));
		return reply_issues(r, "Invalid path parameters");
	}
	now = n <= removal_sizes()->at_once;
	if (now)
		object_type_remove_objects(r, t);
	removal_definition(r, "object_types", &t->id, now); /* a foreign key deletes the type's fields */
	return reply_name(r, t->name);
}
