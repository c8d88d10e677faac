/* The decision about a request for consent. A grant begins with its key, which is valid for the time of the code and
 * which nobody has: the exchange of the code gives it a token. */
#include "server/oauth/oauth_private.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "server/request/server.h"
#include "server/signin/browser.h"

enum {
	CONSENT_MS = 60 * 60 * 1000, /* the time for which the form of an open page is valid */
	GRANTS_OF_USER = 100         /* of the same origin; a further one ends the one that is unused for longest */
};

/* --- the form ------------------------------------------------------------------------------------- */

static const char *answer_member(const struct query *answer, const char *name)
{
	const struct query_pair *pair = query_last(answer, name);

	return pair && !pair->value.has_nul ? pair->value.text : "";
}

static bool consent_token_valid(struct req *r, const char *token)
{
	int64_t made_ms = strtoll(token, NULL, 10), age_ms = r->caller.ticket.now_ms - made_ms;
	const char *right = consent_token(r, made_ms);

	return made_ms > 0 && age_ms > -CONSENT_MS && age_ms < CONSENT_MS && strlen(token) == strlen(right) &&
	       crypto_equal(token, right, strlen(right));
}

static unsigned scopes_chosen(struct req *r, const struct query *answer)
{
	unsigned chosen = 0;

	for (int i = 0; i < KEY_SCOPES; i++)
		if (*answer_member(answer, arena_printf(&r->arena, "may_%s", key_scope_names[i])))
			chosen |= 1U << i;
	if (chosen & SCOPE_WRITE)
		chosen |= SCOPE_READ;
	return chosen & r->state.oauth->offered;
}

/* --- the grant ------------------------------------------------------------------------------------- */

static void grant_add_key(struct req *r, struct sql *s, const unsigned char nobody[SHA256_SIZE])
{
	const struct oauth_work *w = r->state.oauth;
	const struct admission_ticket *t = &r->caller.ticket;
	const struct browser b = browser_of(r);

	sql_bytea(s, nobody, SHA256_SIZE);
	sql_add_uuid(s, ", u.workspace_id, ", &w->fresh.grant);
	sql_add_textz(s, ", u.id, 'grant', ", w->client->name);
	sql_add(s, ", '', ");
	sql_bool(s, w->asked == SCOPE_READ);
	sql_add(s, ", ");
	key_scopes_sql(s, w->asked);
	sql_add_uuid_array(s, ", ", t->groups, t->n_groups);
	sql_add_uuid(s, ", a.parent_id, ", &w->fresh.grant);
	sql_add_int8(s, ", now() + interval '1 millisecond' * ", config_scaled_ms(r->server->config, OAUTH_CODE_MS));
	sql_add_textz(s, ", ", w->mcp ? "mcp" : NULL);
	sql_add_textz(s, ", ", b.address);
	sql_add_textz(s, ", ", b.agent);
}

static void grant_add_row(struct req *r, struct sql *s)
{
	const struct oauth_work *w = r->state.oauth;

	sql_add_textz(s, "select k.workspace_id, k.id, k.user_id, ", w->client->id);
	sql_add_textz(s, ", k.name, ", redirect_uri_host(w->redirect, &r->arena));
	sql_add_textz(s, ", k.audience, k.scopes, k.group_ids, ", w->redirect);
	sql_add(s, ", ");
	sql_bytea(s, w->fresh.hash, sizeof w->fresh.hash);
	sql_add_textz(s, ", ", w->challenge);
	sql_add(s, ", k.expires_at from made k returning id");
}

/* The grants that are too many. What the session was made from also bounds the new grant, and is counted by itself:
 * somebody who has a key with few rights must not end its user's other connections. */
static void grant_end_surplus(struct req *r, struct sql *s)
{
	sql_add(s, "surplus as (update api_keys set revoked_at = now() where workspace_id = $1 and exists (select from "
	           "made) and id in (select id from api_keys where workspace_id = $1 and kind = 'grant' and rotated_at "
	           "is null and revoked_at is null and user_id = ");
	sql_uuid(s, &r->caller.viewer.user);
	sql_add(s, " and parent_id is not distinct from (select a.parent_id from api_keys a where a.workspace_id = $1 "
	           "and a.id = ");
	sql_uuid(s, &r->caller.ticket.key);
	sql_addf(s, ") order by coalesce(last_used_at, created_at) desc, id desc offset %d)) ", GRANTS_OF_USER - 1);
}

/* Everything in one statement. The locks on the user and on the session make a concurrent disable or end of the session
 * wait, or this statement see it, also if it comes while this statement waits for the user. The end of a key locks the
 * key, and then what was made from it, in any order. So the key of the session is locked before both the session and
 * the grants that are too many. */
static void grant_add(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	unsigned char nobody[SHA256_SIZE];
	struct sql *s = req_sql(r, "oauth_grant_add", &w->at_grant);

	random_bytes(nobody, sizeof nobody);
	sql_add(s,
	    "with made as (insert into api_keys (key_hash, workspace_id, id, user_id, kind, name, last4, read_only, "
	    "scopes, group_ids, parent_id, grant_id, expires_at, audience, address, user_agent) select ");
	grant_add_key(r, s, nobody);
	sql_add(
	    s, " from users u join api_keys a on a.workspace_id = u.workspace_id and a.revoked_at is null and a.id = ");
	sql_uuid(s, &r->caller.ticket.key);
	sql_add(s, " join api_keys p on p.workspace_id = a.workspace_id and p.revoked_at is null and p.id = "
	           "coalesce(a.parent_id, a.id)");
	sql_add_uuid(s, " where u.workspace_id = $1 and u.disabled_at is null and u.id = ", &r->caller.viewer.user);
	sql_add(s, " for share of u, p, a returning *), ");
	grant_end_surplus(r, s);
	sql_add(s, "insert into oauth_grants (workspace_id, id, user_id, client_id, name, host, audience, scopes, "
	           "group_ids, redirect_uri, code_hash, code_challenge, code_expires_at) ");
	grant_add_row(r, s);
}

static enum step consent_show_again(struct req *r)
{
	static step_fn *const steps[] = {consent_ask, consent_show};

	r->next = steps;
	return PASS;
}

enum step consent_decide(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	enum step step = authorize_check(r);
	struct query answer;

	if (step != PASS)
		return step;
	if (query_parse(&answer, &r->arena, r->in->body, r->in->body_len) != QUERY_OK ||
	    !consent_token_valid(r, answer_member(&answer, "token")))
		return consent_refuse(r, "This page is no longer valid",
		    "It was open for too long, or somebody else has signed in with this browser since. Nothing was "
		    "allowed. Start again in the application.");
	if (strcmp(answer_member(&answer, "decision"), "allow") != 0)
		return authorize_refuse(r, OAUTH_ACCESS_DENIED, "The user has denied it");
	w->asked = scopes_chosen(r, &answer);
	if (!w->asked) {
		w->chosen_none = true;
		return consent_show_again(r);
	}
	w->fresh.workspace = r->caller.ws->id;
	w->fresh.grant = id_new();
	oauth_secret_new(&w->fresh, OAUTH_CODE, r->server->cursor_key, &r->arena);
	grant_add(r);
	return req_ask(r, DB_WRITE);
}

enum step consent_made(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;

	if (db_rows(r->db.last, w->at_grant) == 0)
		return authorize_sign_in(r);
	return authorize_return(r, w->fresh.text);
}
