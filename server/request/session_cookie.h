/* The cookie that holds the key of a session, and where it counts.
 *
 * Browsers send the cookie by themselves, also with requests that other sites cause. So it replaces the header
 * Authorization only for the API, only with the header X-Kith-Console, which a page of another origin cannot send, and
 * only if the browser does not say that another site is the cause. */
#ifndef KITH_SERVER_REQUEST_SESSION_COOKIE_H
#define KITH_SERVER_REQUEST_SESSION_COOKIE_H

#include "server/base/apikey.h"
#include "server/request/public_url.h"
#include "server/request/request.h"

struct http_head;

/* The key in the cookie of the request; NULL: there is none. It is valid until the next step. */
const char *session_cookie(struct req *r);
/* The same for a request whose body is still to come, under any of the cookie's names. */
bool session_cookie_of_head(const struct http_head *head, char out[APIKEY_SIZE]);

/* Sets the cookie for this many seconds. 0 removes it from the browser. */
void session_cookie_set(struct req *r, const char *key, int64_t seconds);

/* True when the request comes from one of kith's own pages, which say so in a header. */
bool session_cookie_own_page(const struct req *r);
/* True when the browser says that a page of another site causes the request. */
bool session_cookie_foreign(struct req *r);

/* The same two for a request whose body is still to come, as far as its head tells. */
bool session_cookie_head_own(const struct http_head *head);
bool session_cookie_head_foreign(const struct http_head *head);

#endif
