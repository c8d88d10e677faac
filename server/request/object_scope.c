/* Finds the group in the path, and the type of an object. */
#include "server/request/object_scope.h"

bool object_scope_find(
    const struct req_caller *caller, const struct path_value *path, struct custom_scope *scope, enum role *role)
{
	scope->ws = caller->ws;
	scope->viewer = &caller->viewer;
	scope->entity = ENTITY_OBJECT;
	scope->group = visible_group(caller->ws, &path[0].id, &caller->viewer);
	scope->type = scope->group ? group_type(scope->group, path[1].text, path[1].len) : NULL;
	*role = group_role(scope->group, &caller->viewer);
	return scope->type != NULL;
}

/* The error names the requested type and the types that the group has. */
static void object_type_unknown(struct req *r, const struct group *g)
{
	struct buf message;

	buf_init(&message, 1 << 20);
	buf_addz(&message, "Object type \"");
	buf_add(&message, r->given.path[1].text, r->given.path[1].len);
	buf_addz(
	    &message, g->n_types ? "\" not found in this group; it has: " : "\" not found in this group; it has none");
	for (size_t i = 0; i < g->n_types; i++)
		buf_printf(&message, "%s\"%s\"", i ? ", " : "", g->types[i].name);
	reply_error(r, ERROR_NOT_FOUND, message.data);
	buf_free(&message);
}

bool object_scope(struct req *r, struct custom_scope *scope, enum role *role)
{
	if (object_scope_find(&r->caller, r->given.path, scope, role))
		return true;
	if (scope->group)
		object_type_unknown(r, scope->group);
	else
		reply_not_found(r);
	return false;
}

const struct group *group_administered(struct req *r)
{
	const struct group *g = visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer);

	if (!g)
		reply_not_found(r);
	else if (group_role(g, &r->caller.viewer) != ROLE_ADMIN)
		reply_error(r, ERROR_FORBIDDEN, "Only an admin of the group may do this");
	else
		return g;
	return NULL;
}
