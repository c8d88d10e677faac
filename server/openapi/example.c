/* Examples of fields, from the table of types in field.c and the fields' rows, of records, and of whole answers. */
#include <string.h>

#include "server/openapi/document_private.h"

/* The field's own example, or one of its choices. */
static const char *example_word(const struct field *f)
{
	if (f->example)
		return f->example;
	if (f->choices)
		return f->choices[0];
	return f->unset ? f->unset : f->name;
}

static void example_field(struct openapi_doc *d, const struct resource *res, const struct field *f, bool in_body)
{
	const struct openapi_type *t = &openapi_types[f->type];
	const char *text = openapi_field_text(d, res, f, in_body && t->example_in ? t->example_in : t->example);
	int before = (int)strcspn(text, "~");

	openapi_put(d, "'%s':%.*s", f->name, before, text);
	if (text[before])
		openapi_string(d, example_word(f));
	openapi_put(d, "%s,", text[before] ? text + before + 1 : "");
}

void openapi_example(struct openapi_doc *d, const struct resource *res, unsigned accepted)
{
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->type == FIELD_DEFINITION || (accepted && (f->same_as || f->flags & FIELD_FROM_ADMIN)))
			continue;
		if (accepted ? f->flags & accepted : !(f->flags & FIELD_HIDDEN))
			example_field(d, res, f, accepted);
	}
}

void openapi_data_example(struct openapi_doc *d, const struct route *r)
{
	const char *id = r->resource ? id_prefix(r->resource->id_kind) : "";

	switch (r->answer) {
	case ANSWER_ONE:
		openapi_put(d, "{");
		openapi_example(d, r->resource, 0);
		openapi_put(d, "}");
		break;
	case ANSWER_LIST:
		openapi_put(d, "{'items':[{");
		openapi_example(d, r->resource, 0);
		openapi_put(d, "}],'pagination':{%s}}",
		    r->input == INPUT_SEARCH ? "'nextCursor':'AZqdXnwaez6fQl2M'"
		    : r->params ? "'nextLink':'https://kith.example/v1/people?limit=1&cursor=AZqdXnwaez6fQl2M'"
		                : "");
		break;
	case ANSWER_ID:
		openapi_put(d, "{'id':$%s}", id);
		break;
	case ANSWER_NAME:
		openapi_put(d, "{'name':'Deals'}");
		break;
	case ANSWER_BATCH:
		openapi_put(d, "{'results':[{'status':'succeeded','data':{");
		if (r->input == INPUT_BATCH_DELETE)
			openapi_put(d, "'id':$%s", id);
		else
			openapi_example(d, r->resource, 0);
		openapi_put(d, "}}]}");
		break;
	case ANSWER_PLAIN:
		break; /* of the path: answer.c */
	}
}
