/* The API's description is one that readers and generators of clients can use: everything is described, every schema
 * has a name and a type, names are readable, and references lead somewhere. */
#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "server/request/page.h"
#include "test/lib/http/description.h"
#include "test/lib/test.h"
#include "webhook/event.h"

/* It is made at each start, and every client of /docs loads it. */
enum { SIZE_MOST = 1 << 20 };

static struct arena arena;
static struct json *document;

BEFORE_ALL()
{
	const char *text;

	arena_init(&arena);
	document = description_read(&arena, "https://kith.example", &text);
	assert_true(document && strlen(text) < SIZE_MOST);
}

AFTER_ALL()
{
	arena_free(&arena);
}

static bool text_matches(const char *text, const char *pattern)
{
	regex_t compiled;
	bool matches;

	assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	matches = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return matches;
}

static const struct json *target_of(const struct json *value)
{
	const struct json *ref = description_at(value, "$ref", NULL);

	return ref ? description_target(&arena, document, ref->text) : value;
}

/* A sentence that is more than the name, here or where the value leads. */
static bool is_described(const struct json *value)
{
	const struct json *own = description_at(value, "description", NULL);

	if (!own)
		own = description_at(target_of(value), "description", NULL);
	return own && own->len >= 6 && !islower((unsigned char)own->text[0]) && own->text[0] != ' ';
}

/* --- operations ------------------------------------------------------------------------ */

/* Calls check for each operation of paths, and of webhooks. */
static int each_operation(void (*check)(const char *path, const struct json *operation))
{
	static const char *const places[] = {"paths", "webhooks"};
	int n = 0;

	for (size_t i = 0; i < 2; i++)
		for (const struct json *p = description_at(document, places[i], NULL)->first; p; p = p->next)
			for (const struct json *op = p->first; op; op = op->next, n++)
				check(p->key, op);
	return n;
}

static void check_words(const char *path, const struct json *op)
{
	const struct json *summary = description_at(op, "summary", NULL),
	                  *about = description_at(op, "description", NULL);

	if (!summary || !about || summary->len < 5 || summary->len > 100 || about->len < 80 ||
	    strchr(".)", about->text[about->len - 1]) == NULL || strcmp(summary->text, about->text) == 0)
		fail_msg("%s %s: no good description", path, op->key);
	for (const struct json *tag = description_at(op, "tags", NULL)->first; tag; tag = tag->next) {
		const struct json *row = description_at(document, "tags", NULL)->first;
		while (row && strcmp(json_member(row, "name")->text, tag->text) != 0)
			row = row->next;
		if (!row || !is_described(row))
			fail_msg("%s %s: the tag %s is not described", path, op->key, tag->text);
	}
}

static const char *ids[256];
static int n_ids;

/* A verb in lower case, or the name that everybody uses for a probe. */
static void check_id(const char *path, const struct json *op)
{
	const char *id = description_at(op, "operationId", NULL)->text;

	(void)path;
	if (!text_matches(id, "^(livez|readyz|on[A-Z][A-Za-z]+|(get|list|create|update|delete|search|merge|batch|add|"
	                      "remove|mark|test|rotate|recover|retry|stream|aggregate|query|disable|enable|invite|"
	                      "change)[A-Z][A-Za-z]+)$") ||
	    text_matches(id, "The|What|Was|Operation|_"))
		fail_msg("%s is not a good operationId", id);
	for (int i = 0; i < n_ids; i++)
		assert_string_not_equal(ids[i], id);
	assert_true(n_ids < 256);
	ids[n_ids++] = id;
}

static void check_parameters(const char *path, const struct json *op)
{
	const struct json *list = description_at(op, "parameters", NULL);

	for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
		const struct json *parameter = target_of(p), *name = description_at(parameter, "name", NULL),
		                  *preset = description_at(parameter, "schema", "default", NULL);
		if (!is_described(parameter))
			fail_msg("%s %s: %s is not described", path, op->key, name->text);
		if (strcmp(name->text, "limit") == 0)
			assert_string_equal(preset->text,
			    strstr(path, "/aggregate") ? "100" : arena_printf(&arena, "%d", PAGE_LIMIT_DEFAULT));
		if (strcmp(name->text, "combinator") == 0)
			assert_string_equal(preset->text, "and");
	}
}

/* Statuses are named, and each of them says what happened. */
static void check_statuses(const char *path, const struct json *op)
{
	for (const struct json *r = description_at(op, "responses", NULL)->first; r; r = r->next)
		if (!text_matches(r->key, "^[2345][0-9][0-9]$") || !is_described(r))
			fail_msg("%s %s: the status %s is not described", path, op->key, r->key);
}

TEST(test_operations)
{
	assert_true(each_operation(check_words) >= 85 + EVENT_TYPES);
	each_operation(check_id);
	each_operation(check_parameters);
	each_operation(check_statuses);
}

/* A name of another case for the same thing would be a second one in many languages. */
TEST(test_names_of_schemas)
{
	static const char taken[] =
	    "^(Object|Error|Event|Option|Map|Set|Date|Record|Request|Response|Number|String|Array|"
	    "Function|Symbol|Promise|Node|Text|Range|Comment|Notification|File|Blob)$";

	for (const struct json *s = description_at(document, "components", "schemas", NULL)->first; s; s = s->next) {
		if (!text_matches(s->key, "^[A-Z][A-Za-z0-9]+$") || text_matches(s->key, taken))
			fail_msg("%s is not a good name", s->key);
		if (!is_described(s))
			fail_msg("%s is not described", s->key);
	}
}

/* --- schemas ----------------------------------------------------------------------------- */

static bool has_member(const struct json *schema, const char *name)
{
	return json_member(schema, name) != NULL;
}

static bool is_typed(const struct json *schema)
{
	return has_member(schema, "$ref") || has_member(schema, "type") || has_member(schema, "oneOf") ||
	       has_member(schema, "anyOf") || has_member(schema, "allOf");
}

static void check_schema(const char *where, const struct json *schema, bool named);

static void check_members(const char *where, const struct json *schema)
{
	const struct json *list = json_member(schema, "properties");

	for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
		const struct json *about = json_member(p, "description");
		if (!is_described(p))
			fail_msg("%s: %s is not described", where, p->key);
		/* what is ignored may be anything */
		if (!is_typed(p) && !(about && strstr(about->text, "ignored")))
			fail_msg("%s: %s has no type", where, p->key);
		check_schema(arena_printf(&arena, "%s.%s", where, p->key), p, false);
	}
}

static void check_choices(const char *where, const struct json *schema, const char *name)
{
	const struct json *list = json_member(schema, name);

	for (const struct json *s = list ? list->first : NULL; s; s = s->next) {
		if (!is_typed(s))
			fail_msg("%s: a part of %s has no type", where, name);
		check_schema(where, s, false);
	}
}

/* Objects with members have a name, so that a client has a type for them. */
static void check_schema(const char *where, const struct json *schema, bool named)
{
	static const char *const parts[] = {"items", "additionalProperties", "propertyNames"};

	if (!named && has_member(schema, "properties"))
		fail_msg("%s has a schema without a name", where);
	if ((has_member(schema, "const") || has_member(schema, "enum")) && !has_member(schema, "type"))
		fail_msg("%s: a constant has no type", where);
	check_members(where, schema);
	check_choices(where, schema, "oneOf");
	check_choices(where, schema, "anyOf");
	check_choices(where, schema, "allOf");
	check_choices(where, schema, "patternProperties");
	for (size_t i = 0; i < 3; i++) {
		const struct json *part = json_member(schema, parts[i]);
		if (part && part->type == JSON_OBJECT)
			check_schema(where, part, false);
	}
}

/* Everything below that is a "schema" of a parameter, a header or a content, or an item of components/schemas. */
static int check_schemas(const char *where, const struct json *value)
{
	int n = 0;

	for (const struct json *m = value->first; m; m = m->next) {
		const char *at = m->key ? arena_printf(&arena, "%s/%s", where, m->key) : where;
		if (m->key && (strcmp(m->key, "example") == 0 || strcmp(m->key, "examples") == 0))
			continue;
		if (m->key && strcmp(m->key, "schema") == 0)
			check_schema(at, m, false), n++;
		else
			n += check_schemas(at, m);
	}
	return n;
}

TEST(test_schemas)
{
	int named = 0;

	for (const struct json *s = description_at(document, "components", "schemas", NULL)->first; s;
	     s = s->next, named++)
		check_schema(s->key, s, true);
	assert_true(named > 100);
	assert_true(check_schemas("", document) > 200);
}

static void check_references(const struct json *value)
{
	for (const struct json *m = value->first; m; m = m->next) {
		if (m->key && strcmp(m->key, "$ref") == 0 && !description_target(&arena, document, m->text))
			fail_msg("%s leads nowhere", m->text);
		check_references(m);
	}
}

TEST(test_references)
{
	check_references(document);
}

/* --- single schemas ---------------------------------------------------------------------------- */

/* Clients that were written with other ids, or make their own, are not refused. */
TEST(test_ids)
{
	const struct json *pattern = description_at(document, "components", "schemas", "PersonId", "pattern", NULL);

	assert_true(text_matches("per_6a1f4d2c-9b3e-4c7a-8f10-2b5d7e9c0a31", pattern->text));
	assert_true(text_matches("per_00000000-0000-0000-0000-000000000000", pattern->text));
	assert_false(text_matches("com_6a1f4d2c-9b3e-4c7a-8f10-2b5d7e9c0a31", pattern->text));
	assert_false(text_matches("per_6a1f4d2c-9b3e-4c7a-8f10-2b5d7e9c0a3", pattern->text));
}

TEST(test_path_of_issues)
{
	const struct json *items = description_at(document, "components", "schemas", "Path", "items", "anyOf", NULL);

	assert_string_equal(description_at(items->first, "type", NULL)->text, "string");
	assert_string_equal(description_at(items->first->next, "type", NULL)->text, "integer");
}

static const char *ref_name(const struct json *ref)
{
	return strrchr(json_member(ref, "$ref")->text, '/') + 1;
}

/* Each type of event is described as what a webhook is sent, with an example of that type; and as an item of the feed,
 * but for the test. */
TEST(test_events)
{
	const struct json *list = description_at(document, "components", "schemas", "FeedEvent", "oneOf", NULL);

	for (int i = 0; i < EVENT_TYPES; i++) {
		const struct json *content = description_at(document, "webhooks", event_kinds[i].name, "post",
		                      "requestBody", "content", "application/json", NULL),
		                  *schema = target_of(json_member(content, "schema")), *item = list->first;
		const char *name = ref_name(json_member(content, "schema"));
		assert_string_equal(
		    description_at(schema, "properties", "type", "const", NULL)->text, event_kinds[i].name);
		assert_string_equal(description_at(content, "example", "type", NULL)->text, event_kinds[i].name);
		while (item && strcmp(ref_name(item), name) != 0)
			item = item->next;
		assert_int_equal(item != NULL, event_kinds[i].can_subscribe);
	}
}

TEST(test_info)
{
	assert_string_equal(description_at(document, "info", "license", "identifier", NULL)->text, "ISC");
	assert_non_null(description_at(document, "info", "contact", "name", NULL));
	assert_true(is_described(description_at(document, "info", NULL)));
	assert_true(is_described(description_at(document, "servers", NULL)->first));
	assert_true(is_described(description_at(document, "components", "securitySchemes", "bearer", NULL)));
}
