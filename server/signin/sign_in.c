/* What the ways to sign in with a password have in common; see sign_in.h. */
#include "server/signin/sign_in.h"

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/request/server.h"
#include "server/request/validate.h"
#include "server/request/workspace_place.h"
#include "server/signin/password_rule.h"
#include "server/signin/session.h"
#include "store/record.h"

enum step sign_in_open(struct req *r)
{
	if (!signin_allowed(r))
		return DONE;
	if (!r->server->config->password_sign_in)
		return reply_error(r, ERROR_FORBIDDEN, "This server does not let people sign in with a password");
	return PASS;
}

enum step sign_in_read(struct req *r)
{
	return r->in->body_len ? step_json(r) : PASS;
}

/* --- the workspace ---------------------------------------------------------------------------- */

static enum step workspace_entered(struct req *r)
{
	const struct sign_in_user *u = r->sign_in->user;

	r->caller.ws = r->caller.wait.ws;
	if (!r->caller.ws)
		return reply_no_database(r, ERROR_UNAVAILABLE, DB_POINT);
	r->caller.ticket.workspace = u->workspace;
	r->caller.ticket.user = u->user;
	r->caller.ticket.now_ms = clock_now_ms();
	r->caller.viewer = viewer_limited(&u->user, u->admin, NULL, 0);
	return place_check(r);
}

static void wait_ended(struct workspace_wait *w)
{
	request_continue(w->owner, workspace_entered(w->owner));
}

enum step sign_in_enter(struct req *r, step_fn *const *steps)
{
	const struct sign_in_user *u = r->sign_in->user;

	r->next = steps;
	r->tx.open_step = steps;
	r->caller.wait.done = wait_ended;
	r->caller.wait.owner = r;
	r->waits_for = "snapshot";
	return workspace_get(r->server->workspaces, &u->workspace, u->version, &r->caller.wait) ? workspace_entered(r)
	                                                                                        : WAIT;
}

/* --- a new password --------------------------------------------------------------------------- */

char *sign_in_copy(struct req *r, const struct value *password)
{
	return arena_dup(&r->arena, password->text, password->len);
}

bool sign_in_password_allowed(
    struct req *r, const char *member, const struct value *password, const char *email, const char *full_name)
{
	struct path at = PATH_NAME(NULL, member);
	const char *broken;

	if (text_code_points(password->text, password->len) < PASSWORD_MIN) {
		issue_range(&r->given.issues, &at, false, PASSWORD_MIN, "string", false);
		return false;
	}
	broken = password_rule_broken(password->text, password->len, email, full_name);
	if (broken)
		issue_custom(&r->given.issues, &at, "%s", broken);
	return !broken;
}

void sign_in_password_set(struct req *r, const struct uuid *user)
{
	struct sql *s = req_sql(r, "password_set", NULL);
	char text[PASSWORD_TEXT_SIZE];

	sql_add_textz(s, "update users t set password_hash = ", password_hash_format(&r->sign_in->hashes[0], text));
	sql_add(s, ", password_at = now(), ");
	record_touch_sql(s, req_now_ms(r));
	sql_add_uuid(s, " where t.workspace_id = $1 and t.id = ", user);
}
