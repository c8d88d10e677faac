#include "test/api/protocol.h"
#include "test/api/answer_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/api/fields.h"
#include "test/api/placeholder.h"

static const struct {
	const char *code;
	int status;
	const char *anchor; /* NULL: any */
} codes[] = {
    {"INVALID_REQUEST", 400, "bad-request"},
    {"INVALID_REQUEST", 405, "bad-request"},
    {"INVALID_REQUEST", 413, "bad-request"},
    {"INVALID_REQUEST", 431, "bad-request"},
    {"INVALID_REQUEST", 501, "bad-request"},
    {"IDEMPOTENCY_KEY_INVALID", 400, NULL},
    {"UNAUTHORIZED", 401, "unauthorized"},
    {"FORBIDDEN", 403, "forbidden"},
    {"RESOURCE_NOT_FOUND", 404, "not-found"},
    {"IDEMPOTENCY_REQUEST_IN_PROGRESS", 409, NULL},
    {"SEVERAL_WORKSPACES", 409, "several-workspaces"},
    {"PRECONDITION_FAILED", 412, "precondition-failed"},
    {"UNPROCESSABLE_ENTITY", 422, "unprocessable-entity"},
    {"IDEMPOTENCY_KEY_REUSED", 422, NULL},
    {"IDEMPOTENCY_RESPONSE_NOT_STORED", 422, NULL},
    {"TOO_MANY_REQUESTS", 429, "rate-limiting"},
    {"INTERNAL_SERVER_ERROR", 500, "internal-server-error"},
    {"SERVICE_UNAVAILABLE", 503, "service-unavailable"},
    {"IDEMPOTENCY_UNAVAILABLE", 503, NULL},
};

const char *check_default_code(int status)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].status == status && strncmp(codes[i].code, "IDEMPOTENCY", 11) != 0)
			return codes[i].code;
	return NULL;
}

static void case_fault(struct buf *out, const char *what)
{
	buf_printf(out, "    every answer: %s\n", what);
}

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *value = object ? json_member(object, key) : NULL;

	return value && value->type == JSON_STRING ? value->text : NULL;
}

static void only_members(const struct json *object, const char *const allowed[], const char *what, struct buf *out)
{
	for (const struct json *m = object->first; m; m = m->next) {
		size_t i = 0;
		while (allowed[i] && strcmp(allowed[i], m->key) != 0)
			i++;
		if (!allowed[i])
			buf_printf(out, "    every answer: %s has a member \"%s\"\n", what, m->key);
	}
}

/* RFC 9110 section 11.6.1: how to authenticate. */
/* Errors of a deprecated route announce its end as its successes do. */
static void check_deprecation(const struct check *c, struct buf *out)
{
	static const char *const deprecated[] = {"/v1/interactions/past", "/v1/interactions/upcoming"};
	bool there = false, other = c->reply->status == 405 || strcmp(c->method, "OPTIONS") == 0;

	for (size_t i = 0; i < sizeof(deprecated) / sizeof(*deprecated); i++) {
		size_t len = strlen(deprecated[i]);
		there |=
		    strncmp(c->target, deprecated[i], len) == 0 && (c->target[len] == '\0' || c->target[len] == '?');
	}
	if ((there && !other) != (client_header_count(c->reply, "Deprecation") == 1) ||
	    (there && !other) != (client_header_count(c->reply, "Sunset") == 1))
		case_fault(
		    out, "Deprecation and Sunset are there once with deprecated routes, errors too, and with no other");
}

static void check_headers(const struct check *c, struct buf *out)
{
	const struct client_reply *r = c->reply;
	const char *id = client_header(r, "X-Request-Id");
	const char *version = client_header(r, "X-API-Version");
	const char *type = client_header(r, "Content-Type");

	if (!id || client_header_count(r, "X-Request-Id") != 1 || !shape_is_uuid(id, strlen(id)))
		case_fault(out, "X-Request-Id is not there once, as a UUID");
	if (!version || strcmp(version, "2025-06-09") != 0)
		case_fault(out, "X-API-Version is not 2025-06-09");
	if (!protocol_challenge(c->reply))
		case_fault(
		    out, "WWW-Authenticate is \"Bearer\" with 401, and only then, or for an application's scopes");
	check_deprecation(c, out);
	if (r->status == 204) {
		if (r->body_len)
			case_fault(out, "a 204 has a body");
		return;
	}
	if (!type || strncmp(type, "application/json", 16) != 0 || (type[16] && type[16] != ';'))
		case_fault(out, "Content-Type is not application/json");
	if (strcmp(c->method, "HEAD") == 0) {
		if (r->body_len)
			case_fault(out, "the answer to HEAD has a body");
	} else if (!c->body) {
		case_fault(out, "the body is not JSON");
	}
}

static void check_documentation(const struct check *c, const char *code, const char *url, struct buf *out)
{
	char start[128];
	bool known = false;

	snprintf(start, sizeof(start), "%s/docs/errors#", c->base);
	if (strncmp(url, start, strlen(start)) != 0 || !url[strlen(start)])
		buf_printf(out, "    every answer: documentationUrl is not %s<anchor>: %s\n", start, url);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (strcmp(codes[i].code, code) != 0 || codes[i].status != c->reply->status)
			continue;
		known = true;
		if (codes[i].anchor && (!strchr(url, '#') || strcmp(strchr(url, '#') + 1, codes[i].anchor) != 0))
			buf_printf(
			    out, "    every answer: the anchor of %s is not %s: %s\n", code, codes[i].anchor, url);
	}
	if (!known)
		buf_printf(out, "    every answer: %s does not go with status %d\n", code, c->reply->status);
}

/* An invitation also says who has to choose a password. */
static void check_issues(const struct json *details, struct buf *out)
{
	const struct json *issues = json_member(details, "issues");

	only_members(details, (const char *const[]){"issues", "user", "workspace", NULL}, "details", out);
	if (!issues || issues->type != JSON_ARRAY || !issues->first) {
		case_fault(out, "details.issues is not an array of at least one");
		return;
	}
	for (const struct json *i = issues->first; i; i = i->next) {
		const struct json *path = json_member(i, "path");
		if (json_member(i, "hint") && (!text_of(i, "hint") || !*text_of(i, "hint")))
			case_fault(out, "an issue's hint is not text");
		if (!text_of(i, "code") || !text_of(i, "message") || !*text_of(i, "message"))
			case_fault(out, "an issue lacks code or message");
		if (!path || path->type != JSON_ARRAY)
			case_fault(out, "an issue lacks its path");
		for (const struct json *p = path ? path->first : NULL; p; p = p->next)
			if (p->type != JSON_STRING && p->type != JSON_NUMBER)
				case_fault(out, "an issue's path holds something else than names and indexes");
	}
}

/* Which codes have details, and of what form. */
static void check_details(const char *code, const struct json *details, struct buf *out)
{
	bool issues = strcmp(code, "UNPROCESSABLE_ENTITY") == 0, limits = strcmp(code, "TOO_MANY_REQUESTS") == 0;

	if (!details) {
		if (issues || limits)
			case_fault(out, "error.details is missing");
	} else if (details->type != JSON_OBJECT) {
		case_fault(out, "error.details is not an object");
	} else if (issues) {
		check_issues(details, out);
	} else if (strcmp(code, "RESOURCE_NOT_FOUND") == 0) {
		only_members(details, (const char *const[]){"mergedInto", NULL}, "details", out);
		if (!text_of(details, "mergedInto"))
			case_fault(out, "details.mergedInto is missing");
	} else if (!limits && strcmp(code, "SEVERAL_WORKSPACES") != 0) {
		case_fault(out, "error.details does not belong to this code");
	}
}

static void check_error(const struct check *c, struct buf *out)
{
	const struct json *error = json_member(c->body, "error");
	const char *id = client_header(c->reply, "X-Request-Id");
	bool replayed = client_header(c->reply, "Idempotent-Replayed") != NULL;

	only_members(c->body, (const char *const[]){"error", NULL}, "an error's body", out);
	if (!error || error->type != JSON_OBJECT) {
		case_fault(out, "there is no object \"error\"");
		return;
	}
	only_members(error,
	    (const char *const[]){"code", "message", "documentationUrl", "requestId", "timestamp", "details", NULL},
	    "error", out);
	const char *code = text_of(error, "code"), *message = text_of(error, "message");
	const char *url = text_of(error, "documentationUrl"), *request_id = text_of(error, "requestId");
	const char *timestamp = text_of(error, "timestamp");
	if (!code || !message || !*message || !url || !request_id || !timestamp) {
		case_fault(out, "error lacks one of code, message, documentationUrl, requestId, timestamp");
		return;
	}
	if (!shape_is_time(timestamp, strlen(timestamp)))
		case_fault(out, "error.timestamp is not a timestamp");
	if (!shape_is_uuid(request_id, strlen(request_id)))
		case_fault(out, "error.requestId is not a UUID");
	if (id && (strcmp(id, request_id) == 0) == replayed)
		case_fault(out,
		    replayed ? "error.requestId of a replay is the retry's" : "error.requestId is not X-Request-Id");
	check_documentation(c, code, url, out);
	check_details(code, json_member(error, "details"), out);
}

/* The codes of warnings that are documented. */
static bool warning_known(const char *code)
{
	static const char *const known[] = {"unknown_parameter", "reference_not_found", "reference_outside_group",
	    "value_not_set", "record_existed", "no_match_value", "deprecated"};

	for (size_t i = 0; code && i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(code, known[i]) == 0)
			return true;
	return false;
}

/* The members "warnings" of an answer or of a batch's result: never empty. */
static void check_warnings(const struct json *holder, struct buf *out)
{
	const struct json *warnings = json_member(holder, "warnings");

	if (!warnings)
		return;
	if (warnings->type != JSON_ARRAY || !warnings->first) {
		case_fault(out, "warnings is not an array of at least one");
		return;
	}
	for (const struct json *w = warnings->first; w; w = w->next) {
		const struct json *path = w->type == JSON_OBJECT ? json_member(w, "path") : NULL;
		if (w->type != JSON_OBJECT || w->count != 3 || !path || path->type != JSON_ARRAY ||
		    !text_of(w, "message") || !*text_of(w, "message") || !warning_known(text_of(w, "code")))
			case_fault(out, "a warning is not {code, path, message}");
	}
}

/* Beside each entry of "deprecations" stands a warning. */
static void check_deprecations(const struct json *body, struct buf *out)
{
	const struct json *list = json_member(body, "deprecations"), *warnings = json_member(body, "warnings");
	size_t n = list && list->type == JSON_ARRAY ? list->count : 0, told = 0;

	for (const struct json *w = warnings ? warnings->first : NULL; w; w = w->next) {
		const char *code = w->type == JSON_OBJECT ? text_of(w, "code") : NULL;
		told += code && strcmp(code, "deprecated") == 0;
	}
	if (told != n)
		case_fault(out, "there is not one warning of each entry of deprecations");
}

/* Two to ten ids. */
static void check_candidates(const struct json *candidates, struct buf *out)
{
	if (!candidates || candidates->type != JSON_ARRAY || candidates->count < 2 || candidates->count > 10)
		case_fault(out, "an ambiguous match lacks its candidates");
	for (const struct json *c = candidates ? candidates->first : NULL; c; c = c->next)
		if (c->type != JSON_STRING || c->len != 40)
			case_fault(out, "a candidate is not an id");
}

/* The codes of one record's failure, and the anchors that go with them. */
static void check_record_error(const struct check *c, const struct json *error, struct buf *out)
{
	static const char *const known[][2] = {{"NOT_FOUND", "not-found"}, {"FORBIDDEN", "forbidden"},
	    {"PRECONDITION_FAILED", "precondition-failed"}, {"UNPROCESSABLE_ENTITY", "unprocessable-entity"},
	    {"INTERNAL_SERVER_ERROR", "internal-server-error"}, {"AMBIGUOUS_MATCH", "ambiguous-match"}};
	const char *code = text_of(error, "code"), *message = text_of(error, "message");
	const char *url = text_of(error, "documentationUrl");
	char wanted[128] = "";

	if (!code || !message || !*message || !url) {
		case_fault(out, "a result's error lacks one of code, message, documentationUrl");
		return;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i][0], code) == 0)
			snprintf(wanted, sizeof(wanted), "%s/docs/errors#%s", c->base, known[i][1]);
	if (!*wanted)
		buf_printf(out, "    every answer: %s is not a code of a record\n", code);
	else if (strcmp(url, wanted) != 0)
		buf_printf(out, "    every answer: a result's documentationUrl is not %s: %s\n", wanted, url);
	only_members(error,
	    (const char *const[]){
	        "code", "message", "documentationUrl", strcmp(code, "AMBIGUOUS_MATCH") == 0 ? "details" : NULL, NULL},
	    "a result's error", out);
	if (strcmp(code, "AMBIGUOUS_MATCH") == 0)
		check_candidates(json_member(json_member(error, "details"), "candidates"), out);
}

/* The words that a result's "operation" may be; NULL: it has none. */
static const char *const *operations_of(const char *target)
{
	static const char *const created[] = {"created", "existing", NULL};
	static const char *const upserted[] = {"created", "updated", "unchanged", NULL};

	if (strstr(target, "/batch/upsert"))
		return upserted;
	return strncmp(target, "/v1/companies/batch/create", 26) == 0 ? created : NULL;
}

static bool is_contacts(const char *target)
{
	return strncmp(target, "/v1/people/", 11) == 0 || strncmp(target, "/v1/companies/", 14) == 0;
}

/* The members beside the data of a successful record. */
static void check_done(const struct check *c, const struct json *result, struct buf *out)
{
	const struct json *data = json_member(result, "data"), *left = json_member(result, "removedGroups");
	const char *operation = text_of(result, "operation");
	const char *const *words = operations_of(c->target);

	only_members(result, (const char *const[]){"status", "data", "warnings", "removedGroups", "operation", NULL},
	    "a succeeded result", out);
	if (!data || data->type != JSON_OBJECT || !text_of(data, "id"))
		case_fault(out, "a succeeded result lacks data with an id");
	else if (strstr(c->target, "/batch/delete"))
		only_members(data, (const char *const[]){"id", NULL}, "data of a delete", out);
	else if (data->count == 1)
		case_fault(out, "a succeeded result's data has only the id");
	else
		fields_check(data, out);
	if (left && (!is_contacts(c->target) || !strstr(c->target, "/batch/update")))
		case_fault(out, "removedGroups does not belong to this operation");
	if (left && (!left->first || !fields_are_named(left)))
		case_fault(out, "removedGroups is not an array of at least one {id, name}");
	while (operation && words && *words && strcmp(operation, *words) != 0)
		words++;
	if (words ? !operation || !*words : json_member(result, "operation") != NULL)
		case_fault(out, "operation is not there with one of its words, or does not belong here");
	check_warnings(result, out);
}

static void check_results(const struct check *c, const struct json *results, struct buf *out)
{
	for (const struct json *r = results->first; r; r = r->next) {
		const char *status = r->type == JSON_OBJECT ? text_of(r, "status") : NULL;
		const struct json *error = status ? json_member(r, "error") : NULL;
		if (status && strcmp(status, "succeeded") == 0) {
			check_done(c, r, out);
		} else if (status && strcmp(status, "failed") == 0) {
			only_members(r, (const char *const[]){"status", "error", NULL}, "a failed result", out);
			if (!error || error->type != JSON_OBJECT)
				case_fault(out, "a failed result lacks its error");
			else
				check_record_error(c, error, out);
		} else {
			case_fault(out, "a result's status is neither succeeded nor failed");
		}
	}
}

/* Most resources are recognised by their id; fields and types have none, they are recognised by the path. */
static void check_resource(const struct check *c, const struct json *resource, struct buf *out)
{
	if (strstr(c->target, "/custom-fields/"))
		fields_check_custom_field(resource, out);
	else if (strstr(c->target, "/object-types"))
		fields_check_object_type(resource, out);
	else
		fields_check(resource, out);
}

static void check_list(const struct check *c, const struct json *data, const struct json *items, struct buf *out)
{
	const struct json *pagination = json_member(data, "pagination");

	only_members(data, (const char *const[]){"items", "pagination", "cursor", NULL}, "data of a list", out);
	if (items->type != JSON_ARRAY)
		case_fault(out, "data.items is not an array");
	if (!pagination || pagination->type != JSON_OBJECT) {
		case_fault(out, "data.pagination is not an object");
	} else {
		const struct json *link = json_member(pagination, "nextLink");
		bool search = strcmp(c->method, "POST") == 0;
		only_members(pagination,
		    (const char *const[]){
		        search ? "nextCursor" : "nextLink", "count", "countIsEstimated", "scanned", NULL},
		    "pagination", out);
		if (link && (link->type != JSON_STRING || strncmp(link->text, c->base, strlen(c->base)) != 0))
			case_fault(out, "pagination.nextLink does not begin with the server's address");
	}
	if (!client_header(c->reply, "X-Events-Cursor") && strncmp(c->target, "/v1/events", 10) != 0)
		case_fault(out, "a list is without X-Events-Cursor");
	for (const struct json *i = items->first; i; i = i->next)
		check_resource(c, i, out);
}

/* Groups of a list, with their figures. */
static void check_totals(const struct check *c, const struct json *data, const struct json *items, struct buf *out)
{
	static const char *const figures[] = {"count", "sum", "avg", "min", "max", "values"};
	const struct json *total = json_member(data, "total"), *pagination = json_member(data, "pagination");
	bool by_body = strcmp(c->method, "POST") == 0;

	only_members(data, (const char *const[]){"items", "total", "pagination", NULL}, "data of an aggregate", out);
	if (items->type != JSON_ARRAY || !total || !pagination || !json_member(pagination, "tested")) {
		case_fault(out, "an aggregate lacks items, total or pagination.tested");
		return;
	}
	only_members(pagination, (const char *const[]){by_body ? "nextCursor" : "nextLink", "tested", NULL},
	    "pagination of an aggregate", out);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		if (!json_member(total, figures[i]))
			case_fault(out, "a total lacks a figure");
		json_each(item, items)
			if (!json_member(item, figures[i]) || !json_member(item, "group"))
				case_fault(out, "a group lacks a figure, or its values");
	}
	if (!client_header(c->reply, "X-Events-Cursor"))
		case_fault(out, "an aggregate is without X-Events-Cursor");
}

static void check_success(const struct check *c, struct buf *out)
{
	const struct json *data = json_member(c->body, "data");

	only_members(c->body, (const char *const[]){"data", "deprecations", "warnings", NULL}, "the body", out);
	if (!data) {
		case_fault(out, "there is no member \"data\"");
		return;
	}
	const struct json *items = json_member(data, "items"), *results = json_member(data, "results");
	if (items && strstr(c->target, "/aggregate"))
		check_totals(c, data, items, out);
	else if (items)
		check_list(c, data, items, out);
	else if (strstr(c->target, "/batch/") && (!results || results->type != JSON_ARRAY))
		case_fault(out, "data.results is not an array");
	else if (strstr(c->target, "/batch/"))
		check_results(c, results, out);
	else if (strcmp(c->method, "DELETE") == 0)
		only_members(data, (const char *const[]){"id", "name", NULL}, "data of a delete", out);
	else
		check_resource(c, data, out);
	check_warnings(c->body, out);
	check_deprecations(c->body, out);
}

/* A record's tag is the time of its last change, in microseconds and base 36. */
static void check_etag(const struct check *c, struct buf *out)
{
	static const char *const kinds[] = {"per_", "com_", "obj_", "nte_", "tsk_", "rmd_", "vew_"};
	const struct json *data = json_member(c->body, "data");
	const char *tag = client_header(c->reply, "ETag"), *id = text_of(data, "id"),
	           *updated = text_of(data, "updatedAt");
	bool due = c->reply->status == 412 || (id && updated && strncmp(id, "usr_", 4) == 0); /* an account has one */
	int64_t at;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		due |= id && strncmp(id, kinds[i], 4) == 0 && strcmp(c->method, "DELETE") != 0;
	if (client_header_count(c->reply, "ETag") != due)
		case_fault(out, "ETag is there once with a record that has one, and with 412, and with nothing else");
	else if (due && (strlen(tag) < 3 || tag[0] != '"' ||
	                    strspn(tag + 1, "0123456789abcdefghijklmnopqrstuvwxyz") + 2 != strlen(tag) ||
	                    tag[strlen(tag) - 1] != '"'))
		buf_printf(out, "    every answer: this is not a tag of a record: %s\n", tag);
	else if (due && updated && time_parse(updated, strlen(updated), &at) && strtoll(tag + 1, NULL, 36) / 1000 != at)
		buf_printf(out, "    every answer: the tag %s is not that of %s\n", tag, updated);
}

bool check_reply(const struct check *c, struct buf *out)
{
	size_t before = out->len;
	bool api = strncmp(c->target, "/v1", 3) == 0 && (c->target[3] == '/' || c->target[3] == '\0');

	bool stream = strncmp(c->target, "/v1/events/stream", 17) == 0;

	if (c->reply->status < 400 && (!api || stream) && c->reply->status != 204)
		return true;
	if (protocol_is_oauth(c->target)) /* also pages; test/api/oauth.t has what is due */
		return true;
	check_headers(c, out);
	if (protocol_is_other(c->target))
		return out->len == before;
	if (c->body)
		check_etag(c, out);
	if (c->body && c->body->type != JSON_OBJECT)
		case_fault(out, "the body is not a JSON object");
	else if (c->body && c->reply->status >= 400)
		check_error(c, out);
	else if (c->body)
		check_success(c, out);
	return out->len == before;
}
