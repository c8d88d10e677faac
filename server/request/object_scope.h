/* The group and type in the path of an object's routes. */
#ifndef KITH_SERVER_REQUEST_OBJECT_SCOPE_H
#define KITH_SERVER_REQUEST_OBJECT_SCOPE_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* False when the viewer cannot see the group or it has no such type; role is the viewer's in the group. */
bool object_scope_find(struct req *r, struct custom_scope *scope, enum role *role);

#endif
