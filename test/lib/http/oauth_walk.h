/* An application and the browser of a user, who connect by OAuth: registration, consent, tokens. Errors end the test.
 */
#ifndef KITH_TEST_LIB_HTTP_OAUTH_WALK_H
#define KITH_TEST_LIB_HTTP_OAUTH_WALK_H

#include "server/base/arena.h"
#include "server/base/json.h"
#include "test/lib/http/client.h"

#define OAUTH_VERIFIER "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"
#define OAUTH_REDIRECT "http://127.0.0.1:7777/callback"

struct oauth_walk {
	struct arena *arena;
	const char *base;                    /* of the server that is asked next */
	const char *session;                 /* the key in the browser's cookie; NULL: not signed in */
	const char *id, *secret;             /* of the client; secret NULL: none */
	const char *resource, *scope;        /* asked for; scope NULL: not named */
	const char *code, *access, *refresh; /* the latest ones */
	struct client_reply reply;           /* the latest answer */
	struct json *json;                   /* its body; NULL: it is not JSON */
};

/* An application on the server at base, for /mcp. */
void oauth_walk_init(struct oauth_walk *w, struct arena *a, const char *base);

/* Sends a request and keeps the answer; returns the status, 0 without an answer. headers end with a name that is NULL,
 * and may be NULL. */
int oauth_send(struct oauth_walk *w, const char *method, const char *target, const struct client_header *headers,
    const char *body);
/* The same with a form. */
int oauth_post(struct oauth_walk *w, const char *target, const char *form);
/* With the access token. */
int oauth_call(struct oauth_walk *w, const char *method, const char *target, const char *body);

/* A member of the latest answer; "" without. */
const char *oauth_member(const struct oauth_walk *w, const char *name);
/* A header of it; "" without. */
const char *oauth_header(const struct oauth_walk *w, const char *name);

/* Registers with this method of authentication. */
void oauth_walk_register(struct oauth_walk *w, const char *method);
/* The path of the request for consent, with further parameters ("&prompt=…"). */
const char *oauth_walk_path(struct oauth_walk *w, const char *more);
/* Opens the page, and sends the form with this decision ("decision=allow&may_read=1"); returns the status. */
int oauth_walk_decide(struct oauth_walk *w, const char *path, const char *decision);
/* All of it up to the code, of a user who allows what the client asks for. */
void oauth_walk_consent(struct oauth_walk *w);
/* Exchanges the code, or the refresh token; keeps the tokens of a 200, and returns the status. */
int oauth_walk_exchange(struct oauth_walk *w);
int oauth_walk_refresh(struct oauth_walk *w, const char *token);
/* From the registration to the tokens. */
void oauth_walk_connect(struct oauth_walk *w);

/* Asserts that the access token opens /mcp, or that the connection has ended. */
void oauth_walk_works(struct oauth_walk *w);
void oauth_walk_ended(struct oauth_walk *w);

#endif
