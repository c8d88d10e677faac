/* Schemas of the resources, in answers and in bodies. */
#include <string.h>

#include "server/request/batch.h"
#include "server/input/match.h"
#include "server/openapi/document_private.h"

/* The fields that a body, or each record of a batch, may hold, and those that it must hold. */
static const struct body_rule {
	const char *suffix; /* of the schema's name; NULL: no body, or that of a search (filter.c) */
	unsigned accepted, required;
	bool batch, names_record; /* has the record's id */
	bool matches;             /* has what existing records are found by */
} rules[] = {
    [INPUT_CREATE] = {"Create", FIELD_IN_CREATE, FIELD_REQUIRED, false, false},
    [INPUT_UPDATE] = {"Update", FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE, false, false},
    [INPUT_BATCH_CREATE] = {"BatchCreate", FIELD_IN_CREATE, FIELD_REQUIRED, true, false},
    [INPUT_BATCH_UPDATE] = {"BatchUpdate", FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE, true, true},
    [INPUT_BATCH_DELETE] = {"BatchDelete", 0, 0, true, true},
    [INPUT_BATCH_UPSERT] = {"BatchUpsert", FIELD_IN_CREATE, FIELD_REQUIRED, true, false, true},
    [INPUT_SEARCH] = {NULL, 0, 0, false, false},
};

static bool schema_shows(const struct field *f, bool is_parent)
{
	/* of a definition only options and config are shown; a parent is shown without its own parent */
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

/* A record in answers. */
static void schema_resource(struct openapi_doc *d, const struct resource *res, bool is_parent)
{
	openapi_put(d, "'%s':" OPEN_OBJECT "'required':[", openapi_name(d, res->name, is_parent ? "Parent" : ""));
	for (int i = 0; i < res->n_fields; i++) /* each part of a definition belongs to some types only */
		if (schema_shows(&res->fields[i], is_parent) && res->fields[i].type != FIELD_DEFINITION &&
		    !(res->fields[i].flags & FIELD_WHEN_TRUE))
			openapi_put(d, "'%s',", res->fields[i].name);
	openapi_put(d, "%s],'properties':{", is_parent ? "'deleted'" : "");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (schema_shows(f, is_parent))
			openapi_put(d, "'%s':%s,", f->name, openapi_field_text(d, res, f, openapi_types[f->type].out));
	}
	openapi_put(d, "%s}},", is_parent ? "'deleted':{'const':false}" : "");
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
	const char *either = "";

	if (!rule_requires(res, rule))
		return;
	openapi_put(d, "'required':[%s", rule->names_record ? "'id'," : "");
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		const char *older = older_name(res, f, rule);
		if (!(f->flags & rule->required))
			continue;
		if (older)
			either = arena_printf(&d->arena, "%s{'anyOf':[{'required':['%s']},{'required':['%s']}]},",
			    either, f->name, older);
		else
			openapi_put(d, "'%s',", f->name);
	}
	openapi_put(d, "],");
	if (*either)
		openapi_put(d, "'allOf':[%s],", either);
}

/* The member "match". */
static const char *schema_match(struct openapi_doc *d, const struct resource *res)
{
	return arena_printf(&d->arena,
	    "'match':{'description':'The field by whose values existing records are found. Custom fields are named as "
	    "in "
	    "filters','type':'string','anyOf':[{'enum':[%s]},{'pattern':'^customFieldValues[.]'}]},",
	    openapi_words(d, match_names(res)));
}

static void schema_body(struct openapi_doc *d, const struct resource *res, const struct body_rule *rule)
{
	openapi_put(d, "'%s':" OPEN_OBJECT, openapi_name(d, res->name, rule->suffix));
	if (rule->batch)
		openapi_put(d,
		    "'required':[%s'records'],'properties':{%s'records':{'type':'array','maxItems':%d,"
		    "'items':" OPEN_OBJECT,
		    rule->matches ? "'match'," : "", rule->matches ? schema_match(d, res) : "", BATCH_MAX);
	schema_required(d, res, rule);
	openapi_put(d, "'properties':{");
	if (rule->names_record)
		openapi_put(d,
		    "'id':{'type':'string','minLength':40,'maxLength':40},'ifMatch':{'type':'string','minLength':1,"
		    "'maxLength':%d,'description':'As the header If-Match, quotes included'},",
		    IF_MATCH_MAX);
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->flags & rule->accepted)
			openapi_put(d, "'%s':%s,", f->name, openapi_field_text(d, res, f, openapi_types[f->type].in));
	}
	openapi_put(d, rule->batch ? "}}}}}," : "}},");
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
	const char *schema = rule->suffix ? openapi_name(d, res->name, rule->suffix) : "NoMembers";
	bool needed = rule->suffix && (rule->batch || rule_requires(res, rule));

	openapi_put(d, "'requestBody':{'required':%s,'content':{'application/json':{'schema':@%s,",
	    needed ? "true" : "false", schema);
	if (rule->suffix) {
		openapi_put(d, "'example':{");
		if (rule->matches)
			openapi_put(d, "'match':'%s',", match_names(res)[0]);
		openapi_put(d, rule->batch ? "'records':[{" : "");
		if (rule->names_record)
			openapi_put(d, "'id':$%s,", id_prefix(res->id_kind));
		if (rule->accepted)
			openapi_example(d, res, rule->accepted);
		openapi_put(d, rule->batch ? "}]}" : "}");
	}
	openapi_put(d, "}}},");
}
