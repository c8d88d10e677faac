/* How many records a list has, for pages that are asked for it. */
#ifndef KITH_SERVER_REQUEST_COUNT_H
#define KITH_SERVER_REQUEST_COUNT_H

#include "server/request/request.h"

/* Behind a page: asks for r->list.counted, unless the page tells; takes the answer. */
step_fn step_count, step_counted;

#endif
