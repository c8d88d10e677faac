/* Validation of a request before anything of it runs. */
#include "server/validate.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"
#include "server/base/fault.h"
#include "server/base/text.h"
#include "server/batch.h"
#include "server/body.h"
#include "server/reply.h"
#include "server/route.h"
#include "server/search.h"
#include "server/server.h"
#include "server/validate_query.h"
#include "server/write.h"

static bool writes(const struct req *r)
{
	return route_writes(r->route);
}

/* The first kind of issue names the error. */
static void named(struct req *r, const char *message)
{
	if (r->issues.count && !r->issues.message)
		r->issues.message = message;
}

/* --- headers, path ------------------------------------------------------------- */

static void check_version(struct req *r)
{
	static const char *const versions[] = {API_VERSION, NULL};
	struct path at = PATH_NAME(NULL, "X-API-Version");
	const char *version = http_header(r->call, "X-API-Version");

	if (version && strcmp(version, API_VERSION) != 0) {
		bool text = text_utf8_valid(version, strlen(version));
		issue_choice(&r->issues, &at, versions, text ? version : "", text ? strlen(version) : 0);
	}
	named(r, "Invalid headers");
}

static void check_path_value(struct req *r, const struct path_param *p, const struct path_value *v)
{
	struct path at = PATH_NAME(NULL, p->name);
	size_t max = p->is_id ? ID_LEN : (size_t)p->max, len;
	bool valid = text_utf8_valid(v->text, v->len);

	len = valid ? text_code_points(v->text, v->len) : v->len;
	if (p->is_id ? len != max : len > max)
		issue_range(&r->issues, &at, len > max, (long)max, "string", p->is_id);
	else if (!valid || memchr(v->text, '\0', v->len))
		issue_string(&r->issues, &at, "regex");
}

static void check_path(struct req *r)
{
	const char *open = strchr(r->route->path, '{');

	for (int i = 0; open; i++, open = strchr(open + 1, '{')) {
		const struct path_param *p = path_param_find(open + 1, strcspn(open + 1, "}"));
		check_path_value(r, p, &r->path[i]);
	}
	named(r, "Invalid path parameters");
}

/* --- body --------------------------------------------------------------------------- */

static bool takes_body(const struct req *r)
{
	return r->route->method != HTTP_GET && r->route->method != HTTP_DELETE;
}

/* Whose custom fields a body of the route may hold; false: none, or the path names no such type. */
static bool scope_of(struct req *r, struct custom_scope *scope)
{
	const struct resource *res = r->route->resource;
	enum role role;

	if (res == &object_resource)
		return r->issues.count == 0 && object_scope_find(r, scope, &role);
	*scope = (struct custom_scope){
	    .ws = r->ws, .viewer = &r->viewer, .entity = res == &company_resource ? ENTITY_COMPANY : ENTITY_PERSON};
	return res == &company_resource || res == &person_resource;
}

static void check_body(struct req *r)
{
	struct custom_scope scope;
	struct reading rd = {.arena = &r->arena,
	    .shape = &r->issues,
	    .references = &r->issues,
	    .ws = r->ws,
	    .viewer = &r->viewer,
	    .targets = r->server->target_rules,
	    .scope = scope_of(r, &scope) ? &scope : NULL};

	switch (r->route->input) {
	case INPUT_NONE:
		if (takes_body(r))
			body_read(&rd, r->route->resource, 0, false, r->body, NULL);
		break;
	case INPUT_CREATE:
		r->input = body_read(
		    &rd, r->route->body ? r->route->body : r->route->resource, FIELD_IN_CREATE, false, r->body, NULL);
		break;
	case INPUT_UPDATE:
		r->input = body_read(
		    &rd, r->route->body ? r->route->body : r->route->resource, FIELD_IN_UPDATE, false, r->body, NULL);
		break;
	case INPUT_BATCH_CREATE:
	case INPUT_BATCH_UPDATE:
	case INPUT_BATCH_DELETE:
		rd.references = NULL;
		batch_read(r, &rd);
		break;
	case INPUT_SEARCH:
		search_read(r, &rd);
		break;
	}
	named(r, "Invalid input");
}

/* --- idempotency keys ---------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
	const struct query_pair *x = a, *y = b;
	size_t kx = x->key.len, ky = y->key.len, vx = x->value.len, vy = y->value.len;
	int c = memcmp(x->key.text, y->key.text, kx < ky ? kx : ky);

	if (c == 0)
		c = kx < ky ? -1 : kx > ky;
	if (c == 0)
		c = memcmp(x->value.text, y->value.text, vx < vy ? vx : vy);
	if (c == 0)
		c = vx < vy ? -1 : vx > vy;
	return c;
}

/* Method, route, path parameters, query in any order, version, body in canonical form. */
static void fingerprint(struct req *r)
{
	struct query_pair *pairs = arena_alloc(&r->arena, (r->query.count + 1) * sizeof *pairs);
	struct sha256 h;
	struct buf body;

	sha256_begin(&h);
	sha256_part(&h, r->method_name, strlen(r->method_name));
	sha256_part(&h, r->route->path, strlen(r->route->path));
	for (int i = 0; i < PATH_PARAMS_MAX; i++)
		sha256_part(&h, r->path[i].text ? r->path[i].text : "", r->path[i].len);
	if (r->query.count)
		memcpy(pairs, r->query.pairs, r->query.count * sizeof *pairs);
	qsort(pairs, r->query.count, sizeof *pairs, compare_pairs);
	for (size_t i = 0; i < r->query.count; i++) {
		sha256_part(&h, pairs[i].key.text, pairs[i].key.len);
		sha256_part(&h, pairs[i].value.text, pairs[i].value.len);
	}
	sha256_part(&h, API_VERSION, strlen(API_VERSION));
	buf_init(&body, 64 << 20);
	json_canonical(&body, r->body);
	sha256_part(&h, body.data, body.len);
	buf_free(&body);
	sha256_end(&h, r->claim.fingerprint);
}

/* Most twins of a running request are found here, without asking the database. */
static bool twin_runs(struct req *r)
{
	struct list *bucket = &r->server->running[(uint64_t)r->claim.lock % RUNNING_BUCKETS];

	for (struct list *node = bucket->next; node != bucket; node = node->next) {
		const struct req *other = list_item(node, struct req, running);
		if (memcmp(other->claim.hash, r->claim.hash, sizeof r->claim.hash) == 0)
			return true;
	}
	list_append(bucket, &r->running);
	r->claimed = true;
	return false;
}

static enum step claim(struct req *r)
{
	if (!r->key)
		return PASS;
	idempotency_claim_init(&r->claim, &r->ws->id, &r->viewer.user, r->key);
	fingerprint(r);
	FAULT_POINT("claim");
	return twin_runs(r) ? reply_error(r, ERROR_KEY_IN_PROGRESS, NULL) : PASS;
}

enum step step_validate(struct req *r)
{
	const char *error;

	if (writes(r)) {
		r->key = http_header(r->call, "Idempotency-Key");
		if (r->key && (http_header_count(r->call, "Idempotency-Key") != 1 || !idempotency_key_valid(r->key)))
			return reply_error(r, ERROR_KEY_INVALID, NULL);
	}
	if (takes_body(r) && r->in->body_len) {
		r->body = json_read(&r->arena, r->in->body, r->in->body_len, &error);
		if (!r->body)
			return reply_error(
			    r, ERROR_INVALID_REQUEST, arena_printf(&r->arena, "The body is not valid JSON: %s", error));
	}
	check_version(r);
	check_path(r);
	validate_query(r);
	named(r, "Invalid query parameters");
	check_body(r);
	if (r->issues.count)
		return reply_issues(r, r->issues.message);
	if (writes(r) && r->ticket.read_only && !(r->route->flags & ROUTE_RECORD_RIGHTS))
		return reply_error(r, ERROR_FORBIDDEN, "This API key may only read");
	return writes(r) ? claim(r) : PASS;
}
