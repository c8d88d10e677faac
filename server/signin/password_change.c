/* POST /v1/session/password: somebody who is signed in changes their password. Their other sessions end, and the
 * current one is replaced by a new one with the same rights. Wrong passwords count as attempts to sign in do. */
#include <string.h>

#include "server/input/body.h"
#include "server/request/server.h"
#include "server/signin/password_task.h"
#include "server/signin/session.h"
#include "server/signin/sign_in.h"
#include "server/signin/user_event.h"

enum { COL_HASH, COL_EMAIL, COL_FOLDED, COL_NAME };

enum step password_change_begin(struct req *r)
{
	const struct user *u = workspace_user(r->caller.ws, &r->caller.viewer.user);

	if (r->caller.ticket.kind != KEY_KIND_SESSION)
		return reply_error(
		    r, ERROR_FORBIDDEN, "Only a session can change the password: sign in to the console first");
	if (!r->server->config->password_sign_in)
		return reply_error(r, ERROR_FORBIDDEN, "This server does not let people sign in with a password");
	if (!u)
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	if (!password_possible(r))
		return DONE;
	r->sign_in = arena_alloc(&r->arena, sizeof *r->sign_in);
	return attempt_ask(r, &r->sign_in->attempt, u->email, strlen(u->email));
}

enum step password_change_find(struct req *r)
{
	enum step counted = attempt_asked(r, &r->sign_in->attempt);
	struct sql *s;

	if (counted != PASS)
		return counted;
	s = req_sql(r, "password_of_user", &r->at);
	sql_add(s, "select password_hash, email, lower(email), full_name from users where workspace_id = $1 and id = ");
	sql_uuid(s, &r->caller.viewer.user);
	return req_ask(r, DB_POINT);
}

static enum step change_refuse(struct req *r, const char *member, const char *why)
{
	struct path at = PATH_NAME(NULL, member);

	issue_custom(&r->given.issues, &at, "%s", why);
	return reply_issues(r, "Invalid input");
}

enum step password_change_check(struct req *r)
{
	const struct value *password = &r->given.input->values[PASSWORD_CHANGE_OLD];
	const struct db_exchange *x = r->db.last;
	struct sign_in *in = r->sign_in;
	struct sign_in_user *u = arena_alloc(&r->arena, sizeof *u);
	enum step step;
	const char *folded;
	size_t len;

	if (db_rows(x, r->at) == 0 || db_null(x, r->at, 0, COL_HASH)) {
		attempt_take_back(r, &in->attempt);
		return change_refuse(
		    r, "currentPassword", "This user has no password yet: an invitation of an admin sets one");
	}
	u->stored = arena_dupz(&r->arena, db_text(x, r->at, 0, COL_HASH, &len));
	if (!password_hash_parse(&u->hash, u->stored, len))
		return reply_error(r, ERROR_INTERNAL, NULL);
	u->workspace = r->caller.ws->id;
	u->user = r->caller.viewer.user;
	in->user = u;
	in->email = arena_dupz(&r->arena, db_text(x, r->at, 0, COL_EMAIL, NULL));
	in->full_name = arena_dupz(&r->arena, db_text(x, r->at, 0, COL_NAME, NULL));
	folded = db_text(x, r->at, 0, COL_FOLDED, &len);
	password_hash_begin(&in->hashes[0], r->server->cursor_key, folded, len);
	in->hashes[1] = u->hash;
	step = password_derive(r, &in->hashes[1], 1, sign_in_copy(r, password), password->len);
	if (step == DONE) /* too busy */
		attempt_take_back(r, &in->attempt);
	return step;
}

enum step password_change_decide(struct req *r)
{
	const struct value *password = &r->given.input->values[PASSWORD_CHANGE_NEW];
	struct sign_in *in = r->sign_in;

	if (!password_hash_equal(&in->hashes[1], &in->user->hash)) {
		attempt_failed(r, &in->user->workspace, &in->user->user);
		return change_refuse(r, "currentPassword", "This is not the password that the user has");
	}
	attempt_take_back(r, &in->attempt);
	if (!sign_in_password_allowed(r, "newPassword", password, in->email, in->full_name))
		return reply_issues(r, "Invalid input");
	r->tx.open_step = r->next; /* what follows is the transaction, which may run again */
	return password_derive(r, in->hashes, 1, sign_in_copy(r, password), password->len);
}

enum step password_change_open(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	s = req_sql(r, "password_locked_to_change", &r->at);
	sql_add(s, "select password_hash from users where workspace_id = $1 and disabled_at is null and id = ");
	sql_uuid(s, &r->caller.viewer.user);
	sql_add(s, " for update");
	s = req_sql(r, "session_origin", NULL);
	sql_add(s, "select parent_id, issuer from api_keys where workspace_id = $1 and id = ");
	sql_uuid(s, &r->caller.ticket.key);
	return transaction_ask(r);
}

enum step password_change_apply(struct req *r)
{
	const struct sign_in_user *u = r->sign_in->user;
	struct uuid parent;
	bool has_origin = db_rows(r->db.last, r->at + 1);
	bool has_parent = has_origin && db_uuid_read(r->db.last, r->at + 1, 0, 0, &parent);
	const char *issuer = has_origin && !db_null(r->db.last, r->at + 1, 0, 1)
	                         ? arena_dupz(&r->arena, db_text(r->db.last, r->at + 1, 0, 1, NULL))
	                         : NULL;

	if (db_rows(r->db.last, r->at) == 0 || db_null(r->db.last, r->at, 0, 0) ||
	    strcmp(db_text(r->db.last, r->at, 0, 0, NULL), u->stored) != 0)
		return change_refuse(r, "currentPassword", "The password was changed meanwhile");
	sign_in_password_set(r, &u->user);
	user_end_sessions(r, &u->user);
	user_event(r, EVENT_USER_PASSWORD_CHANGED, &u->user);
	return session_begin(r, &(struct session_start){.user = u->user,
	                            .scopes = r->caller.ticket.scopes,
	                            .parent = has_parent ? &parent : NULL,
	                            .issuer = issuer,
	                            .groups = r->caller.ticket.groups,
	                            .n_groups = r->caller.ticket.n_groups});
}
