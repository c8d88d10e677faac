/* Finds the group in the path, and the type of an object. */
#include "server/request/object_scope.h"

bool object_scope_find(struct req *r, struct custom_scope *scope, enum role *role)
{
	scope->ws = r->caller.ws;
	scope->viewer = &r->caller.viewer;
	scope->entity = ENTITY_OBJECT;
	scope->group = visible_group(r->caller.ws, &r->given.path[0].id, &r->caller.viewer);
	scope->type = scope->group ? group_type(scope->group, r->given.path[1].text, r->given.path[1].len) : NULL;
	*role = group_role(scope->group, &r->caller.viewer);
	return scope->type != NULL;
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
