/* The number of records of a list, for requests that ask for it. */
#ifndef KITH_SERVER_REQUEST_COUNT_H
#define KITH_SERVER_REQUEST_COUNT_H

#include "server/request/request.h"

/* After a page: counts r->list.counted, unless the page is the whole list; reads the count. */
step_fn step_count, step_counted;

#endif
