/* Writes the filters in the API's description: the parameter of lists, and the bodies of searches. */
#include "filter/filter.h"
#include "server/openapi/document_private.h"

/* Returns the schema of one value of a field. A list is accepted as well. */
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

/* What the operators of each type of field do. */
static const struct {
	const char *name, *about;
} kinds[] = {
    [FILTER_TEXT] = {"Text", "Compares texts. A list matches when one of its items does"},
    [FILTER_TEXTS] = {"Text", "Compares texts. A list matches when one of its items does"},
    [FILTER_EMAILS] = {"Text", "Compares texts. A list matches when one of its items does"},
    [FILTER_PHONES] = {"Text", "Compares texts. A list matches when one of its items does"},
    [FILTER_CHOICE] = {"Word", "Compares with words of a fixed set"},
    [FILTER_NUMBER] = {"Number", "Compares numbers"},
    [FILTER_DATE] = {"Date", "Compares days, in UTC"},
    [FILTER_DAY] = {"Date", "Compares days, in UTC"},
    [FILTER_INSTANT] = {"Time", "Compares times; a day is one in UTC"},
    [FILTER_USER] = {"User", "Compares users"},
    [FILTER_USERS] = {"User", "Compares users"},
    [FILTER_OPTION] = {"Option", "Compares options, by their labels"},
    [FILTER_OPTIONS] = {"Option", "Compares options, by their labels"},
    [FILTER_ENTITY] = {"Entity", "Compares the record to which it belongs"},
    [FILTER_REFS] = {"Reference", "Compares records that are referred to"},
};

static const char *const operators[FILTER_OPS] = {
    [FILTER_EQ] = "Equals one of the values",
    [FILTER_NOT_EQ] = "Equals none of the values",
    [FILTER_GT] = "Greater than, or after",
    [FILTER_LT] = "Less than, or before",
    [FILTER_LIKE] = "Contains one of the values, in any case",
    [FILTER_NOT_LIKE] = "Contains none of the values",
    [FILTER_ALL] = "Is exactly this set",
    [FILTER_IN] = "Has one of the values",
    [FILTER_NOT_IN] = "Has none of the values",
    [FILTER_EMPTY] = "Is unset",
    [FILTER_NOT_EMPTY] = "Is set",
};

/* Returns what an operator takes. value is the schema of a value, as a reference. */
static const char *operator_schema(struct openapi_doc *d, enum filter_op op, const char *value, bool in_query)
{
	if (filter_op_valueless(op) && in_query)
		return arena_printf(
		    &d->arena, "{'type':'string','enum':['','true'],'description':'%s'}", operators[op]);
	if (filter_op_valueless(op))
		return arena_printf(&d->arena, "{'type':'boolean','const':true,'description':'%s'}", operators[op]);
	return arena_printf(&d->arena, "%s(%s)", value, operators[op]);
}

/* Returns a name such as "TextFilter" or "RequiredDateQueryFilter": a schema for the operators of a field, which fields
 * with the same operators share. In a query every value is text. */
static const char *field_schema(struct openapi_doc *d, const struct filter_field *f, bool in_query)
{
	bool required = !(f->ops & 1u << FILTER_EMPTY), plain = f->subkeys & FILTER_SUBKEY_NONE;
	const char *list = "";

	for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++)
		if (f->ops & 1u << op)
			list = arena_printf(&d->arena, "%s'%s':%s,", list, filter_op_word(op),
			    operator_schema(d, op, value_schema(f), in_query));
	return arena_printf(&d->arena, "#%s%s%s%sFilter" OPEN_OBJECT "'description':'%s','properties':{%s}}",
	    required ? "Required" : "", kinds[f->type].name, plain ? "Id" : "", in_query ? "Query" : "",
	    kinds[f->type].about, list);
}

/* Returns the operators of custom fields of all types. Which of them a field has depends on its type. */
static const char *custom_schema(struct openapi_doc *d, bool in_query)
{
	const char *list = "";

	for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++)
		list = arena_printf(&d->arena, "%s'%s':%s,", list, filter_op_word(op),
		    operator_schema(d, op,
		        op == FILTER_ALL || op == FILTER_IN || op == FILTER_NOT_IN ? "@FilterChoices"
		                                                                   : "@FilterNumbers",
		        in_query));
	return arena_printf(&d->arena,
	    "#CustomField%sFilter" OPEN_OBJECT
	    "'description':'Compares values of a custom field, by the operators of its "
	    "type','properties':{%s}}",
	    in_query ? "Query" : "", list);
}

/* Writes "field":schema of its operators, for each field. */
static void filter_fields(struct openapi_doc *d, const struct filter_table *t, const char *relation, bool in_query)
{
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(t, i)); i++)
		openapi_put(d, "'%s%s':%s,", relation, f->name, field_schema(d, f, in_query));
}

/* Ends the properties of a filter. */
static void filter_custom(struct openapi_doc *d, const struct filter_table *t, bool in_query)
{
	openapi_put(d, "},");
	if (t->custom)
		openapi_put(d, "'patternProperties':{'%s':%s}",
		    t == &object_filters ? "^customFieldValues[.]." : "^customFieldValues[.]grp_[0-9a-f-]{36}[.].",
		    custom_schema(d, in_query));
	openapi_put(d, "},");
}

void openapi_filter_parameter(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d,
	    "{'name':'filter','in':'query','description':'`filter[field][operator]=value`; repeated for several "
	    "values, `filter[field][operator][id]=…` for references, `filter[field][empty]` without a value. At most "
	    "20 filters of 100 values.','style':'deepObject','explode':true,");
	openapi_example_recorded(d, r, "filter");
	openapi_put(d, "'schema':@%s},", openapi_schema_name(d, r->filters->resource, "QueryFilter"));
}

/* --- searches ------------------------------------------------------------------- */

/* Writes the filter of a query, for the first list that has it. */
static void query_filter_schema(struct openapi_doc *d, const struct filter_table *t)
{
	openapi_put(d,
	    "'%s':" OPEN_OBJECT
	    "'description':'Conditions. All of them must match, unless combinator is or','properties':{",
	    openapi_schema_name(d, t->resource, "QueryFilter"));
	filter_fields(d, t, "", true);
	filter_custom(d, t, true);
}

/* Writes the filter of a search body: its fields, and nested groups. */
static void filter_schema(struct openapi_doc *d, const struct route *r)
{
	const char *name = openapi_schema_name(d, r->resource, "Filter");
	const char *group =
	    arena_printf(&d->arena, "'type':'array','minItems':1,'maxItems':%d,'items':@%s", FILTERS_MAX, name);

	openapi_put(d,
	    "'%s':" OPEN_OBJECT "'description':'Conditions. All of them must match; combinator can change this for the "
	    "outermost ones. A name with a dot looks at related records; one of them must "
	    "match','properties':{'and':{%s,'description':'All of these "
	    "match'},'or':{%s,'description':'At least one of these matches'},",
	    name, group, group);
	filter_fields(d, r->filters, "", false);
	for (int i = 0; i < r->filters->n_relations; i++) {
		const struct filter_relation *rel = &r->filters->relations[i];
		filter_fields(d, rel->target, arena_printf(&d->arena, "%s.", rel->name), false);
	}
	filter_custom(d, r->filters, false);
}

/* The name of the schema of a body: of a search, or of an aggregate. */
static const char *body_name(struct openapi_doc *d, const struct route *r)
{
	return openapi_schema_name(d, r->resource, r->answer == ANSWER_TOTALS ? "AggregateQuery" : "Search");
}

static void search_schema(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'%s':" OPEN_OBJECT "'description':'%s','properties':{", body_name(d, r),
	    r->answer == ANSWER_TOTALS ? "The conditions, the groups and the figures"
	                               : "The conditions of the search, and which page to show");
	openapi_put(d, "'filter':@%s,", openapi_schema_name(d, r->resource, "Filter"));
	for (int k = 0; r->params[k]; k++)
		openapi_schema(d, r->params[k]->name, r->params[k]->about, openapi_param(d, r->params[k]));
	openapi_put(d, "}},");
}

/* True when no earlier route takes the same filters in the same place. */
static bool filters_are_new(int at)
{
	for (int i = 0; i < at; i++)
		if (routes[i].filters == routes[at].filters &&
		    (routes[i].input == INPUT_SEARCH) == (routes[at].input == INPUT_SEARCH))
			return false;
	return true;
}

void openapi_searches(struct openapi_doc *d)
{
	for (int i = 0; i < n_routes; i++) {
		if (routes[i].input == INPUT_SEARCH)
			search_schema(d, &routes[i]);
		if (!routes[i].filters || !filters_are_new(i))
			continue;
		if (routes[i].input == INPUT_SEARCH)
			filter_schema(d, &routes[i]);
		else
			query_filter_schema(d, routes[i].filters);
	}
}

void openapi_search_body(struct openapi_doc *d, const struct route *r)
{
	openapi_put(d, "'requestBody':{'required':false,'content':{'application/json':{'schema':@%s,", body_name(d, r));
	openapi_example_recorded(d, r, ".request");
	openapi_put(d, "}}},");
}
