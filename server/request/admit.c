/* Authentication and admission: the key, the rate limits, the workspace. */
#include "server/request/admit.h"

#include <string.h>

#include "server/base/apikey.h"
#include "server/base/crypto.h"
#include "server/request/challenge.h"
#include "server/request/workspace_place.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/session_cookie.h"
#include "server/request/validate.h"
#include "server/request/tally.h"

static void admission_done(struct admission_ticket *t)
{
	request_continue(t->owner, PASS);
}

static const char *bearer_key(const struct http_call *call)
{
	if (http_header_count(call, "Authorization") != 1)
		return NULL;
	return apikey_of_bearer(http_header(call, "Authorization"));
}

static struct known_key *known_key_of(struct server *s, const unsigned char hash[ADMISSION_KEY_SIZE])
{
	return &s->known_keys[(hash[0] << 8 | hash[1]) % KNOWN_KEYS];
}

static bool is_known(const struct known_key *k, const unsigned char hash[ADMISSION_KEY_SIZE])
{
	return k->good && memcmp(k->hash, hash, sizeof k->hash) == 0;
}

static const char cookie_refused[] =
    "The cookie of a session counts only in requests of kith's own pages, which send X-Kith-Console: 1";

/* The key of a request whose body is still to come, as step_admit() finds it. NULL: there is none, or *refused. */
static const char *judged_key(
    const struct http_head *head, const struct route *route, char cookie[APIKEY_SIZE], bool *refused)
{
	if (route->flags & ROUTE_DAV && head->n_authorization == 1 && apikey_of_basic(head->authorization, cookie))
		return cookie;
	if (head->n_authorization > 0)
		return head->n_authorization == 1 ? apikey_of_bearer(head->authorization) : NULL;
	if (!route_takes_cookie(route) || !session_cookie_of_head(head, cookie))
		return NULL;
	*refused = !session_cookie_head_own(head) || session_cookie_head_foreign(head);
	return *refused ? NULL : cookie;
}

static void judge_key(struct server *s, const struct http_head *head, const struct route *route, struct http_verdict *v)
{
	char cookie[APIKEY_SIZE];
	unsigned char hash[ADMISSION_KEY_SIZE];
	bool refused = false;
	const char *key = judged_key(head, route, cookie, &refused);

	if (refused) {
		v->status = 403;
		v->message = cookie_refused;
	} else if (!key) {
		v->status = 401;
		challenge_judge(s->config->public_url, route->flags, v);
	} else {
		sha256_digest(key, strlen(key), hash);
		v->known = is_known(known_key_of(s, hash), hash);
		memcpy(v->owner, known_key_of(s, hash)->user.b, sizeof v->owner);
	}
}

/* Returns the verdict of step_admit() and of routing, as far as the head of the request allows one. */
void admit_judge(const struct http_head *head, struct http_verdict *v, void *ctx)
{
	struct server *s = ctx;
	const char *query = memchr(head->target, '?', head->target_len);
	struct route_match match;
	struct arena arena;

	arena_init(&arena);
	route_find(
	    &arena, head->method, head->target, query ? (size_t)(query - head->target) : head->target_len, &match);
	cors_judge(&s->cors, head->origin, v);
	if (query &&
	    validate_dry_run(&arena, match.route, query + 1, head->target_len - (size_t)(query + 1 - head->target)))
		v->more[v->n_more++] = (struct http_header){"X-Dry-Run", "true"};
	arena_free(&arena);
	if (head->method == HTTP_OPTIONS || (match.route && match.route->flags & ROUTE_OPEN))
		return;
	if (!match.route) {
		v->status = match.methods ? 405 : 404;
		v->message = match.methods ? request_no_method : match.near;
		route_allow(match.methods, v->value);
		v->header = (struct http_header){match.methods ? "Allow" : NULL, v->value};
	} else {
		judge_key(s, head, match.route, v);
	}
}

static void remember_key(const struct req *r)
{
	struct known_key *k = known_key_of(r->server, r->caller.ticket.key_hash);

	if (r->caller.ticket.status == ADMISSION_ADMITTED) {
		k->good = true;
		memcpy(k->hash, r->caller.ticket.key_hash, sizeof k->hash);
		k->user = r->caller.ticket.user;
	} else if (is_known(k, r->caller.ticket.key_hash)) {
		k->good = false;
	}
}

enum step admit_ask(struct req *r, const char *key)
{
	sha256_digest(key, strlen(key), r->caller.ticket.key_hash);
	r->caller.ticket.done = admission_done;
	r->caller.ticket.owner = r;
	r->waits_for = "admission";
	admission_ask(r->server->admission, &r->caller.ticket);
	return WAIT;
}

/* With the header Authorization the cookie is not looked at. */
enum step step_admit(struct req *r)
{
	const char *key;

	r->caller.by_cookie = http_header_count(r->call, "Authorization") == 0 && route_takes_cookie(r->route);
	key = r->caller.by_cookie ? session_cookie(r) : bearer_key(r->call);
	if (!key)
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	if (r->caller.by_cookie && (!session_cookie_own_page(r) || session_cookie_foreign(r)))
		return reply_error(r, ERROR_FORBIDDEN, cookie_refused);
	return admit_ask(r, key);
}

unsigned admit_lacks(const struct req *r)
{
	return r->route->needs & ~(unsigned)SCOPE_ANY & ~r->caller.ticket.scopes;
}

enum step admit_refuse(struct req *r, unsigned lacks)
{
	const char *text = r->caller.ticket.kind == KEY_KIND_GRANT
	                       ? "The user has not allowed this application the scope"
	                       : "This API key lacks the scope";

	for (int i = 0, n = 0; i < KEY_SCOPES; i++)
		if (lacks & 1U << i)
			text =
			    arena_printf(&r->arena, "%s%s %s", text, n++ ? " and the scope" : "", key_scope_names[i]);
	reply_error(r, ERROR_FORBIDDEN, text);
	if (r->caller.ticket.kind == KEY_KIND_GRANT)
		reply_header(r, "WWW-Authenticate", challenge_scopes(r, lacks));
	return DONE;
}

/* Refuses an admitted key that does not open this route, whatever its scopes. */
static enum step admit_kind(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;
	unsigned of_devices = SCOPE_CONTACTS | SCOPE_CALENDAR;

	if (r->caller.by_cookie && t->kind != KEY_KIND_SESSION)
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	if (t->mcp_only && !(r->route->flags & ROUTE_CARRIER) && !r->carrier)
		return reply_error(r, ERROR_UNAUTHORIZED, "This access token opens only /mcp");
	if ((t->kind == KEY_KIND_CONTACTS || t->kind == KEY_KIND_CALENDAR) && !(r->route->needs & of_devices))
		return reply_error(r, ERROR_FORBIDDEN,
		    "This key is the password of a device: it opens only its address book or calendar");
	return PASS;
}

static void snapshot_ready(struct workspace_wait *w)
{
	request_continue(w->owner, PASS);
}

enum step step_admitted(struct req *r)
{
	enum step step;

	remember_key(r);
	tally_admission(r->server->tally, r->caller.ticket.status);
	r->caller.counted =
	    r->caller.ticket.status == ADMISSION_ADMITTED || r->caller.ticket.status == ADMISSION_LIMITED;
	switch (r->caller.ticket.status) {
	case ADMISSION_ADMITTED:
		http_owner(r->call, r->caller.ticket.user.b, r->caller.ticket.workspace.b);
		break;
	case ADMISSION_NO_KEY:
		return reply_error(r, ERROR_UNAUTHORIZED, NULL);
	case ADMISSION_LIMITED:
		return reply_rate_limited(r);
	case ADMISSION_UNAVAILABLE:
		return reply_no_database(r, ERROR_UNAVAILABLE, DB_ADMIT);
	case ADMISSION_BUSY:
		return reply_unavailable(r, ERROR_UNAVAILABLE, "too many requests are waiting for admission");
	}
	step = admit_kind(r);
	if (step != PASS)
		return step;
	r->caller.viewer = viewer_limited(
	    &r->caller.ticket.user, r->caller.ticket.is_admin, r->caller.ticket.groups, r->caller.ticket.n_groups);
	r->caller.wait.done = snapshot_ready;
	r->waits_for = "snapshot";
	r->caller.wait.owner = r;
	return workspace_get(
	           r->server->workspaces, &r->caller.ticket.workspace, r->caller.ticket.version, &r->caller.wait)
	           ? PASS
	           : WAIT;
}

enum step step_snapshot(struct req *r)
{
	r->caller.ws = r->caller.wait.ws;
	if (!r->caller.ws)
		return reply_no_database(r, ERROR_UNAVAILABLE, DB_POINT);
	return place_check(r);
}
