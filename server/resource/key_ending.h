/* Two steps that end the key in the path, for the routes of keys and of grants (key.c). Everybody ends their own,
 * admins of the workspace those of all users. */
#ifndef KITH_SERVER_RESOURCE_KEY_ENDING_H
#define KITH_SERVER_RESOURCE_KEY_ENDING_H

#include "server/request/request.h"

/* The result at r->at has a row if the caller may know of the key: whether it is the caller's own. of_application: only
 * a key of the kind "grant" is known. */
enum step key_ending_open(struct req *r, bool of_application);
/* kind: that of the id in the answer. */
enum step key_ending_apply(struct req *r, enum id_kind kind);

#endif
