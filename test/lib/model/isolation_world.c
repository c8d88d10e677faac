/* Worlds of the isolation suite: variables, seeding, making requests. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "server/base/json.h"
#include "test/lib/model/isolation.h"

enum { TEXT_MAX = 1 << 20, MINUTE_MS = 60 * 1000 };

void suite_fail(struct suite *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = arena_vprintf(&s->arena, format, args);
	va_end(args);
	if (s->say)
		s->say(s, text);
	else
		fprintf(stderr, "%s\n", text);
	s->failures++;
}

const char *route_name(struct suite *s, const struct endpoint *route)
{
	return arena_printf(&s->arena, "%s %s", route->method, route->path);
}

const struct endpoint *route_named(const char *name)
{
	size_t len = strcspn(name, " ");
	for (int i = 0; i < n_endpoints; i++)
		if (strlen(endpoints[i].method) == len && memcmp(endpoints[i].method, name, len) == 0 &&
		    strcmp(endpoints[i].path, name + len + 1) == 0)
			return &endpoints[i];
	return NULL;
}

bool isolation_for_admins(const struct endpoint *route)
{
	static const char *const paths[] = {"/v1/users/accounts", "/v1/users/{userId}/invite",
	    "/v1/users/{userId}/enable", "/v1/users/{userId}/disable"};

	if (strcmp(route->path, "/v1/users") == 0)
		return strcmp(route->method, "POST") == 0;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (strcmp(route->path, paths[i]) == 0)
			return true;
	return strncmp(route->path, "/v1/keys", strlen("/v1/keys")) == 0;
}

bool isolation_refuses(const struct endpoint *route)
{
	return route->of_session || strcmp(route->path, "/v1/users/{userId}/disable") == 0;
}

/* --- variables -------------------------------------------------------------------- */

void world_set(struct world *w, const char *name, const char *value, bool probed)
{
	int i = 0;
	while (i < w->n_variables && strcmp(w->variables[i].name, name) != 0)
		i++;
	if (i == VARIABLES_MAX)
		abort();
	w->n_variables += i == w->n_variables;
	w->variables[i].name = name;
	w->variables[i].value = value;
	w->variables[i].probed = probed;
}

const char *world_get(const struct world *w, const char *name)
{
	for (int i = 0; i < w->n_variables; i++)
		if (strcmp(w->variables[i].name, name) == 0)
			return w->variables[i].value;
	return NULL;
}

static const char *new_canary(struct suite *s)
{
	unsigned char bytes[8];
	random_bytes(bytes, sizeof bytes);
	uint64_t n;
	memcpy(&n, bytes, sizeof n);
	return arena_printf(&s->arena, "canary%016llx", (unsigned long long)n);
}

void world_init(struct suite *s, struct world *w, const char *label, const struct test_user *user, bool private)
{
	memset(w, 0, sizeof *w);
	w->label = label;
	w->key = user->key;
	w->private = private;
	w->canary = new_canary(s);
	world_set(w, "canary", w->canary, false);
	world_set(w, "open", private ? new_canary(s) : w->canary, false);
	world_set(w, "company_name", world_get(w, "open"), false);
	world_set(w, "visibility", private ? "private" : "public", false);
	world_set(w, "isPublic", private ? "false" : "true", false);
	world_set(w, "assigned",
	    private ? "" : arena_printf(&s->arena, ", \"assignedUsers\": [{\"id\": \"%s\"}]", user->id), false);
	world_set(w, "entity_type", "person", false);
	world_set(w, "since", time_format(clock_now_ms() - MINUTE_MS, arena_alloc(&s->arena, TIME_TEXT_SIZE)), false);
	world_set(w, "user", user->id, !private);
	world_set(w, "email", user->email, !private);
	/* As new names they are not references. */
	world_set(w, "same_type", arena_printf(&s->arena, "T-%s", w->canary), false);
	world_set(w, "same_field", arena_printf(&s->arena, "F-%s", w->canary), false);
	world_set(w, "type", arena_printf(&s->arena, "T-%s", w->canary), true);
	world_set(w, "field", arena_printf(&s->arena, "F-%s", w->canary), true);
}

const char *world_random(struct suite *s, const struct world *w, const char *value)
{
	enum id_kind kind;
	struct uuid id;
	char text[ID_SIZE];
	if (id_parse_any(value, strlen(value), &kind, &id)) {
		id = id_new();
		return arena_dupz(&s->arena, id_format(kind, &id, text));
	}
	const char *secret = strstr(value, "canary");
	(void)w;
	if (!secret)
		abort();
	return arena_printf(
	    &s->arena, "%.*s%s%s", (int)(secret - value), value, new_canary(s), secret + strlen("canary") + 16);
}

/* --- requests --------------------------------------------------------------------- */

static const char *make_victim(struct suite *s, struct world *w, const char *variable);

/* Appends the value of a variable, or its replacement. */
static void expand_variable(struct suite *s, struct world *w, struct buf *out, const char *name,
    struct replacement replacement, struct request *q)
{
	const char *value = world_get(w, name);
	if (strcmp(name, "fresh") == 0) {
		value = q->fresh = new_canary(s);
	} else if (strncmp(name, "victim", 6) == 0) {
		value = make_victim(s, w, name);
	} else if (value) {
		if (q->n_places == replacement.at) {
			value = replacement.value;
			q->variable = name;
		}
		q->n_places++;
	}
	buf_addz(out, value ? value : "");
	if (!value)
		suite_fail(s, "%s: nothing is called {{%s}} in world %s", route_name(s, q->route), name, w->label);
}

static const char *expand_text(
    struct suite *s, struct world *w, const char *text, struct replacement replacement, struct request *q)
{
	struct buf out;
	const char *open;
	if (!text)
		return NULL;
	buf_init(&out, TEXT_MAX);
	for (; (open = strstr(text, "{{")) != NULL; text = strstr(open, "}}") + 2) {
		buf_add(&out, text, (size_t)(open - text));
		expand_variable(s, w, &out, arena_dup(&s->arena, open + 2, (size_t)(strstr(open, "}}") - open - 2)),
		    replacement, q);
	}
	buf_addz(&out, text);
	const char *made = arena_dupz(&s->arena, out.data);
	buf_free(&out);
	return made;
}

/* "/v1/people/{personId}" as "/v1/people/{{person}}" */
static const char *path_template(struct suite *s, const struct endpoint *route)
{
	struct buf out;
	const char *p = route->path, *open;
	buf_init(&out, TEXT_MAX);
	for (; (open = strchr(p, '{')) != NULL; p = strchr(open, '}') + 1) {
		const char *variable = isolation_path_variable(open + 1, strcspn(open + 1, "}"));
		buf_add(&out, p, (size_t)(open - p));
		buf_printf(&out, "{{%s}}", variable ? variable : "unknown");
	}
	buf_addz(&out, p);
	const char *made = arena_dupz(&s->arena, out.data);
	buf_free(&out);
	return made;
}

void request_make(struct suite *s, struct world *w, const struct endpoint *route, const struct isolation_sample *sample,
    struct replacement replacement, struct request *out)
{
	memset(out, 0, sizeof *out);
	out->route = route;
	out->target = expand_text(s, w, path_template(s, route), replacement, out);
	if (sample && sample->query)
		out->target =
		    arena_printf(&s->arena, "%s?%s", out->target, expand_text(s, w, sample->query, replacement, out));
	if (sample && sample->body)
		out->body = expand_text(s, w, sample->body, replacement, out);
}

void request_send(struct suite *s, const struct world *w, const struct request *q, const char *idempotency_key,
    struct client_reply *reply)
{
	struct client_request request = {.method = q->route->method, .target = q->target, .body = q->body};
	char error[256];
	request.body_len = q->body ? strlen(q->body) : 0;
	request.headers[request.n_headers++] =
	    (struct client_header){"Authorization", arena_printf(&s->arena, "Bearer %s", w->key)};
	if (q->body)
		request.headers[request.n_headers++] = (struct client_header){"Content-Type", "application/json"};
	if (idempotency_key)
		request.headers[request.n_headers++] = (struct client_header){"Idempotency-Key", idempotency_key};
	s->requests++;
	if (s->send)
		s->send(s, &request, reply);
	else if (!client_send(s->client, &s->arena, &request, reply, error)) {
		fprintf(stderr, "%s %s: no answer: %s\n", request.method, q->target, error);
		exit(1);
	}
}

/* --- seeding ----------------------------------------------------------------------- */

/* Sends it; returns data.id, NULL when there is none. */
static const char *seed_send(struct suite *s, struct world *w, const struct seed *seed)
{
	const struct endpoint *route = route_named(seed->route);
	const struct isolation_sample sample = {.body = seed->body};
	struct client_reply reply;
	struct request q;
	const char *error;
	if (!route || (isolation_for_admins(route) && !w->admin))
		return NULL;
	request_make(s, w, route, &sample, (struct replacement){.at = -1}, &q);
	request_send(s, w, &q, NULL, &reply);
	if (reply.status != 200)
		suite_fail(
		    s, "world %s: %s %s answered %d: %s", w->label, seed->route, q.body, reply.status, reply.body);
	const struct json *data = json_read(&s->arena, reply.body, reply.body_len, &error);
	data = data && data->type == JSON_OBJECT ? json_member(data, "data") : NULL;
	data = data && data->type == JSON_OBJECT ? json_member(data, "id") : NULL;
	return data && data->type == JSON_STRING ? data->text : NULL;
}

void world_seed(struct suite *s, struct world *w)
{
	for (const struct seed *seed = seeds; seed->route; seed++) {
		const char *id = seed_send(s, w, seed);
		if (id && seed->variable)
			world_set(w, seed->variable, id, !(w->private && seed->open));
	}
}

static const char *make_victim(struct suite *s, struct world *w, const char *variable)
{
	for (const struct seed *seed = victims; seed->route; seed++)
		if (strcmp(seed->variable, variable) == 0)
			return seed_send(s, w, seed);
	return NULL;
}
