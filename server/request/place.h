/* Whether the request's workspace is here: one that moves to another installation is held for its last seconds, then
 * answered from there (docs/growing.md). */
#ifndef KITH_SERVER_REQUEST_PLACE_H
#define KITH_SERVER_REQUEST_PLACE_H

#include "server/request/request.h"

/* By the request's snapshot: PASS, or a reply with 421 or 503. */
enum step place_check(struct req *r);

#endif
