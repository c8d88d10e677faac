/* POST /auth/invitation: a user follows an invitation link, sets a password and is signed in. A link that was
 * used, replaced, has expired or never existed gets one answer. */
#include "server/input/body.h"
#include "server/request/server.h"
#include "server/request/transaction.h"
#include "server/resource/activity.h"
#include "server/signin/password_task.h"
#include "server/signin/session.h"
#include "server/signin/sign_in.h"
#include "server/signin/user_event.h"
#include "store/horizon.h"
#include "store/invitations.h"

enum { COL_WORKSPACE, COL_USER, COL_ADMIN, COL_EMAIL, COL_FOLDED, COL_NAME, COL_VERSION, COL_SIGNS_IN, COL_PLACE };

static enum step invitation_refuse(struct req *r)
{
	struct path at = PATH_NAME(NULL, "token");

	issue_custom(
	    &r->given.issues, &at, "This link is no longer valid: ask an admin of the workspace for a new one");
	return reply_issues(r, "Invalid input");
}

/* A page posts the token first. It learns that the user has to choose a password, and shows who the user is. */
static enum step invitation_asks(struct req *r)
{
	const struct db_exchange *x = r->db.last;
	struct path at = PATH_NAME(NULL, "password");
	struct buf details;
	struct json_out o;

	issue_required(&r->given.issues, &at, "string");
	buf_init(&details, 256 << 10);
	json_out_init(&o, &details);
	json_begin_object(&o);
	json_key(&o, "issues");
	issues_write(&r->given.issues, &o);
	json_key(&o, "user");
	json_begin_object(&o);
	json_add_string(&o, "fullName", db_text(x, r->at, 0, COL_NAME, NULL));
	json_add_string(&o, "email", db_text(x, r->at, 0, COL_EMAIL, NULL));
	json_end_object(&o);
	json_key(&o, "workspace");
	json_begin_object(&o);
	json_add_string(&o, "name", db_text(x, r->at, 0, COL_PLACE, NULL));
	json_end_object(&o);
	json_end_object(&o);
	reply_error_details(r, ERROR_UNPROCESSABLE, &details);
	buf_free(&details);
	return DONE;
}

enum step invitation_find(struct req *r)
{
	const struct value *token = &r->given.input->values[ACCEPT_TOKEN];
	unsigned char *digest = arena_alloc(&r->arena, SHA256_SIZE);
	struct sql *s;

	if (!password_possible(r))
		return DONE;
	r->sign_in = arena_alloc(&r->arena, sizeof *r->sign_in);
	invitation_digest(token->text, token->len, digest);
	r->sign_in->digest = digest;
	s = exchange_statement(r, &r->at);
	sql_begin_system(s, s->arena, "sign_in_invited");
	sql_add(s,
	    "select i.workspace_id, i.user_id, u.role = 'admin', u.email, lower(u.email), u.full_name, " HORIZON_VERSION
	    ", i.signs_in, w.name from kith_invited(");
	sql_bytea(s, digest, SHA256_SIZE);
	sql_add(s, ") i join users u on u.workspace_id = i.workspace_id and u.id = i.user_id and u.disabled_at is null "
	           "join workspaces w on w.workspace_id = i.workspace_id cross join event_generation g");
	return req_ask(r, DB_ADMIT);
}

enum step invitation_found(struct req *r)
{
	const struct value *password = &r->given.input->values[ACCEPT_PASSWORD];
	const struct db_exchange *x = r->db.last;
	struct sign_in *in = r->sign_in;
	struct sign_in_user *u = arena_alloc(&r->arena, sizeof *u);
	const char *folded;
	size_t len;

	if (db_rows(x, r->at) == 0)
		return invitation_refuse(r);
	u->workspace = db_uuid(x, r->at, 0, COL_WORKSPACE);
	u->user = db_uuid(x, r->at, 0, COL_USER);
	u->admin = db_bool(x, r->at, 0, COL_ADMIN);
	u->version = db_int(x, r->at, 0, COL_VERSION);
	in->user = u;
	in->keeps_password = db_bool(x, r->at, 0, COL_SIGNS_IN);
	if (in->keeps_password)
		return PASS;
	if (!activity_gives(r, ACCEPT_PASSWORD))
		return invitation_asks(r);
	if (!sign_in_password_allowed(
	        r, "password", password, db_text(x, r->at, 0, COL_EMAIL, NULL), db_text(x, r->at, 0, COL_NAME, NULL)))
		return reply_issues(r, "Invalid input");
	folded = db_text(x, r->at, 0, COL_FOLDED, &len);
	password_hash_begin(&in->hashes[0], r->server->cursor_key, folded, len);
	return password_derive(r, in->hashes, 1, sign_in_copy(r, password), password->len);
}

/* --- the transaction -------------------------------------------------------------------------- */

/* Locks the user before the link, as disabling does. */
static enum step invitation_lock(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	s = req_sql(r, "invited_user", NULL);
	sql_add_uuid(s, "select from users where workspace_id = $1 and id = ", &r->sign_in->user->user);
	sql_add(s, " for update");
	s = req_sql(r, "invited_by_link", &r->at);
	sql_add(s, "select from invitations i join users u on u.workspace_id = i.workspace_id and u.id = i.user_id and "
	           "u.disabled_at is null where i.workspace_id = $1 and i.used_at is null and i.expires_at > now() and "
	           "(i.created_by is null or exists (select from users c where c.workspace_id = $1 and c.id = "
	           "i.created_by and c.role = 'admin' and c.disabled_at is null)) and i.token_hash = ");
	sql_bytea(s, r->sign_in->digest, SHA256_SIZE);
	sql_add(s, " for update of i");
	return transaction_ask(r);
}

static enum step invitation_accept(struct req *r)
{
	const struct sign_in_user *u = r->sign_in->user;
	struct sql *s;

	if (db_rows(r->db.last, r->at) == 0)
		return invitation_refuse(r);
	s = req_sql(r, "invitation_used", NULL);
	sql_add_uuid(s, "update invitations set used_at = now() where workspace_id = $1 and user_id = ", &u->user);
	if (!r->sign_in->keeps_password) {
		sign_in_password_set(r, &u->user);
		user_end_sessions(r, &u->user);
		user_event(r, EVENT_USER_PASSWORD_CHANGED, &u->user);
	}
	return session_begin(r, &(struct session_start){.user = u->user, .scopes = user_scopes(u->admin)});
}

enum step invitation_enter(struct req *r)
{
	static step_fn *const steps[] = {invitation_lock, invitation_accept};

	return sign_in_enter(r, steps);
}
