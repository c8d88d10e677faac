/* The checks of the isolation suite. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "test/lib/model/isolation.h"

enum { TEXT_MAX = 16 << 20 };

void isolation_each_sample(struct suite *s, struct world *w, struct world *other, isolation_fn *fn)
{
	for (int i = 0; i < n_endpoints; i++) {
		const char *name = route_name(s, &endpoints[i]);
		bool any = false;
		if (isolation_for_admins(&endpoints[i]) && !w->admin)
			continue;
		for (const struct isolation_sample *sample = samples; sample->route; sample++)
			if (strcmp(sample->route, name) == 0) {
				fn(s, w, other, &endpoints[i], sample);
				any = true;
			}
		if (!any)
			fn(s, w, other, &endpoints[i], NULL);
	}
}

/* --- coverage ---------------------------------------------------------------------- */

/* True when a sample has a body, or has the parameter: in its query, or as a member of its body. */
static bool is_sampled(const char *name, const char *parameter)
{
	for (const struct isolation_sample *sample = samples; sample->route; sample++)
		if (strcmp(sample->route, name) == 0 &&
		    (parameter ? (sample->query && strstr(sample->query, parameter)) ||
		                     (sample->body && strstr(sample->body, parameter))
		               : sample->body != NULL))
			return true;
	return false;
}

static bool shows_no_record(const char *parameter)
{
	static const char *const harmless[] = {"limit", "cursor", "sort", "count", "combinator", "from", "to",
	    "createdAfter", "createdBefore", "force", "unused", "onlyAssignedToMe", "after", "wait", "timeZone", NULL};
	for (int i = 0; harmless[i]; i++)
		if (strcmp(harmless[i], parameter) == 0)
			return true;
	return false;
}

void isolation_check_coverage(struct suite *s)
{
	for (int i = 0; i < n_endpoints; i++) {
		const struct endpoint *route = &endpoints[i];
		const char *name = route_name(s, route);
		for (const char *p = route->path; (p = strchr(p, '{')) != NULL; p++)
			if (!isolation_path_variable(p + 1, strcspn(p + 1, "}")))
				suite_fail(s, "%s: a parameter that path_variable() does not know", name);
		if (route->takes_body && !is_sampled(name, NULL))
			suite_fail(s, "%s: no body in samples[]", name);
		for (int k = 0; route->params[k]; k++)
			if (!shows_no_record(route->params[k]) && !is_sampled(name, route->params[k]))
				suite_fail(s, "%s: no query with %s in samples[]", name, route->params[k]);
	}
}

/* --- comparing answers ------------------------------------------------------------------ */

static bool pattern_matches(const char *text, const char *pattern)
{
	for (; *pattern; text++, pattern++)
		if (*pattern == 'x' ? !isxdigit((unsigned char)*text) : *text != *pattern)
			return false;
	return true;
}

/* The length of the text before a cursor, which is sealed over the request. */
static size_t before_cursor(const char *text)
{
	static const char *const all[] = {"cursor=", "after=", "\"cursor\":\"", "\"nextCursor\":\"", "\nid: "};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strncmp(text, all[i], strlen(all[i])) == 0)
			return strlen(all[i]);
	return 0;
}

/* Replaces ids, times, cursors, and the request's texts with placeholders; the rest must be equal. */
static const char *normal_text(struct suite *s, const char *text, const char *sent, const char *fresh)
{
	static const char uuid[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", time[] = "xxxx-xx-xxTxx:xx:xx.xxxZ",
	                  event_cursor[] = "\"cursor\":\"";
	struct buf out;
	buf_init(&out, TEXT_MAX);
	while (*text) {
		if (sent && strncmp(text, sent, strlen(sent)) == 0) {
			buf_addz(&out, "<sent>");
			text += strlen(sent);
		} else if (fresh && strncmp(text, fresh, strlen(fresh)) == 0) {
			buf_addz(&out, "<fresh>");
			text += strlen(fresh);
		} else if (pattern_matches(text, uuid)) {
			buf_addz(&out, "<uuid>");
			text += sizeof uuid - 1;
		} else if (pattern_matches(text, time)) {
			buf_addz(&out, "<time>");
			text += sizeof time - 1;
		} else if (before_cursor(text)) {
			buf_addz(&out, "<cursor>");
			text += before_cursor(text);
			text += strcspn(text, "&\"\n");
		} else if (strncmp(text, event_cursor, sizeof event_cursor - 1) == 0) {
			buf_addz(&out, "<cursor>"); /* a position in the whole database */
			text += sizeof event_cursor - 1;
			text += strcspn(text, "\"");
		} else {
			buf_addc(&out, *text++);
		}
	}
	buf_addz(&out, "");
	const char *made = out.len ? arena_dup(&s->arena, out.data, out.len) : "";
	buf_free(&out);
	return made;
}

/* Status, headers and body as one text; without headers that depend on the time. */
static const char *whole_reply(struct suite *s, const struct client_reply *reply, bool of_moment)
{
	static const char *const moment[] = {"Date", "X-Request-Id", "Content-Length", "X-Events-Cursor", "ETag"};
	struct buf out;
	buf_init(&out, TEXT_MAX);
	buf_printf(&out, "%d\n", reply->status);
	for (size_t i = 0; i < reply->n_headers; i++) {
		bool skip = false;
		for (size_t k = 0; k < sizeof moment / sizeof *moment; k++)
			skip |= strcasecmp(reply->headers[i].name, moment[k]) == 0;
		skip |= strcasestr(reply->headers[i].name, "RateLimit") != NULL;
		bool tag = !of_moment && strcasecmp(reply->headers[i].name, "ETag") == 0; /* a time */
		if (of_moment || !skip)
			buf_printf(&out, "%s: %s\n", reply->headers[i].name, tag ? "<time>" : reply->headers[i].value);
	}
	buf_add(&out, reply->body, reply->body_len);
	const char *made = arena_dup(&s->arena, out.data, out.len);
	buf_free(&out);
	return made;
}

const char *isolation_answer_text(struct suite *s, const struct client_reply *reply)
{
	return normal_text(s, whole_reply(s, reply, false), NULL, NULL);
}

/* ignores what was sent, which an answer may repeat */
static bool text_holds(const char *text, const char *secret, const char *sent)
{
	size_t len = sent ? strlen(sent) : 0;
	for (const char *at = text; (at = strstr(at, secret)) != NULL; at++) {
		const char *within = len ? strstr(sent, secret) : NULL;
		if (!within || at - text < within - sent || strncmp(at - (within - sent), sent, len) != 0)
			return true;
	}
	return false;
}

void isolation_check_absent(
    struct suite *s, const struct world *other, const char *where, const char *text, const char *sent)
{
	if (text_holds(text, other->canary, sent))
		suite_fail(s, "%s: shows the canary of world %s: %.2000s", where, other->label, text);
	for (int i = 0; i < other->n_variables; i++)
		if (other->variables[i].probed && text_holds(text, other->variables[i].value, sent))
			suite_fail(s, "%s: shows the %s of world %s: %.2000s", where, other->variables[i].name,
			    other->label, text);
}

/* --- own ids -------------------------------------------------------------------------- */

static void own_one(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct client_reply reply;
	struct request q;
	/* The world's own records are still needed; victims are made to be deleted. A key is replaced once. */
	if (strcmp(route->method, "DELETE") == 0 || strstr(route->path, "/batch/delete") ||
	    strstr(route->path, "{keyId}/rotate") || isolation_refuses(route))
		return;
	request_make(s, w, route, sample, (struct replacement){.at = -1}, &q);
	request_send(s, w, &q, NULL, &reply);
	const char *name = arena_printf(&s->arena, "world %s: %s %s", w->label, route_name(s, route), q.target);
	if (reply.status != 200 && !(sample && sample->query && strstr(sample->query, "filter") && reply.status == 422))
		suite_fail(s, "%s: %s with its own ids: %d %s", name, q.body ? q.body : "", reply.status, reply.body);
	isolation_check_absent(s, other, name, whole_reply(s, &reply, true), NULL);
}

void isolation_check_own(struct suite *s, struct world *w, struct world *other)
{
	isolation_each_sample(s, w, other, own_one);
}

/* When keys were used last is written now and then: what has been used counts as unused. */
static const char *without_use(struct suite *s, const char *body)
{
	static const char used[] = "\"lastUsedAt\":\"";
	char *text = arena_dupz(&s->arena, body), *at = text;

	while ((at = strstr(at, used)) != NULL) {
		char *value = at + sizeof used - 2, *end = strchr(value + 1, '"') + 1;
		memcpy(value, "null", 4);
		memmove(value + 4, end, strlen(end) + 1);
		at = value;
	}
	return text;
}

static void snapshot_one(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct client_reply reply;
	struct request q;
	/* Deliveries continue by themselves; /usage counts these requests (test/flow/test_metrics.c compares
	 * workspaces). */
	if (strcmp(route->method, "GET") != 0 || strstr(route->path, "/deliveries") || strstr(route->path, "/health") ||
	    strcmp(route->path, "/v1/usage") == 0)
		return;
	request_make(s, w, route, sample, (struct replacement){.at = -1}, &q);
	request_send(s, w, &q, NULL, &reply);
	(void)other;
	buf_printf(
	    s->snapshot, "%s %d %s\n", q.target, reply.status, reply.status == 200 ? without_use(s, reply.body) : "");
}

const char *world_snapshot(struct suite *s, struct world *w)
{
	struct buf out;
	buf_init(&out, TEXT_MAX);
	s->snapshot = &out;
	isolation_each_sample(s, w, NULL, snapshot_one);
	const char *made = normal_text(s, arena_dup(&s->arena, out.data, out.len), NULL, NULL);
	buf_free(&out);
	return made;
}

/* --- foreign ids ------------------------------------------------------------------------ */

static const char *answer_to(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample, int at, const char *value)
{
	struct client_reply reply;
	struct request q;
	request_make(s, w, route, sample, (struct replacement){at, value}, &q);
	request_send(s, w, &q, NULL, &reply);
	const char *all = whole_reply(s, &reply, true);
	isolation_check_absent(s, other, route_name(s, route), all, value);
	return normal_text(s, whole_reply(s, &reply, false), value, q.fresh);
}

static bool secret_of(const struct world *other, const char *variable)
{
	for (int i = 0; i < other->n_variables; i++)
		if (strcmp(other->variables[i].name, variable) == 0)
			return other->variables[i].probed;
	return false;
}

static void foreign_one(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct request q = {0};
	int n = 1;
	for (int at = 0; at < n; at++) {
		/* Gets the variable at this place, and the number of places. */
		request_make(s, w, route, sample, (struct replacement){at, "?"}, &q);
		n = q.n_places;
		if (at >= n || !secret_of(other, q.variable))
			continue;
		const char *foreign = world_get(other, q.variable);
		const char *random = world_random(s, other, foreign);
		/* Asked twice: the first answer may differ. */
		answer_to(s, w, other, route, sample, at, random);
		const char *expected = answer_to(s, w, other, route, sample, at, random);
		const char *got = answer_to(s, w, other, route, sample, at, foreign);
		if (strcmp(expected, got) != 0)
			suite_fail(s,
			    "world %s: %s, place %d (%s): an id of world %s is answered\n%s\nand a random one\n%s",
			    w->label, route_name(s, route), at, q.variable, other->label, got, expected);
	}
}

void isolation_check_foreign(struct suite *s, struct world *w, struct world *other)
{
	isolation_each_sample(s, w, other, foreign_one);
}

/* --- cursors ------------------------------------------------------------------------------ */

static void cursor_one(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct client_reply reply;
	struct request q, own;
	char cursor[600];
	if (!route->list)
		return;
	request_make(s, other, route, sample, (struct replacement){.at = -1}, &q);
	q.target = arena_printf(&s->arena, "%s%climit=1", q.target, strchr(q.target, '?') ? '&' : '?');
	request_send(s, other, &q, NULL, &reply);
	const char *link = strstr(reply.body, "cursor=");
	if (reply.status != 200 || !link)
		return;
	snprintf(cursor, sizeof cursor, "%.*s", (int)strcspn(link, "&\""), link);
	request_make(s, w, route, sample, (struct replacement){.at = -1}, &own);
	own.target = arena_printf(&s->arena, "%s%climit=1&%s", own.target, strchr(own.target, '?') ? '&' : '?', cursor);
	request_send(s, w, &own, NULL, &reply);
	isolation_check_absent(s, other, own.target, whole_reply(s, &reply, true), cursor);
	/* Within a workspace a cursor is not secret; it only tells where to continue. */
	if (!other->private && reply.status != 422)
		suite_fail(s, "world %s: %s: a cursor of world %s is answered %d", w->label, own.target, other->label,
		    reply.status);
}

void isolation_check_cursors(struct suite *s, struct world *w, struct world *other)
{
	isolation_each_sample(s, w, other, cursor_one);
}

/* --- idempotency keys ------------------------------------------------------------------------ */

void isolation_check_idempotency(struct suite *s, struct world *w, struct world *other)
{
	const struct isolation_sample sample = {.body = "{\"firstName\": \"Twin\"}"};
	struct world *both[] = {w, other};
	struct client_reply reply[2];
	struct request q;
	const char *key = arena_printf(&s->arena, "same-%s", w->canary);
	for (int i = 0; i < 2; i++) {
		request_make(s, both[i], route_named("POST /v1/people"), &sample, (struct replacement){.at = -1}, &q);
		request_send(s, both[i], &q, key, &reply[i]);
		if (reply[i].status != 200 || client_header(&reply[i], "Idempotent-Replayed"))
			suite_fail(s, "world %s: the Idempotency-Key of world %s counts: %d", both[i]->label, w->label,
			    reply[i].status);
	}
	if (strcmp(reply[0].body, reply[1].body) == 0)
		suite_fail(s, "worlds %s and %s got one answer for one Idempotency-Key", w->label, other->label);
	/* Another request under it, in one of them only. */
	const struct isolation_sample changed = {.body = "{\"firstName\": \"Other\"}"};
	request_make(s, other, route_named("POST /v1/people"), &changed, (struct replacement){.at = -1}, &q);
	request_send(s, other, &q, key, &reply[1]);
	request_make(s, w, route_named("POST /v1/people"), &sample, (struct replacement){.at = -1}, &q);
	request_send(s, w, &q, key, &reply[1]);
	if (strcmp(reply[0].body, reply[1].body) != 0 || !client_header(&reply[1], "Idempotent-Replayed"))
		suite_fail(s, "world %s: its answer is not replayed", w->label);
}
