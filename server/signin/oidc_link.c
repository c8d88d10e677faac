/* The user who signs in: the one to whom the provider's account is linked, else the one with its e-mail address, who is
 * then linked, else a new member. One account never takes over the user of another one. */
#include <string.h>
#include <strings.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/request/commit_notify.h"
#include "server/request/transaction.h"
#include "server/request/workspace_place.h"
#include "server/signin/oidc_private.h"
#include "server/signin/session.h"
#include "webhook/event.h"

enum {
	LOOKS_MAX = 4,    /* how often a concurrent sign-in may come first */
	USERS_MAX = 10000 /* of a workspace; as in server/cell/sound.c */
};

/* --- the workspace -------------------------------------------------------------------------- */

enum step oidc_workspace_ask(struct req *r)
{
	struct sql *s;

	if (r->server->oidc->has_workspace)
		return PASS;
	s = exchange_statement(r, &r->at);
	sql_begin_system(s, s->arena, "only_workspace");
	sql_add(s, "select workspace_id from workspaces where moving is null or moving not in ('moved', 'arriving') "
	           "order by workspace_id limit 2");
	return req_ask(r, DB_ADMIT);
}

static void snapshot_ready(struct workspace_wait *w)
{
	request_continue(w->owner, PASS);
}

enum step oidc_workspace(struct req *r)
{
	const struct oidc *o = r->server->oidc;
	struct oidc_work *w = r->state.oidc;

	if (!o->has_workspace && db_rows(r->db.last, r->at) != 1)
		return oidc_fail(r, oidc_not_allowed,
		    "there is not exactly one workspace: set oidc_workspace to the id of the one where people sign in");
	w->workspace = o->has_workspace ? o->workspace : db_uuid(r->db.last, r->at, 0, 0);
	r->caller.wait.done = snapshot_ready;
	r->caller.wait.owner = r;
	r->waits_for = "snapshot";
	return workspace_get(r->server->workspaces, &w->workspace, 0, &r->caller.wait) ? PASS : WAIT;
}

/* --- the look-up ------------------------------------------------------------------------------ */

/* The e-mail address in lower case, but for letters outside of ASCII: some of them have ASCII letters as their lower
 * case, and would make two addresses one. */
static const char *email_lower(struct arena *a, const char *email, bool *ascii)
{
	char *out = arena_dupz(a, email);

	*ascii = true;
	for (char *c = out; *c; c++) {
		*ascii = *ascii && (unsigned char)*c < 0x80;
		*c = text_lower(*c);
	}
	return out;
}

static void link_add_account(struct sql *s, const struct req *r)
{
	const struct oidc_work *w = r->state.oidc;

	sql_textz(s, r->server->oidc->issuer);
	sql_add_textz(s, ", ", w->person.subject);
}

static void user_by_email(struct req *r, struct sql *s)
{
	const struct oidc_work *w = r->state.oidc;
	const char *email;
	bool ascii;

	email = email_lower(&r->arena, w->person.email ? w->person.email : "", &ascii);
	sql_add(s, "select u.id, u.disabled_at is not null, exists (select from oidc_links l where l.workspace_id = $1 "
	           "and l.user_id = u.id and l.issuer = ");
	sql_textz(s, r->server->oidc->issuer);
	sql_add_textz(s, ") from users u where u.workspace_id = $1 and lower(u.email) = lower(", email);
	sql_add(s, ") and (");
	sql_bool(s, ascii);
	sql_add_textz(s, " or u.email = ", w->person.email ? w->person.email : "");
	sql_add(s, ")");
}

static enum step link_ask(struct req *r)
{
	struct oidc_work *w = r->state.oidc;
	struct sql *s = req_sql(r, "oidc_link", &w->at_link);

	sql_add(s, "select u.id, u.disabled_at is not null from oidc_links l join users u on u.workspace_id = "
	           "l.workspace_id and u.id = l.user_id where l.workspace_id = $1 and (l.issuer, l.subject) = (");
	link_add_account(s, r);
	sql_add(s, ")");
	user_by_email(r, req_sql(r, "oidc_user", &w->at_user));
	w->n_looks++;
	return req_ask(r, DB_WRITE);
}

/* --- new links ---------------------------------------------------------------------------------- */

static enum step link_user(struct req *r, const struct uuid *user)
{
	struct sql *s = req_sql(r, "oidc_link_insert", NULL);

	sql_add(s, "insert into oidc_links (workspace_id, issuer, subject, user_id) select u.workspace_id, ");
	link_add_account(s, r);
	sql_add_uuid(s, ", u.id from users u where u.workspace_id = $1 and u.disabled_at is null and u.id = ", user);
	sql_add(s, " on conflict do nothing");
	return link_ask(r);
}

/* The new version makes every running server read the users again. */
static void member_insert(struct req *r, struct sql *s)
{
	const struct oidc_work *w = r->state.oidc;
	const char *email = w->person.email, *name = w->person.name;
	struct uuid id = id_new();

	sql_addf(s,
	    "with w as (update workspaces set version = version + 1 where workspace_id = $1 and (select count(*) from "
	    "users where workspace_id = $1) < %d returning workspace_id), ",
	    USERS_MAX);
	sql_add(s, "made as (insert into users (workspace_id, id, email, full_name, role) select workspace_id, ");
	sql_uuid(s, &id);
	sql_add_textz(s, ", ", email);
	sql_add_textz(s, ", ", name ? name : arena_dup(&r->arena, email, strcspn(email, "@")));
	sql_add(s, ", 'member' from w on conflict do nothing returning workspace_id, id), ");
}

static enum step link_member(struct req *r)
{
	struct oidc_work *w = r->state.oidc;
	struct sql *s = req_sql(r, "oidc_member_insert", NULL);

	member_insert(r, s);
	sql_add(s, "told as (");
	event_user_sql(s, EVENT_USER_CREATED, &event_actor_system);
	sql_add(s, "(select workspace_id, id, null::json as data from made) u) ");
	sql_add(s, "insert into oidc_links (workspace_id, issuer, subject, user_id) select $1, ");
	link_add_account(s, r);
	sql_add(s, ", id from made on conflict do nothing");
	w->told = true;
	return link_ask(r);
}

/* True when the part after the last @ is one of the domains. */
static bool domain_listed(const char *domains, const char *email)
{
	const char *domain = strrchr(email, '@') + 1;
	size_t len = strlen(domain);

	for (const char *at = domains; *at; at += strspn(at, ", \t")) {
		size_t n = strcspn(at, ", \t");
		if (n == len && strncasecmp(at, domain, len) == 0)
			return true;
		at += n;
	}
	return false;
}

/* Decides about an account without a link. known: there is a user with its e-mail address. */
static enum step link_decide(struct req *r, bool known)
{
	const struct oidc *o = r->server->oidc;
	const struct oidc_work *w = r->state.oidc;
	struct uuid user;

	if (!w->person.email_verified)
		return oidc_fail(r, oidc_email_unverified,
		    w->person.email ? "the provider does not say that the e-mail address is verified (email_verified)"
		                    : "the provider sends no e-mail address: check that oidc_scopes has email");
	if (o->domains && !domain_listed(o->domains, w->person.email))
		return oidc_fail(r, oidc_not_allowed, "the domain of the e-mail address is not one of oidc_domains");
	if (!known && !o->domains)
		return oidc_fail(r, oidc_not_allowed, "no user has this e-mail address, and oidc_domains is not set");
	if (known && db_bool(r->db.last, w->at_user, 0, 1))
		return oidc_fail(r, oidc_not_allowed, "the user with this e-mail address is disabled");
	if (known && db_bool(r->db.last, w->at_user, 0, 2))
		return oidc_fail(r, oidc_account_linked,
		    "the user with this e-mail address is linked to another account of the provider");
	if (w->n_looks == LOOKS_MAX)
		return oidc_fail(
		    r, oidc_not_allowed, "the user could not be linked or made; a workspace has at most 10000 users");
	if (!known)
		return link_member(r);
	user = db_uuid(r->db.last, w->at_user, 0, 0);
	return link_user(r, &user);
}

/* The same, and tells of a failure if there is a user to whom it can be told. */
static enum step link_decide_told(struct req *r)
{
	const struct oidc_work *w = r->state.oidc;
	bool known = db_rows(r->db.last, w->at_user) > 0;
	struct uuid user = known ? db_uuid(r->db.last, w->at_user, 0, 0) : (struct uuid){{0}};
	enum step step = link_decide(r, known);

	if (step == DONE && known)
		attempt_tell(r, &w->workspace, &user);
	return step;
}

static enum step link_found(struct req *r)
{
	static step_fn *const again[] = {link_found};
	struct oidc_work *w = r->state.oidc;
	struct session_start start = {.scopes = user_scopes(false)};

	r->next = again;
	if (w->told)
		commit_notify_send(r->server);
	if (db_rows(r->db.last, w->at_link) == 0)
		return link_decide_told(r);
	start.user = db_uuid(r->db.last, w->at_link, 0, 0);
	if (db_bool(r->db.last, w->at_link, 0, 1)) {
		attempt_tell(r, &w->workspace, &start.user);
		return oidc_fail(r, oidc_not_allowed, "the user to whom the account is linked is disabled");
	}
	attempt_take_back(r, &w->counted);
	start.issuer = r->server->oidc->issuer;
	start.redirect = arena_printf(&r->arena, "%s%s", req_base_url(r), w->attempt.return_to);
	return session_begin(r, &start);
}

enum step oidc_enter(struct req *r)
{
	static step_fn *const steps[] = {link_found};

	r->caller.ticket.now_ms = clock_now_ms();
	r->caller.ws = r->caller.wait.ws;
	if (!r->caller.ws)
		return oidc_fail(r, oidc_not_allowed, "the workspace of oidc_workspace cannot be read");
	if (place_held(r) || place_check(r) != PASS) {
		attempt_take_back(r, &r->state.oidc->counted);
		return oidc_fail(r, oidc_moving, "the workspace is being moved to another server, or was moved there");
	}
	r->next = steps;
	return link_ask(r);
}
