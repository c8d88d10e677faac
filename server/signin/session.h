/* Sessions of people who sign in with a browser. A session is a key of the kind KEY_KIND_SESSION. The browser has it in
 * a cookie (server/request/session_cookie.h). */
#ifndef KITH_SERVER_SIGNIN_SESSION_H
#define KITH_SERVER_SIGNIN_SESSION_H

#include "server/request/request.h"
#include "server/request/session_cookie.h"

enum {
	SESSION_IDLE_S = 12 * 60 * 60,      /* a session ends when it is unused for this long, */
	SESSION_MOST_S = 30 * 24 * 60 * 60, /* and in any case after this time */
	SESSIONS_OF_USER = 50, /* and made from each key; a further one ends the one that is unused for longest */
	SESSION_KEPT_S = 30 * 24 * 60 * 60, /* how long the row of an ended session is kept */
	SESSIONS_KEPT = 500,                /* most such rows of a user */
	SESSION_AGENT_MAX = 200             /* characters that are kept of the header User-Agent */
};

struct session_start {
	struct uuid user;          /* of r->caller.ws */
	unsigned scopes;           /* enum key_scope */
	const struct uuid *groups; /* the only groups that the session may see */
	size_t n_groups;           /* 0: all that its user may see */
	const struct uuid *parent; /* the key that it is made from, with whose end it ends; NULL: none */
	const char *issuer;        /* the OpenID Connect provider to whose account the user is linked; NULL: none */
	const char *redirect;      /* the answer is a 302 to this URL; NULL: the session as JSON */
};

/* Makes a session, sets the cookie and answers. Call it at the end of a step: further steps of the route are not run.
 * r->caller.ws must be set. If a transaction is open, the session is part of it. A user who is
 * disabled, or is no longer linked, gets a 401. */
enum step session_begin(struct req *r, const struct session_start *start);

/* The most scopes that a key of the user can have. */
unsigned user_scopes(bool admin);

/* For POSTs below /auth, before anything is read. False: the reply is a 403, because the request does not come from
 * kith's own pages, or because browsers do not reach the server in a way in which a session stays secret. */
bool signin_allowed(struct req *r);

/* Only its check for pages of other sites, for requests that browsers send without a script. */
bool signin_same_site(struct req *r);

/* A first step of pages that need to know who is signed in, without the header X-Kith-Console: asks for admission with
 * the cookie. The next step reads r->caller.ticket.status, which is ADMISSION_NO_KEY if there is no session, or calls
 * step_admitted(). */
step_fn session_admit;

/* The steps of the routes. */
step_fn session_ask, session_show;                             /* GET /v1/session */
step_fn session_end_open, session_end_apply;                   /* DELETE /v1/session */
step_fn signin_methods;                                        /* GET /auth/methods */
step_fn signin_key_read, signin_key_admitted, signin_key_made; /* POST /auth/key */

#endif
