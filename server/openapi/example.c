/* Example values of fields, from the table of types in field.c and the fields' rows, and of whole answers. */
#include <string.h>

#include "server/openapi/document_private.h"

void openapi_example_id(struct json_out *o, enum id_kind kind)
{
	struct uuid id;
	char text[ID_SIZE];

	uuid_parse("019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", 36, &id);
	id.b[15] = (unsigned char)(id.b[15] + kind);
	json_string(o, id_format(kind, &id, text));
}

static void member_id(struct json_out *o, enum id_kind kind)
{
	json_key(o, "id");
	openapi_example_id(o, kind);
}

static void example_member(struct json_out *o, const char *key, const char *text)
{
	json_key(o, key);
	json_string(o, text);
}

static void only_id(struct json_out *o, enum id_kind kind)
{
	json_begin_object(o);
	member_id(o, kind);
	json_end_object(o);
}

/* --- of fields ---------------------------------------------------------------------------- */

/* The field's own example, or one of its choices. */
static const char *word_of(const struct field *f)
{
	if (f->example)
		return f->example;
	if (f->choices)
		return f->choices[0];
	return f->unset ? f->unset : f->name;
}

/* Writes the id whose prefix ("own": the resource's) begins the text; returns the prefix's length. */
static size_t example_put_id(struct json_out *o, const struct resource *res, const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	enum id_kind kind = res->id_kind;

	for (int i = 0; i < ID_KINDS; i++)
		if (strlen(id_prefix((enum id_kind)i)) == len && memcmp(id_prefix((enum id_kind)i), text, len) == 0)
			kind = (enum id_kind)i;
	openapi_example_id(o, kind);
	return len;
}

/* Writes JSON in which ' stands for ", ~ for the field's example, $per for the id of a person, $own for the record's
 * id. */
static void example_text(struct json_out *o, const struct resource *res, const struct field *f, const char *text)
{
	struct buf json;
	struct json_out part;

	buf_init(&json, 1 << 20);
	for (; *text; text++) {
		json_out_init(&part, &json);
		if (*text == '\'') {
			buf_addc(&json, '"');
		} else if (*text == '~') {
			json_string(&part, word_of(f));
		} else if (*text == '$') {
			text += example_put_id(&part, res, text + 1);
		} else {
			buf_addc(&json, *text);
		}
	}
	json_raw(o, json.data, json.len);
	buf_free(&json);
}

void openapi_example_in(struct json_out *o, const struct resource *res, const struct field *f)
{
	const struct openapi_type *t = &openapi_types[f->type];

	if (t->example_in)
		example_text(o, res, f, t->example_in);
	else
		openapi_example_out(o, res, f);
}

void openapi_example_out(struct json_out *o, const struct resource *res, const struct field *f)
{
	const struct openapi_type *t = &openapi_types[f->type];

	example_text(o, res, f, t->example_of_object && res->id_kind == ID_OBJECT ? t->example_of_object : t->example);
}

/* --- of whole answers ------------------------------------------------------------------- */

static void example_results(struct json_out *o, const struct route *r)
{
	json_begin_object(o);
	json_key(o, "results");
	json_begin_array(o);
	json_begin_object(o);
	example_member(o, "status", "succeeded");
	json_key(o, "data");
	if (r->input == INPUT_BATCH_DELETE)
		only_id(o, r->resource->id_kind);
	else
		openapi_resource_example(o, r->resource);
	json_end_object(o);
	json_end_array(o);
	json_end_object(o);
}

static void example_list(struct json_out *o, const struct route *r)
{
	json_begin_object(o);
	json_key(o, "items");
	json_begin_array(o);
	openapi_resource_example(o, r->resource);
	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	if (r->input == INPUT_SEARCH)
		example_member(o, "nextCursor", "AZqdXnwaez6fQl2M");
	else
		example_member(o, "nextLink", "https://kith.example/v1/people?limit=1&cursor=AZqdXnwaez6fQl2M");
	json_end_object(o);
	json_end_object(o);
}

void openapi_data_example(struct json_out *o, const struct route *r)
{
	switch (r->answer) {
	case ANSWER_ONE:
		openapi_resource_example(o, r->resource);
		break;
	case ANSWER_LIST:
		example_list(o, r);
		break;
	case ANSWER_ID:
		only_id(o, r->resource->id_kind);
		break;
	case ANSWER_NAME:
		json_begin_object(o);
		example_member(o, "name", "Deals");
		json_end_object(o);
		break;
	case ANSWER_BATCH:
		example_results(o, r);
		break;
	case ANSWER_PLAIN:
		json_null(o);
		break;
	}
}
