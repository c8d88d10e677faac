/* Revocation (RFC 7009). Either token of a grant ends the whole grant. A token that is not valid is as good as revoked,
 * so the answer is the same. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/apikey.h"
#include "server/request/admit.h"
#include "server/request/server.h"

enum step oauth_revoke_read(struct req *r)
{
	struct oauth_work *w = oauth_begin(r);
	const char *token;

	if (!w || !oauth_form_read(r, w) || !oauth_credentials_read(r, w))
		return DONE;
	token = oauth_param(w, "token");
	if (!token)
		return oauth_refuse(r, OAUTH_INVALID_REQUEST, "token is required");
	if (apikey_well_formed(token, strlen(token))) {
		r->caller.ticket.uncounted = true;
		return admit_ask(r, token);
	}
	w->has_secret = oauth_secret_read(&w->secret, OAUTH_REFRESH, r->server->cursor_key, token, strlen(token));
	return PASS;
}

static enum step revoke_done(struct req *r)
{
	oauth_json(r, 200);
	return oauth_json_end(r);
}

enum step oauth_revoke_ask(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	const struct admission_ticket *t = &r->caller.ticket;

	if (t->uncounted && (t->status == ADMISSION_UNAVAILABLE || t->status == ADMISSION_BUSY))
		return oauth_refuse(r, OAUTH_UNAVAILABLE, "The database does not answer: try again");
	if (t->uncounted && t->status == ADMISSION_ADMITTED && t->kind == KEY_KIND_GRANT) {
		w->secret.workspace = t->workspace;
		w->secret.grant = t->key;
		w->has_secret = true;
	}
	if (!oauth_client_is_document(w->credentials.id))
		oauth_client_ask(r, w->credentials.id, &w->at_client);
	else if (!w->has_secret)
		return revoke_done(r);
	if (w->has_secret)
		oauth_grant_ask(r, &w->secret, &w->at_grant);
	return req_ask(r, DB_POINT);
}

enum step oauth_revoke_end(struct req *r)
{
	struct oauth_work *w = r->state.oauth;

	if (!oauth_client_proven(r, w))
		return DONE;
	if (!w->has_secret || !oauth_grant_load(r, w->at_grant, &w->grant))
		return revoke_done(r);
	if (strcmp(w->grant.client_id, w->credentials.id) != 0)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The token belongs to another client");
	oauth_grant_end(r, &w->secret);
	return req_ask(r, DB_WRITE);
}

enum step oauth_revoked(struct req *r)
{
	return revoke_done(r);
}
