/* The addresses to which a browser takes the answer of a consent. */
#ifndef KITH_SERVER_OAUTH_REDIRECT_URI_H
#define KITH_SERVER_OAUTH_REDIRECT_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

enum { REDIRECT_URI_MAX = 1000, REDIRECT_URIS_MAX = 10 };

/* Why an application must not register this address; NULL: it may. Valid are https, http on loopback hosts, and the
 * schemes of applications on a device ("com.example.app:/…", and a few known ones, such as "cursor://…"). */
const char *redirect_uri_wrong(const char *uri, size_t len);

/* True when the request's address is the registered one. On loopback hosts the port may differ (RFC 8252, section
 * 7.3). */
bool redirect_uri_is(const char *registered, const char *asked);

/* Where the address leads, in words for the consent page and for the list of grants: a host name, "localhost" for any
 * loopback address, or the scheme of an application with its colon. */
const char *redirect_uri_host(const char *uri, struct arena *a);

/* True for http or https, whose host is this machine. */
bool redirect_uri_loopback(const char *uri);

/* The source for the directive form-action of a page that leads there: its origin, or its scheme. */
const char *redirect_uri_source(const char *uri, struct arena *a);

#endif
