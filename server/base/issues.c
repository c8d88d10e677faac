/* The list of issues. The messages have the same wording as those of the public service. */
#include "server/base/issues.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/base/id.h"
#include "server/base/text.h"

enum { ISSUES_BYTES = 2 << 20, SHOWN_MAX = 100, HINT_BYTES = 8192 };

void issues_init(struct issues *is)
{
	memset(is, 0, sizeof *is);
	is->hints = HINTS_MAX;
	is->work = HINTS_WORK;
	buf_init(&is->json, ISSUES_BYTES);
}

void issues_free(struct issues *is)
{
	buf_free(&is->json);
}

static void issue_write_path(struct json_out *o, const struct path *at)
{
	if (!at)
		return;
	issue_write_path(o, at->up);
	if (at->name)
		json_string_len(o, at->name, at->len);
	else
		json_int(o, (int64_t)at->index);
}

/* Begins an issue; false when the list is full. */
static bool issue_begin(
    struct issues *is, struct json_out *o, const char *code, const char *message, const struct path *at)
{
	is->count++;
	if (is->count > ISSUES_MAX || is->json.overflow)
		return false;
	is->whole = is->json.len;
	if (is->count == 2)
		is->first = is->json.len;
	if (is->count > 1)
		buf_addc(&is->json, ',');
	json_out_init(o, &is->json);
	json_begin_object(o);
	json_add_string(o, "code", code);
	json_add_string(o, "message", message);
	json_key(o, "path");
	json_begin_array(o);
	issue_write_path(o, at);
	json_end_array(o);
	return true;
}

static void issue_member(struct json_out *o, const char *key, const char *text)
{
	json_add_string(o, key, text);
}

static void issue_add_type(
    struct issues *is, const struct path *at, const char *message, const char *expected, const char *received)
{
	struct json_out o;

	if (!issue_begin(is, &o, "invalid_type", message, at))
		return;
	issue_member(&o, "expected", expected);
	issue_member(&o, "received", received);
	json_end_object(&o);
}

void issue_type(struct issues *is, const struct path *at, const char *expected, const struct json *received)
{
	char message[120];

	snprintf(message, sizeof message, "Expected %s, received %s", expected, json_type_name(received));
	issue_add_type(is, at, message, expected, json_type_name(received));
}

void issue_required(struct issues *is, const struct path *at, const char *expected)
{
	issue_add_type(is, at, "Required", expected, "undefined");
}

void issue_range(struct issues *is, const struct path *at, bool big, long limit, const char *type, bool exact)
{
	const char *how = exact ? "exactly" : big ? "at most" : "at least";
	struct json_out o;
	char message[120];

	if (strcmp(type, "string") == 0)
		snprintf(message, sizeof message, "String must contain %s %ld character(s)", how, limit);
	else if (strcmp(type, "array") == 0)
		snprintf(message, sizeof message, "Array must contain %s %ld element(s)", how, limit);
	else
		snprintf(
		    message, sizeof message, "Number must be %s than or equal to %ld", big ? "less" : "greater", limit);
	if (!issue_begin(is, &o, big ? "too_big" : "too_small", message, at))
		return;
	json_key(&o, big ? "maximum" : "minimum");
	json_int(&o, limit);
	issue_member(&o, "type", type);
	json_add_bool(&o, "inclusive", true);
	json_add_bool(&o, "exact", exact);
	json_end_object(&o);
}

/* A quoted value is truncated at a code point boundary. */
static size_t issue_shown_len(const char *text, size_t len)
{
	return len <= SHOWN_MAX ? len : text_utf8_span(text, SHOWN_MAX);
}

/* --- hints ---------------------------------------------------------------------------- */

static bool hints_wanted(const struct issues *is)
{
	return is->hints > 0 && is->count > 0 && is->count <= ISSUES_MAX && !is->json.overflow;
}

/* Writes before the brace that ends the last issue. */
static void hint_put(struct issues *is, const char *text, size_t len)
{
	struct json_out o;

	if (!hints_wanted(is))
		return;
	is->hints--;
	is->json.len--;
	buf_addz(&is->json, ",\"hint\":");
	json_out_init(&o, &is->json);
	json_string_len(&o, text, len);
	buf_addc(&is->json, '}');
}

void issue_hint(struct issues *is, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	hint_put(is, text, text_utf8_span(text, strlen(text)));
}

static void hint_add_name(struct buf *out, const char *name, size_t len)
{
	buf_addz(out, out->len ? ", `" : "`");
	buf_add(out, name, issue_shown_len(name, len));
	buf_addc(out, '`');
}

/* similar: names with commas between them. */
static void hint_put_near(struct issues *is, const struct buf *similar, const struct near *n, const char *what)
{
	struct buf text, names;

	if (!similar->len && !n->count)
		return;
	buf_init(&text, HINT_BYTES);
	buf_init(&names, HINT_BYTES);
	for (size_t i = 0; !similar->len && i < n->count && i < NEAR_LISTED; i++)
		hint_add_name(&names, n->names[i], n->lens[i]);
	if (similar->len)
		buf_printf(&text, "did you mean %s?", similar->data);
	else
		buf_printf(&text, "%s: %s%s", what, names.data, n->count > NEAR_LISTED ? ", …" : "");
	hint_put(is, text.data, text.len);
	buf_free(&names);
	buf_free(&text);
}

void issue_hint_near(
    struct issues *is, const char *given, size_t len, near_names *known, const void *ctx, const char *what)
{
	struct buf similar;
	struct near n;

	if (!hints_wanted(is))
		return;
	near_begin(&n, given, len, &is->work);
	known(ctx, &n);
	buf_init(&similar, HINT_BYTES);
	if (n.best)
		hint_add_name(&similar, n.best, n.best_len);
	hint_put_near(is, &similar, &n, what);
	buf_free(&similar);
}

/* --- kinds of issues -------------------------------------------------------------------- */

void issue_id(struct issues *is, const struct path *at, bool big, const char *prefix)
{
	issue_range(is, at, big, ID_LEN, "string", true);
	if (prefix)
		issue_hint(is, "`%s_` and a UUID", prefix);
	else
		issue_hint(is, "an id: a prefix such as `per_`, and a UUID");
}

void issue_choice(
    struct issues *is, const struct path *at, const char *const *options, const char *received, size_t len)
{
	struct json_out o;
	struct buf message;
	struct near near;
	bool opened;

	buf_init(&message, 8192);
	buf_addz(&message, "Invalid enum value. Expected ");
	for (int i = 0; options[i]; i++)
		buf_printf(&message, "%s'%s'", i ? " | " : "", options[i]);
	buf_addz(&message, ", received '");
	buf_add(&message, received, issue_shown_len(received, len));
	buf_addc(&message, '\'');
	opened = issue_begin(is, &o, "invalid_enum_value", message.data, at);
	buf_free(&message);
	if (!opened)
		return;
	json_key(&o, "options");
	json_begin_array(&o);
	for (int i = 0; options[i]; i++)
		json_string(&o, options[i]);
	json_end_array(&o);
	json_key(&o, "received");
	json_string_len(&o, received, issue_shown_len(received, len));
	json_end_object(&o);
	near_begin(&near, received, len, &is->work);
	if (is->hints > 0)
		near_list(options, &near);
	if (near.best)
		issue_hint(is, "did you mean `%s`?", near.best);
}

static const struct {
	const char *validation, *form;
} string_forms[] = {
    {"date", "YYYY-MM-DD"},
    {"datetime", "YYYY-MM-DDTHH:MM:SSZ"},
    {"time", "HH:MM"},
    {"url", "https://host/path, or http"},
    {"rrule", "two lines: DTSTART;TZID=Europe/Berlin:YYYYMMDDTHHMMSS and RRULE:FREQ=WEEKLY"},
    {"cursor", "the cursor of an answer to the same request, unchanged"},
};

void issue_string(struct issues *is, const struct path *at, const char *validation)
{
	struct json_out o;
	char message[80];

	snprintf(message, sizeof message, "Invalid %s", validation);
	if (!issue_begin(is, &o, "invalid_string", message, at))
		return;
	issue_member(&o, "validation", validation);
	json_end_object(&o);
	for (size_t i = 0; i < sizeof string_forms / sizeof *string_forms; i++)
		if (strcmp(string_forms[i].validation, validation) == 0)
			issue_hint(is, "%s", string_forms[i].form);
}

void issue_string_form(struct issues *is, const struct path *at, const char *form)
{
	issue_string(is, at, "regex");
	issue_hint(is, "%s", form);
}

void issue_custom(struct issues *is, const struct path *at, const char *format, ...)
{
	struct json_out o;
	char message[1200];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	message[text_utf8_span(message, strlen(message))] = '\0'; /* no partial code point */
	if (issue_begin(is, &o, "custom", message, at))
		json_end_object(&o);
}

void issue_keys_begin(struct issue_keys *k, struct issues *is, near_names *known, const void *ctx, const char *what)
{
	k->is = is;
	k->count = 0;
	k->known = known;
	k->ctx = ctx;
	k->what = what;
	k->last.count = 0;
	buf_init(&k->keys, 64 << 10);
	buf_init(&k->names, 64 << 10);
	buf_init(&k->near, HINT_BYTES / 2);
}

static void keys_find_near(struct issue_keys *k, const char *key, size_t len)
{
	if (!k->known || k->is->hints <= 0 || k->count > NEAR_LISTED)
		return;
	near_begin(&k->last, key, len, &k->is->work);
	k->known(k->ctx, &k->last);
	if (k->last.best)
		hint_add_name(&k->near, k->last.best, k->last.best_len);
}

void issue_keys_add(struct issue_keys *k, const char *key, size_t len)
{
	struct json_out o;

	if (++k->count > ISSUES_MAX || k->keys.overflow)
		return;
	keys_find_near(k, key, len);
	if (k->keys.len)
		buf_addc(&k->keys, ',');
	json_out_init(&o, &k->keys);
	json_string_len(&o, key, issue_shown_len(key, len));
	buf_printf(&k->names, "%s'", k->names.len ? ", " : "");
	buf_add(&k->names, key, issue_shown_len(key, len));
	buf_addc(&k->names, '\'');
}

void issue_keys_end(struct issue_keys *k, const struct path *at)
{
	struct json_out o;
	struct buf message, array;

	if (k->count) {
		buf_init(&message, 128 << 10);
		buf_init(&array, 128 << 10);
		buf_printf(&message, "Unrecognized key(s) in object: %s",
		    k->names.overflow ? "too many to list" : k->names.data);
		if (issue_begin(k->is, &o, "unrecognized_keys", message.data, at)) {
			buf_printf(&array, "[%s]", k->keys.overflow ? "" : k->keys.data);
			json_key(&o, "keys");
			json_raw(&o, array.data, array.len);
			json_end_object(&o);
			hint_put_near(k->is, &k->near, &k->last, k->what);
		}
		buf_free(&message);
		buf_free(&array);
	}
	buf_free(&k->keys);
	buf_free(&k->names);
	buf_free(&k->near);
}

void issues_write(const struct issues *is, struct json_out *o)
{
	json_begin_array(o);
	if (is->count)
		json_raw(o, is->json.data, is->json.overflow ? is->whole : is->json.len);
	json_end_array(o);
}

void issues_details(const struct issues *is, struct buf *out)
{
	struct json_out o;

	json_out_init(&o, out);
	json_begin_object(&o);
	json_key(&o, "issues");
	issues_write(is, &o);
	json_end_object(&o);
}

/* --- issues in one line ----------------------------------------------------------------- */

const char *issues_in_line(struct arena *a, const struct issues *is)
{
	const char *error, *line = "", *hint;
	bool any = is->count && !is->json.overflow;
	const struct json *issue =
	    any ? json_read(a, is->json.data, is->count > 1 ? is->first : is->json.len, &error) : NULL;
	const struct json *path = json_member(issue, "path");

	if (!path)
		return NULL;
	json_each(p, path)
		line = arena_printf(a, "%s%s%s", line, *line ? "." : "", p->text);
	hint = json_text(issue, "hint");
	return arena_printf(a, "%s: %s%s%s", line, json_text(issue, "message"), *hint ? "; " : "", hint);
}
