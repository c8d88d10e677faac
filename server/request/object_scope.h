/* The group in the path, and an object's type. */
#ifndef KITH_SERVER_REQUEST_OBJECT_SCOPE_H
#define KITH_SERVER_REQUEST_OBJECT_SCOPE_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* False when the viewer cannot see the group or it has no such type; role is the viewer's in the group. */
bool object_scope_find(struct req *r, struct custom_scope *scope, enum role *role);

/* The group if the viewer is its admin; else NULL with the reply set. */
const struct group *group_administered(struct req *r);

#endif
