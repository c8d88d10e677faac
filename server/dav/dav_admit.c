/* The beginning of every request below /dav: the key, admission, the path and the body. */
#include "server/dav/dav_work.h"

#include <string.h>
#include <strings.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/loop.h"
#include "server/http/http.h"
#include "server/request/admit.h"
#include "server/request/proxies.h"
#include "server/request/public_url.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/slice.h"

enum {
	PATIENCE_US = 10 * 1000000, /* devices come back much later after a 429, so they wait here instead */
	LOOK_MS = 250,              /* how often they see whether the process is stopping */
	PIECE = 64 << 10            /* bytes of a body that are read between two looks at the clock */
};

/* --- the key ------------------------------------------------------------------------------------- */

static bool peer_is_loopback(const char *peer)
{
	return strncmp(peer, "127.", 4) == 0 || strcmp(peer, "::1") == 0 || strcmp(peer, "unix") == 0;
}

/* kith has no TLS of its own, so a request that came by HTTPS comes from a proxy. public_url says nothing about
 * requests that come without the proxy, or that the proxy got over plain HTTP. */
static bool peer_has_tls(const struct req *r)
{
	const char *proto = http_header(r->call, "X-Forwarded-Proto");

	return proxies_trust(&r->server->proxies, r->in->peer) && (!proto || strncasecmp(proto, "https", 5) == 0);
}

/* True unless somebody on the way could read the password. A program of this machine that passes on requests of others
 * over plain HTTP leaves their Host as it was. */
static bool dav_is_private(struct req *r)
{
	enum sign_in_at at = session_cookie_at(r);

	return (at == SIGN_IN_HTTPS && peer_has_tls(r)) ||
	       (at == SIGN_IN_LOOPBACK && peer_is_loopback(r->in->peer) && req_names_loopback(r));
}

static enum step dav_ask(struct req *r)
{
	const char *header = http_header(r->call, "Authorization"), *bearer = apikey_of_bearer(header);
	char basic[APIKEY_SIZE];

	if (http_header_count(r->call, "Authorization") != 1 || (!bearer && !apikey_of_basic(header, basic)))
		return reply_error(r, ERROR_UNAUTHORIZED,
		    "A password is required that was made for a device; the user name may be anything");
	return admit_ask(r, bearer ? bearer : basic);
}

enum step dav_begin(struct req *r)
{
	r->caller.via = VIA_CARDDAV;
	r->caller.ticket.no_burst = true;
	if (!dav_is_private(r))
		return reply_error(r, ERROR_FORBIDDEN,
		    "Address books are served over HTTPS only, because the password would be readable on its way. A "
		    "proxy with TLS must be among trusted_proxies");
	if (r->given.dry)
		return reply_error(r, ERROR_UNPROCESSABLE, "Address books have no dry run; nothing was done");
	return dav_ask(r);
}

static const char rate_limit[] = "the rate limit";

/* The request may keep its connection for long. */
static bool dav_stays(const struct req *r)
{
	return r->route && (r->route->flags & ROUTE_DAV) &&
	       (r->reply.begun || r->waits_for == rate_limit || (dav_of(r) && dav_of(r)->searches));
}

bool dav_may_stay(const struct req *r)
{
	enum { STAY_MAX = 1000, STAY_OF_USER = 20 };
	size_t all = 0, of_user = 0;

	list_each(other, &r->server->requests, struct req, queue.all) {
		if (other == r || !dav_stays(other))
			continue;
		all++;
		of_user += uuid_equal(&other->caller.ticket.user, &r->caller.ticket.user);
	}
	return all < STAY_MAX && of_user < STAY_OF_USER;
}

/* A request that waits for the rate limit. */
struct dav_waiting {
	struct req *r;
	int64_t until_us;
};

static void dav_ask_again(void *ctx);

static void dav_wait(struct dav_waiting *w)
{
	int64_t left_ms = (w->until_us - clock_mono_us()) / 1000 + 1;

	loop_after(w->r->server->loop, left_ms > LOOK_MS ? LOOK_MS : left_ms > 1 ? (int)left_ms : 1, dav_ask_again, w);
}

static void dav_ask_again(void *ctx)
{
	struct dav_waiting *w = ctx;
	struct req *r = w->r;
	enum step step;

	if (r->server->stopping) {
		request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, reply_stopping));
		return;
	}
	if (clock_mono_us() < w->until_us) {
		dav_wait(w);
		return;
	}
	r->next--; /* to dav_admitted() */
	step = dav_ask(r);
	if (step != WAIT)
		request_continue(r, step);
}

enum step dav_admitted(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;
	int64_t wait_ms = t->status == ADMISSION_LIMITED ? t->use[t->hit].retry_ms - t->now_ms : 0;
	int64_t until_us = r->started_us + PATIENCE_US;
	struct dav_waiting *w;

	if (t->status != ADMISSION_LIMITED || clock_mono_us() + wait_ms * 1000 > until_us || r->server->stopping ||
	    http_disconnected(r->call) || !dav_may_stay(r))
		return step_admitted(r);
	r->waits_for = rate_limit;
	w = arena_alloc(&r->arena, sizeof *w);
	*w = (struct dav_waiting){.r = r, .until_us = clock_mono_us() + wait_ms * 1000};
	dav_wait(w);
	return WAIT;
}

/* --- the path ------------------------------------------------------------------------------------ */

/* The rights in the API that a password gives. */
static unsigned dav_scopes(unsigned of_key)
{
	if (of_key & SCOPE_READ)
		return SCOPE_READ;
	return SCOPE_READ | SCOPE_WRITE | (of_key & SCOPE_DELETE);
}

/* -1: infinity, and so does a missing header. -2: not valid. */
static int dav_depth_read(const struct req *r)
{
	const char *depth = http_header(r->call, "Depth");

	if (!depth || strcmp(depth, "infinity") == 0)
		return -1;
	return strcmp(depth, "0") == 0 ? 0 : strcmp(depth, "1") == 0 ? 1 : -2;
}

static bool dav_prefers_minimal(struct req *r)
{
	const char *prefer = req_header_list(r, "Prefer"), *brief = http_header(r->call, "Brief");

	return (prefer && strstr(prefer, "return=minimal")) || (brief && (*brief == 't' || *brief == 'T'));
}

static void dav_forget(struct req *r)
{
	xml_reader_free(dav_of(r)->reader);
}

enum step dav_enter(struct req *r)
{
	struct dav *d;

	if (admit_lacks(r))
		return admit_refuse(r, admit_lacks(r));
	d = r->state.dav = arena_alloc(&r->arena, sizeof *d);
	r->forget = dav_forget;
	d->key_scopes = r->caller.ticket.scopes;
	r->caller.ticket.scopes = dav_scopes(d->key_scopes);
	d->depth = dav_depth_read(r);
	d->minimal = dav_prefers_minimal(r);
	if (d->depth == -2)
		return reply_error_status(r, ERROR_INVALID_REQUEST, 400, "Depth must be 0, 1 or infinity");
	if (!dav_path_read(&r->arena, r->caller.ws, &r->caller.viewer, r->target, r->target_len, &d->path))
		return reply_not_found(r);
	return PASS;
}

/* --- the body ------------------------------------------------------------------------------------ */

/* A slow client keeps the tree of a long multiget for as long as the answer takes. */
static bool tree_has_room(struct req *r)
{
	enum { TREE_LONG = 1 << 20, TREES_OF_USER = 32 << 20, TREES_MAX = 128 << 20 };
	size_t own = r->arena.used, all = own, of_user = own;

	if (own < TREE_LONG)
		return true;
	list_each(other, &r->server->requests, struct req, queue.all) {
		if (!other->route || !(other->route->flags & ROUTE_DAV) || !dav_of(other))
			continue;
		all += dav_of(other)->tree;
		if (uuid_equal(&other->caller.ticket.user, &r->caller.ticket.user))
			of_user += dav_of(other)->tree;
	}
	if (all > TREES_MAX || of_user > TREES_OF_USER)
		return false;
	dav_of(r)->tree = own;
	return true;
}

static enum step dav_body_read(struct req *r)
{
	struct dav *d = dav_of(r);
	const char *error;
	bool too_much;

	d->body = xml_reader_root(d->reader, &error, &too_much);
	if (!d->body)
		return reply_error_status(r, ERROR_INVALID_REQUEST, too_much ? 413 : 400,
		    arena_printf(&r->arena, "The body is not valid XML: %s", error));
	if (r->in->body_len > DAV_BODY_MAX && !xml_node_is(d->body, XML_CARDDAV, "addressbook-multiget"))
		return reply_error_status(r, ERROR_INVALID_REQUEST, 413, "The body is longer than 64 KiB");
	http_forget_body(r->call);
	if (!tree_has_room(r))
		return reply_unavailable(r, ERROR_UNAVAILABLE, "too many long requests of devices are being answered");
	return PASS;
}

/* Only the methods with XML have this step. */
enum step dav_body(struct req *r)
{
	struct dav *d = dav_of(r);

	if (r->in->body_len == 0)
		return PASS;
	if (!d->reader) {
		if (r->in->body_len > DAV_BODY_MAX && r->in->method != HTTP_REPORT)
			return reply_error_status(r, ERROR_INVALID_REQUEST, 413, "The body is longer than 64 KiB");
		d->reader = xml_reader_new(&r->arena, r->in->body, r->in->body_len);
	}
	while (!xml_reader_some(d->reader, PIECE))
		if (slice_over(r))
			return AGAIN;
	return dav_body_read(r);
}

/* --- where clients look first -------------------------------------------------------------------- */

enum step dav_moved(struct req *r)
{
	r->reply.status = 301;
	reply_header(r, "Location", "/dav/");
	return DONE;
}
