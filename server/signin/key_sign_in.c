/* Signing in with a key: the page sends it once, and gets a session with at most the key's rights. */
#include "server/base/issues.h"
#include "server/request/admit.h"
#include "server/request/server.h"
#include "server/request/validate.h"
#include "server/signin/session.h"

static const char key_refused[] = "This key is unknown, or has ended, or was not made for programs";

/* Returns the member "key" of the body; NULL: the reply is set. */
static const struct json *signin_key_of(struct req *r)
{
	const struct json *key = json_member(r->given.body, "key");
	struct path at = PATH_NAME(NULL, "key");

	if (key && key->type == JSON_STRING)
		return key;
	if (key)
		issue_type(&r->given.issues, &at, "string", key);
	else
		issue_required(&r->given.issues, &at, "string");
	reply_issues(r, "Invalid input");
	return NULL;
}

enum step signin_key_read(struct req *r)
{
	const struct json *key;
	enum step read = PASS;

	if (!signin_allowed(r))
		return DONE;
	if (r->in->body_len)
		read = step_json(r);
	if (read != PASS)
		return read;
	key = signin_key_of(r);
	if (!key)
		return DONE;
	if (!apikey_well_formed(key->text, key->len))
		return reply_error(r, ERROR_UNAUTHORIZED, key_refused);
	return admit_ask(r, key->text);
}

enum step signin_key_admitted(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;

	if (t->status == ADMISSION_NO_KEY || (t->status == ADMISSION_ADMITTED && t->kind != KEY_KIND_KEY))
		return reply_error(r, ERROR_UNAUTHORIZED, key_refused);
	return step_admitted(r);
}

enum step signin_key_made(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;

	return session_begin(r,
	    &(struct session_start){
	        .user = t->user, .scopes = t->scopes, .groups = t->groups, .n_groups = t->n_groups, .parent = &t->key});
}

enum step signin_methods(struct req *r)
{
	bool sessions = session_cookie_at(r) != SIGN_IN_NOWHERE;
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	/* False: the browser cannot keep a session for this address, so the page keeps a pasted key in memory. */
	json_add_bool(o, "sessions", sessions);
	json_add_bool(o, "password", sessions && r->server->config->password_sign_in);
	json_add_bool(o, "key", true);
	json_add_bool(o, "oidc", r->server->oidc);
	json_end_object(o);
	reply_header(r, "Cache-Control", "no-store");
	return reply_end(r);
}
