/* Makes, shows and ends sessions; see session.h. */
#include "server/signin/session.h"

#include <string.h>

#include "server/base/crypto.h"
#include "server/output/render.h"
#include "server/request/admit.h"
#include "server/request/server.h"
#include "server/signin/browser.h"

/* A session that is being made. */
struct session_work {
	char key[APIKEY_SIZE];
	const char *redirect;
};

/* Columns of a session, or of another key. */
enum {
	SESSION_USER,
	SESSION_WORKSPACE,
	SESSION_KEY,
	SESSION_KIND,
	SESSION_NAME,
	SESSION_SCOPES,
	SESSION_CREATED,
	SESSION_EXPIRES,
	SESSION_IDLE, /* when it ends if it is not used */
	SESSION_LEFT  /* seconds until it expires */
};

static const char session_columns[] =
    "a.user_id, (select w.name from workspaces w where w.workspace_id = $1), a.id, a.kind, a.name, "
    "kith_scopes(a.scopes, a.read_only), a.created_at, "
    "least(a.expires_at, (select p.expires_at from api_keys p where p.workspace_id = $1 and p.id = a.parent_id)), "
    "coalesce(a.last_used_at, a.created_at) + a.idle_s * interval '1 second', "
    "ceil(extract(epoch from a.expires_at - now()))::bigint";

unsigned user_scopes(bool admin)
{
	/* What a scope allows depends on the user's roles, in the workspace and in each group. */
	(void)admin;
	return SCOPE_ALL | SCOPE_CONTACTS | SCOPE_CALENDAR;
}

/* --- answers ----------------------------------------------------------------------------------- */

static void session_add_time(struct req *r, struct json_out *o, const char *name, int column)
{
	json_key(o, name);
	if (db_null(r->db.last, r->at, 0, column))
		json_null(o);
	else
		render_time(o, db_time_ms(r->db.last, r->at, 0, column));
}

static void session_add_key(struct req *r, struct json_out *o)
{
	struct uuid key = db_uuid(r->db.last, r->at, 0, SESSION_KEY);
	unsigned scopes = (unsigned)db_int(r->db.last, r->at, 0, SESSION_SCOPES);

	json_key(o, "key");
	json_begin_object(o);
	json_add_id(o, "id", ID_KEY, &key);
	json_add_string(o, "kind", db_text(r->db.last, r->at, 0, SESSION_KIND, NULL));
	json_add_string(o, "name", db_text(r->db.last, r->at, 0, SESSION_NAME, NULL));
	json_key(o, "scopes");
	json_begin_array(o);
	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i)
			json_string(o, key_scope_names[i]);
	json_end_array(o);
	json_end_object(o);
}

/* The row at r->at. */
static enum step session_reply(struct req *r)
{
	struct uuid user = db_uuid(r->db.last, r->at, 0, SESSION_USER);
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_key(o, "user");
	render_user(o, r->caller.ws, &user);
	json_key(o, "workspace");
	json_begin_object(o);
	json_add_id(o, "id", ID_WORKSPACE, &r->caller.ws->id);
	json_add_string(o, "name", db_text(r->db.last, r->at, 0, SESSION_WORKSPACE, NULL));
	json_end_object(o);
	session_add_key(r, o);
	session_add_time(r, o, "createdAt", SESSION_CREATED);
	session_add_time(r, o, "expiresAt", SESSION_EXPIRES);
	session_add_time(r, o, "idleExpiresAt", SESSION_IDLE);
	json_end_object(o);
	reply_header(r, "Cache-Control", "no-store");
	return reply_end(r);
}

/* --- beginning --------------------------------------------------------------------------------- */

/* The sessions of the user, as a condition. */
static void session_of_user(struct sql *s, const struct uuid *user)
{
	sql_add_uuid(s, "workspace_id = $1 and kind = 'session' and user_id = ", user);
}

#define SESSION_LASTS "kith_key_lasts(revoked_at, expires_at, idle_s, created_at, last_used_at)"

/* Ends the sessions beyond the limit, and removes some that ended long ago or before many others. Sessions that were
 * made from a key are counted by themselves: somebody who has a key with few rights must not end its user's other
 * sessions. */
static void session_make_room(struct sql *s, const struct session_start *start)
{
	sql_add(s,
	    "with surplus as (update api_keys set revoked_at = now() where workspace_id = $1 and id in (select id "
	    "from api_keys where ");
	session_of_user(s, &start->user);
	sql_add_uuid(s, " and parent_id is not distinct from ", start->parent);
	sql_addf(s, " and " SESSION_LASTS " order by coalesce(last_used_at, created_at) desc, id desc offset %d)), ",
	    SESSIONS_OF_USER - 1);
	sql_add(s,
	    "old as (delete from api_keys where workspace_id = $1 and id in (select id from (select id, "
	    "least(revoked_at, expires_at) as ended_at, row_number() over (order by id desc) as place from api_keys "
	    "where ");
	session_of_user(s, &start->user);
	sql_addf(s,
	    " and not " SESSION_LASTS ") o where ended_at < now() - interval '%d seconds' or place > %d limit 100)), ",
	    SESSION_KEPT_S, SESSIONS_KEPT);
}

/* On a scaled clock it is at least two minutes: the use of a key may be recorded up to a minute late. */
static int session_idle_s(const struct config *c)
{
	int64_t s = config_scaled_ms(c, SESSION_IDLE_S * INT64_C(1000)) / 1000;

	return s > 120 ? (int)s : 120;
}

/* Adds the link to the provider's account, locked: removing the link waits until the session can be ended, or there is
 * no session. */
static void session_linked(struct sql *s, const struct session_start *start)
{
	sql_add(s, "linked as materialized (select from oidc_links where workspace_id = $1 and user_id = ");
	sql_uuid(s, &start->user);
	sql_add_textz(s, " and issuer = ", start->issuer);
	sql_add(s, " for share), ");
}

/* The lock on the user makes a concurrent change of disabled_at wait, or this statement see it. A key that an
 * application made opens no session, as the application's own token does not. */
static void session_insert(struct req *r, struct sql *s, const struct session_start *start, const char *key)
{
	const struct browser b = browser_of(r);
	unsigned char digest[SHA256_SIZE];
	struct uuid id = id_new();

	sha256_digest(key, APIKEY_LEN, digest);
	sql_add(s,
	    "made as (insert into api_keys as a (key_hash, workspace_id, id, user_id, kind, name, last4, read_only, "
	    "scopes, group_ids, parent_id, idle_s, expires_at, address, user_agent, issuer) select ");
	sql_bytea(s, digest, sizeof digest);
	sql_add_uuid(s, ", u.workspace_id, ", &id);
	sql_add_textz(s, ", u.id, 'session', ", b.name);
	sql_add_textz(s, ", ", key + APIKEY_LEN - 4);
	sql_add(s, ", ");
	sql_bool(s, start->scopes == SCOPE_READ);
	sql_add(s, ", ");
	key_scopes_sql(s, start->scopes);
	sql_add_uuid_array(s, ", ", start->groups, start->n_groups);
	sql_add_uuid(s, ", ", start->parent);
	sql_add(s, ", ");
	sql_int4(s, session_idle_s(r->server->config));
	sql_add(s, ", least(now() + interval '1 millisecond' * ");
	sql_int8(s, config_scaled_ms(r->server->config, SESSION_MOST_S * INT64_C(1000)));
	sql_add_uuid(s, ", (select p.expires_at from api_keys p where p.workspace_id = $1 and p.id = ", start->parent);
	sql_add_textz(s, ")), ", b.address);
	sql_add_textz(s, ", ", b.agent);
	sql_add_textz(s, ", ", start->issuer);
	sql_add_uuid(s, " from users u where u.workspace_id = $1 and u.disabled_at is null and u.id = ", &start->user);
	sql_add(s, " and not exists (select from api_keys p where p.workspace_id = $1 and p.parent_id is not null and "
	           "p.id = ");
	sql_uuid(s, start->parent);
	sql_addf(s, ")%s for share of u returning *) select ", start->issuer ? " and exists (select from linked)" : "");
	sql_add(s, session_columns);
	sql_add(s, " from made a");
}

/* Runs when the session was made. */
static enum step session_made(struct req *r)
{
	const struct session_work *w = r->state.session;

	if (db_rows(r->db.last, r->at) == 0)
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	if (w->redirect) {
		r->reply.status = 302;
		reply_header(r, "Location", w->redirect);
		reply_header(r, "Cache-Control", "no-store");
	} else {
		session_reply(r);
	}
	session_cookie_set(r, w->key, db_int(r->db.last, r->at, 0, SESSION_LEFT));
	return DONE;
}

enum step session_begin(struct req *r, const struct session_start *start)
{
	static step_fn *const steps[] = {session_made};
	struct session_work *w = arena_alloc(&r->arena, sizeof *w);
	struct sql *s;

	apikey_new(w->key);
	w->redirect = start->redirect;
	r->state.session = w;
	r->next = steps;
	s = req_sql(r, "session_begin", &r->at);
	session_make_room(s, start);
	if (start->issuer)
		session_linked(s, start);
	session_insert(r, s, start, w->key);
	return r->tx.session ? transaction_ask(r) : req_ask(r, DB_WRITE);
}

/* --- the key of the request ------------------------------------------------------------------- */

enum step session_ask(struct req *r)
{
	struct sql *s = req_sql(r, "session_get", &r->at);

	sql_addf(s, "select %s from api_keys a where a.workspace_id = $1 and a.id = ", session_columns);
	sql_uuid(s, &r->caller.ticket.key);
	return req_ask(r, DB_POINT);
}

enum step session_show(struct req *r)
{
	return db_rows(r->db.last, r->at) ? session_reply(r) : reply_error(r, ERROR_UNAUTHORIZED, NULL);
}

enum step session_end_open(struct req *r)
{
	if (r->caller.ticket.kind != KEY_KIND_SESSION)
		return reply_error(r, ERROR_FORBIDDEN, "This is not a session: end a key with DELETE /v1/keys/{keyId}");
	transaction_begin(r);
	return transaction_ask(r);
}

enum step session_end_apply(struct req *r)
{
	struct uuid id = r->caller.ticket.key;

	key_end(req_sql(r, "key_end", NULL), &id);
	r->tx.events.any = true; /* wakes the requests that wait with this key */
	if (!r->given.dry)
		session_cookie_set(r, "", 0);
	return reply_id(r, ID_KEY, &id);
}

/* --- admission of pages ------------------------------------------------------------------------ */

enum step session_admit(struct req *r)
{
	const char *key = session_cookie(r);

	r->caller.ticket.status = ADMISSION_NO_KEY;
	r->caller.by_cookie = true;
	return key ? admit_ask(r, key) : PASS;
}

/* --- requests of pages ------------------------------------------------------------------------ */

bool signin_same_site(struct req *r)
{
	if (!session_cookie_foreign(r))
		return true;
	reply_error(r, ERROR_FORBIDDEN,
	    "This request comes from a page of another site, or of another address than the server's public_url");
	return false;
}

bool signin_allowed(struct req *r)
{
	struct path dry = PATH_NAME(NULL, "dryRun");

	if (!signin_same_site(r))
		return false;
	if (r->given.dry) {
		issue_custom(&r->given.issues, &dry, "Signing in has no dry run");
		reply_issues(r, "Invalid query parameters");
		return false;
	}
	if (!session_cookie_own_page(r)) {
		reply_error(r, ERROR_FORBIDDEN, "Only kith's own pages may sign in here; they send X-Kith-Console: 1");
		return false;
	}
	if (session_cookie_at(r) == SIGN_IN_NOWHERE) {
		reply_error(r, ERROR_FORBIDDEN,
		    "Signing in needs HTTPS: serve kith behind TLS and set public_url to its https:// address");
		return false;
	}
	return true;
}
