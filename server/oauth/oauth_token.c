/* The token endpoint (RFC 6749, section 3.2): a code becomes an access token and a refresh token. oauth_refresh.c has
 * the other exchange. Nothing here needs a transaction: each change is one statement with its condition, so of several
 * requests at once, in any processes, one makes the change. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/log.h"
#include "server/base/text.h"
#include "server/request/server.h"
#include "server/request/transaction.h"

enum { VERIFIER_MIN = 43, VERIFIER_MAX = 128 };

/* --- reading the request ------------------------------------------------------------------------------ */

static bool grant_type_is(const struct oauth_work *w, const char *type)
{
	const char *given = oauth_param(w, "grant_type");

	return given && strcmp(given, type) == 0;
}

/* Finds the code or the refresh token. False with the reply set. */
static bool token_read_secret(struct req *r, struct oauth_work *w)
{
	bool code = grant_type_is(w, "authorization_code");
	const char *name = code ? "code" : "refresh_token", *text = oauth_param(w, name);

	if (!text) {
		oauth_refuse(r, OAUTH_INVALID_REQUEST, arena_printf(&r->arena, "%s is required", name));
		return false;
	}
	w->has_secret =
	    oauth_secret_read(&w->secret, code ? OAUTH_CODE : OAUTH_REFRESH, r->server->cursor_key, text, strlen(text));
	return true;
}

enum step oauth_token_ask(struct req *r)
{
	struct oauth_work *w = oauth_begin(r);

	if (!w || !oauth_form_read(r, w) || !oauth_credentials_read(r, w))
		return DONE;
	if (!oauth_param(w, "grant_type"))
		return oauth_refuse(r, OAUTH_INVALID_REQUEST, "grant_type is required");
	if (!grant_type_is(w, "authorization_code") && !grant_type_is(w, "refresh_token"))
		return oauth_refuse(
		    r, OAUTH_UNSUPPORTED_GRANT_TYPE, "grant_type must be authorization_code or refresh_token");
	if (!token_read_secret(r, w))
		return DONE;
	if (!oauth_client_is_document(w->credentials.id))
		oauth_client_ask(r, w->credentials.id, &w->at_client);
	else if (!w->has_secret)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The code or refresh token is not valid");
	if (w->has_secret)
		oauth_grant_ask(r, &w->secret, &w->at_grant);
	return req_ask(r, DB_POINT);
}

/* --- answers --------------------------------------------------------------------------------------------- */

void oauth_pair_make(struct req *r, struct oauth_work *w)
{
	apikey_new(w->pair.access);
	w->fresh.workspace = w->secret.workspace;
	w->fresh.grant = w->secret.grant;
	oauth_secret_new(&w->fresh, OAUTH_REFRESH, r->server->cursor_key, &r->arena);
	w->pair.refresh = w->fresh.text;
	w->access_s = config_scaled_ms(r->server->config, OAUTH_ACCESS_MS) / 1000;
	if (w->access_s == 0)
		w->access_s = 1;
}

void oauth_access_sql(struct req *r, struct sql *s)
{
	const struct oauth_work *w = r->state.oauth;
	unsigned char hash[SHA256_SIZE];

	sha256_digest(w->pair.access, APIKEY_LEN, hash);
	sql_add(s, "update api_keys k set key_hash = ");
	sql_bytea(s, hash, sizeof hash);
	sql_add_textz(s, ", last4 = ", w->pair.access + APIKEY_LEN - 4);
	sql_add_int8(s, ", expires_at = now() + interval '1 second' * ", w->access_s);
	sql_add(s, " from g where k.workspace_id = $1 and k.revoked_at is null and k.id = g.id");
}

/* Registrations that are in use are kept. */
void oauth_client_used(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;
	struct sql *s;

	if (!w->client)
		return;
	s = exchange_statement(r, NULL);
	sql_begin_system(s, s->arena, "oauth_client_used");
	sql_add(s,
	    "update oauth_clients set used_at = now() where (used_at is null or used_at < now() - interval '1 day') "
	    "and client_id = ");
	sql_textz(s, w->client->id);
}

enum step oauth_pair_show(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;
	struct json_out *o = oauth_json(r, 200);

	json_add_string(o, "access_token", w->pair.access);
	json_add_string(o, "token_type", "Bearer");
	json_add_int(o, "expires_in", w->access_s);
	json_add_string(o, "refresh_token", w->pair.refresh);
	json_add_string(o, "scope", oauth_scopes_text(w->grant.scopes, &r->arena));
	return oauth_json_end(r);
}

static enum step token_reused(struct req *r)
{
	return oauth_refuse(r, OAUTH_INVALID_GRANT,
	    "The code or refresh token was used before, so the connection has ended: ask the user to connect again");
}

enum step oauth_reused(struct req *r, const char *what)
{
	static step_fn *const steps[] = {token_reused};
	const struct oauth_work *w = r->state.oauth;
	char workspace[ID_SIZE], key[ID_SIZE];

	log_warn("oauth", "%s of the grant %s in workspace %s was used a second time: the grant has ended", what,
	    id_format(ID_KEY, &w->secret.grant, key), id_format(ID_WORKSPACE, &w->secret.workspace, workspace));
	oauth_grant_end(r, &w->secret);
	r->next = steps;
	return req_ask(r, DB_WRITE);
}

/* --- the exchange of a code --------------------------------------------------------------------------------- */

/* Why the code does not give a token; NULL: it does. */
static const char *code_wrong(const struct oauth_work *w)
{
	const char *verifier = oauth_param(w, "code_verifier"), *redirect = oauth_param(w, "redirect_uri");
	size_t len = verifier ? strlen(verifier) : 0;
	unsigned char digest[SHA256_SIZE];
	struct buf challenge;
	bool right;

	if (!w->grant.alive || !w->grant.code_lasts)
		return "The code has expired, or the user has ended the connection";
	if (redirect && strcmp(redirect, w->grant.redirect_uri) != 0)
		return "redirect_uri is not that of the request for the code";
	if (len < VERIFIER_MIN || len > VERIFIER_MAX)
		return "code_verifier is required, with 43 to 128 characters";
	sha256_digest(verifier, len, digest);
	buf_init(&challenge, VERIFIER_MIN);
	text_base64url(&challenge, digest, sizeof digest);
	right = challenge.len == strlen(w->grant.challenge) &&
	        crypto_equal(challenge.data, w->grant.challenge, challenge.len);
	buf_free(&challenge);
	return right ? NULL : "code_verifier does not match the code_challenge";
}

static enum step code_exchanged(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;

	if (db_affected(r->db.last, w->at_grant) == 0)
		return oauth_reused(r, "The code");
	return oauth_pair_show(r);
}

static enum step code_exchange(struct req *r)
{
	static step_fn *const steps[] = {code_exchanged};
	struct oauth_work *w = r->state.oauth;
	const char *wrong;
	struct sql *s;

	if (!w->grant.code_hash || !crypto_equal(w->grant.code_hash, w->secret.hash, SHA256_SIZE))
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The code is not valid");
	if (w->grant.code_used)
		return oauth_reused(r, "The code");
	wrong = code_wrong(w);
	if (wrong)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, wrong);
	oauth_pair_make(r, w);
	oauth_client_used(r);
	s = oauth_sql(r, &w->secret.workspace, "oauth_code", &w->at_grant);
	sql_add(s, "with g as (update oauth_grants set code_used_at = now(), refresh_hash = ");
	sql_bytea(s, w->fresh.hash, sizeof w->fresh.hash);
	sql_add(s, ", expires_at = now() + interval '1 millisecond' * ");
	sql_int8(s, config_scaled_ms(r->server->config, OAUTH_REFRESH_MS));
	sql_add_uuid(s, " where workspace_id = $1 and code_used_at is null and id = ", &w->secret.grant);
	sql_add(s, " returning id) ");
	oauth_access_sql(r, s);
	r->next = steps;
	return req_ask(r, DB_WRITE);
}

/* --- the decision ----------------------------------------------------------------------------------------------- */

enum step oauth_token_found(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	const char *resource = oauth_param(w, "resource");
	bool mcp;

	if (!oauth_client_proven(r, w))
		return DONE;
	if (!w->has_secret || !oauth_grant_load(r, w->at_grant, &w->grant))
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The code or refresh token is not valid");
	if (strcmp(w->grant.client_id, w->credentials.id) != 0)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The code or refresh token belongs to another client");
	if (w->grant.moved)
		return oauth_refuse(r, OAUTH_INVALID_GRANT,
		    "The workspace is on another server now: ask the user to connect to that one");
	if (resource && (!oauth_resource_read(w, resource, &mcp) || mcp != w->grant.mcp))
		return oauth_refuse(r, OAUTH_INVALID_TARGET, "resource is not the one that the user has allowed");
	return grant_type_is(w, "refresh_token") ? oauth_refresh(r) : code_exchange(r);
}
