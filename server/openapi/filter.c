/* Filters in the API's description: the parameter of lists, the bodies of searches. */
#include <string.h>

#include "filter/filter.h"
#include "server/openapi/document_private.h"

/* The schema of one value of a field; a list is accepted as well. */
static const char *value_schema(const struct filter_field *f)
{
	switch (f->type) {
	case FILTER_NUMBER:
		return "@FilterNumbers";
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_REFS:
	case FILTER_ENTITY:
		return f->subkeys & FILTER_SUBKEY_EMAIL  ? "@FilterUsers"
		       : f->subkeys & FILTER_SUBKEY_NONE ? "@FilterTexts"
		                                         : "@FilterReferences";
	default:
		return "@FilterTexts";
	}
}

/* {operator: value, …} of a field. In a query every value is a text. */
static void filter_operators(struct openapi_doc *d, const struct filter_field *f, bool in_query)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	json_key(o, "properties");
	json_begin_object(o);
	for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++) {
		bool valueless = op == FILTER_EMPTY || op == FILTER_NOT_EMPTY;
		if (!(f->ops & 1u << op))
			continue;
		if (valueless)
			openapi_member(d, filter_op_word(op), in_query ? "{'enum':['','true']}" : "{'const':true}");
		else
			openapi_member(d, filter_op_word(op), "%s", value_schema(f));
	}
	json_end_object(o);
	json_end_object(o);
}

static void filter_fields(struct openapi_doc *d, const struct filter_table *t, const char *before, bool in_query)
{
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(t, i)); i++) {
		json_key(&d->out, arena_printf(&d->arena, "%s%s", before, f->name));
		filter_operators(d, f, in_query);
	}
}

static void filter_custom(struct openapi_doc *d, const struct filter_table *t)
{
	if (t->custom)
		openapi_member(d, "patternProperties",
		    "{'%s':{'type':'object','description':'Operators and values by the type of the custom field'}}",
		    t == &object_filters ? "^customFieldValues[.]." : "^customFieldValues[.]grp_[0-9a-f-]{36}[.].");
}

void openapi_filter_parameter(struct openapi_doc *d, const struct filter_table *t)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_member(d, "name", "'filter'");
	openapi_member(d, "in", "'query'");
	openapi_text(d, "description",
	    "filter[field][operator]=value; repeated for several values, filter[field][operator][id]=… for references, "
	    "filter[field][empty] without a value. At most 20 filters of 100 values.");
	openapi_member(d, "style", "'deepObject'");
	openapi_member(d, "explode", "true");
	json_key(o, "schema");
	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	json_key(o, "properties");
	json_begin_object(o);
	filter_fields(d, t, "", true);
	json_end_object(o);
	filter_custom(d, t);
	json_end_object(o);
	json_end_object(o);
}

/* --- searches ------------------------------------------------------------------- */

/* The filter of a search body: its fields, and nested groups. */
static void filter_schema(struct openapi_doc *d, const struct route *r)
{
	const char *name = openapi_name(d, r->resource->name, "Filter");
	struct json_out *o = &d->out;

	json_key(o, name);
	json_begin_object(o);
	openapi_member(d, "type", "'object'");
	openapi_member(d, "additionalProperties", "false");
	json_key(o, "properties");
	json_begin_object(o);
	openapi_member(d, "and", "{'type':'array','minItems':1,'maxItems':%d,'items':@%s}", FILTERS_MAX, name);
	openapi_member(d, "or", "{'type':'array','minItems':1,'maxItems':%d,'items':@%s}", FILTERS_MAX, name);
	filter_fields(d, r->filters, "", false);
	for (int i = 0; i < r->filters->n_relations; i++) {
		const struct filter_relation *rel = &r->filters->relations[i];
		filter_fields(d, rel->target, arena_printf(&d->arena, "%s.", rel->name), false);
	}
	json_end_object(o);
	filter_custom(d, r->filters);
	json_end_object(o);
}

void openapi_searches(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++) {
		const struct route *r = &routes[i];
		if (r->input != INPUT_SEARCH)
			continue;
		filter_schema(d, r);
		json_key(&d->out, openapi_name(d, r->resource->name, "Search"));
		json_begin_object(&d->out);
		openapi_member(d, "type", "'object'");
		openapi_member(d, "additionalProperties", "false");
		json_key(&d->out, "properties");
		json_begin_object(&d->out);
		openapi_member(d, "filter", "@%s", openapi_name(d, r->resource->name, "Filter"));
		for (int k = 0; r->params[k]; k++)
			openapi_param(d, r->params[k]->name, r->params[k]);
		json_end_object(&d->out);
		json_end_object(&d->out);
	}
}

void openapi_search_body(struct openapi_doc *d, const struct route *r)
{
	const char *field = r->filters->fields[0].name;

	openapi_put(d,
	    "{'required':false,'content':{'application/json':{'schema':@%s,'example':{'filter':{'%s':{'like':'ada'},"
	    "'or':[{'createdAt':{'gt':'2026-01-31'}},{'createdBy':{'in':{'email':['ada@example.com']}}}]},"
	    "'sort':'-createdAt','limit':20}}}}",
	    openapi_name(d, r->resource->name, "Search"), field);
}
