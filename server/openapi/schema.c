/* Schemas of the resources, in answers and in bodies. */
#include <string.h>

#include "server/request/batch.h"
#include "server/openapi/document_private.h"

/* The fields that a body, or each record of a batch, may hold, and those that it must hold. */
struct body_rule {
	const char *suffix; /* of the schema's name; NULL: no body */
	unsigned accepted, required;
	bool batch, names_record; /* has the record's id */
};

static struct body_rule rule_of(enum body_kind input)
{
	switch (input) {
	case INPUT_NONE:
	case INPUT_SEARCH: /* filter.c */
		break;
	case INPUT_CREATE:
		return (struct body_rule){"Create", FIELD_IN_CREATE, FIELD_REQUIRED, false, false};
	case INPUT_UPDATE:
		return (struct body_rule){"Update", FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE, false, false};
	case INPUT_BATCH_CREATE:
		return (struct body_rule){"BatchCreate", FIELD_IN_CREATE, FIELD_REQUIRED, true, false};
	case INPUT_BATCH_UPDATE:
		return (struct body_rule){"BatchUpdate", FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE, true, true};
	case INPUT_BATCH_DELETE:
		return (struct body_rule){"BatchDelete", 0, 0, true, true};
	}
	return (struct body_rule){NULL, 0, 0, false, false};
}

static bool field_shown(const struct field *f)
{
	/* of a definition only options and config are shown */
	return !(f->flags & FIELD_HIDDEN) && (f->type != FIELD_DEFINITION || f->flags & FIELD_IN_CREATE);
}

static bool field_shown_in(const struct field *f, bool is_parent)
{
	return field_shown(f) && !(is_parent && f->type == FIELD_PARENT);
}

static bool has_parent(const struct resource *res)
{
	for (int i = 0; i < res->n_fields; i++)
		if (res->fields[i].type == FIELD_PARENT)
			return true;
	return false;
}

/* A record in answers; a parent is shown without its own parent. */
static void schema_resource(struct openapi_doc *d, const struct resource *res, bool is_parent)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	json_key(o, "required");
	json_begin_array(o);
	for (int i = 0; i < res->n_fields; i++) /* each part of a definition belongs to some types only */
		if (field_shown_in(&res->fields[i], is_parent) && res->fields[i].type != FIELD_DEFINITION &&
		    !(res->fields[i].flags & FIELD_WHEN_TRUE))
			json_string(o, res->fields[i].name);
	if (is_parent)
		json_string(o, "deleted");
	json_end_array(o);
	json_key(o, "properties");
	json_begin_object(o);
	for (int i = 0; i < res->n_fields; i++) {
		if (!field_shown_in(&res->fields[i], is_parent))
			continue;
		json_key(o, res->fields[i].name);
		openapi_field_out(d, res, &res->fields[i]);
	}
	if (is_parent)
		openapi_member(d, "deleted", "{'const':false}");
	json_end_object(o);
	json_end_object(o);
}

static bool rule_requires(const struct resource *res, const struct body_rule *rule)
{
	if (rule->names_record)
		return true;
	for (int i = 0; i < res->n_fields; i++)
		if (res->fields[i].flags & rule->required)
			return true;
	return false;
}

/* A deprecated name under which a body may give the field; NULL: none. */
static const char *older_name(const struct resource *res, const struct field *f, const struct body_rule *rule)
{
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *other = &res->fields[i];
		if (other->flags & rule->accepted && other->same_as && strcmp(other->same_as, f->name) == 0)
			return other->name;
	}
	return NULL;
}

/* The required members; a field with a deprecated name may be given under either. */
static void schema_required(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	struct json_out *o = &d->out;
	const char *either = "";

	if (!rule_requires(res, rule))
		return;
	json_key(o, "required");
	json_begin_array(o);
	if (rule->names_record)
		json_string(o, "id");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const char *older = older_name(res, f, rule);
		if (!(f->flags & rule->required))
			continue;
		if (older)
			either = arena_printf(&d->arena, "%s%s{'anyOf':[{'required':['%s']},{'required':['%s']}]}",
			    either, *either ? "," : "", f->name, older);
		else
			json_string(o, f->name);
	}
	json_end_array(o);
	if (*either)
		openapi_member(d, "allOf", "[%s]", either);
}

static void record_schema(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	schema_required(d, res, rule);
	json_key(o, "properties");
	json_begin_object(o);
	if (rule->names_record)
		openapi_member(d, "id", "{'type':'string','minLength':40,'maxLength':40}");
	for (int i = 0; i < res->n_fields; i++) {
		if (!(res->fields[i].flags & rule->accepted))
			continue;
		json_key(o, res->fields[i].name);
		openapi_field_in(d, res, &res->fields[i]);
	}
	json_end_object(o);
	json_end_object(o);
}

static void body_schema(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	struct json_out *o = &d->out;

	if (!rule->batch) {
		record_schema(d, res, rule);
		return;
	}
	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	openapi_member(d, "required", "['records']");
	json_key(o, "properties");
	json_begin_object(o);
	json_key(o, "records");
	json_begin_object(o);
	openapi_member(d, "type", "'array'");
	openapi_member(d, "maxItems", "%d", BATCH_MAX);
	json_key(o, "items");
	record_schema(d, res, rule);
	json_end_object(o);
	json_end_object(o);
	json_end_object(o);
}

/* The resource whose fields a body of the route may hold. */
static const struct resource *route_body(const struct route *r)
{
	return r->body ? r->body : r->resource;
}

/* A resource or body shared by several routes is written for the first of them. */
static bool resource_is_new(int at)
{
	for (int i = 0; i < at; i++)
		if (routes[i].resource == routes[at].resource)
			return false;
	return routes[at].resource != NULL;
}

static bool body_is_new(int at)
{
	for (int i = 0; i < at; i++)
		if (route_body(&routes[i]) == route_body(&routes[at]) && routes[i].input == routes[at].input)
			return false;
	return routes[at].input != INPUT_NONE && routes[at].input != INPUT_SEARCH;
}

void openapi_resources(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++) {
		const struct resource *res = routes[i].resource, *body = route_body(&routes[i]);
		struct body_rule rule = rule_of(routes[i].input);
		if (resource_is_new(i)) {
			json_key(&d->out, openapi_name(d, res->name, ""));
			schema_resource(d, res, false);
		}
		if (resource_is_new(i) && has_parent(res)) {
			json_key(&d->out, openapi_name(d, res->name, "Parent"));
			schema_resource(d, res, true);
		}
		if (body_is_new(i)) {
			json_key(&d->out, openapi_name(d, body->name, rule.suffix));
			body_schema(d, body, &rule);
		}
	}
}

void openapi_resource_example(struct json_out *o, const struct resource *res)
{
	json_begin_object(o);
	for (int i = 0; i < res->n_fields; i++) {
		if (!field_shown(&res->fields[i]) || res->fields[i].type == FIELD_DEFINITION)
			continue;
		json_key(o, res->fields[i].name);
		openapi_example_out(o, res, &res->fields[i]);
	}
	json_end_object(o);
}

static void schema_record_example(struct json_out *o, const struct resource *res, const struct body_rule *rule)
{
	json_begin_object(o);
	if (rule->names_record) {
		json_key(o, "id");
		openapi_example_id(o, res->id_kind);
	}
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (!(f->flags & rule->accepted) || f->type == FIELD_DEFINITION || f->same_as)
			continue;
		json_key(o, f->name);
		openapi_example_in(o, res, f);
	}
	json_end_object(o);
}

static void body_example(struct json_out *o, const struct resource *res, const struct body_rule *rule)
{
	if (!rule->batch) {
		schema_record_example(o, res, rule);
		return;
	}
	json_begin_object(o);
	json_key(o, "records");
	json_begin_array(o);
	schema_record_example(o, res, rule);
	json_end_array(o);
	json_end_object(o);
}

void openapi_body(struct openapi_doc *d, const struct route *r)
{
	struct body_rule rule = rule_of(r->input);
	struct json_out *o = &d->out;
	const struct resource *res = route_body(r);
	bool needed = rule.suffix && (rule.batch || rule_requires(res, &rule));

	json_begin_object(o);
	openapi_member(d, "required", needed ? "true" : "false");
	json_key(o, "content");
	json_begin_object(o);
	json_key(o, "application/json");
	json_begin_object(o);
	openapi_member(d, "schema", "@%s", rule.suffix ? openapi_name(d, res->name, rule.suffix) : "NoMembers");
	if (rule.suffix) {
		json_key(o, "example");
		body_example(o, res, &rule);
	}
	json_end_object(o);
	json_end_object(o);
	json_end_object(o);
}
