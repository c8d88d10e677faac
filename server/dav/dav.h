/* Address books of devices: CardDAV (RFC 6352) below /dav, as a translation onto the API's own routes. A request of
 * a client makes requests of the API inside it (runner_inside()), so validation, rights, conditions, history and limits
 * are the API's. docs/carddav.md describes it. */
#ifndef KITH_SERVER_DAV_DAV_H
#define KITH_SERVER_DAV_DAV_H

#include "server/request/request.h"

/* The steps of every route: the key, admission, the path, the body. */
step_fn dav_begin, dav_admitted, dav_enter, dav_body;
/* The last step of each. */
step_fn dav_moved; /* sends clients from where they look first to /dav/ */
step_fn dav_propfind, dav_proppatch, dav_report, dav_get, dav_put, dav_delete;

/* Which books the user's devices see, for the API. */
step_fn address_book_list, address_book_show, address_book_open, address_book_update;

#endif
