/* search becomes a list or a search of the API, depending on the kind of records. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/query.h"
#include "server/base/text.h"

enum { TARGET_MAX = 2 * QUERY_MAX };
#define BLANK " \t\r\n"

const struct json *search_text(const struct req *r)
{
	const struct json *text = call_argument(r, "text");

	return text && text->text[strspn(text->text, BLANK)] ? text : NULL;
}

/* --- people, companies, objects: the body of a search ------------------------------------- */

static enum step search_records(struct req *r, const struct kind *kind, const char *type)
{
	static const char *const passed[] = {"filter", "sort", "limit", "cursor"};
	struct json *body = json_make(&r->arena, JSON_OBJECT);

	if (search_text(r))
		json_attach(&r->arena, body, kind->text_param, search_text(r));
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (call_given(r, passed[i]))
			json_attach(&r->arena, body, passed[i], call_given(r, passed[i]));
	return call_send(r, HTTP_POST, arena_printf(&r->arena, "%s/search", call_path(r, kind, type)), body);
}

/* --- other kinds: the query of a list ------------------------------------------------------- */

static void put_pair(struct buf *out, const char *key, const char *text, size_t len)
{
	buf_addc(out, out->len && memchr(out->data, '?', out->len) ? '&' : '?');
	text_percent_encode(out, key, strlen(key));
	buf_addc(out, '=');
	text_percent_encode(out, text, len);
}

/* {"dueAt": {"gt": "2026-01-31"}} becomes filter[dueAt][gt]=2026-01-31; a list repeats its key. Empty values are passed
 * on too, because the API refuses them. The length limit of the target limits how much is written. */
static void put_value(struct req *r, struct buf *out, const char *key, const struct json *value)
{
	if ((value->type == JSON_ARRAY || value->type == JSON_OBJECT) && !value->first) {
		put_pair(out, key, "", 0);
		return;
	}
	switch (value->type) {
	case JSON_NULL:
		put_pair(out, key, "", 0);
		break;
	case JSON_BOOL:
		put_pair(out, key, value->truth ? "true" : "false", value->truth ? 4 : 5);
		break;
	case JSON_NUMBER:
	case JSON_STRING:
		put_pair(out, key, value->text, value->len);
		break;
	case JSON_ARRAY:
		json_each(item, value)
			put_value(r, out, key, item);
		break;
	case JSON_OBJECT:
		for (const struct json *m = value->first; m && !out->overflow; m = m->next)
			put_value(r, out, arena_printf(&r->arena, "%s[%s]", key, m->key), m);
		break;
	}
}

static bool is_member(const struct kind *kind, const struct json *m)
{
	for (int i = 0; kind->members[i]; i++)
		if (strcmp(kind->members[i], m->key) == 0)
			return true;
	return false;
}

/* Members of the filter are parameters of the list, or its filters. */
static void put_filter(struct req *r, struct buf *out, const struct kind *kind)
{
	const struct json *filter = call_argument(r, "filter");
	struct path at = PATH_NAME(NULL, "filter");
	struct issue_keys unknown;

	issue_keys_begin(&unknown, &r->given.issues, near_list, kind->members, "known here");
	json_each_member(m, filter) {
		struct path at_member = PATH_NAME(&at, m->key);
		bool single = m->type != JSON_OBJECT && m->type != JSON_ARRAY;
		if (is_member(kind, m) && single)
			put_value(r, out, strcmp(m->key, "entity") == 0 ? "entity.id" : m->key, m);
		else if (kind->filters) /* a plain value is the id of a reference */
			put_value(r, out,
			    arena_printf(&r->arena, m->type == JSON_OBJECT ? "filter[%s]" : "filter[%s][in]", m->key),
			    m);
		else if (is_member(kind, m))
			issue_type(&r->given.issues, &at_member, "string", m);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	issue_keys_end(&unknown, &at);
}

const char *search_target(struct req *r, const struct kind *kind)
{
	static const char *const passed[] = {"sort", "limit", "cursor"};
	const struct json *text = search_text(r);
	const char *found = NULL;
	struct buf target;

	if (text && !kind->text_param) {
		reply_error(r, ERROR_UNPROCESSABLE,
		    arena_printf(
		        &r->arena, "A text is not looked for in %s; leave it out, and use filter", kind->plural));
		return NULL;
	}
	buf_init(&target, TARGET_MAX);
	buf_addz(&target, kind->path);
	put_filter(r, &target, kind);
	if (text)
		put_pair(&target, kind->text_param, text->text, text->len);
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (call_given(r, passed[i]))
			put_value(r, &target, passed[i], call_given(r, passed[i]));
	if (r->given.issues.count)
		result_bad_arguments(r);
	else if (target.overflow)
		reply_error(r, ERROR_UNPROCESSABLE, "The filter is too long");
	else
		found = arena_dup(&r->arena, target.data, target.len);
	buf_free(&target);
	return found;
}

static enum step search_list(struct req *r, const struct kind *kind)
{
	const char *target = search_target(r, kind);

	return target ? call_send(r, HTTP_GET, target, NULL) : DONE;
}

/* --- all kinds ------------------------------------------------------------------------------ */

/* The best matches of all kinds. They have no filter, order or further pages. */
static enum step search_all(struct req *r)
{
	static const char *const needs_kind[] = {"filter", "sort", "cursor"};
	const struct json *text = search_text(r), *limit = call_argument(r, "limit");
	struct path at = PATH_NAME(NULL, "kind");

	for (size_t i = 0; i < sizeof needs_kind / sizeof *needs_kind; i++) {
		const struct json *value = call_given(r, needs_kind[i]);
		if (value && (value->type != JSON_OBJECT || value->first) && !r->given.issues.count)
			issue_custom(&r->given.issues, &at, "Required with %s", needs_kind[i]);
	}
	if (!text && !r->given.issues.count)
		issue_custom(&r->given.issues, &at, "Required without text");
	if (!kind_has_fields(r, &search_hit_resource))
		return result_bad_arguments(r);
	return call_send(r, HTTP_GET,
	    arena_printf(&r->arena, "/v1/search?q=%s%s%s", call_encoded(r, text->text, text->len),
	        limit ? "&limit=" : "", limit ? limit->text : ""),
	    NULL);
}

enum step call_search(struct req *r)
{
	const struct json *name = call_argument(r, "kind");
	struct path at = PATH_NAME(NULL, "sort");
	const struct kind *kind;
	const char *type;

	if (!name)
		return search_all(r);
	kind = kind_named(r, name->text, name->len, call_of(r)->tool->kinds, &type);
	if (call_given(r, "sort") && !kind->sorted) {
		issue_custom(&r->given.issues, &at, "Lists of %s have one order: the oldest first", kind->plural);
	}
	if (!kind_has_fields(r, kind->resource))
		return result_bad_arguments(r);
	return kind->searched ? search_records(r, kind, type) : search_list(r, kind);
}
