/* Finds the group in the path, and the type of an object. */
#ifndef KITH_SERVER_REQUEST_OBJECT_SCOPE_H
#define KITH_SERVER_REQUEST_OBJECT_SCOPE_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* path: the parameters of the path, which begin with the group and the type. Returns false when the viewer cannot see
 * the group, or the group has no such type. role is the viewer's role in the group. */
bool object_scope_find(
    const struct req_caller *caller, const struct path_value *path, struct custom_scope *scope, enum role *role);
/* The same for the path of the request. If it returns false, it has set the 404. */
bool object_scope(struct req *r, struct custom_scope *scope, enum role *role);

/* Returns the group if the viewer is its admin; else NULL, and the reply is set. */
const struct group *group_administered(struct req *r);

#endif
