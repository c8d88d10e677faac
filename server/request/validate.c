/* Parses and validates a request before any of it runs. */
#include "server/request/validate.h"

#include <string.h>

#include "server/base/etag.h"
#include "server/base/text.h"
#include "server/input/custom.h"
#include "server/request/admit.h"
#include "server/request/batch.h"
#include "server/request/object_scope.h"
#include "server/request/workspace_place.h"
#include "server/request/reply.h"
#include "server/request/server.h"
#include "server/request/slice.h"

/* The first kind of issue determines the error's message. */
static void first_issue_error(struct issues *issues, const char *message)
{
	if (issues->count && !issues->message)
		issues->message = message;
}

/* --- headers, path ------------------------------------------------------------- */

static void check_version(struct req *r)
{
	static const char *const versions[] = {API_VERSION, NULL};
	struct path at = PATH_NAME(NULL, "X-API-Version");
	const char *version =
	    r->carrier ? NULL : http_header(r->call, "X-API-Version"); /* MCP has versions of its own */

	if (version && strcmp(version, API_VERSION) != 0) {
		bool text = text_utf8_valid(version, strlen(version));
		issue_choice(&r->given.issues, &at, versions, text ? version : "", text ? strlen(version) : 0);
	}
}

/* A condition that the route cannot test is refused, because the client relies on it. */
static void check_condition(struct req *r)
{
	struct path at = PATH_NAME(NULL, "If-Match");
	const char *list = r->carrier ? r->carrier->if_match : req_header_list(r, "If-Match");

	if (!list || !route_writes(r->route))
		return;
	if (!etag_list_valid(list, strlen(list)))
		issue_string(&r->given.issues, &at, "regex");
	else if (!route_takes_condition(r->route))
		issue_custom(&r->given.issues, &at,
		    "Only a change of one person, company, object, note, task, reminder or view takes If-Match; "
		    "each record of a batch has its own ifMatch");
	else
		r->given.if_match = list;
}

static void check_path_length(struct issues *issues, const struct path_param *p, const struct path *at, bool big)
{
	if (p->is_id)
		issue_id(issues, at, big, id_prefix(p->kind));
	else
		issue_range(issues, at, big, p->max, "string", false);
}

static void check_path_value(struct issues *issues, const struct path_param *p, const struct path_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);
	size_t max = p->is_id ? ID_LEN : (size_t)p->max, len;
	bool valid = text_utf8_valid(v->text, v->len);

	len = valid ? text_code_points(v->text, v->len) : v->len;
	if (p->is_id ? len != max : len > max)
		check_path_length(issues, p, &at, len > max);
	else if (!valid || memchr(v->text, '\0', v->len))
		issue_string_form(issues, &at, "UTF-8 without U+0000");
}

static void check_path(struct req *r)
{
	const char *open = strchr(r->route->path, '{');

	for (int i = 0; open; i++, open = strchr(open + 1, '{')) {
		const struct path_param *p = route_param_find(open + 1, strcspn(open + 1, "}"));
		check_path_value(&r->given.issues, p, &r->given.path[i]);
	}
	first_issue_error(&r->given.issues, "Invalid path parameters");
}

/* --- body --------------------------------------------------------------------------- */

static bool route_takes_body(const struct route *route)
{
	return route->method != HTTP_GET && route->method != HTTP_DELETE;
}

/* The custom fields that a body of the route may have. False: it may have none, or the path names no such type. */
static bool scope_of(struct req *r, struct custom_scope *scope)
{
	const struct resource *res = r->route->resource;
	enum role role;

	if (res == &object_resource)
		return r->given.issues.count == 0 && object_scope_find(&r->caller, r->given.path, scope, &role);
	*scope = (struct custom_scope){.ws = r->caller.ws,
	    .viewer = &r->caller.viewer,
	    .entity = res == &company_resource ? ENTITY_COMPANY : ENTITY_PERSON};
	return res == &company_resource || res == &person_resource;
}

/* Returns false when it must be continued in another turn. */
static bool check_body(struct req *r)
{
	struct custom_scope scope;
	struct reading rd = {.arena = &r->arena,
	    .shape = &r->given.issues,
	    .references = &r->given.issues,
	    .ws = r->caller.ws,
	    .viewer = &r->caller.viewer,
	    .targets = r->server->target_rules,
	    .scope = scope_of(r, &scope) ? &scope : NULL};

	switch (r->route->input) {
	case INPUT_NONE:
		if (route_takes_body(r->route))
			body_read(&rd, r->route->resource, 0, false, r->given.body, NULL);
		break;
	case INPUT_CREATE:
	case INPUT_UPDATE:
		r->given.input = body_read(&rd, r->route->body ? r->route->body : r->route->resource,
		    r->route->input == INPUT_CREATE ? FIELD_IN_CREATE : FIELD_IN_UPDATE, false, r->given.body, NULL);
		if (r->route->resource == &view_resource && r->route->input == INPUT_CREATE)
			validate_view(r);
		break;
	case INPUT_BATCH_CREATE:
	case INPUT_BATCH_UPDATE:
	case INPUT_BATCH_DELETE:
	case INPUT_BATCH_UPSERT:
		rd.references = NULL;
		if (!batch_read(r, &rd))
			return false;
		break;
	case INPUT_SEARCH:
		validate_search(r, &rd);
		break;
	}
	first_issue_error(&r->given.issues, "Invalid input");
	return true;
}

/* --- steps ------------------------------------------------------------------------------ */

enum { PIECE = 64 << 10 }; /* bytes of a body that are read between two checks of the time */

enum step step_json(struct req *r)
{
	const char *error;
	bool too_much;

	if (!r->given.reader) {
		r->given.reader = json_reader_new(&r->arena, r->in->body, r->in->body_len);
		if (r->in->body_len > PIECE)
			return AGAIN; /* many bodies may have arrived complete in this turn */
	}
	while (!json_reader_some(r->given.reader, PIECE))
		if (slice_over(r))
			return AGAIN;
	r->given.body = json_reader_result(r->given.reader, &error, &too_much);
	json_reader_free(r->given.reader);
	r->given.reader = NULL;
	http_forget_body(r->call);
	if (r->given.body)
		return PASS;
	if (too_much)
		return reply_error_status(
		    r, ERROR_INVALID_REQUEST, 413, arena_printf(&r->arena, "The body exceeds a limit: %s", error));
	return reply_error(r, ERROR_INVALID_REQUEST, arena_printf(&r->arena, "The body is not valid JSON: %s", error));
}

enum step step_read(struct req *r)
{
	if (route_takes_retries(r->route) && !r->given.dry) {
		r->tx.key = http_header(r->call, "Idempotency-Key");
		if (r->tx.key &&
		    (http_header_count(r->call, "Idempotency-Key") != 1 || !idempotency_key_valid(r->tx.key)))
			return reply_error(r, ERROR_KEY_INVALID, NULL);
	}
	return route_takes_body(r->route) && r->in->body_len ? step_json(r) : PASS;
}

static void check_dry_run(struct req *r)
{
	struct path at = PATH_NAME(NULL, route_dry_run.name);

	if (r->given.dry && r->route->flags & ROUTE_NOT_DRY)
		issue_custom(
		    &r->given.issues, &at, "This operation has no dry run: what it sends cannot be taken back");
}

enum step step_check(struct req *r)
{
	enum step here = place_check(r);

	if (here != PASS)
		return here;
	check_version(r);
	check_condition(r);
	first_issue_error(&r->given.issues, "Invalid headers");
	check_path(r);
	validate_query(r);
	check_dry_run(r);
	first_issue_error(&r->given.issues, "Invalid query parameters");
	return PASS;
}

static bool input_needs_admin(const struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++)
		if ((in->given & FIELD_BIT(i)) && (in->resource->fields[i].flags & FIELD_FROM_ADMIN))
			return true;
	return false;
}

/* True when the body, or a record of it, has a field that only admins may set. */
static bool body_needs_admin(const struct req_given *given)
{
	for (size_t i = 0; given->batch && i < given->batch->count; i++)
		if (input_needs_admin(given->batch->inputs[i]))
			return true;
	return given->input && input_needs_admin(given->input);
}

enum step step_body(struct req *r)
{
	if (!check_body(r))
		return AGAIN;
	if (r->given.issues.count) /* with a key, step_recall() refuses it */
		return r->tx.key ? PASS : reply_issues(r, r->given.issues.message);
	if (admit_lacks(r) && !(r->route->flags & (ROUTE_RECORD_RIGHTS | ROUTE_OWN_RIGHTS)))
		return admit_refuse(r, admit_lacks(r));
	if (!r->caller.viewer.admin && body_needs_admin(&r->given))
		return reply_error(
		    r, ERROR_FORBIDDEN, "Only keys of workspace admins may give createdAt and createdBy");
	return PASS;
}
