/* State and functions that the files of this room share. */
#ifndef KITH_SERVER_OAUTH_OAUTH_PRIVATE_H
#define KITH_SERVER_OAUTH_OAUTH_PRIVATE_H

#include "server/oauth/oauth.h"
#include "server/oauth/oauth_secret.h"
#include "server/oauth/redirect_uri.h"
#include "server/request/public_url.h"
#include "server/request/transaction.h"

enum {
	OAUTH_CODE_MS = 60 * 1000,
	OAUTH_ACCESS_MS = 60 * 60 * 1000,
	OAUTH_CLIENT_ID_MAX = 1000, /* bytes */
	OAUTH_NAME_MAX = 100        /* code points of a client's name */
};
#define OAUTH_REFRESH_MS (INT64_C(30) * 24 * 60 * 60 * 1000)

/* An application. */
struct oauth_client {
	const char *id, *name;
	const char *uri; /* its page; NULL: none */
	const char **redirects;
	size_t n_redirects;
	bool confidential; /* it has a secret: */
	unsigned char secret_hash[SHA256_SIZE];
};

/* How a client names itself at the token and revocation endpoints. */
struct oauth_credentials {
	const char *id;
	const char *secret; /* NULL: none */
	bool basic;         /* sent in the header Authorization */
};

/* A row of oauth_grants with what its key says; see oauth_grant_ask(). */
struct oauth_grant {
	const char *client_id, *redirect_uri, *challenge;
	bool mcp;                                             /* for /mcp only */
	unsigned scopes;                                      /* what the token may do now */
	bool alive;                                           /* nobody ended it, and its user is not disabled */
	bool moved;                                           /* its workspace is on another server now */
	const void *code_hash, *refresh_hash, *previous_hash; /* NULL: none */
	bool code_used, code_lasts, refresh_lasts;
	bool overlaps; /* the request was here before the answer to the previous refresh token was sent */
	int64_t access_s;
	const void *answer;
	size_t answer_len;
};

struct oauth_work {
	struct query form; /* the parameters */
	const char *issuer;
	struct oauth_client *client;
	const char *document; /* the client's id is the URL of a document; NULL: it is registered */
	int at_client, at_grant;

	/* the request for consent */
	const char *redirect, *state; /* where the answer goes; state NULL: none */
	unsigned asked, offered;      /* scopes */
	bool mcp;
	const char *challenge;
	bool chosen_none; /* the page is shown again, because no scope was chosen */
	bool known;       /* the user has connected this client before */

	/* tokens */
	struct oauth_credentials credentials;
	struct oauth_secret secret, fresh; /* the one that the request brings, and the one that replaces it */
	bool has_secret, is_key;           /* is_key: the request brings an access token */
	struct oauth_grant grant;
	struct oauth_pair pair;
	int64_t access_s;
	int attempt;
};

/* --- oauth_reply.c ------------------------------------------------------------------------- */

enum oauth_error {
	OAUTH_INVALID_REQUEST,
	OAUTH_INVALID_CLIENT,
	OAUTH_INVALID_GRANT,
	OAUTH_UNSUPPORTED_GRANT_TYPE,
	OAUTH_UNSUPPORTED_RESPONSE_TYPE,
	OAUTH_INVALID_SCOPE,
	OAUTH_INVALID_TARGET,
	OAUTH_INVALID_CLIENT_METADATA,
	OAUTH_INVALID_REDIRECT_URI,
	OAUTH_ACCESS_DENIED,
	OAUTH_TOO_MANY,
	OAUTH_UNAVAILABLE
};
const char *oauth_error_name(enum oauth_error error);

/* Begins a request: its state, and the issuer. NULL, with a 404 set: OAuth is not available at this address. */
struct oauth_work *oauth_begin(struct req *r);
/* Reads the body as a form. False with the reply set. */
bool oauth_form_read(struct req *r, struct oauth_work *w);
/* A parameter; NULL also when it is empty. */
const char *oauth_param(const struct oauth_work *w, const char *name);
/* The name of a parameter that is given more than once, or whose value is not text; NULL: none. */
const char *oauth_param_wrong(const struct query *form);

/* Begins an answer that is the JSON itself, not in an envelope, and ends it. */
struct json_out *oauth_json(struct req *r, int status);
enum step oauth_json_end(struct req *r);
enum step oauth_refuse(struct req *r, enum oauth_error error, const char *description);

/* The scopes of a text, separated by blanks. False when one is unknown. */
bool oauth_scopes_read(const char *text, unsigned *scopes);
const char *oauth_scopes_text(unsigned scopes, struct arena *a);
/* The part of the server that a value of the parameter "resource" names. False: it is not here. */
bool oauth_resource_read(const struct oauth_work *w, const char *resource, bool *mcp);

/* --- oauth_client.c -------------------------------------------------------------------------- */

/* Adds the look-up of a registered client to the next exchange, and reads its result. NULL: there is no such client. */
void oauth_client_ask(struct req *r, const char *id, int *at);
struct oauth_client *oauth_client_load(struct req *r, const char *id, int at);
/* Reads how the client names itself. False with the reply set. */
bool oauth_credentials_read(struct req *r, struct oauth_work *w);
/* True when the client is the one that it claims to be. Else sets the reply. */
bool oauth_client_proven(struct req *r, struct oauth_work *w);
/* The client's redirect URI that matches the one asked for; NULL: none does. asked NULL: the client's only one. */
const char *oauth_client_redirect(const struct oauth_client *client, const char *asked);
/* True for an id that is the URL of a document about the client. */
bool oauth_client_is_document(const char *id);
/* True for a text of at most max code points without control characters: terminals and logs show it, too. */
bool oauth_text_plain(const struct json *text, size_t max);

/* --- oauth_grant_row.c: the row of a grant ------------------------------------------------------ */

/* A statement for the workspace of the code or token, before a key has named one. */
struct sql *oauth_sql(struct req *r, const struct uuid *workspace, const char *name, int *at);
void oauth_grant_ask(struct req *r, const struct oauth_secret *secret, int *at);
/* False: there is no such grant. */
bool oauth_grant_load(struct req *r, int at, struct oauth_grant *out);
/* Adds the statement that ends a grant. */
void oauth_grant_end(struct req *r, const struct oauth_secret *of);

/* --- oauth_token.c, oauth_refresh.c --------------------------------------------------------------- */

/* Makes the tokens that replace the code or refresh token. */
void oauth_pair_make(struct req *r, struct oauth_work *w);
/* Adds the update that gives the key of the grant g the new access token. It affects no row if the key was revoked. */
void oauth_access_sql(struct req *r, struct sql *s);
/* Adds that the client is in use. */
void oauth_client_used(struct req *r);
enum step oauth_pair_show(struct req *r);
/* The code or refresh token was used a second time: ends the grant and refuses. */
enum step oauth_reused(struct req *r, const char *what);
/* Exchanges the refresh token of a client that is known, by a grant that was loaded. */
enum step oauth_refresh(struct req *r);

/* --- authorize.c, consent_page.c ---------------------------------------------------------------- */

/* Finds out where the answer of the client in w->client goes. DONE: the client has not
 * registered that address; the reply is a page. */
enum step authorize_redirect(struct req *r);
/* Sends the browser back to the client, with a code or with an error. */
enum step authorize_return(struct req *r, const char *code);
enum step authorize_refuse(struct req *r, enum oauth_error error, const char *description);
/* Checks the parameters other than client_id and redirect_uri. DONE: the browser is sent back with an error, or a page
 * asks the user first. */
enum step authorize_check(struct req *r);
/* Sends the browser to the page where its user signs in. */
enum step authorize_sign_in(struct req *r);
/* A page that says what is wrong with the request, with a link that leads back to the client. */
enum step consent_lead_back(struct req *r, const char *location, const char *description);
/* A page that says why there is no consent to give. */
enum step consent_refuse(struct req *r, const char *title, const char *text);
/* The value that binds the form to the request and to the browser's session. */
const char *consent_token(struct req *r, int64_t made_ms);

/* --- client_document.c -------------------------------------------------------------------------- */

/* PASS with w->client and w->redirect set, or DONE with a page, or WAIT until the document was fetched. */
enum step client_document_get(struct req *r);

#endif
