/* Where a field stands beside its row in store/<resource>_fields.c: the column, the tests that describe records without
 * the program's tables, and the documents. Names every file that lacks a field. Runs at the top of the source tree. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "store/resources.h"
#include "test/lib/test.h"

enum { FILE_MAX = 2 << 20 };

static struct arena arena;
static int missing;

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* The contents of all files that match the pattern. */
static const char *files_read(const char *pattern)
{
	struct buf text;
	glob_t found;
	const char *all;

	if (glob(pattern, 0, NULL, &found) != 0)
		fail_msg("%s is missing; run this program at the top of the source tree", pattern);
	buf_init(&text, FILE_MAX);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *f = fopen(found.gl_pathv[i], "r");
		char line[4096];
		assert_non_null(f);
		while (fgets(line, sizeof line, f))
			buf_addz(&text, line);
		fclose(f);
	}
	globfree(&found);
	all = arena_dupz(&arena, text.data);
	buf_free(&text);
	return all;
}

/* The part of a text from begin up to end; "" when it has none. */
static const char *text_part(const char *text, const char *begin, const char *end)
{
	const char *from = strstr(text, begin), *to = from ? strstr(from + strlen(begin), end) : NULL;

	return to ? arena_dup(&arena, from, (size_t)(to - from)) : "";
}

static void place_missing(const struct resource *res, const struct field *f, const char *file, const char *what)
{
	printf("%s lacks %s of the field \"%s\" of %s\n", file, what, f->name, res->table);
	missing++;
}

/* --- files that name fields ------------------------------------------------------------------ */

static bool is_shown(const struct field *f)
{
	return !(f->flags & FIELD_HIDDEN);
}

static bool is_changed(const struct field *f)
{
	return f->flags & FIELD_IN_UPDATE && f->type == FIELD_TEXT && strcmp(f->name, "fullName") != 0;
}

static bool is_filtered(const struct field *f)
{
	return f->flags & FIELD_FILTERED;
}

static bool is_watched(const struct field *f)
{
	return f->watched;
}

#define ANSWERS "test/api/fields.c"
#define EMPTY "test/api/shapes.json"
#define BODIES "test/flow/test_send_back.c"
#define EXAMPLES "server/openapi/examples.json"
#define EXAMPLE "the example (run make examples)"
#define MODEL "test/lib/model/filter_model.c"
#define WORLD "test/lib/model/filter_world_record.c"

/* A part of a file has the name of each field that it concerns, with a text before and after it. */
static const struct field_place {
	const struct resource *resource;
	bool (*concerns)(const struct field *f);
	const char *file, *begin, *end, *before, *after;
	const char *what; /* for the message */
} places[] = {
    {&person_resource, is_shown, ANSWERS, "api_field person[]", "};", "{\"", "\"", "the form"},
    {&company_resource, is_shown, ANSWERS, "api_field company[]", "};", "{\"", "\"", "the form"},
    {&object_resource, is_shown, ANSWERS, "api_field object[]", "};", "{\"", "\"", "the form"},
    {&person_resource, is_shown, EMPTY, "\"person\": {", "\n\t}", "\"", "\":", "the empty value"},
    {&company_resource, is_shown, EMPTY, "\"company\": {", "\n\t}", "\"", "\":", "the empty value"},
    {&object_resource, is_shown, EMPTY, "\"object\": {", "\n\t}", "\"", "\":", "the empty value"},
    {&person_resource, is_shown, EXAMPLES, "GET /v1/people/{personId}", "\n\t}", "\"", "\":", EXAMPLE},
    {&company_resource, is_shown, EXAMPLES, "GET /v1/companies/{companyId}", "\n\t}", "\"", "\":", EXAMPLE},
    {&person_resource, is_changed, BODIES, "PATCH /v1/people/", "}\"}", "\\\"", "\\\":", "a value"},
    {&company_resource, is_changed, BODIES, "PATCH /v1/companies/", "}\"}", "\\\"", "\\\":", "a value"},
    {&person_resource, is_changed, "test/api/people.t", "== each field can be set and unset", "\n== ", "\"",
        "\":", "a value"},
    {&person_resource, is_watched, "test/api/webhooks.t", "options=[\"firstName\"", "\n", "\"", "\"",
        "the place in the list of watched attributes"},
    {&person_resource, is_filtered, "docs/filters.md", "- **people:**", "\n- **", "`", "`", "the name"},
    {&company_resource, is_filtered, "docs/filters.md", "- **companies:**", "\n- **", "`", "`", "the name"},
    {&person_resource, is_filtered, MODEL, "model_people[]", "};", "{\"", "\"", "the row"},
    {&company_resource, is_filtered, MODEL, "model_companies[]", "};", "{\"", "\"", "the row"},
    {&person_resource, is_filtered, WORLD, "static void put_person", "void filter_task", "\"", "\"", "random values"},
};

TEST(test_names)
{
	missing = 0;
	for (size_t i = 0; i < COUNT(places); i++) {
		const struct field_place *p = &places[i];
		const char *part = text_part(files_read(p->file), p->begin, p->end);
		if (!*part)
			fail_msg("%s has no part from %s to %s; correct test/unit/test_field_places.c", p->file,
			    p->begin, p->end);
		for (int k = 0; k < p->resource->n_fields; k++) {
			const struct field *f = &p->resource->fields[k];
			const char *named = arena_printf(&arena, "%s%s%s", p->before, f->name, p->after);
			if (p->concerns(f) && !strstr(part, named))
				place_missing(p->resource, f, p->file, p->what);
		}
	}
	assert_int_equal(missing, 0);
}

/* --- columns ---------------------------------------------------------------------------------- */

static bool has_column(const char *migrations, const char *table, const char *column)
{
	const char *begin = arena_printf(&arena, "create table %s (", table);
	const char *added = arena_printf(&arena, "alter table %s add column %s ", table, column);
	const char *created = text_part(migrations, begin, "\n);");

	return strstr(created, arena_printf(&arena, "\n\t%s ", column)) || strstr(migrations, added);
}

TEST(test_columns)
{
	static const struct resource *const resources[] = {&person_resource, &company_resource, &object_resource};
	const char *migrations = files_read("migrations/*.sql");

	missing = 0;
	for (size_t i = 0; i < COUNT(resources); i++) {
		for (int k = 0; k < resources[i]->n_fields; k++) {
			const struct field *f = &resources[i]->fields[k];
			if (f->column && !has_column(migrations, resources[i]->table, f->column))
				place_missing(resources[i], f, "migrations/",
				    arena_printf(&arena, "the column (alter table %s add column %s ...)",
				        resources[i]->table, f->column));
		}
	}
	assert_int_equal(missing, 0);
}

AFTER_ALL()
{
	arena_free(&arena);
}
