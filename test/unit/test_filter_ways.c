/* From which index a page is driven: what the statement says, whatever it finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "filter/compile.h"
#include "test/lib/filter_sample.h"

static struct uuid workspace;

/* The statement of a page of ids with the sample as its only filter, in the arena. */
static const char *statement(
    struct arena *a, const struct filter_base *b, struct filter_condition *condition, bool updated)
{
	struct filter_order order = {.limit = 10, .updated = updated};
	struct filter f = {.kind = FILTER_ONE, .condition = condition};
	struct sql s;
	sql_begin(&s, a, NULL, &workspace);
	filter_ids_sql(&s, b, &f, &order);
	return s.text;
}

static void test_ways(void **state)
{
	static const struct {
		struct filter_sample sample;
		bool updated;
		const char *says, *not ;
	} ways[] = {
	    {{"t", "dueAt", FILTER_GT, "2024-01-01", ""}, false, "kith_month(t.due_at) >= kith_month($", "i2"},
	    {{"t", "dueAt", FILTER_LT, "2024-01-01", ""}, false, "kith_month(t.due_at) <= kith_month($", "i2"},
	    {{"t", "completedAt", FILTER_GT, "2024-01-05", ""}, false, "kith_month(t.completed_at) = m.month", "i2"},
	    {{"t", "dueAt", FILTER_GT, "2024-01-01", ""}, true, "i2", "kith_month"},
	    {{"p", "birthday", FILTER_GT, "1990-05-01", ""}, false, "i2", "kith_month"},
	    {{"p", "userAt", FILTER_GT, "2024-02-01", ""}, false, "r as materialized (select v.entity_id as id", ""},
	    {{"p", "userAt", FILTER_NOT_EMPTY, NULL, ""}, false, "from interaction_counts v", "i2"},
	    {{"p", "userAt", FILTER_NOT_EMPTY, NULL, ""}, true, "i2", " v"},
	    {{"p", "workspaceAt", FILTER_LT, "2024-02-01", ""}, false, "w.user_id > v.user_id", ""},
	    {{"o", "1:number", FILTER_EMPTY, NULL, ""}, false, "t.value_set = k.value_set", "i2"},
	    {{"o", "1:number", FILTER_EMPTY, NULL, ""}, true, "from objects_updates u, objects t", "value_set"},
	    {{"o", "0:objects", FILTER_EMPTY, NULL, ""}, false, "t.value_set = k.value_set", "i2"},
	    {{"o!", "0:objects", FILTER_EMPTY, NULL, ""}, false, "from objects t", "value_set"},
	    {{"p", "b:number", FILTER_EMPTY, NULL, ""}, false, "from people t", "value_set"},
	    /* what an index was asked for whole is not tested once more; nothing is folded for a number */
	    {{"p", "firstName", FILTER_LIKE, "kumquat", ""}, false,
	        "(kith_fold(t.first_name) like kith_fold($3)))) and (select way", ""},
	    {{"p", "firstName", FILTER_LIKE, "kumquat 9999", ""}, false, "((strpos(t.first_name, $5) > 0 and ", ""},
	    /* of whom counters name, people's own times decide */
	    {{"p", "workspaceAt", FILTER_LT, "2024-02-01", ""}, false, "t.id = any (array(select id from c1)) and", ""},
	    {{"p", "userAt", FILTER_GT, "2024-02-01", ""}, false, "t.id = any (array(select id from c1)) and", ""},
	    {{"p", "workspaceAt", FILTER_LT, "2024-02-01", ""}, true, "i2", "c1"},
	    /* what is related is looked for first, and asked of a row that is walked by itself */
	    {{"p", "companies.industry", FILTER_EQ, "Tools", ""}, false,
	        "c1 as materialized (select r.id from companies r where", "exists (select from person_companies"},
	    {{"p", "companies.industry", FILTER_NOT_EQ, "Tools", ""}, true,
	        "(select true from (select l.company_id from person_companies l where", "exists (select"},
	    {{"c", "people.emails", FILTER_NOT_LIKE, "ada", ""}, false,
	        "l1 as materialized (select l.company_id as id from person_companies l where", ""},
	    /* what rows refer to is looked up by their links */
	    {{"p", "groups", FILTER_IN, "a|b", ""}, true, "t.id in (select n.person_id from person_groups n where", ""},
	    {{"p", "groups", FILTER_ALL, "a|b", ""}, true, "t.id in (select n.person_id from person_groups n where",
	        ""},
	    {{"p", "groups", FILTER_NOT_IN, "a", ""}, true, "from people_updates u, people t", "person_groups"},
	    /* of several words those that few rows have */
	    {{"p", "firstName", FILTER_LIKE, "kumquat und öl", ""}, false, "k as materialized (with s as", ""},
	    {{"p", "emails", FILTER_LIKE, "kumquat und öl", ""}, false, "(kith_fold_lines(t.emails) like (select", ""},
	    {{"p", "a:text", FILTER_LIKE, "kumquat", ""}, false, "v.text_value is not null and", ""},
	    {{"p", "phones", FILTER_LIKE, "555-0100-01", ""}, false, "(strpos(array_to_string(t.phones, e'\n'), $",
	        "strpos(kith_fold("},
	    {{"p", "firstName", FILTER_NOT_LIKE, "ada", ""}, false,
	        "(strpos(t.first_name, $3) > 0 or strpos(kith_fold(t.first_name), kith_fold($3)) > 0)", ""},
	    /* what nearly all have is asked of the rows that lack it */
	    {{"p", "firstName", FILTER_NOT_LIKE, "ada", ""}, false, "list_id = $1", "i2"},
	    {{"p", "firstName", FILTER_NOT_LIKE, "ada", ""}, true, "select id, updated_at from part_lacks l", "i2"},
	    {{"p", "a:text", FILTER_NOT_LIKE, "ada", ""}, false, "from people t", "part_lacks"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct filter_viewer viewer;
		struct filter_base b = filter_sample_base(ways[i].sample.table, &viewer);
		struct arena a;
		arena_init(&a);
		const char *text = statement(&a, &b, filter_sample_condition(&a, &ways[i].sample), ways[i].updated);
		if (!strstr(text, ways[i].says) || (*ways[i].not &&strstr(text, ways[i].not )))
			fail_msg("%s %s: %s", ways[i].sample.field, filter_op_word(ways[i].sample.op), text);
		arena_free(&a);
	}
}

/* While an option is being removed, a record whose values are such options alone has none, unlike others of its set. */
static void test_options_gone(void **state)
{
	static const struct filter_sample sample = {"o", "1:number", FILTER_EMPTY, NULL, ""};
	struct uuid option = workspace;
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base(sample.table, &viewer);
	struct arena a;

	(void)state;
	arena_init(&a);
	struct filter_condition *c = filter_sample_condition(&a, &sample);
	c->gone = &option;
	c->n_gone = 1;
	const char *text = statement(&a, &b, c, false);
	assert_null(strstr(text, "value_set"));
	assert_non_null(strstr(text, "v.ref_id <> all ("));
	arena_free(&a);
}

/* What narrows a list to few rows keeps it from months of all. */
static void nothing_more(void *ctx, struct sql *s)
{
	(void)ctx;
	sql_add(s, " and t.is_public");
}

static void test_few(void **state)
{
	static const struct filter_sample due = {"t", "dueAt", FILTER_GT, "2024-01-01", ""};
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base("t", &viewer);

	(void)state;
	b.more = nothing_more;
	for (int few = 0; few < 2; few++) {
		struct arena a;
		arena_init(&a);
		b.few = few;
		const char *text = statement(&a, &b, filter_sample_condition(&a, &due), false);
		assert_int_equal(strstr(text, "kith_month") == NULL, few);
		arena_free(&a);
	}
}

/* Where more is to be known of the rows, each linked one is asked for by itself, not joined with the list. */
static void test_links(void **state)
{
	static const struct filter_sample groups = {"p", "groups", FILTER_IN, "a", ""};
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base("p", &viewer);

	(void)state;
	for (int more = 0; more < 2; more++) {
		struct arena a;
		arena_init(&a);
		b.more = more ? nothing_more : NULL;
		const char *text = statement(&a, &b, filter_sample_condition(&a, &groups), false);
		assert_non_null(strstr(text, "from person_groups l where l.workspace_id = $1"));
		assert_int_equal(strstr(text, "and (select true from people t where") != NULL, more);
		assert_int_equal(strstr(text, " and t.id = l.person_id limit 1)") != NULL, more);
		arena_free(&a);
	}
}

static int setup(void **state)
{
	(void)state;
	return uuid_parse(FILTER_SAMPLE_WORKSPACE, 36, &workspace) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ways),
	    cmocka_unit_test(test_options_gone),
	    cmocka_unit_test(test_few),
	    cmocka_unit_test(test_links),
	};
	return cmocka_run_group_tests(tests, setup, NULL);
}
