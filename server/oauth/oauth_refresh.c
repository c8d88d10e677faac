/* The exchange of a refresh token, which replaces it. A replaced one that comes again was stolen, or its successor was,
 * so the grant ends. Two cases are neither: a client that sent the token twice at the same time, and one that sends it
 * again because the first answer never left this server. Both get the first answer again. It is stored encrypted with
 * the token that it answers, and counts until it is settled: that is written when it is complete and about to be sent.
 */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/fault.h"
#include "server/request/server.h"

enum { ATTEMPTS_MAX = 3, PREVIOUS_MS = 60 * 1000 };

/* --- settling --------------------------------------------------------------------------------------- */

static enum step refresh_settle(struct req *r)
{
	static step_fn *const steps[] = {oauth_pair_show};
	const struct oauth_work *w = r->state.oauth;
	struct sql *s = oauth_sql(r, &w->secret.workspace, "oauth_settle", NULL);

	sql_add(s,
	    "update oauth_grants set settled_at = clock_timestamp() where workspace_id = $1 and settled_at is null and "
	    "id = ");
	sql_uuid(s, &w->secret.grant);
	sql_add(s, " and previous_hash = ");
	sql_bytea(s, w->secret.hash, sizeof w->secret.hash);
	r->next = steps;
	return req_ask(r, DB_WRITE);
}

/* --- replacing --------------------------------------------------------------------------------------- */

/* Another request with the same token was faster: looks again. */
static enum step refresh_look_again(struct req *r)
{
	static step_fn *const steps[] = {oauth_token_found};
	struct oauth_work *w = r->state.oauth;

	if (++w->attempt == ATTEMPTS_MAX)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The connection has ended: ask the user to connect again");
	if (w->client)
		oauth_client_ask(r, w->credentials.id, &w->at_client);
	oauth_grant_ask(r, &w->secret, &w->at_grant);
	r->next = steps;
	return req_ask(r, DB_POINT);
}

static enum step refresh_replaced(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;

	FAULT_POINT(oauth_replaced);
	return db_affected(r->db.last, w->at_grant) ? refresh_settle(r) : refresh_look_again(r);
}

/* The access token that was replaced stays valid for a minute: a client may have sent requests with it at the same
 * time, and would take their refusal for the end of the new one. */
static void refresh_keep_previous(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;
	struct uuid id = id_new();
	struct sql *s = oauth_sql(r, &w->secret.workspace, "oauth_former", NULL);

	sql_add(s,
	    "with old as (delete from api_keys where workspace_id = $1 and kind = 'grant' and expires_at < now() and "
	    "parent_id = ");
	sql_uuid(s, &w->secret.grant);
	sql_add(s, ") insert into api_keys (key_hash, workspace_id, id, user_id, kind, name, last4, read_only, scopes, "
	           "group_ids, parent_id, grant_id, audience, address, user_agent, rotated_at, expires_at) select "
	           "g.previous_access, k.workspace_id, ");
	sql_uuid(s, &id);
	sql_add(s,
	    ", k.user_id, k.kind, k.name, '', k.read_only, k.scopes, k.group_ids, k.id, k.id, k.audience, k.address, "
	    "k.user_agent, now(), now() + interval '1 millisecond' * ");
	sql_int8(s, config_scaled_ms(r->server->config, PREVIOUS_MS));
	sql_add(s,
	    " from oauth_grants g join api_keys k on k.workspace_id = g.workspace_id and k.id = g.id and k.revoked_at "
	    "is null where g.workspace_id = $1 and g.previous_access is not null and g.id = ");
	sql_uuid(s, &w->secret.grant);
	sql_add(s, " and g.refresh_hash = ");
	sql_bytea(s, w->fresh.hash, sizeof w->fresh.hash);
	sql_add(s, " on conflict do nothing");
}

static enum step refresh_replace(struct req *r)
{
	static step_fn *const steps[] = {refresh_replaced};
	struct oauth_work *w = r->state.oauth;
	unsigned char sealed[OAUTH_PAIR_MAX];
	size_t len;
	struct sql *s;

	oauth_pair_make(r, w);
	len = oauth_pair_seal(&w->pair, w->secret.text, sealed);
	oauth_client_used(r);
	s = oauth_sql(r, &w->secret.workspace, "oauth_refresh", &w->at_grant);
	sql_add(
	    s, "with g as (update oauth_grants t set previous_hash = refresh_hash, settled_at = null, refresh_hash = ");
	sql_bytea(s, w->fresh.hash, sizeof w->fresh.hash);
	sql_add(s, ", answer = ");
	sql_bytea(s, sealed, len);
	sql_add(s, ", expires_at = now() + interval '1 millisecond' * ");
	sql_int8(s, config_scaled_ms(r->server->config, OAUTH_REFRESH_MS));
	sql_add(s,
	    ", previous_access = (select k.key_hash from api_keys k where k.workspace_id = $1 and k.expires_at > now() "
	    "and k.id = t.id) where workspace_id = $1 and id = ");
	sql_uuid(s, &w->secret.grant);
	sql_add(s, " and refresh_hash = ");
	sql_bytea(s, w->secret.hash, sizeof w->secret.hash);
	sql_add(s, " returning id) ");
	oauth_access_sql(r, s);
	refresh_keep_previous(r);
	r->next = steps;
	return req_ask(r, DB_WRITE);
}

static bool digest_is(const void *digest, const struct oauth_secret *secret)
{
	return digest && crypto_equal(digest, secret->hash, SHA256_SIZE);
}

enum step oauth_refresh(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	const struct oauth_grant *g = &w->grant;
	const char *scope = oauth_param(w, "scope");
	unsigned asked;

	if (!g->alive)
		return oauth_refuse(r, OAUTH_INVALID_GRANT, "The connection has ended: ask the user to connect again");
	if (scope && (!oauth_scopes_read(scope, &asked) || asked & ~g->scopes))
		return oauth_refuse(r, OAUTH_INVALID_SCOPE, "The user has not allowed all of these scopes");
	if (digest_is(g->refresh_hash, &w->secret))
		return g->refresh_lasts ? refresh_replace(r)
		                        : oauth_refuse(r, OAUTH_INVALID_GRANT, "The refresh token has expired");
	if (digest_is(g->previous_hash, &w->secret) && g->overlaps &&
	    oauth_pair_open(&w->pair, w->secret.text, g->answer, g->answer_len, &r->arena)) {
		w->access_s = g->access_s;
		return refresh_settle(r);
	}
	return oauth_reused(r, "A refresh token");
}
