#include "test/api/step_answer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "test/api/answer_rules.h"
#include "test/api/compare.h"
#include "test/api/issue.h"
#include "test/api/placeholder.h"
#include "test/api/protocol.h"

static void fault_at(const struct api_answer *w, int line)
{
	buf_printf(w->out, "  %s:%d: ", w->play->path, line);
}

static bool is_code(const char *text)
{
	return isupper((unsigned char)text[0]) && (isupper((unsigned char)text[1]) || text[1] == '_');
}

static bool check_status(const struct api_answer *w, const struct json *body)
{
	const struct case_answer *s = w->step->answer;
	const struct json *error = body ? json_member(body, "error") : NULL;
	const struct json *code = error ? json_member(error, "code") : NULL;
	const struct json *message = error ? json_member(error, "message") : NULL;
	const char *wanted = is_code(s->status_text) ? s->status_text : check_default_code(s->status);

	if (w->reply->status != s->status) {
		fault_at(w, s->status_line);
		buf_printf(w->out, "status %d expected, got %d\n", s->status, w->reply->status);
		return false;
	}
	if (s->status < 400 || strcmp(w->step->method, "HEAD") == 0 || protocol_is_other(w->request->target))
		return true;
	if (wanted && (!code || code->type != JSON_STRING || strcmp(code->text, wanted) != 0)) {
		fault_at(w, s->status_line);
		buf_printf(w->out, "error code %s expected\n", wanted);
		return false;
	}
	if (*s->status_text && !is_code(s->status_text) &&
	    (!message || message->type != JSON_STRING || strcmp(message->text, s->status_text) != 0)) {
		fault_at(w, s->status_line);
		buf_printf(w->out, "error message \"%s\" expected\n", s->status_text);
		return false;
	}
	return true;
}

static bool check_header(const struct api_answer *w, const struct case_header *h)
{
	const char *got = client_header(w->reply, h->name), *error = NULL;
	const char *wanted = h->value ? expand_case_text(&w->play->variables, w->arena, h->value, NULL, &error) : NULL;

	if (error || !h->value) {
		if (!error && !got)
			return true;
		fault_at(w, w->step->answer->status_line);
		buf_printf(w->out, "header %s: %s\n", h->name, error ? error : "must be absent");
		return false;
	}
	if (got && shape_match_text(wanted, got) && client_header_count(w->reply, h->name) == 1)
		return true;
	fault_at(w, w->step->answer->status_line);
	buf_printf(w->out, "header %s: expected %s, got %s\n", h->name, wanted, got ? got : "nothing");
	return false;
}

static bool check_body(const struct api_answer *w, const struct json *body)
{
	const char *error = NULL;
	size_t len;

	if (!w->step->answer->body)
		return true;
	const char *text = expand_case_text(&w->play->variables, w->arena, w->step->answer->body, &len, &error);
	const struct json *expected = text ? json_read(w->arena, text, len, &error) : NULL;
	if (!expected || !body) {
		fault_at(w, w->step->answer->body_line);
		buf_printf(w->out, "%s\n", expected ? "a JSON body is expected" : error);
		return false;
	}
	struct buf differences;
	buf_init(&differences, 1 << 16);
	bool same = compare_json(w->arena, w->play->templates, expected, body, &differences);
	if (!same) {
		fault_at(w, w->step->answer->body_line);
		buf_printf(w->out, "the body differs\n%.*s", (int)differences.len, differences.data);
	}
	buf_free(&differences);
	return same;
}

static const char *sent_header(const struct api_answer *w, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < w->request->n_headers && !value; i++)
		if (strcasecmp(w->request->headers[i].name, name) == 0)
			value = w->request->headers[i].value;
	return value;
}

/* The address that links must begin with: that of the server, or as a trusted proxy's
 * headers, an absolute-form target or Host name it, in this order. */
static const char *public_base(const struct api_answer *w)
{
	const char *scheme = sent_header(w, "X-Forwarded-Proto"), *host = sent_header(w, "X-Forwarded-Host");

	const char *target = w->request->target;

	if (!host && strncmp(target, "http://", 7) == 0)
		host = arena_dup(w->arena, target + 7, strcspn(target + 7, "/?"));
	host = host ? host : sent_header(w, "Host");
	if (!scheme && !host)
		return w->play->base;
	return arena_printf(
	    w->arena, "%s://%s", scheme ? scheme : "http", host ? host : w->play->base + strlen("http://"));
}

bool answer_check(const struct api_answer *w)
{
	const char *ignored;
	const struct json *body =
	    w->reply->body_len ? json_read(w->arena, w->reply->body, w->reply->body_len, &ignored) : NULL;
	struct check general = {.base = public_base(w),
	    .method = w->request->method,
	    .target = w->request->target,
	    .reply = w->reply,
	    .body = body};
	bool ok = check_status(w, body);

	/* without the expected status the rest is of little use */
	for (size_t i = 0; i < w->step->answer->n_headers && ok; i++)
		ok = check_header(w, &w->step->answer->headers[i]);
	ok = ok && issue_check(w, body) && check_body(w, body);
	struct buf faults;
	buf_init(&faults, 1 << 16);
	if (!check_reply(&general, &faults)) {
		fault_at(w, w->step->line);
		buf_printf(w->out, "what every answer must have\n%.*s", (int)faults.len, faults.data);
		ok = false;
	}
	buf_free(&faults);
	return ok && answer_capture(w->play, w->step, w->reply, body, w->out);
}

/* "data.items.0.id" */
static const struct json *json_find(const struct json *value, const char *path)
{
	while (value && *path) {
		size_t len = strcspn(path, ".");
		const struct json *child = value->first;
		if (value->type == JSON_ARRAY)
			for (long i = strtol(path, NULL, 10); child && i > 0; i--)
				child = child->next;
		else
			while (child && (child->key_len != len || memcmp(child->key, path, len) != 0))
				child = child->next;
		value = child;
		path += len + (path[len] == '.');
	}
	return value;
}

static const char *text_of(struct play *p, const struct json *value)
{
	struct json_out o;
	struct buf text;

	if (value->type == JSON_STRING || value->type == JSON_NUMBER)
		return value->text;
	buf_init(&text, 1 << 20);
	json_out_init(&o, &text);
	json_value(&o, value);
	const char *copy = arena_dup(p->arena, text.data, text.len);
	buf_free(&text);
	return copy;
}

/* What follows the words "text BEFORE" in the body, up to a quotation mark, or "header NAME BEFORE" in a header, up to
 * an ampersand. */
static const char *text_after(struct arena *a, const struct client_reply *reply, const char *path)
{
	bool header = strncmp(path, "header ", 7) == 0;
	const char *name = arena_dup(a, path + 7, header ? strcspn(path + 7, " ") : 0);
	const char *before = header ? path + 7 + strlen(name) : path + 5;
	const char *text = header ? client_header(reply, name) : reply->body, *at;

	before += header && *before == ' ';
	at = text ? strstr(text, before) : NULL;
	at = at ? at + strlen(before) : NULL;
	return !at ? NULL : *before ? arena_dup(a, at, strcspn(at, header ? "&" : "\"")) : at;
}

bool answer_capture(struct play *p, const struct case_step *s, const struct client_reply *reply,
    const struct json *body, struct buf *out)
{
	for (const struct case_capture *c = s->captures; c; c = c->next) {
		const char *error = NULL, *value = NULL;
		const char *path = expand_case_text(&p->variables, p->arena, c->path, NULL, &error);
		if (path && (strncmp(path, "header ", 7) == 0 || strncmp(path, "text ", 5) == 0)) {
			value = reply ? text_after(p->arena, reply, path) : NULL;
		} else if (path) {
			const struct json *found = json_find(body, path);
			value = found ? text_of(p, found) : NULL;
		}
		if (!value) {
			buf_printf(out, "  %s:%d: %s\n", p->path, c->line,
			    error ? error : "there is nothing to capture at that path");
			return false;
		}
		variable_set(&p->variables, c->name, value);
	}
	return true;
}
