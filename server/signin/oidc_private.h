/* Shared by the files of OpenID Connect: oidc.c has the settings and the start, oidc_provider.c what the provider
 * publishes, oidc_state.c what is remembered between start and return, oidc_return.c the return with the code and the
 * token, oidc_link.c the users. No other file includes this one. */
#ifndef KITH_SERVER_SIGNIN_OIDC_PRIVATE_H
#define KITH_SERVER_SIGNIN_OIDC_PRIVATE_H

#include "server/base/list.h"
#include "server/request/server.h"
#include "server/signin/attempt.h"
#include "server/signin/id_token.h"
#include "server/signin/oidc.h"
#include "webhook/fetch.h"

/* A document that the provider publishes, kept for some minutes. */
struct oidc_document {
	struct oidc *oidc;
	const char *what; /* for the log */
	/* Returns what is wrong with the document, in words; NULL: nothing. */
	const char *(*check)(const struct oidc *o, const struct json *json);
	struct arena arena;
	const struct json *json; /* in the arena; NULL: none */
	int64_t until_us;        /* it need not be fetched again before */
	int64_t retry_us;        /* after a failure: nothing is fetched before */
	bool running;            /* it is being fetched */
	struct list waiting;     /* requests, as struct oidc_work, that wait for it */
	int n_waiting;
};

struct oidc {
	struct server *server;
	struct target_rules *rules; /* the exceptions for webhooks, and the issuer */
	const char *issuer, *client_id, *scopes, *domains;
	char *secret; /* NULL: a public client */
	bool has_workspace;
	struct uuid workspace;
	struct oidc_document provider, keys;
	char keys_url[TARGET_URL_MAX + 1];
	int64_t anew_us; /* the time up to which fetches of newer keys have used their budget */
};

/* What the provider's metadata say, in the arena of a request. */
struct oidc_endpoints {
	const char *authorization, *token, *keys;
	const char *userinfo; /* NULL: none */
	bool basic;           /* the client's secret goes into the header, else into the form */
	bool says_issuer;     /* its answers to browsers have the parameter iss */
};

/* One person's way from start to return. The browser carries it, sealed and bound to a cookie. */
struct oidc_attempt {
	const char *nonce, *verifier;
	const char *return_to; /* a path of this server */
};

/* The answer of a fetch, in the arena of the request. */
struct oidc_answer {
	bool ok;
	const char *why; /* for the log */
	const struct json *json;
};

/* The state of a request. */
struct oidc_work {
	struct list link; /* waits for a document */
	struct req *r;
	struct sign_in_attempt counted;
	const char *code;
	struct oidc_attempt attempt;
	struct oidc_endpoints endpoints;
	struct oidc_answer answer;
	const char *token, *access_token;
	size_t token_len;
	bool keys_anew; /* the keys were fetched again for this token */
	bool fetched_person;
	bool told; /* a member was made, with an event */
	struct id_token_person person;
	struct uuid workspace;
	int at_link, at_user, n_looks;
};

enum { OIDC_STATE_MS = 10 * 60 * 1000, OIDC_RETURN_MAX = 1000 };

/* --- oidc.c ----------------------------------------------------------------------- */

/* The words that the sign-in page knows (docs/signing-in.md). */
extern const char oidc_provider_failed[], oidc_state_wrong[], oidc_token_wrong[], oidc_email_unverified[],
    oidc_not_allowed[], oidc_account_linked[], oidc_moving[];
/* Sends the browser to the sign-in page with one of these words. The cause goes into the log. */
enum step oidc_fail(struct req *r, const char *word, const char *cause);

/* Begins a request of a browser: its state and its parameters. NULL: the reply says why people cannot sign in through a
 * provider here. */
struct oidc_work *oidc_begin(struct req *r);
/* The URL to which the provider sends the browser back. */
const char *oidc_redirect_uri(struct req *r);

/* --- oidc_provider.c ---------------------------------------------------------------- */

void oidc_documents_init(struct oidc *o);
void oidc_documents_free(struct oidc *o);

/* Fetches the metadata once when the server starts, so that the log says at once what is wrong with the settings. */
void oidc_provider_try(struct oidc *o);
/* PASS: the metadata are known, or cannot be had now. WAIT: the next step runs when they are. */
enum step oidc_provider_ask(struct req *r);
/* False: they are not known. */
bool oidc_provider_read(struct req *r, struct oidc_endpoints *out);

/* The same for the keys. anew: the provider may have newer ones than those that are known; false: it was asked too
 * often, and the request does not wait. */
enum step oidc_keys_ask(struct req *r);
bool oidc_keys_anew(struct req *r, enum step *step);
/* NULL: they are not known. */
const struct json *oidc_keys_read(const struct req *r);

/* Fetches for this request. The next step reads its answer. */
enum step oidc_fetch(struct req *r, const struct fetch_request *q);

/* --- oidc_state.c ------------------------------------------------------------------- */

/* Makes an attempt and sets the cookie of the browser. Returns the text of the parameter state. */
const char *oidc_state_make(struct req *r, const char *return_to, struct oidc_attempt *out);
/* False: it was not made for this browser, or too long ago. */
bool oidc_state_open(struct req *r, const struct query_text *state, struct oidc_attempt *out);

/* --- oidc_link.c ---------------------------------------------------------------------- */

/* Asks which workspace people sign in to, if no setting says it. The two steps follow. */
enum step oidc_workspace_ask(struct req *r);
step_fn oidc_workspace, oidc_enter;

#endif
