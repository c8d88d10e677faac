/* Turns calls of tools into requests of the API. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/request/admit.h"
#include "server/request/validate.h"

enum { TARGET_MAX = 16 << 10 };

const struct json *call_argument(const struct req *r, const char *name)
{
	return json_member(call_of(r)->arguments, name);
}

const struct json *call_given(const struct req *r, const char *name)
{
	const struct json *value = call_argument(r, name);

	return value && value->type == JSON_STRING && !value->len ? NULL : value;
}

/* --- sending ---------------------------------------------------------------------------- */

/* After the body was read, only the fingerprint needs it. The current time in it, or what was counted from that, would
 * turn a retry with the same key into another request. */
static enum step call_settle(struct req *r)
{
	const struct tool_call *c = call_of(r);

	if (c->tool && c->tool->now)
		r->given.body = NULL;
	else if (c->said && c->worded)
		r->given.body = (struct json *)c->said;
	return PASS;
}

enum step call_send(struct req *r, enum http_method method, const char *target, struct json *body)
{
	static step_fn *const steps[] = {step_check, step_body, call_settle, step_claim, step_recall, step_enter};
	const struct tool_call *c = call_of(r);

	if (!runner_redirect(r, method, http_method_name(method), target, strlen(target)))
		return reply_not_found(r);
	r->given.body = body;
	if (c->key && route_writes(r->route) && !r->given.dry) {
		if (!idempotency_key_valid(c->key))
			return reply_error(r, ERROR_KEY_INVALID, "The idempotencyKey is not valid");
		r->tx.key = c->key;
	}
	r->next = steps;
	return PASS;
}

const char *call_encoded(struct req *r, const char *text, size_t len)
{
	struct buf out;
	const char *copy;

	buf_init(&out, TARGET_MAX);
	text_percent_encode(&out, text, len);
	copy = arena_dup(&r->arena, out.len ? out.data : "", out.len);
	buf_free(&out);
	return copy;
}

const char *call_path(struct req *r, const struct kind *kind, const char *type)
{
	if (kind->path)
		return kind->path;
	return arena_printf(&r->arena, "/v1/groups/%.*s/%s", ID_LEN, type,
	    call_encoded(r, type + ID_LEN + 1, strlen(type) - ID_LEN - 1));
}

/* --- requests about one record ---------------------------------------------------------- */

/* Several records are a list of only their ids. Ids that are not in it are missing from the result. */
static enum step call_get_list(struct req *r, const struct json *ids, const struct kind *kind, const char *type)
{
	struct uuid *only = arena_alloc(&r->arena, ids->count * sizeof *only);
	const struct json *cursor = call_given(r, "cursor");
	size_t n = 0;

	json_each(id, ids)
		id_parse(kind->resource->id_kind, id->text, id->len, &only[n++]);
	r->list.only = only;
	r->list.n_only = n;
	return call_send(r, HTTP_GET,
	    arena_printf(&r->arena, "%s?limit=%d%s%s", call_path(r, kind, type), IDS_MOST, cursor ? "&cursor=" : "",
	        cursor ? call_encoded(r, cursor->text, cursor->len) : ""),
	    NULL);
}

/* An object's address has its group and type, which only the database knows. */
static enum step call_object_found(struct req *r)
{
	struct tool_call *c = call_of(r);
	const struct group *g = NULL;
	char group[ID_SIZE], object[ID_SIZE];
	struct uuid group_id, type_id;

	if (db_rows(r->db.last, r->at) == 1) {
		group_id = db_uuid(r->db.last, r->at, 0, 0);
		type_id = db_uuid(r->db.last, r->at, 0, 1);
		g = visible_group(r->caller.ws, &group_id, &r->caller.viewer);
	}
	for (size_t i = 0; g && i < g->n_types; i++) {
		const char *name = g->types[i].name;
		if (uuid_equal(&g->types[i].id, &type_id) && !c->rest)
			return call_get_list(r, call_argument(r, "id"), &kinds[MCP_OBJECT],
			    arena_printf(&r->arena, "%s/%s", id_format(ID_GROUP, &g->id, group), name));
		if (uuid_equal(&g->types[i].id, &type_id))
			return call_send(r, c->method,
			    arena_printf(&r->arena, "/v1/groups/%s/%s/%s%s", id_format(ID_GROUP, &g->id, group),
			        call_encoded(r, name, strlen(name)), id_format(ID_OBJECT, &c->object, object), c->rest),
			    c->body);
	}
	return reply_not_found(r);
}

static enum step call_find_object(struct req *r)
{
	static step_fn *const steps[] = {call_object_found};
	struct sql *s = req_sql(r, "object_place", &r->at);

	sql_add_uuid(s, "select group_id, type_id from objects where workspace_id = $1 and id = ", &call_of(r)->object);
	r->next = steps;
	return req_ask(r, DB_POINT);
}

/* Makes a request to the address of a record. */
static enum step call_at(struct req *r, const struct kind *kind, const char *id, enum http_method method,
    const char *rest, struct json *body)
{
	struct tool_call *c = call_of(r);

	if (kind->path)
		return call_send(r, method, arena_printf(&r->arena, "%s/%s%s", kind->path, id, rest), body);
	id_parse(ID_OBJECT, id, strlen(id), &c->object);
	c->method = method;
	c->rest = rest;
	c->body = body;
	return call_find_object(r);
}

enum step call_read(struct req *r, const char *id)
{
	return call_at(r, kind_of_id(id, strlen(id), ~0U), id, HTTP_GET, "", NULL);
}

enum step call_record(struct req *r, enum http_method method, const char *rest, struct json *body)
{
	const struct json *given = call_argument(r, "id"), *id = given->type == JSON_ARRAY ? given->first : given;

	return call_at(r, kind_of_id(id->text, id->len, call_of(r)->tool->kinds), id->text, method, rest, body);
}

enum step call_get(struct req *r)
{
	struct tool_call *c = call_of(r);
	const struct json *ids = call_argument(r, "id");
	const struct kind *kind;
	struct path at = PATH_NAME(NULL, "id");

	kind = ids->type == JSON_STRING ? kind_of_id(ids->text, ids->len, c->tool->kinds)
	                                : kind_of_id(ids->first->text, ids->first->len, c->tool->kinds);
	if (!kind_has_fields(r, kind->resource))
		return result_bad_arguments(r);
	if (ids->type == JSON_STRING || ids->count == 1)
		return call_record(r, HTTP_GET, "", NULL);
	if (kind == &kinds[MCP_USER] || kind == &kinds[MCP_GROUP]) {
		issue_custom(&r->given.issues, &at, "Users and groups are shown one by one");
		issue_hint(&r->given.issues, "describe shows all of them");
		return result_bad_arguments(r);
	}
	if (kind->path)
		return call_get_list(r, ids, kind, NULL);
	id_parse(ID_OBJECT, ids->first->text, ids->first->len, &c->object);
	return call_find_object(r);
}

/* Accepts also a tag that has lost its quotes. */
static const char *call_tag(struct req *r, const struct json *tag)
{
	if (strchr("*\"", tag->text[0]) || strncmp(tag->text, "W/", 2) == 0)
		return tag->text;
	return arena_printf(&r->arena, "\"%s\"", tag->text);
}

const char *call_dry(const struct req *r)
{
	const struct json *dry = call_argument(r, "dryRun");

	return (dry ? dry->truth : call_of(r)->tool->tried) ? "?dryRun=true" : "";
}

enum step call_update(struct req *r)
{
	const struct json *tag = call_argument(r, "ifMatch"), *fields = call_argument(r, "fields");
	struct json *body = json_make(&r->arena, JSON_OBJECT);

	*body = *fields;
	r->carrier->if_match = tag ? call_tag(r, tag) : NULL;
	return call_record(r, HTTP_PATCH, call_dry(r), body);
}

enum step call_delete(struct req *r)
{
	return call_record(r, HTTP_DELETE, call_dry(r), NULL);
}

enum step call_duplicates(struct req *r)
{
	return call_record(r, HTTP_GET, "/duplicates", NULL);
}

enum step call_merge(struct req *r)
{
	struct json *body = json_make(&r->arena, JSON_OBJECT);

	json_attach(&r->arena, body, "id", call_argument(r, "other"));
	return call_record(r, HTTP_POST, arena_printf(&r->arena, "/merge%s", call_dry(r)), body);
}

/* --- requests with a body ---------------------------------------------------------------- */

enum step call_create(struct req *r)
{
	const struct json *name = call_argument(r, "kind");
	struct json *body = json_make(&r->arena, JSON_OBJECT);
	const char *type;
	const struct kind *kind = kind_named(r, name->text, name->len, call_of(r)->tool->kinds, &type);
	enum step step;

	*body = *call_argument(r, "fields");
	step = call_send(r, HTTP_POST, call_path(r, kind, type), body);
	if (step == PASS && type && r->route->resource != &object_resource)
		return reply_not_found(r); /* "grp_…/members" is not a type: its address belongs to another route */
	return step;
}

/* Returns {"id": text}, or {"email": text} if the text has an @. */
static struct json *call_reference(struct req *r, const struct json *text)
{
	struct json *object = json_make(&r->arena, JSON_OBJECT);

	json_attach(&r->arena, object, strchr(text->text, '@') ? "email" : "id", text);
	return object;
}

static struct json *call_references(struct req *r, const struct json *list)
{
	struct json *objects = json_make(&r->arena, JSON_ARRAY);

	json_each(item, list)
		json_attach(&r->arena, objects, NULL, item->type == JSON_STRING ? call_reference(r, item) : item);
	return objects;
}

/* Returns the arguments, with references in the form that the API reads. */
static struct json *call_body(struct req *r)
{
	struct json *body = json_make(&r->arena, JSON_OBJECT);

	json_each_member(m, call_of(r)->arguments) {
		if (strcmp(m->key, "entity") == 0 && m->type == JSON_STRING)
			json_attach(&r->arena, body, m->key, call_reference(r, m));
		else if (strcmp(m->key, "assignedUsers") == 0 && m->type == JSON_ARRAY)
			json_attach(&r->arena, body, m->key, call_references(r, m));
		else
			json_attach(&r->arena, body, m->key, m);
	}
	return body;
}

enum step call_note(struct req *r)
{
	struct json *body = call_body(r);

	if (!json_member(body, "visibility"))
		json_attach(&r->arena, body, "visibility", json_make_text(&r->arena, "public", 6));
	return call_send(r, HTTP_POST, "/v1/notes", body);
}

enum step call_task(struct req *r)
{
	return call_send(r, HTTP_POST, "/v1/tasks", call_body(r));
}

enum step call_interaction(struct req *r)
{
	return call_send(r, HTTP_POST, "/v1/interactions", call_body(r));
}

enum step call_complete(struct req *r)
{
	struct json *body = json_make(&r->arena, JSON_OBJECT);
	char *now = arena_alloc(&r->arena, TIME_TEXT_SIZE);

	time_format(req_now_ms(r), now);
	json_attach(&r->arena, body, "completedAt", json_make_text(&r->arena, now, strlen(now)));
	return call_record(r, HTTP_POST, "/mark-as-done", body);
}

/* --- lists --------------------------------------------------------------------------------- */

enum step call_changes(struct req *r)
{
	static const struct {
		const char *argument, *param;
	} passed[] = {
	    {"limit", "limit"}, {"since", "since"}, {"cursor", "after"}, {"record", "record"}, {"actor", "actor"}};
	const char *target = "/v1/events";

	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
		const struct json *value = call_given(r, passed[i].argument);
		if (value)
			target = arena_printf(&r->arena, "%s%s%s=%s", target, strchr(target, '?') ? "&" : "?",
			    passed[i].param, call_encoded(r, value->text, value->len));
	}
	return call_send(r, HTTP_GET, target, NULL);
}
