/* The address under which clients reach us, for links: the setting public_url; else Host, or X-Forwarded-* when the
 * peer is a trusted proxy. */
#ifndef KITH_SERVER_REQUEST_PUBLIC_URL_H
#define KITH_SERVER_REQUEST_PUBLIC_URL_H

#include "server/base/arena.h"
#include "server/http/server.h"

struct server;

/* Without a trailing slash; owned by the arena or the server. */
const char *public_url(
    const struct server *s, struct arena *a, const struct http_call *call, const struct http_input *in);

#endif
