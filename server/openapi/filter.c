/* Filters in the API's description: the parameter of lists, the bodies of searches. */
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

/* "field":{operator: value, …}, of each field. In a query every value is a text. */
static void filter_fields(struct openapi_doc *d, const struct filter_table *t, const char *relation, bool in_query)
{
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(t, i)); i++) {
		openapi_put(d, "'%s%s':" OPEN_OBJECT "'properties':{", relation, f->name);
		for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++) {
			if (f->ops & 1u << op)
				openapi_put(d, "'%s':%s,", filter_op_word(op),
				    !filter_op_valueless(op) ? value_schema(f)
				    : in_query               ? "{'enum':['','true']}"
				                             : "{'const':true}");
		}
		openapi_put(d, "}},");
	}
}

/* Ends the properties of a filter. */
static void filter_custom(struct openapi_doc *d, const struct filter_table *t)
{
	openapi_put(d, "},");
	if (t->custom)
		openapi_put(d,
		    "'patternProperties':{'%s':{'type':'object','additionalProperties':true,'description':'Operators "
		    "and values by the type of the "
		    "custom field'}}",
		    t == &object_filters ? "^customFieldValues[.]." : "^customFieldValues[.]grp_[0-9a-f-]{36}[.].");
	openapi_put(d, "},");
}

void openapi_filter_parameter(struct openapi_doc *d, const struct filter_table *t)
{
	openapi_put(d,
	    "{'name':'filter','in':'query','description':'filter[field][operator]=value; repeated for several values, "
	    "filter[field][operator][id]=… for references, filter[field][empty] without a value. At most 20 filters of "
	    "100 values.','style':'deepObject','explode':true,'schema':" OPEN_OBJECT "'properties':{");
	filter_fields(d, t, "", true);
	filter_custom(d, t);
	openapi_put(d, "},");
}

/* --- searches ------------------------------------------------------------------- */

/* The filter of a search body: its fields, and nested groups. */
static void filter_schema(struct openapi_doc *d, const struct route *r)
{
	const char *name = openapi_name(d, r->resource->name, "Filter");
	const char *group =
	    arena_printf(&d->arena, "{'type':'array','minItems':1,'maxItems':%d,'items':@%s}", FILTERS_MAX, name);

	openapi_put(d, "'%s':" OPEN_OBJECT "'properties':{'and':%s,'or':%s,", name, group, group);
	filter_fields(d, r->filters, "", false);
	for (int i = 0; i < r->filters->n_relations; i++) {
		const struct filter_relation *rel = &r->filters->relations[i];
		filter_fields(d, rel->target, arena_printf(&d->arena, "%s.", rel->name), false);
	}
	filter_custom(d, r->filters);
}

void openapi_searches(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++) {
		const struct route *r = &routes[i];
		if (r->input != INPUT_SEARCH)
			continue;
		filter_schema(d, r);
		openapi_put(d, "'%s':" OPEN_OBJECT "'properties':{'filter':@%s,",
		    openapi_name(d, r->resource->name, "Search"), openapi_name(d, r->resource->name, "Filter"));
		for (int k = 0; r->params[k]; k++)
			openapi_put(d, "'%s':%s,", r->params[k]->name, openapi_param(d, r->params[k]));
		openapi_put(d, "}},");
	}
}

void openapi_search_body(struct openapi_doc *d, const struct route *r)
{
	const char *field = r->filters->fields[0].name;

	openapi_put(d,
	    "'requestBody':{'required':false,'content':{'application/json':{'schema':@%s,'example':{'filter':{'%s':{"
	    "'like':'ada'},'or':[{'createdAt':{'gt':'2026-01-31'}},{'createdBy':{'in':{'email':['ada@example.com']}}}]}"
	    ",'sort':'-createdAt','limit':20}}}},",
	    openapi_name(d, r->resource->name, "Search"), field);
}
