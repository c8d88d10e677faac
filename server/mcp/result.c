/* Turns answers of the API into results of tools. A success becomes structured content and text. An error becomes a
 * text that says what to do. */
#include "server/mcp/call.h"

#include <stdio.h>
#include <string.h>

#include "server/base/text.h"
#include "server/request/reply.h"

enum {
	TEXT_REPEATED = 2 << 10, /* bytes of structured content that are repeated as text */
	TEXT_MOST = 128 << 10,   /* bytes of a text that is the whole result */
	EXPLANATION_MAX = 1 << 20,
	ISSUES_SHOWN = 20
};

/* --- errors ----------------------------------------------------------------------------- */

static const struct {
	const char *code, *advice;
} advices[] = {
    {"RESOURCE_NOT_FOUND", "Find the record's id with search, and groups and object types with describe."},
    {"FORBIDDEN", "Tell the user that the key or its user lacks this right; trying again does not help."},
    {"UNPROCESSABLE_ENTITY", "Correct the arguments, then call again."},
    {"PRECONDITION_FAILED", "Somebody has changed the record since you read it: get it again, see whether your change "
                            "is still right, and update it with the etag that it has now."},
    {"TOO_MANY_REQUESTS", "Wait that long, then call again; nothing was done."},
    {"SERVICE_UNAVAILABLE", "Nothing was done: call again in a moment, with the same idempotencyKey if there is one."},
    {"IDEMPOTENCY_UNAVAILABLE", "Nothing was done: call again in a moment, with the same idempotencyKey."},
    {"IDEMPOTENCY_REQUEST_IN_PROGRESS", "Call again in a second, with the same idempotencyKey."},
    {"IDEMPOTENCY_KEY_REUSED", "Use a new idempotencyKey for another call."},
    {"IDEMPOTENCY_KEY_INVALID",
        "_meta.idempotencyKey has 1 to 255 printable ASCII characters and no space; use a UUID."},
    {"IDEMPOTENCY_RESPONSE_NOT_STORED", "It was done: look at the record before you do anything else."},
    {"INTERNAL_SERVER_ERROR", "Check whether it was done before you try again; tell the user the request's id."},
};

static const char *result_advice(const char *code)
{
	for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
		if (strcmp(advices[i].code, code) == 0)
			return advices[i].advice;
	return "Correct the call before you repeat it.";
}

static bool names_argument(const struct tool *t, const struct json *name)
{
	for (int i = 0; i < ARGUMENTS_MAX && t->arguments[i].name; i++)
		if (strcmp(t->arguments[i].name, name->text) == 0)
			return true;
	return false;
}

/* Replaces the paths in the API's issues with those of the tool's arguments. */
static void result_paths(struct req *r, const struct json *issues)
{
	const struct tool *t = call_of(r)->tool;
	struct json *path, *name;

	json_each(i, issues) {
		path = json_member(i, "path");
		name = path->first;
		for (int n = 0; name && n < ALIASES_MAX && t->names[n].api; n++)
			if (strcmp(name->text, t->names[n].api) == 0)
				name->text = t->names[n].argument, name->len = strlen(name->text);
		if (!t->body_at || (name && names_argument(t, name)))
			continue;
		path->first = json_make_text(&r->arena, t->body_at, strlen(t->body_at));
		path->first->next = name;
		path->count++;
	}
}

/* Writes a path such as fields.emails.0 */
static void put_path(struct buf *out, const struct json *path)
{
	json_each(p, path)
		buf_printf(out, "%s%s", p == path->first ? "" : ".", p->text);
}

static void put_issues(struct buf *out, const struct json *issues)
{
	int n = 0;

	for (const struct json *i = issues ? issues->first : NULL; i && n < ISSUES_SHOWN; i = i->next, n++) {
		buf_addz(out, "\n- ");
		put_path(out, json_member(i, "path"));
		buf_printf(out, "%s%s", out->data[out->len - 1] == ' ' ? "" : ": ", json_text(i, "message"));
		if (*json_text(i, "hint"))
			buf_printf(out, " (%s)", json_text(i, "hint"));
	}
	if (issues && issues->count > ISSUES_SHOWN)
		buf_printf(out, "\n- and %zu more", issues->count - ISSUES_SHOWN);
}

enum step result_bad_arguments(struct req *r)
{
	struct tool_call *c = call_of(r);

	c->own_issues = true;
	return reply_issues(r, arena_printf(&r->arena, "Invalid arguments for %s", c->tool->name));
}

static void put_explanation(struct req *r, struct buf *out, const struct json *error)
{
	const struct json *details = json_member(error, "details");
	const char *code = json_text(error, "code"), *into = json_text(details, "mergedInto");
	const char *wait = reply_header_get(&r->reply, "Retry-After");

	buf_addz(out, json_text(error, "message"));
	put_issues(out, json_member(details, "issues"));
	if (*into)
		buf_printf(out, "\nThe record was merged into %s: use that id.", into);
	else
		buf_printf(out, "\n%s", result_advice(code));
	if (wait)
		buf_printf(out, "\nRetry after %s s.", wait);
	buf_printf(out, "\n(%s, request %s)", code, json_text(error, "requestId"));
}

static void put_text(struct json_out *o, const char *text, size_t len)
{
	json_begin_object(o);
	json_add_string(o, "type", "text");
	json_key(o, "text");
	json_string_len(o, text, len);
	json_end_object(o);
}

static void result_failed(struct req *r, const struct json *error)
{
	const struct json *details = json_member(error, "details");
	const struct json *issues = json_member(details, "issues");
	struct json_out *o = &r->reply.json;
	int status = r->reply.status;
	struct buf text;

	buf_init(&text, EXPLANATION_MAX);
	put_explanation(r, &text, error);
	envelope_begin(r);
	json_key(o, "content");
	json_begin_array(o);
	put_text(o, text.data, text.len);
	json_end_array(o);
	json_add_bool(o, "isError", true);
	envelope_meta(r);
	json_add_int(o, "status", status);
	json_add_string(o, "code", json_text(error, "code"));
	json_add_string(o, "requestId", json_text(error, "requestId"));
	if (issues) {
		json_key(o, "issues");
		json_value(o, issues);
	}
	json_end_object(o);
	envelope_end_meta(r);
	buf_free(&text);
	r->reply.status = status;
	r->carrier->status = 200;
}

/* --- successes -------------------------------------------------------------------------- */

/* The text beside structured content that is too large to be sent twice. */
static const char *result_line(struct req *r, const struct result_shown *shown)
{
	if (!shown->list)
		return "The record is in structuredContent.";
	return arena_printf(&r->arena, "%zu item%s in structuredContent.%s", shown->items,
	    shown->items == 1 ? " is" : "s are",
	    shown->more ? " There are more: call again with the arguments in next." : "");
}

static void put_content(
    struct req *r, struct json_out *o, const struct buf *structured, const struct result_shown *shown)
{
	size_t most = call_of(r)->revision->structured ? TEXT_REPEATED : TEXT_MOST;
	const char *line = result_line(r, shown);
	char note[160] = "";

	json_begin_array(o);
	if (structured->len <= most)
		put_text(o, structured->data, structured->len);
	else if (call_of(r)->revision->structured)
		put_text(o, line, strlen(line));
	else
		put_text(o, structured->data, text_utf8_span(structured->data, most));
	if (structured->len > most && !call_of(r)->revision->structured)
		snprintf(note, sizeof note, "The result has %zu bytes. This text has the first %zu.", structured->len,
		    text_utf8_span(structured->data, most));
	else if (r->given.dry)
		snprintf(note, sizeof note,
		    "This was a dry run: nothing was changed. To do it, call again with dryRun false.");
	if (*note)
		put_text(o, note, strlen(note));
	json_end_array(o);
}

static void result_done(struct req *r)
{
	struct json_out *o = &r->reply.json;
	struct result_shown shown;
	struct buf structured;

	buf_init(&structured, RESULT_MAX);
	result_compact(r, &structured, &shown);
	envelope_begin(r);
	json_key(o, "content");
	put_content(r, o, &structured, &shown);
	if (call_of(r)->revision->structured) {
		json_key(o, "structuredContent");
		json_raw(o, structured.data, structured.len);
	}
	json_add_bool(o, "isError", false);
	if (r->reply.replayed) {
		envelope_meta(r);
		json_add_bool(o, "idempotentReplayed", true);
		json_end_object(o);
		envelope_end_meta(r);
	} else {
		envelope_end(r);
	}
	buf_free(&structured);
}

/* --- wrapping --------------------------------------------------------------------------- */

void result_headers(struct req *r)
{
	static const char *const kept[] = {"Retry-After", "WWW-Authenticate", "Idempotent-Replayed", "Content-Type"};
	size_t n = 0;

	for (size_t i = 0; i < r->reply.n_headers; i++)
		for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
			if (strcmp(r->reply.headers[i].name, kept[k]) == 0 && (k < 3 || i + 1 == r->reply.n_headers))
				r->reply.headers[n++] = r->reply.headers[i];
	r->reply.n_headers = n;
}

/* The user has not allowed the application enough. Its program, not the model, asks for more, and looks for the status
 * and the header. */
static bool result_asks_scopes(const struct req *r)
{
	return r->reply.status == 403 && reply_header_get(&r->reply, "WWW-Authenticate");
}

/* The request was refused before its message was read. The HTTP status says why, as clients of the protocol expect of a
 * 401. A call of a tool gets a result, so that the model sees the reason. */
static void result_refused(struct req *r, const struct json *error)
{
	bool unread = r->reply.error == ERROR_INVALID_REQUEST;
	int status = r->reply.status, number = !unread         ? call_of(r)->revision->failed
	                                       : status == 400 ? MESSAGE_NOT_JSON
	                                                       : MESSAGE_INVALID;

	if (status != 401 && !unread && !result_asks_scopes(r) && envelope_is_call(r)) {
		result_failed(r, error);
		return;
	}
	envelope_error(r, number, r->reply.error, status, json_text(error, "message"), NULL);
	r->reply.status = status;
}

void result_wrap(struct req *r)
{
	const struct tool_call *c = call_of(r);
	const struct json *body, *error, *issues;
	const char *why;

	if (c->answered)
		return;
	if (r->reply.status == 200) {
		result_done(r);
		result_headers(r);
		return;
	}
	body = json_read(&r->arena, r->reply.out.data, r->reply.out.len, &why);
	error = json_member(body, "error");
	issues = json_member(json_member(error, "details"), "issues");
	if (c->tool && !c->own_issues)
		result_paths(r, issues);
	if (c->tool && !result_asks_scopes(r))
		result_failed(r, error);
	else
		result_refused(r, error);
	result_headers(r);
}
