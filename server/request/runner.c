/* The runner takes a request from arrival to answer. Routing comes first, then the steps of all requests (admission,
 * snapshot, validation). Then come the route's own steps, the commit, and the reply. */
#include "server/request/request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "server/request/admit.h"
#include "server/request/compress.h"
#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/request/large.h"
#include "server/request/turns.h"
#include "server/request/reply.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/request/slice.h"
#include "server/request/tally.h"
#include "server/request/usage_count.h"
#include "server/request/transaction.h"
#include "server/request/validate.h"

enum { TOKEN_LEN = 43 }; /* characters of the token of an invitation; ids are shorter */

static step_fn *const shared_steps[] = {
    step_admit, step_admitted, step_snapshot, step_read, step_check, step_body, step_claim, step_recall, step_enter};
static step_fn *const own_steps[] = {step_enter};

/* The request id that a proxy gave it. NULL: there is none, or the peer is not trusted. */
static const char *proxy_request_id(const struct req *r)
{
	const char *id = r->in->client_request_id;

	if (!id || !*id || !proxies_trust(&r->server->proxies, r->in->peer))
		return NULL;
	for (const char *c = id; *c; c++)
		if (*c < 0x21 || *c > 0x7e)
			return NULL;
	return id;
}

/* Probes would fill the log. Unless the log level is debug, a probe has a line only when its answer changes. */
static bool is_news(struct req *r)
{
	bool failed = r->reply.status != 200, news;

	if (!r->route || !(r->route->flags & ROUTE_PROBE))
		return true;
	news = failed != r->server->probe_failed;
	r->server->probe_failed = failed;
	return news || log_enabled(LOG_DEBUG);
}

/* The offset of the first run of that many characters of base64url; len: there is none. */
static size_t path_run(const char *path, size_t len, size_t min)
{
	size_t run = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_part = isalnum((unsigned char)path[i]) || path[i] == '-' || path[i] == '_';
		run = is_part ? run + 1 : 0;
		if (run == min)
			return i + 1 - min;
	}
	return len;
}

/* The length of the path in the log. It ends where a secret begins: the key of a calendar, or another key or token that
 * got into a path by mistake. Some programs write the # in the link of an invitation as %23, so it becomes a path. */
static size_t path_logged(const char *path, size_t len)
{
	static const char calendar[] = "/calendar/", key[] = "kith";
	size_t secret = path_run(path, len, TOKEN_LEN);
	const char *known;

	if (len >= sizeof calendar - 1 && memcmp(path, calendar, sizeof calendar - 1) == 0)
		return sizeof calendar - 1;
	known = memmem(path, secret, key, sizeof key - 1);
	return known ? (size_t)(known - path) : secret;
}

static void access_log(struct req *r, int64_t duration_us)
{
	char workspace[ID_SIZE], user[ID_SIZE], key[ID_SIZE], client[INET6_ADDRSTRLEN];
	bool known = r->caller.counted; /* admission accepted the request, or the limits refused it */
	struct log_access line = {
	    .request_id = r->request_id,
	    .client_request_id = proxy_request_id(r),
	    .trace = r->trace,
	    .client = proxies_client(&r->server->proxies, r->call, r->in, client),
	    .method = r->method_name,
	    .route = r->route ? r->route->path : NULL,
	    .path = r->reply.status == 404 ? r->target : NULL,
	    .path_len = path_logged(r->target, r->target_len),
	    .tool = r->carrier ? r->carrier->tool : NULL,
	    .workspace_id = known ? id_format(ID_WORKSPACE, &r->caller.ticket.workspace, workspace) : NULL,
	    .user_id = known ? id_format(ID_USER, &r->caller.ticket.user, user) : NULL,
	    .key_id = known ? id_format(ID_KEY, &r->caller.ticket.key, key) : NULL,
	    .error_code = r->reply.status >= 400 && !r->reply.replayed ? error_rows[r->reply.error].code : NULL,
	    .why = r->reply.status == 503 ? r->reply.why : NULL,
	    .status = r->reply.status,
	    .bytes_in = r->bytes_in,
	    .bytes_out = r->reply.bytes_sent + r->reply.out.len,
	    .duration_us = duration_us,
	    .database_us = r->db.us,
	    .exchanges = r->db.n_exchanges,
	    .replayed = r->reply.replayed,
	};

	log_access(&line);
}

static void request_free(struct req *r)
{
	large_release(r);
	turns_release(r);
	list_remove(&r->queue.all);
	if (r->tx.claimed)
		list_remove(&r->queue.running);
	transaction_free(r);
	workspace_release(r->caller.ws);
	json_reader_free(r->given.reader);
	claim_free(r);
	if (r->forget)
		r->forget(r);
	issues_free(&r->given.issues);
	reply_free(&r->reply);
	arena_free(&r->arena);
	arena_free(&r->reply.kept);
	free(r);
}

static void runner_go_on(struct req *r, enum step step);

/* Reads the reply in slices. */
static enum step inside_read(struct req *r)
{
	enum { PIECE = 64 << 10 };

	while (!json_reader_some(r->given.reader, PIECE))
		if (slice_over(r))
			return AGAIN;
	r->inside->state = INSIDE_READ;
	return DONE;
}

static step_fn *const inside_steps[] = {inside_read};

/* Gives the reply to the outer request, which may be answered then. */
static void inside_take(struct req *r)
{
	struct req *outer = r->inside->outer;
	const struct json *answer = NULL;
	const char *error;
	bool too_much;
	enum step step;

	if (r->inside->state == INSIDE_READ)
		answer = json_reader_result(r->given.reader, &error, &too_much);
	step = r->inside->take(outer, r, answer);
	if (step == AGAIN) {
		r->next = inside_steps;
		slice_later(r);
		return;
	}
	request_free(r);
	if (step != WAIT)
		request_continue(outer, step);
}

static void inside_end(struct req *r)
{
	int64_t duration_us = clock_mono_us() - r->started_us;

	if (r->inside->state != INSIDE_RUNS) {
		inside_take(r);
		return;
	}
	if (r->reply.status == 200 && !r->given.dry)
		r->inside->outer->tx.n_events += r->tx.n_events;
	tally_request(r->server->tally, r, duration_us);
	access_log(r, duration_us);
	r->inside->state = INSIDE_READS;
	json_reader_free(r->given.reader);
	r->given.reader = json_reader_new(&r->arena, r->reply.out.data, r->reply.out.len);
	r->next = inside_steps;
	runner_go_on(r, PASS);
}

static void send_and_free(struct req *r)
{
	static step_fn *const packing[] = {compress_some};
	int64_t duration_us;

	if (r->inside) {
		inside_end(r);
		return;
	}
	if (r->carrier && !r->reply.compressing)
		r->carrier->wrap(r);
	if (!r->reply.compressing && compress_begin(r)) {
		r->next = packing;
		runner_go_on(r, PASS);
		return;
	}
	compress_end(r);
	duration_us = clock_mono_us() - r->started_us;
	tally_request(r->server->tally, r, duration_us);
	usage_count(r->server->usages, r, duration_us);
	if (is_news(r))
		access_log(r, duration_us);
	FAULT_POINT(reply);
	reply_send(r);
	FAULT_POINT(reply_sent);
	request_free(r);
}

static void runner_finish(struct req *r)
{
	FAULT_POINT(rendered);
	if (r->reply.compressing || (r->inside && r->inside->state != INSIDE_RUNS)) {
		send_and_free(r);
		return;
	}
	if (r->reply.carry_on) {
		if (!r->reply.carry_on(r))
			send_and_free(r);
		return;
	}
	if (r->tx.phase == PHASE_RUN && claim_recall(r)) {
		runner_go_on(r, PASS);
		return;
	}
	/* A client that does not read its answers gets no further answers until it has read them. This request is
	 * rolled back. */
	if (r->tx.phase == PHASE_RUN && r->reply.status == 200 && !http_has_room(r->call, r->reply.out.len))
		reply_error(r, ERROR_UNAVAILABLE, "This user's clients have too many answers that they have not read");
	if (r->tx.phase == PHASE_RUN && transaction_commit(r))
		return;
	send_and_free(r);
}

static void runner_go_on(struct req *r, enum step step)
{
	r->queue.slice_us = 0;
	while (step == PASS)
		step = (*r->next++)(r);
	if (step == AGAIN) {
		r->next--;
		slice_later(r);
	} else if (step == DONE) {
		runner_finish(r);
	}
}

static void runner_resume(struct req *r)
{
	runner_go_on(r, transaction_ended(r));
}

static const struct runner runner = {runner_go_on, runner_resume};

enum step step_enter(struct req *r)
{
	r->next = r->route->steps;
	r->tx.open_step = r->route->steps;
	return PASS;
}

/* Unknown paths, unknown methods and OPTIONS are answered without a key. */
static enum step runner_unrouted(struct req *r, const struct route_match *m)
{
	char allow[ROUTE_ALLOW_SIZE];

	if (!m->methods)
		return reply_error(r, ERROR_NOT_FOUND, m->near);
	route_allow(m->methods, allow);
	if (r->in->method != HTTP_OPTIONS) {
		reply_error_status(r, ERROR_INVALID_REQUEST, 405, request_no_method);
		reply_header(r, "Allow", allow);
		return DONE;
	}
	r->reply.status = 204;
	reply_header(r, "Allow", allow);
	if (m->methods & HTTP_PROPFIND)
		reply_header(r, "DAV", "1, 3, access-control, addressbook");
	reply_preflight(r, allow);
	return DONE;
}

static struct req *request_new(struct http_call *call, const struct http_input *in, struct server *s)
{
	struct req *r = mem_zalloc(sizeof *r);
	struct uuid id = id_random();

	arena_init(&r->arena);
	arena_init(&r->reply.kept);
	arena_init(&r->tx.events.arena);
	issues_init(&r->given.issues);
	reply_init(&r->reply);
	list_init(&r->queue.running);
	list_init(&r->queue.asking);
	list_init(&r->tx.joint.link);
	list_init(&r->queue.all);
	list_append(&s->requests, &r->queue.all);
	r->waits_for = "arrived";
	r->runner = &runner;
	r->server = s;
	r->call = call;
	r->in = in;
	r->method_name = in->method_name;
	r->bytes_in = in->head_len + in->body_len;
	r->started_us = clock_mono_us();
	uuid_format(&id, r->request_id);
	if (in->traceparent)
		trace_parse(in->traceparent, r->trace);
	r->caller.via = event_via_claimed(in->via);
	return r;
}

static void runner_find(
    struct req *r, enum http_method method, const char *target, size_t len, struct route_match *match)
{
	const char *query = memchr(target, '?', len);
	size_t path_len = query ? (size_t)(query - target) : len;

	r->target = target;
	r->target_len = path_len;
	r->given.raw_query = query ? query + 1 : NULL;
	r->given.raw_query_len = query ? len - path_len - 1 : 0;
	route_find(&r->arena, method, target, path_len, match);
	r->route = match->route;
	memcpy(r->given.path, match->values, sizeof r->given.path);
}

void runner_start(struct http_call *call, const struct http_input *in, void *ctx)
{
	struct req *r = request_new(call, in, ctx);
	struct route_match match;

	runner_find(r, in->method, in->target, in->target_len, &match);
	if (!match.route || in->method == HTTP_OPTIONS) {
		runner_go_on(r, runner_unrouted(r, &match));
		return;
	}
	r->given.dry = validate_dry_run(&r->arena, r->route, r->given.raw_query, r->given.raw_query_len);
	r->next = match.route->flags & (ROUTE_OPEN | ROUTE_CARRIER | ROUTE_DAV) ? own_steps : shared_steps;
	runner_go_on(r, PASS);
}

bool runner_redirect(struct req *r, enum http_method method, const char *method_name, const char *target, size_t len)
{
	struct route_match match;

	runner_find(r, method, target, len, &match);
	if (!match.route)
		return false;
	r->method_name = method_name;
	r->given.dry = validate_dry_run(&r->arena, r->route, r->given.raw_query, r->given.raw_query_len);
	return true;
}

void runner_inside(
    struct req *outer, struct inside *inside, enum http_method method, const char *target, struct json *body)
{
	static step_fn *const steps[] = {step_check, step_body, step_claim, step_recall, step_enter};
	static step_fn *const unknown[] = {reply_not_found};
	struct req *r = request_new(outer->call, outer->in, outer->server);

	outer->waits_for = "a request inside it";
	inside->outer = outer;
	inside->state = INSIDE_RUNS;
	r->inside = inside;
	r->carrier = &inside->carrier;
	r->bytes_in = 0;
	memcpy(r->request_id, outer->request_id, sizeof r->request_id);
	r->caller = outer->caller;
	workspace_hold(r->caller.ws);
	r->next = runner_redirect(r, method, http_method_name(method), target, strlen(target)) ? steps : unknown;
	r->given.body = body;
	r->list.only = inside->only;
	r->list.n_only = inside->n_only;
	slice_later(r);
}
