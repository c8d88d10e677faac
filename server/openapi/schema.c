/* Writes the schemas of the resources, for answers and for bodies. */
#include <string.h>

#include "server/request/batch.h"
#include "server/input/match.h"
#include "server/openapi/document_private.h"

/* The fields that a body, or each record of a batch, may contain, and those that it must contain. */
static const struct body_rule {
	const char
	    *suffix; /* of the schema's name; NULL: the route has no body, or that of a search (schema_filter.c) */
	const char *about; /* text about the body, or about each record */
	unsigned accepted, required;
	bool batch, names_record; /* each record has its id */
	bool matches;             /* the body has "match", the field by which existing records are found */
} rules[] = {
    [INPUT_CREATE] = {"Create", "What a new record holds.", FIELD_IN_CREATE, FIELD_REQUIRED, false, false},
    [INPUT_UPDATE] = {"Update", "The changes of a record. Absent members stay unchanged.", FIELD_IN_UPDATE,
        FIELD_REQUIRED_UPDATE, false, false},
    [INPUT_BATCH_CREATE] = {"BatchCreate", NULL, FIELD_IN_CREATE, FIELD_REQUIRED, true, false},
    [INPUT_BATCH_UPDATE] = {"BatchUpdate", "A record by its id, and its changes.", FIELD_IN_UPDATE,
        FIELD_REQUIRED_UPDATE, true, true},
    [INPUT_BATCH_DELETE] = {"BatchDelete", "A record by its id.", 0, 0, true, true},
    [INPUT_BATCH_UPSERT] = {"BatchUpsert", NULL, FIELD_IN_CREATE, FIELD_REQUIRED, true, false, true},
    [INPUT_SEARCH] = {NULL, NULL, 0, 0, false, false},
};

static bool schema_shows(const struct field *f, bool is_parent)
{
	/* Of a definition, only options and config are shown. A parent is shown without its own parent. */
	return !(f->flags & FIELD_HIDDEN) && (f->type != FIELD_DEFINITION || f->flags & FIELD_IN_CREATE) &&
	       !(is_parent && f->type == FIELD_PARENT);
}

static bool has_parent(const struct resource *res)
{
	for (int i = 0; i < res->n_fields; i++)
		if (res->fields[i].type == FIELD_PARENT)
			return true;
	return false;
}

/* Writes a record as answers show it. */
static void schema_resource(struct openapi_doc *d, const struct resource *res, bool is_parent)
{
	openapi_put(d, "'%s':" OPEN_OBJECT, openapi_schema_name(d, res, is_parent ? "Parent" : ""));
	openapi_text(d, "description", res->about);
	openapi_put(d, "'required':[");
	for (int i = 0; i < res->n_fields; i++) /* each part of a definition belongs to only some types */
		if (schema_shows(&res->fields[i], is_parent) && res->fields[i].type != FIELD_DEFINITION &&
		    !(res->fields[i].flags & FIELD_WHEN_TRUE))
			openapi_put(d, "'%s',", res->fields[i].name);
	openapi_put(d, "%s],'properties':{", is_parent ? "'deleted'" : "");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (schema_shows(f, is_parent))
			openapi_schema(d, f->name, f->about, openapi_field_text(d, res, f, openapi_types[f->type].out));
	}
	openapi_put(d, "%s}},",
	    is_parent ? "'deleted':{'type':'boolean','const':false,'description':'It is still there'}" : "");
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

/* True for a resource that occurs only in bodies: the arguments of an action, such as the record to merge with. */
static bool is_order(const struct resource *res)
{
	for (int i = 0; i < n_routes; i++)
		if (routes[i].resource == res)
			return false;
	return true;
}

static const char *schema_body_name(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	return openapi_schema_name(d, res, is_order(res) ? "" : rule->suffix);
}

/* Writes the required members. */
static void schema_required(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	if (!rule_requires(res, rule))
		return;
	openapi_put(d, "'required':[%s", rule->names_record ? "'id'," : "");
	for (int i = 0; i < res->n_fields; i++)
		if (res->fields[i].flags & rule->required)
			openapi_put(d, "'%s',", res->fields[i].name);
	openapi_put(d, "],");
}

/* Writes the member "match". */
static const char *schema_match(struct openapi_doc *d, const struct resource *res)
{
	return arena_printf(&d->arena,
	    "'match':{'description':'The field by whose values existing records are found. Custom fields are named as "
	    "in filters','anyOf':[{'type':'string','enum':[%s]},{'type':'string','pattern':'^customFieldValues[.]'}]},",
	    openapi_words(d, match_names(res)));
}

static void schema_members(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const char *about = f->about;
		if (!(f->flags & rule->accepted))
			continue;
		if (f->flags & FIELD_FROM_ADMIN)
			about = arena_printf(&d->arena,
			    "%s Only keys of workspace admins may give it, for a record that was elsewhere before.",
			    about);
		openapi_schema(d, f->name, about, openapi_field_text(d, res, f, openapi_types[f->type].in));
	}
}

/* Writes a body, or a record of a batch. */
static void schema_record(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	openapi_put(d, "'%s%s':" OPEN_OBJECT, schema_body_name(d, res, rule), rule->batch ? "Record" : "");
	openapi_text(d, "description", is_order(res) ? res->about : rule->about);
	schema_required(d, res, rule);
	openapi_put(d, "'properties':{");
	if (rule->names_record)
		openapi_put(d,
		    "'id':@RecordId,'ifMatch':{'type':'string','minLength':1,'maxLength':%d,'description':'As the "
		    "header If-Match, quotes included: the record fails unless it still has this tag'},",
		    IF_MATCH_MAX);
	schema_members(d, res, rule);
	openapi_put(d, "}},");
}

/* A record of a batch is the body of a single request, unless it has an id. */
static void schema_body(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	const char *record = openapi_schema_name(d, res, rule->names_record ? rule->suffix : "Create");

	if (!rule->batch || rule->names_record)
		schema_record(d, res, rule);
	if (!rule->batch)
		return;
	openapi_put(d, "'%s':" OPEN_OBJECT "'description':'The records of a batch','required':[%s'records'],",
	    openapi_schema_name(d, res, rule->suffix), rule->matches ? "'match'," : "");
	openapi_put(d,
	    "'properties':{%s'records':{'type':'array','maxItems':%d,'items':@%s%s,'description':'The records. Each "
	    "one succeeds or fails by itself'}}},",
	    rule->matches ? schema_match(d, res) : "", BATCH_MAX, record, rule->names_record ? "Record" : "");
}

/* Returns the resource whose fields a body of the route may contain. */
static const struct resource *route_body(const struct route *r)
{
	return r->body ? r->body : r->resource;
}

/* A resource or body that several routes share is written only for the first of them. */
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
	return rules[routes[at].input].suffix != NULL;
}

void openapi_resources(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++) {
		if (resource_is_new(i))
			schema_resource(d, routes[i].resource, false);
		if (resource_is_new(i) && has_parent(routes[i].resource))
			schema_resource(d, routes[i].resource, true);
		if (body_is_new(i))
			schema_body(d, route_body(&routes[i]), &rules[routes[i].input]);
	}
}

void openapi_body(struct openapi_doc *d, const struct route *r)
{
	const struct body_rule *rule = &rules[r->input];
	const struct resource *res = route_body(r);
	const char *schema = rule->suffix ? schema_body_name(d, res, rule) : "NoMembers";
	bool needed = rule->suffix && (rule->batch || rule_requires(res, rule));

	openapi_put(d, "'requestBody':{'required':%s,'content':{'application/json':{'schema':@%s,",
	    needed ? "true" : "false", schema);
	openapi_example_recorded(d, r, ".request");
	openapi_put(d, "}}},");
}
