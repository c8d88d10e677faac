/* Whether the request's workspace is on this installation. A workspace that moves to another installation is held for
 * its last seconds here, then answered from there (docs/growing.md). */
#ifndef KITH_SERVER_REQUEST_WORKSPACE_PLACE_H
#define KITH_SERVER_REQUEST_WORKSPACE_PLACE_H

#include "server/request/request.h"

/* Looks at the request's snapshot. Returns PASS, or DONE with a 421 or 503. */
enum step place_check(struct req *r);

/* True while nothing can be written. r->caller.ticket.now_ms must be set. */
bool place_held(const struct req *r);

#endif
