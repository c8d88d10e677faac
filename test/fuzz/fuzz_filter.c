/* Arbitrary query strings and bodies through the readers of filters and the compiler: every placeholder has its
 * parameter and every parameter its placeholder, brackets and quotes are balanced, and issues are well-formed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter/compile.h"
#include "filter/read_query.h"
#include "filter/read.h"
#include "test/lib/model/filter_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_holds(bool ok)
{
	if (!ok)
		abort();
}

/* The compiler's text has only constants in its quotes. */
static void check_text(const struct sql *s)
{
	bool *seen = arena_alloc(s->arena, (size_t)s->n_params + 1), quoted = false;
	int depth = 0;

	for (const char *p = s->text; *p; p++) {
		quoted ^= *p == '\'';
		depth += !quoted && *p == '(';
		depth -= !quoted && *p == ')';
		check_holds(depth >= 0 && (unsigned char)*p < 0x80);
		if (quoted || *p != '$')
			continue;
		long number = strtol(p + 1, NULL, 10);
		check_holds(number >= 1 && number <= s->n_params);
		seen[number] = true;
	}
	check_holds(depth == 0 && !quoted);
	for (int i = 2; i <= s->n_params; i++)
		check_holds(seen[i]);
}

static void add_condition(void *ctx, struct sql *s)
{
	sql_add(s, " and t.is_public = ");
	sql_bool(s, ctx != NULL);
}

static void compile_filter(struct arena *a, const struct filter_table *table, const struct filter *f, unsigned choice)
{
	static const struct uuid ids[2] = {{{1}}, {{2}}};
	struct filter_viewer viewer = {.user = ids[0],
	    .hidden = ids,
	    .n_hidden = choice & 16 ? 2 : 0,
	    .removed_types = ids,
	    .n_removed_types = choice & 32 ? 1 : 0,
	    .deleted_contacts = ids,
	    .n_deleted_contacts = choice & 64 ? 2 : 0};
	struct filter_base base = {.table = table,
	    .column = table == &object_filters ? "type_id" : NULL,
	    .id = ids[1],
	    .viewer = &viewer,
	    .more = table == &task_filters ? add_condition : NULL};
	struct filter_order order = {
	    .updated = choice & 32, .down = choice & 64, .after = choice & 128, .id = ids[0], .limit = 21};
	struct sql s;

	sql_begin(&s, a, NULL, &ids[0]);
	filter_page_sql(&s, &base, f, &order);
	check_text(&s);
	sql_begin(&s, a, NULL, &ids[0]);
	filter_count_sql(&s, &base, f, choice & 32 ? 100 : 0);
	check_text(&s);
	sql_begin(&s, a, NULL, &ids[0]);
	sql_add(&s, "select");
	filter_test_sql(&s, &base, f);
	check_text(&s);
}

static const struct filter *read_filter(struct filter_reading *rd, const char *text, size_t len, unsigned choice)
{
	struct cursor_context context;
	struct query q;
	const struct json *json;
	const char *error;

	if (choice & 4) {
		json = json_read(rd->arena, text, len, &error);
		return json ? filter_read_body(rd, json, choice & 8) : NULL;
	}
	if (query_parse(&q, rd->arena, text, len) != QUERY_OK)
		return NULL;
	cursor_context_begin(&context, rd->arena, &(struct uuid){{0}}, "/");
	filter_query_context(&context, &q);
	return filter_read_query(rd, &q, choice & 8);
}

/* The first byte chooses; the rest is the query or the body. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct filter_table *const tables[] = {
	    &people_filters, &company_filters, &object_filters, &task_filters};
	unsigned choice = size ? data[0] : 0;
	struct arena a;
	struct issues is;
	struct buf out;
	struct filter_reading rd = {
	    .arena = &a, .table = tables[choice & 3], .resolver = &filter_text_resolver, .issues = &is};
	char *text = malloc(size + 1); /* exact, so that reading past it is seen */

	if (!text)
		return 0;
	memcpy(text, data, size);
	arena_init(&a);
	issues_init(&is);
	buf_init(&out, 8 << 20);
	const struct filter *f = read_filter(&rd, text + (size > 0), size - (size > 0), choice);
	check_holds(!f || is.count == 0);
	if (f) {
		filter_text_write(&out, f);
		compile_filter(&a, rd.table, f, choice);
	}
	check_holds(filter_text_issues(&out, &is));
	buf_free(&out);
	issues_free(&is);
	arena_free(&a);
	free(text);
	return 0;
}
