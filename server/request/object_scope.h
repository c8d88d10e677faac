/* The group and type that the path of an object's routes names. */
#ifndef KITH_SERVER_REQUEST_OBJECT_SCOPE_H
#define KITH_SERVER_REQUEST_OBJECT_SCOPE_H

#include "server/input/custom.h"
#include "server/request/request.h"

/* False when the viewer sees no such group, or it has no such type; role is theirs in the group. */
bool object_scope_find(struct req *r, struct custom_scope *scope, enum role *role);

#endif
