/* The request for consent: the browser of a user arrives from a client. Until client and redirect URI are known to
 * belong together, and the user is signed in, nothing leads to another site: what is wrong becomes a page of kith. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/admit.h"
#include "server/signin/session.h"

enum { QUERY_BYTES_MAX = 4096, LOCATION_MAX = 32 << 10, CHALLENGE_LEN = 43 };

/* --- the way back ------------------------------------------------------------------------------- */

static void location_add(struct buf *to, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(to, "%c%s=", memchr(to->data, '?', to->len) ? '&' : '?', name);
	text_percent_encode(to, value, strlen(value));
}

static enum step authorize_send(struct req *r, const char *location)
{
	r->reply.status = r->in->method == HTTP_POST ? 303 : 302;
	reply_header(r, "Location", location);
	reply_header(r, "Cache-Control", "no-store");
	reply_header(r, "Referrer-Policy", "no-referrer");
	return DONE;
}

/* Anyone can register an application. So a link to kith with an error in it would lead signed-in users to any address
 * (RFC 9700, section 4.11.2). Users are only sent by themselves to applications that they have connected before. */
static enum step authorize_send_back(struct req *r, const char *name, const char *value, const char *description)
{
	const struct oauth_work *w = r->state.oauth;
	struct buf to;
	enum step step;

	buf_init(&to, LOCATION_MAX);
	buf_addz(&to, w->redirect);
	location_add(&to, name, value);
	location_add(&to, "error_description", description);
	location_add(&to, "state", w->state);
	location_add(&to, "iss", w->issuer);
	step = description && r->in->method == HTTP_GET && !w->known ? consent_lead_back(r, to.data, description)
	                                                             : authorize_send(r, to.data);
	buf_free(&to);
	return step;
}

enum step authorize_return(struct req *r, const char *code)
{
	return authorize_send_back(r, "code", code, NULL);
}

enum step authorize_refuse(struct req *r, enum oauth_error error, const char *description)
{
	return authorize_send_back(r, "error", oauth_error_name(error), description);
}

/* The address is relative, because a proxy may serve kith under a path. The console sends the browser back here. It
 * names the application and its host to the user, who has to know for whom they sign in. It takes the host from the
 * request itself, as anyone can write such an address, and the name from here, as anyone can register any name. */
enum step authorize_sign_in(struct req *r)
{
	const struct oauth_client *client = r->state.oauth->client;
	struct buf to;
	enum step step;

	buf_init(&to, LOCATION_MAX);
	buf_addz(&to, "../console#return=");
	text_percent_encode(&to, r->in->target, r->in->target_len);
	if (client) {
		buf_addz(&to, "&application=");
		text_percent_encode(&to, client->name, strlen(client->name));
	}
	step = authorize_send(r, to.data);
	buf_free(&to);
	return step;
}

/* --- client and user ------------------------------------------------------------------------------ */

static enum step authorize_unknown(struct req *r)
{
	return consent_refuse(r, "This application is not known here",
	    "The address that you followed names an application that is not registered with this server, or no "
	    "application at all. Start again in the application. If that does not help, remove the connection there "
	    "and add it again.");
}

enum step authorize_redirect(struct req *r)
{
	struct oauth_work *w = r->state.oauth;

	w->redirect = oauth_client_redirect(w->client, oauth_param(w, "redirect_uri"));
	if (w->redirect)
		return PASS;
	return consent_refuse(r, "This address does not belong to the application",
	    "The answer would go to an address that the application has not registered. Nothing was allowed. Start "
	    "again in the application, and tell its makers if this happens again.");
}

static bool authorize_repeats(const struct query *q, const char *name)
{
	int n = 0;

	for (size_t i = 0; i < q->count; i++)
		n += strcmp(q->pairs[i].key.text, name) == 0;
	return n > 1;
}

/* Client and redirect URI must each be given once, as a text. Otherwise no address is safe to send the browser to. */
static bool authorize_names_client(const struct oauth_work *w)
{
	const struct query_pair *id = query_last(&w->form, "client_id"),
	                        *redirect = query_last(&w->form, "redirect_uri");

	return id && id->value.len && id->value.len <= OAUTH_CLIENT_ID_MAX && !id->value.has_nul &&
	       !id->value.bad_utf8 && !(redirect && redirect->value.has_nul) &&
	       !authorize_repeats(&w->form, "client_id") && !authorize_repeats(&w->form, "redirect_uri");
}

enum step authorize_begin(struct req *r)
{
	struct oauth_work *w;
	const char *id;

	if (r->in->method == HTTP_POST && !signin_same_site(r))
		return DONE;
	w = oauth_begin(r);
	if (!w)
		return DONE;
	if (r->given.raw_query_len > QUERY_BYTES_MAX)
		return authorize_unknown(r);
	query_parse(&w->form, &r->arena, r->given.raw_query ? r->given.raw_query : "", r->given.raw_query_len);
	if (!authorize_names_client(w))
		return authorize_unknown(r);
	id = oauth_param(w, "client_id");
	w->state = oauth_param(w, "state");
	if (oauth_client_is_document(id)) {
		w->document = id;
		return PASS;
	}
	oauth_client_ask(r, id, &w->at_client);
	return req_ask(r, DB_POINT);
}

enum step authorize_found(struct req *r)
{
	struct oauth_work *w = r->state.oauth;

	if (!w->document) {
		w->client = oauth_client_load(r, oauth_param(w, "client_id"), w->at_client);
		if (!w->client)
			return authorize_unknown(r);
		if (authorize_redirect(r) != PASS)
			return DONE;
	}
	return session_admit(r);
}

enum step authorize_admitted(struct req *r)
{
	if (r->caller.ticket.status == ADMISSION_NO_KEY)
		return authorize_sign_in(r);
	return step_admitted(r);
}

/* A document is fetched for signed-in users only: nobody else can make this server send requests. */
enum step authorize_client(struct req *r)
{
	return r->state.oauth->document ? client_document_get(r) : PASS;
}

/* --- the other parameters --------------------------------------------------------------------------- */

static enum step authorize_check_challenge(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	const char *method = oauth_param(w, "code_challenge_method");
	unsigned char digest[SHA256_SIZE];
	size_t n;

	w->challenge = oauth_param(w, "code_challenge");
	if (!w->challenge || !method || strcmp(method, "S256") != 0)
		return authorize_refuse(
		    r, OAUTH_INVALID_REQUEST, "PKCE is required: send code_challenge and code_challenge_method=S256");
	if (strlen(w->challenge) != CHALLENGE_LEN ||
	    !text_base64url_decode(w->challenge, CHALLENGE_LEN, digest, sizeof digest, &n) || n != sizeof digest)
		return authorize_refuse(
		    r, OAUTH_INVALID_REQUEST, "code_challenge must be the SHA-256 of the verifier as base64url");
	return PASS;
}

static enum step authorize_check_rights(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	const struct admission_ticket *t = &r->caller.ticket;

	if (authorize_repeats(&w->form, "resource") || !oauth_resource_read(w, oauth_param(w, "resource"), &w->mcp))
		return authorize_refuse(r, OAUTH_INVALID_TARGET,
		    arena_printf(&r->arena, "resource must be %s or %s/mcp", w->issuer, w->issuer));
	if (!oauth_scopes_read(oauth_param(w, "scope"), &w->asked))
		return authorize_refuse(r, OAUTH_INVALID_SCOPE,
		    arena_printf(&r->arena, "The scopes are: %s", oauth_scopes_text(~0U, &r->arena)));
	w->offered = w->asked & t->scopes & user_scopes(t->is_admin);
	if (w->mcp)
		w->offered &= SCOPE_ALL;
	if (!w->offered)
		return authorize_refuse(r, OAUTH_INVALID_SCOPE, "The user has none of these scopes here");
	return PASS;
}

enum step authorize_check(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;
	const char *type = oauth_param(w, "response_type"), *mode = oauth_param(w, "response_mode");
	enum step step;

	if (oauth_param_wrong(&w->form) && strcmp(oauth_param_wrong(&w->form), "resource") != 0)
		return authorize_refuse(
		    r, OAUTH_INVALID_REQUEST, "A parameter is given more than once, or is not a text");
	if (!type)
		return authorize_refuse(r, OAUTH_INVALID_REQUEST, "response_type is required");
	if (strcmp(type, "code") != 0)
		return authorize_refuse(r, OAUTH_UNSUPPORTED_RESPONSE_TYPE, "response_type must be code");
	if (mode && strcmp(mode, "query") != 0)
		return authorize_refuse(r, OAUTH_INVALID_REQUEST, "response_mode must be query");
	if (oauth_param(w, "request") || oauth_param(w, "request_uri"))
		return authorize_refuse(r, OAUTH_INVALID_REQUEST, "request and request_uri are not supported");
	step = authorize_check_challenge(r);
	return step == PASS ? authorize_check_rights(r) : step;
}
