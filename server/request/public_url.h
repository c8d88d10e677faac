/* What browsers and applications can do at the public URL; req_base_url() has the URL itself. */
#ifndef KITH_SERVER_REQUEST_PUBLIC_URL_H
#define KITH_SERVER_REQUEST_PUBLIC_URL_H

#include "server/request/request.h"

/* How browsers reach the server, by its public URL. Only HTTPS keeps a cookie secret from
 * others in the network. Without it, people can sign in only on this machine. */
enum sign_in_at { SIGN_IN_NOWHERE, SIGN_IN_LOOPBACK, SIGN_IN_HTTPS };
enum sign_in_at session_cookie_at(struct req *r);
/* True if the client itself says localhost or an address of this machine, whatever the setting public_url is. */
bool req_names_loopback(const struct req *r);

/* The public URL as the base of kith's addresses as OAuth server. NULL: OAuth is not available there, because browsers
 * keep no secrets there, or because only the request itself says what the public URL is. */
const char *req_issuer(struct req *r);

#endif
