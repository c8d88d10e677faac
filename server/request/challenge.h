/* The header WWW-Authenticate: tells a client without a valid key where it gets one (RFC 6750, RFC 9728). */
#ifndef KITH_SERVER_REQUEST_CHALLENGE_H
#define KITH_SERVER_REQUEST_CHALLENGE_H

#include "server/request/request.h"

struct http_verdict;

/* The value for a 401. */
const char *challenge_key(struct req *r);
/* The value for a 403 of an application that needs these scopes, too. */
const char *challenge_scopes(struct req *r, unsigned lacks);
/* Sets the header of a 401 for a request whose body is still to come, as far as the settings tell. flags: of the
 * route. */
void challenge_judge(const char *public_url, unsigned flags, struct http_verdict *v);

#endif
