#include "test/api/issue.h"

#include <string.h>

#include "test/api/compare.h"

/* Length of the JSON value or bare word that text begins with. */
static size_t value_length(const char *text)
{
	size_t depth = 0, i = 0;
	bool quoted = false;

	for (; text[i]; i++) {
		if (quoted) {
			if (text[i] == '\\' && text[i + 1])
				i++;
			else if (text[i] == '"')
				quoted = false;
		} else if (text[i] == '"') {
			quoted = true;
		} else if (strchr("[{", text[i])) {
			depth++;
		} else if (strchr("]}", text[i]) && depth) {
			depth--;
		} else if (text[i] == ' ' && depth == 0) {
			break;
		}
	}
	return i;
}

static bool is_json(const char *text, size_t len)
{
	struct arena a;
	const char *error;

	arena_init(&a);
	bool is = json_read(&a, text, len, &error) != NULL;
	arena_free(&a);
	return is;
}

/* A value as JSON, a bare word as a string; so is null, which is the name of a type here. */
static void put_value(struct json_out *o, const char *text, size_t len)
{
	bool null = len == 4 && memcmp(text, "null", 4) == 0;

	if (!null && is_json(text, len))
		json_raw(o, text, len);
	else
		json_string_len(o, text, len);
}

/* Parses name=value words after the path; returns which of the usual members were named. */
static const char *put_members(struct json_out *o, const char *text, unsigned *named)
{
	static const char *const usual[] = {"message", "inclusive", "exact", "expected", "received", "..."};

	while (*(text += strspn(text, " "))) {
		size_t name = strcspn(text, "= ");
		for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
			if (strlen(usual[i]) == name && memcmp(usual[i], text, name) == 0)
				*named |= 1U << i;
		json_key_len(o, text, name);
		if (text[name] != '=') {
			if (name != 3 || memcmp(text, "...", 3) != 0)
				return "a member is name=value";
			json_null(o);
			text += name;
			continue;
		}
		text += name + 1;
		size_t len = value_length(text);
		put_value(o, text, len);
		text += len;
	}
	return NULL;
}

static void put_usual(struct json_out *o, const char *code, bool required, unsigned named)
{
	enum { MESSAGE = 1, INCLUSIVE = 2, EXACT = 4, EXPECTED = 8, RECEIVED = 16 };

	if (!(named & MESSAGE)) {
		json_key(o, "message");
		json_string(o, required ? "Required" : "<text>");
	}
	if (strncmp(code, "too_", 4) == 0 && !(named & INCLUSIVE)) {
		json_key(o, "inclusive");
		json_bool(o, true);
	}
	if (strncmp(code, "too_", 4) == 0 && !(named & EXACT)) {
		json_key(o, "exact");
		json_bool(o, false);
	}
	if (strcmp(code, "invalid_type") == 0 && !(named & EXPECTED)) {
		json_key(o, "expected");
		json_string(o, "<text>");
	}
	if (strcmp(code, "invalid_type") == 0 && !(named & RECEIVED)) {
		json_key(o, "received");
		json_string(o, required ? "undefined" : "<text>");
	}
}

const struct json *issue_expected(struct arena *a, const char *text, const char **error)
{
	struct json_out o;
	struct buf out;
	size_t len = strcspn(text, " ");
	bool required = len == 8 && memcmp(text, "required", 8) == 0;
	const char *code = required ? "invalid_type" : arena_dup(a, text, len);
	unsigned named = 0;

	text += len + strspn(text + len, " ");
	len = value_length(text);
	if (*text != '[' || !is_json(text, len)) {
		*error = "an issue is \"* code [path] name=value …\"";
		return NULL;
	}
	buf_init(&out, 1 << 20);
	json_out_init(&o, &out);
	json_begin_object(&o);
	json_key(&o, "code");
	json_string(&o, code);
	json_key(&o, "path");
	json_raw(&o, text, len);
	*error = put_members(&o, text + len, &named);
	put_usual(&o, code, required, named);
	json_end_object(&o);
	const struct json *expected = *error ? NULL : json_read(a, out.data, out.len, error);
	buf_free(&out);
	return expected;
}

static struct json *copy_json(struct arena *a, const struct json *value)
{
	struct json *copy = arena_alloc(a, sizeof *copy);

	*copy = *value;
	return copy;
}

static const struct json *issues_of(const struct json *body)
{
	static const char *const way[] = {"error", "details", "issues"};

	for (size_t i = 0; i < 3; i++)
		body = body && body->type == JSON_OBJECT ? json_member(body, way[i]) : NULL;
	return body && body->type == JSON_ARRAY ? body : NULL;
}

/* An issue without its hint, unless the case expects one. */
static const struct json *without_hint(struct arena *a, const struct json *issue, const struct json *expected)
{
	struct json *copy = copy_json(a, issue), **at;

	if (issue->type != JSON_OBJECT || json_member(expected, "hint"))
		return issue;
	for (at = &copy->first; *at;) {
		if (strcmp((*at)->key, "hint") == 0) {
			*at = (*at)->next;
			copy->count--;
		} else {
			*at = copy_json(a, *at);
			at = &(*at)->next;
		}
	}
	return copy;
}

bool issue_check(const struct api_answer *w, const struct json *body)
{
	const struct case_answer *wanted = w->step->answer;
	const struct json *issues = issues_of(body), *got = issues ? issues->first : NULL;
	bool ok = true;

	if (wanted->n_issues == 0)
		return true;
	bool open = strcmp(wanted->issues[wanted->n_issues - 1], "...") == 0;
	size_t n = wanted->n_issues - open;
	if (!issues || issues->count < n || (issues->count > n && !open)) {
		buf_printf(w->out, "  %s:%d: %zu issues expected, got %zu\n", w->play->path, wanted->status_line, n,
		    issues ? issues->count : 0);
		ok = false;
	}
	for (size_t i = 0; i < n && got; i++, got = got->next) {
		struct buf differences;
		const char *error = NULL;
		const char *text = expand_case_text(&w->play->variables, w->arena, wanted->issues[i], NULL, &error);
		const struct json *expected = text ? issue_expected(w->arena, text, &error) : NULL;
		buf_init(&differences, 1 << 16);
		if (!expected ||
		    !compare_json(w->arena, NULL, expected, without_hint(w->arena, got, expected), &differences)) {
			buf_printf(w->out, "  %s:%d: %s\n%.*s", w->play->path, wanted->issue_lines[i],
			    expected ? "the issue differs" : error, (int)differences.len,
			    differences.len ? differences.data : "");
			ok = false;
		}
		buf_free(&differences);
	}
	return ok;
}
