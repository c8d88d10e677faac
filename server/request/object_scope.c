/* The group and type in the path of an object's routes. */
#include "server/request/object_scope.h"

bool object_scope_find(struct req *r, struct custom_scope *scope, enum role *role)
{
	scope->ws = r->ws;
	scope->viewer = &r->viewer;
	scope->entity = ENTITY_OBJECT;
	scope->group = visible_group(r->ws, &r->path[0].id, &r->viewer);
	scope->type = scope->group ? group_type(scope->group, r->path[1].text, r->path[1].len) : NULL;
	*role = group_role(scope->group, &r->viewer);
	return scope->type != NULL;
}
