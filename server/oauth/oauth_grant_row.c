/* Reads the row of a grant with what its key says, and ends grants. */
#include "server/oauth/oauth_private.h"

#include "server/base/clock.h"
#include "server/request/transaction.h"

enum {
	CLIENT,
	REDIRECT,
	CHALLENGE,
	CODE_HASH,
	CODE_USED,
	CODE_LASTS,
	REFRESH_HASH,
	PREVIOUS_HASH,
	REFRESH_LASTS,
	ANSWER,
	OVERLAPS,
	MCP,
	SCOPES,
	ACCESS_S,
	ALIVE,
	MOVED
};

static const char columns[] =
    "select g.client_id, g.redirect_uri, g.code_challenge, g.code_hash, g.code_used_at is not null, "
    "g.code_expires_at > now(), g.refresh_hash, g.previous_hash, coalesce(g.expires_at > now(), false), g.answer, "
    "g.settled_at is null or clock_timestamp() - interval '1 microsecond' * ";
static const char more_columns[] =
    " < g.settled_at, g.audience is not null, kith_scopes(k.scopes, k.read_only), "
    "greatest(ceil(extract(epoch from k.expires_at - now())), 1)::bigint, "
    "k.revoked_at is null and u.disabled_at is null and (k.parent_id is null or exists (select from api_keys p where "
    "p.workspace_id = k.workspace_id and p.id = k.parent_id and kith_key_lasts(p.revoked_at, p.expires_at, p.idle_s, "
    "p.created_at, p.last_used_at))), coalesce(w.moving = 'moved', false) "
    "from oauth_grants g join api_keys k on k.workspace_id = g.workspace_id and k.id = g.id "
    "join users u on u.workspace_id = g.workspace_id and u.id = g.user_id "
    "join workspaces w on w.workspace_id = g.workspace_id where g.workspace_id = $1 and g.id = ";

struct sql *oauth_sql(struct req *r, const struct uuid *workspace, const char *name, int *at)
{
	struct sql *s = exchange_statement(r, at);

	sql_begin(s, s->arena, name, workspace);
	return s;
}

/* The grant of a key: its id is that of the grant, or of an access token that was replaced a moment ago. */
static void grant_of_key(struct sql *s, const struct uuid *key)
{
	sql_add(s, "(select coalesce(a.grant_id, a.id) from api_keys a where a.workspace_id = $1 and a.id = ");
	sql_uuid(s, key);
	sql_add(s, ")");
}

void oauth_grant_ask(struct req *r, const struct oauth_secret *secret, int *at)
{
	struct sql *s = oauth_sql(r, &secret->workspace, "oauth_grant", at);

	sql_add(s, columns);
	sql_int8(s, clock_mono_us() - r->started_us);
	sql_add(s, more_columns);
	grant_of_key(s, &secret->grant);
}

/* A digest in the result; NULL: none. */
static const void *digest_at(const struct db_exchange *x, int at, int column)
{
	return db_null(x, at, 0, column) ? NULL : db_text(x, at, 0, column, NULL);
}

bool oauth_grant_load(struct req *r, int at, struct oauth_grant *out)
{
	const struct db_exchange *x = r->db.last;

	if (db_rows(x, at) == 0)
		return false;
	*out = (struct oauth_grant){.client_id = db_text(x, at, 0, CLIENT, NULL),
	    .redirect_uri = db_text(x, at, 0, REDIRECT, NULL),
	    .challenge = db_text(x, at, 0, CHALLENGE, NULL),
	    .code_hash = digest_at(x, at, CODE_HASH),
	    .code_used = db_bool(x, at, 0, CODE_USED),
	    .code_lasts = db_bool(x, at, 0, CODE_LASTS),
	    .refresh_hash = digest_at(x, at, REFRESH_HASH),
	    .previous_hash = digest_at(x, at, PREVIOUS_HASH),
	    .refresh_lasts = db_bool(x, at, 0, REFRESH_LASTS),
	    .overlaps = db_bool(x, at, 0, OVERLAPS),
	    .mcp = db_bool(x, at, 0, MCP),
	    .scopes = (unsigned)db_int(x, at, 0, SCOPES),
	    .access_s = db_int(x, at, 0, ACCESS_S),
	    .alive = db_bool(x, at, 0, ALIVE),
	    .moved = db_bool(x, at, 0, MOVED)};
	if (!db_null(x, at, 0, ANSWER))
		out->answer = db_text(x, at, 0, ANSWER, &out->answer_len);
	return true;
}

void oauth_grant_end(struct req *r, const struct oauth_secret *of)
{
	struct sql *s = oauth_sql(r, &of->workspace, "oauth_grant_end", NULL);

	sql_add(s,
	    "update api_keys set revoked_at = now() where workspace_id = $1 and kind = 'grant' and revoked_at is null "
	    "and id = ");
	grant_of_key(s, &of->grant);
}
