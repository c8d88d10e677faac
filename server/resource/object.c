/* Objects of a group. The path names their type. */
#include "server/resource/removal.h"
#include "server/request/object_scope.h"
#include "server/resource/steps.h"
#include "server/resource/write.h"

void object_remove(struct req *r, const struct uuid *ids, size_t n)
{
	struct statements st = req_statements(r);

	removal_objects(&st, &r->given.path[0].id, ids, n, true);
}

enum step object_get(struct req *r)
{
	struct custom_scope scope;
	enum role role;
	struct sql *s;

	if (!object_scope(r, &scope, &role))
		return DONE;
	s = req_sql(r, "object_get", NULL);
	record_select(s, &object_resource);
	sql_add_uuid(s, " and t.type_id = ", &scope.type->id);
	sql_add_uuid(s, " and t.id = ", &r->given.path[2].id);
	return req_ask(r, DB_POINT);
}

/* Selects the rows of the generic list. */
enum step object_list(struct req *r)
{
	struct custom_scope scope;
	enum role role;

	if (!object_scope(r, &scope, &role))
		return DONE;
	r->list.column = "type_id";
	r->list.id = scope.type->id;
	return PASS;
}
