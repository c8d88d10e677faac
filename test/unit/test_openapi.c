/* The API's description has every route, field and error. */
#include <regex.h>
#include <string.h>

#include "filter/filter.h"
#include "server/request/errors.h"
#include "server/request/route.h"
#include "server/routes.h"
#include "test/lib/http/description.h"
#include "test/lib/test.h"

static struct arena arena;
static struct json *document;

/* Terms of the notation ("<item max>") that a row of the table of fields misspells would be left as they are. */
static void expect_no_term(const char *text, size_t len)
{
	regex_t term;
	regmatch_t at;

	assert_int_equal(regcomp(&term, "<[a-z?][a-z? ]*>", 0), 0);
	at.rm_so = 0, at.rm_eo = (regoff_t)len;
	if (regexec(&term, text, 1, &at, REG_STARTEND) == 0)
		fail_msg("not replaced: %.*s", (int)(at.rm_eo - at.rm_so), text + at.rm_so);
	regfree(&term);
}

BEFORE_ALL()
{
	const char *text;

	routes_use();
	arena_init(&arena);
	document = description_read(&arena, "https://kith.example/\"x", &text);
	if (document)
		expect_no_term(text, strlen(text));
	assert_true(document);
}

AFTER_ALL()
{
	arena_free(&arena);
}

TEST(test_head)
{
	assert_string_equal(description_at(document, "openapi", NULL)->text, "3.1.0");
	assert_string_equal(description_at(document, "info", "version", NULL)->text, "2025-06-09");
	assert_string_equal(description_at(document, "info", "x-program-version", NULL)->text, KITH_VERSION);
	assert_string_equal(description_at(description_at(document, "servers", NULL)->first, "url", NULL)->text,
	    "https://kith.example/\"x");
	assert_string_equal(
	    description_at(document, "components", "securitySchemes", "bearer", "scheme", NULL)->text, "bearer");
}

TEST(test_every_route)
{
	for (int i = 0; i < n_routes; i++) {
		const struct json *op = description_operation(document, &routes[i]),
		                  *id = description_at(op, "operationId", NULL);
		bool open = routes[i].flags & ROUTE_OPEN;
		assert_non_null(op);
		assert_non_null(description_at(op, "responses", "200", NULL));
		assert_int_equal(description_at(op, "responses", "401", NULL) == NULL, open);
		assert_int_equal(description_at(op, "security", NULL)->count == 0, open);
		assert_int_equal(description_at(op, "deprecated", NULL) != NULL, routes[i].deprecated != NULL);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(
			    description_at(description_operation(document, &routes[k]), "operationId", NULL)->text,
			    id->text);
	}
}

/* A route that takes If-Match answers 412, and those that show a record with a tag have it in a header. */
TEST(test_every_condition)
{
	int conditions = 0, tags = 0;

	for (int i = 0; i < n_routes; i++) {
		const struct json *op = description_operation(document, &routes[i]),
		                  *p = description_at(op, "parameters", NULL)->first;
		while (p && (!description_at(p, "$ref", NULL) ||
		                !strstr(description_at(p, "$ref", NULL)->text, "/If-Match")))
			p = p->next;
		assert_int_equal(p != NULL, route_takes_condition(&routes[i]));
		assert_int_equal(description_at(op, "responses", "412", NULL) != NULL, p != NULL);
		assert_int_equal(description_at(op, "responses", "200", "headers", "ETag", NULL) != NULL,
		    route_answers_etag(&routes[i]) || strcmp(routes[i].path, "/docs/errors") == 0 ||
		        strcmp(routes[i].path, "/openapi.json") == 0); /* pages */
		conditions += p != NULL;
		tags += route_answers_etag(&routes[i]);
	}
	assert_true(conditions >= 2 * 6 + 2); /* changes and deletes of six kinds of records, actions of tasks */
	assert_true(tags >= 3 * 6 + 2);
}

/* Of a route's parameters: those of the path, then those of the query, by their names. */
TEST(test_every_parameter)
{
	for (int i = 0; i < n_routes; i++) {
		const struct json *p =
		    description_at(description_operation(document, &routes[i]), "parameters", NULL)->first;
		for (const char *open = strchr(routes[i].path, '{'); open; open = strchr(open + 1, '{'), p = p->next) {
			const struct json *name = description_at(p, "name", NULL);
			assert_string_equal(description_at(p, "in", NULL)->text, "path");
			assert_int_equal(strncmp(open + 1, name->text, name->len), 0);
		}
		/* those of a search are members of its body */
		for (int k = 0; routes[i].params && routes[i].params[k] && routes[i].input != INPUT_SEARCH;
		     k++, p = p->next) {
			assert_string_equal(description_at(p, "in", NULL)->text, "query");
			assert_string_equal(description_at(p, "name", NULL)->text, routes[i].params[k]->name);
			assert_int_equal(description_at(p, "required", NULL) != NULL, routes[i].params[k]->required);
		}
		if (routes[i].filters && routes[i].input != INPUT_SEARCH)
			assert_string_equal(description_at(p, "name", NULL)->text, "filter");
	}
}

static bool refers_to(const struct json *list, const char *ref)
{
	for (const struct json *item = list->first; item; item = item->next) {
		const struct json *to = json_member(item, "$ref");
		if (to && strcmp(to->text, ref) == 0)
			return true;
	}
	return false;
}

/* Every write takes a key, but for those with passwords, and can be tried, but for those that would send something;
 * nothing else. */
TEST(test_every_write)
{
	for (int i = 0; i < n_routes; i++) {
		const struct json *op = description_operation(document, &routes[i]),
		                  *parameters = description_at(op, "parameters", NULL);
		bool dry = route_writes(&routes[i]) && !(routes[i].flags & ROUTE_NOT_DRY);
		int n = 0;
		while (route_query_param(&routes[i], n))
			n++;
		assert_true(n <= PARAMS_MAX);
		assert_true(
		    n == 0 || !route_writes(&routes[i]) || route_query_param(&routes[i], n - 1) == &route_dry_run);
		assert_int_equal(refers_to(parameters, "#/components/parameters/dryRun"), dry);
		assert_int_equal(
		    refers_to(parameters, "#/components/parameters/Idempotency-Key"), route_takes_retries(&routes[i]));
		assert_int_equal(description_at(op, "responses", "200", "headers", "X-Dry-Run", NULL) != NULL,
		    route_writes(&routes[i]));
	}
}

static const struct json *ref_target(const struct json *ref)
{
	return description_target(&arena, document, ref->text);
}

static const struct json *schema_of(const struct json *content)
{
	const struct json *ref = description_at(content, "content", "application/json", "schema", "$ref", NULL);
	return ref ? ref_target(ref) : NULL;
}

static bool array_lists(const struct json *array, const char *name)
{
	for (const struct json *i = array ? array->first : NULL; i; i = i->next)
		if (strcmp(i->text, name) == 0)
			return true;
	return false;
}

TEST(test_every_field_of_answers)
{
	for (int i = 0; i < n_routes; i++) {
		const struct resource *res = routes[i].resource;
		const struct json *ref, *schema;
		if (routes[i].answer != ANSWER_ONE)
			continue;
		ref = description_at(
		    schema_of(description_at(description_operation(document, &routes[i]), "responses", "200", NULL)),
		    "properties", "data", "$ref", NULL);
		schema = ref_target(ref);
		assert_non_null(schema);
		assert_false(description_at(schema, "additionalProperties", NULL)->truth);
		for (int k = 0; k < res->n_fields; k++) {
			/* some parts of a custom field's definition are shown, none of them always */
			bool part = res->fields[k].type == FIELD_DEFINITION || res->fields[k].flags & FIELD_WHEN_TRUE,
			     hidden = res->fields[k].flags & FIELD_HIDDEN;
			bool described = description_at(schema, "properties", res->fields[k].name, NULL) != NULL;
			assert_true(part || described == !hidden);
			assert_int_equal(array_lists(description_at(schema, "required", NULL), res->fields[k].name),
			    !hidden && !part);
		}
	}
}

static void check_body(const struct json *schema, const struct resource *res, unsigned accepted, unsigned required)
{
	assert_non_null(schema);
	assert_false(description_at(schema, "additionalProperties", NULL)->truth);
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		if (f->type == FIELD_ID)
			continue; /* which record it is */
		assert_int_equal(
		    description_at(schema, "properties", f->name, NULL) != NULL, (f->flags & accepted) != 0);
		assert_int_equal(
		    array_lists(description_at(schema, "required", NULL), f->name), (f->flags & required) != 0);
	}
}

/* The parameters of the list as members, and what it can be filtered by. */
static void check_search(const struct json *schema, const struct route *r)
{
	const struct json *ref = description_at(schema, "properties", "filter", "$ref", NULL);
	assert_non_null(ref);
	for (int k = 0; r->params[k]; k++)
		assert_non_null(description_at(schema, "properties", r->params[k]->name, NULL));
	for (int k = 0; filter_field_at(r->filters, k); k++)
		assert_non_null(
		    description_at(ref_target(ref), "properties", filter_field_at(r->filters, k)->name, NULL));
}

TEST(test_every_field_of_bodies)
{
	for (int i = 0; i < n_routes; i++) {
		const struct resource *res = routes[i].body ? routes[i].body : routes[i].resource;
		const struct json *schema =
		    schema_of(description_at(description_operation(document, &routes[i]), "requestBody", NULL));
		const struct json *ref = description_at(schema, "properties", "records", "items", "$ref", NULL);
		const struct json *record = ref ? ref_target(ref) : NULL;
		switch (routes[i].input) {
		case INPUT_NONE:
			break;
		case INPUT_CREATE:
			check_body(schema, res, FIELD_IN_CREATE, FIELD_REQUIRED);
			break;
		case INPUT_UPDATE:
			check_body(schema, res, FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE);
			break;
		case INPUT_BATCH_UPSERT:
			assert_non_null(description_at(schema, "properties", "match", NULL));
			check_body(record, res, FIELD_IN_CREATE, FIELD_REQUIRED);
			break;
		case INPUT_BATCH_CREATE:
			check_body(record, res, FIELD_IN_CREATE, FIELD_REQUIRED);
			break;
		case INPUT_BATCH_UPDATE:
			check_body(record, res, FIELD_IN_UPDATE, FIELD_REQUIRED_UPDATE);
			break;
		case INPUT_BATCH_DELETE:
			check_body(record, res, 0, 0);
			break;
		case INPUT_SEARCH:
			check_search(schema, &routes[i]);
			break;
		}
	}
}

TEST(test_every_error)
{
	for (int i = 0; i < ERROR_CODES; i++) {
		const char *name = arena_printf(&arena, "Error%d", error_rows[i].status);
		const struct json *schema = description_at(document, "components", "schemas", name, NULL);
		assert_non_null(description_at(document, "components", "responses", name, NULL));
		const struct json *body = description_at(schema, "properties", "error", "$ref", NULL);
		assert_true(array_lists(
		    description_at(ref_target(body), "properties", "code", "enum", NULL), error_rows[i].code));
	}
}
