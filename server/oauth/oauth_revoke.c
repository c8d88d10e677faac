/* Revocation (RFC 7009). Either token of a grant ends the whole grant, an access token also when it has expired: the
 * refresh token is still valid then. The answer to any other text is the same. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/apikey.h"
#include "server/request/server.h"

/* The workspace of an access token is not known, nor does the token have to be valid. */
static enum step revoke_find_key(struct req *r, const char *token)
{
	struct sql *s = exchange_statement(r, &r->at);
	unsigned char digest[SHA256_SIZE];

	sha256_digest(token, APIKEY_LEN, digest);
	sql_begin_system(s, s->arena, "oauth_revoked_key");
	sql_add(s, "select workspace_id, id from api_keys where kind = 'grant' and key_hash = ");
	sql_bytea(s, digest, sizeof digest);
	return req_ask(r, DB_ADMIT);
}

enum step oauth_revoke_read(struct req *r)
{
	struct oauth_work *w = oauth_begin(r);
	const char *token;

	if (!w || !oauth_form_read(r, w) || !oauth_credentials_read(r, w))
		return DONE;
	token = oauth_param(w, "token");
	if (!token)
		return oauth_refuse(r, OAUTH_INVALID_REQUEST, "token is required");
	w->is_key = apikey_well_formed(token, strlen(token));
	if (w->is_key)
		return revoke_find_key(r, token);
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

	if (w->is_key && db_rows(r->db.last, r->at)) {
		w->secret.workspace = db_uuid(r->db.last, r->at, 0, 0);
		w->secret.grant = db_uuid(r->db.last, r->at, 0, 1);
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
