#include "test/api/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/clock.h"
#include "test/api/step_answer.h"
#include "test/api/hits.h"
#include "test/api/recording.h"
#include "test/lib/patience.h"

enum { POLL_MS = 20, SHOWN_MAX = 1500 };

bool play_prepare(struct play *p, const char **error)
{
	size_t len;
	const char *text = expand_case_text(&p->variables, p->arena, p->templates_text, &len, error);

	p->templates = text ? json_read(p->arena, text, len, error) : NULL;
	return p->templates != NULL;
}

static bool add_header(struct client_request *r, const char *name, const char *value)
{
	if (r->n_headers == CLIENT_HEADERS_MAX)
		return false;
	r->headers[r->n_headers++] = (struct client_header){name, value};
	return true;
}

static bool step_mentions(const struct case_step *s, const char *name)
{
	for (size_t i = 0; i < s->n_headers; i++)
		if (strcasecmp(s->headers[i].name, name) == 0)
			return true;
	return false;
}

static const char *make_headers(struct play *p, struct arena *a, const struct case_step *s, struct client_request *r)
{
	const char *error = NULL;
	const char *name = arena_printf(a, "%s_key", s->key ? s->key : "ada");
	const char *key = variable_get(&p->variables, name);

	if (!step_mentions(s, "Authorization") && !(s->key && !*s->key)) {
		if (!key)
			return arena_printf(a, "nobody is called %s", s->key);
		add_header(r, "Authorization", arena_printf(a, "Bearer %s", key));
	}
	if (s->body && !step_mentions(s, "Content-Type"))
		add_header(r, "Content-Type", "application/json");
	for (size_t i = 0; i < s->n_headers; i++) {
		if (!s->headers[i].value)
			continue;
		const char *value = expand_case_text(&p->variables, a, s->headers[i].value, NULL, &error);
		if (!value)
			return error;
		add_header(r, s->headers[i].name, value);
	}
	return NULL;
}

/* Makes the request of a step; answers what is wrong with it, or NULL. */
static const char *make_request(struct play *p, struct arena *a, const struct case_step *s, struct client_request *r)
{
	const char *error = NULL;

	memset(r, 0, sizeof(*r));
	r->method = s->method;
	r->target = expand_case_text(&p->variables, a, s->target, NULL, &error);
	if (!r->target)
		return error;
	/* a nextLink is followed as a client does: to its path on the same server */
	size_t base_len = strlen(p->base);
	if (strncmp(r->target, p->base, base_len) == 0 && r->target[base_len] == '/')
		r->target += base_len;
	if (s->body) {
		r->body = expand_case_text(&p->variables, a, s->body, &r->body_len, &error);
		if (r->body && s->body_escaped)
			r->body = expand_escapes(a, r->body, &r->body_len, &error);
		if (!r->body)
			return error;
	}
	return make_headers(p, a, s, r);
}

static bool play_attempt(struct play *p, struct arena *a, const struct case_step *s, struct buf *out)
{
	struct client_request request;
	struct client_reply reply;
	char failure[256];
	const char *error = make_request(p, a, s, &request);

	if (error) {
		buf_printf(out, "  %s:%d: %s\n", p->path, s->line, error);
		return false;
	}
	if (!client_send(p->client, a, &request, &reply, failure)) {
		buf_printf(
		    out, "  %s:%d: %s %s: no answer: %s\n", p->path, s->line, request.method, request.target, failure);
		return false;
	}
	record_exchange(&request, &reply, s->example);
	hits_note(request.method, request.target, reply.status);
	struct api_answer answer = {.play = p, .arena = a, .step = s, .request = &request, .reply = &reply, .out = out};
	if (answer_check(&answer))
		return true;
	buf_printf(out, "    the request: %s %.300s\n", request.method, request.target);
	if (request.body)
		buf_printf(out, "      %.*s\n", (int)(request.body_len > SHOWN_MAX ? SHOWN_MAX : request.body_len),
		    request.body);
	buf_printf(out, "    the answer: %d\n      %.*s\n", reply.status, SHOWN_MAX, reply.body);
	return false;
}

/* Runs one request, repeatedly if the step says so, until it succeeds. */
static bool run_request(struct play *p, const struct case_step *s, struct buf *out)
{
	int64_t end_us = clock_mono_us() + s->poll_s * INT64_C(1000000);

	for (;;) {
		struct arena a;
		arena_init(&a);
		buf_clear(out);
		bool ok = play_attempt(p, &a, s, out);
		arena_free(&a);
		if (ok || clock_mono_us() >= end_us)
			return ok;
		patience_rest(POLL_MS);
	}
}

static bool run_command(struct play *p, const struct case_step *s, struct buf *out)
{
	const char *argv[COMMAND_ARGS_MAX + 1], *printed, *error = NULL;
	const char *line = expand_case_text(&p->variables, p->arena, s->command, NULL, &error);
	size_t n = 0;

	if (!line) {
		buf_printf(out, "  %s:%d: %s\n", p->path, s->line, error);
		return false;
	}
	while (*(line += strspn(line, " ")) && n < COMMAND_ARGS_MAX) {
		bool quoted = *line == '"';
		size_t len = strcspn(line + quoted, quoted ? "\"" : " ");
		argv[n++] = arena_dup(p->arena, line + quoted, len);
		line += quoted + len + (quoted && line[quoted + len]);
	}
	argv[n] = NULL;
	int code = command_run(p->program, p->arena, argv, &printed);
	if (code != 0) {
		buf_printf(out, "  %s:%d: kith %s: exit code %d\n", p->path, s->line, s->command, code);
		return false;
	}
	struct json *object = json_read(p->arena, printed, strcspn(printed, "\n"), &error);
	return !s->captures || answer_capture(p, s, NULL, object, out);
}

static bool run_step(struct play *p, const struct case_step *s, struct buf *out)
{
	if (s->kind == STEP_COMMAND)
		return run_command(p, s, out);
	for (int i = 1; i <= s->repeat; i++) {
		char number[16];
		snprintf(number, sizeof(number), "%d", i);
		variable_set(&p->variables, "n", number);
		if (!run_request(p, s, out)) {
			if (s->repeat > 1)
				buf_printf(out, "    (time %d of %d)\n", i, s->repeat);
			return false;
		}
	}
	return true;
}

bool play_case(struct play *p, const struct test_case *test)
{
	struct buf out;
	bool ok = true;

	buf_init(&out, 1 << 20);
	for (const struct case_step *s = test->steps; s && ok; s = s->next) {
		buf_clear(&out);
		ok = run_step(p, s, &out);
	}
	if (!ok)
		printf("%s:%d: %s\n%.*s", p->path, test->line, test->name, (int)out.len, out.data);
	buf_free(&out);
	return ok;
}
