/* Which index a page is read from, and which index is looked up when the first rows do not suffice: for whole
 * filters, with any number of matches; and that every page is bounded. */
#include <string.h>

#include "filter/compile.h"
#include "test/lib/model/filter_sample.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

enum { PARTS_MAX = 3 };

static struct uuid workspace;

/* Conditions as in filter_sample.h, and the expected way. */
static const struct way {
	const char *table;
	bool any, updated;
	struct filter_sample parts[PARTS_MAX];
	const char *driver, *lookups; /* names of conditions; NULL: none */
	bool tests;                   /* its rows, as many as a page may take */
	const char *says;             /* contained in the statement; NULL: not checked */
} ways[] = {
    /* in the order of ids from an index, exactly: rows are not tested */
    {"p", false, false, {{"p", "groups", FILTER_IN, "a", ""}}, "groups", NULL, false,
        "select l.person_id as id\n\tfrom person_groups l"},
    {"p", false, false, {{"p", "createdBy", FILTER_IN, "a", ""}}, "createdBy", NULL, false, "order by t.id"},
    {"p", false, false, {{"p", "b:number", FILTER_EQ, "1", ""}}, "b:number", NULL, false,
        "order by v.number_value::numeric, v.owner_id"},
    {"p", false, false, {{"p", "a:text", FILTER_EQ, "x", ""}}, "a:text", NULL, false,
        "order by hashtextextended(v.text_value, 0), v.owner_id"},
    {"t", false, false, {{"t", "completedAt", FILTER_EMPTY, NULL, ""}}, "completedAt", NULL, false,
        "t.completed_at is null"},
    {"p", false, false, {{"p", "emails", FILTER_EMPTY, NULL, ""}}, "emails", NULL, false, "t.emails = '{}'"},
    /* not exactly: the index's rows are tested */
    {"p", false, false, {{"p", "emails", FILTER_EQ, "a@b", ""}}, "emails", NULL, true, "from person_items i"},
    {"p", false, false, {{"p", "groups", FILTER_ALL, "a|b", ""}}, "groups", NULL, true, "from person_groups l"},
    {"o", false, false, {{"o", "1:number", FILTER_EQ, "1", ""}}, "1:number", NULL, false, "from field_values v"},
    /* nothing matches */
    {"p", false, false, {{"p", "groups", FILTER_IN, "?", ""}}, "groups", NULL, false, "and false"},
    {"p", false, false, {{"p", "groups", FILTER_ALL, "a|?", ""}}, "groups", NULL, false, "and false"},
    /* the best of several indexes is read, the second best is looked up */
    {"p", false, false, {{"p", "groups", FILTER_IN, "a", ""}, {"p", "emails", FILTER_EQ, "a@b", ""}}, "emails",
        "groups", true, NULL},
    {"p", false, false, {{"p", "groups", FILTER_IN, "a", ""}, {"p", "firstName", FILTER_LIKE, "kumquat", ""}}, "groups",
        "firstName", true, "left join lateral (select "},
    {"p", false, false,
        {{"p", "birthday", FILTER_GT, "1990-01-01", ""}, {"p", "firstName", FILTER_LIKE, "kumquat", ""}}, NULL,
        "firstName", true, NULL},
    /* with "or", each part needs an index */
    {"p", true, false, {{"p", "birthday", FILTER_GT, "1990-01-01", ""}, {"p", "firstName", FILTER_LIKE, "kumquat", ""}},
        NULL, "birthday, firstName", true, "union all"},
    {"p", true, false, {{"p", "gender", FILTER_EQ, "Male", ""}, {"p", "firstName", FILTER_LIKE, "kumquat", ""}}, NULL,
        NULL, true, NULL},
    /* several values have no common order */
    {"p", false, false, {{"p", "groups", FILTER_IN, "a|b", ""}}, NULL, "groups", true, "l.group_id = any ("},
    {"p", false, false, {{"p", "phones", FILTER_EQ, "1|2", ""}}, NULL, "phones", true, "i.key in ("},
    /* no index */
    {"p", false, false, {{"p", "firstName", FILTER_LIKE, "ad", ""}}, NULL, NULL, true, NULL},
    {"p", false, false, {{"p", "firstName", FILTER_NOT_LIKE, "ada", ""}}, NULL, NULL, true, NULL},
    {"p", false, false, {{"p", "groups", FILTER_NOT_IN, "a", ""}}, NULL, NULL, true, NULL},
    {"p", false, false, {{"p", "b:number", FILTER_EMPTY, NULL, ""}}, NULL, NULL, true, NULL},
    /* related records are found first, then the records linked to them */
    {"c", false, false, {{"c", "people.firstName", FILTER_EQ, "Ada", ""}}, NULL, "people.firstName", true,
        "related0 as materialized (\n\tselect r.id as id from people r"},
    {"c", false, false, {{"c", "people.groups", FILTER_IN, "a", ""}}, NULL, "people.groups", true,
        "l.person_id = any (array(select id from related0))"},
    /* in the order of updatedAt, no index is read */
    {"p", false, true, {{"p", "groups", FILTER_IN, "a", ""}}, NULL, "groups", true, "from people_updates u"},
    {"o", false, true, {{"o", "1:number", FILTER_EMPTY, NULL, ""}}, NULL, NULL, true, "from objects_updates u"},
    {"p", false, false, {{"p", "userAt", FILTER_GT, "2024-02-01", ""}}, NULL, "userAt", true, "c.user_id = $"},
    {"p", false, false, {{"p", "workspaceAt", FILTER_NOT_EQ, "2024-02-01", ""}}, NULL, NULL, true, NULL},
    /* an interval of createdAt is an interval of ids, in any table that is read */
    {"p", false, false, {{"p", "groups", FILTER_IN, "a", ""}, {"p", "createdAt", FILTER_GT, "2024-01-01", ""}},
        "groups", NULL, true, "and l.person_id >= $"},
    {"p", false, false,
        {{"p", "firstName", FILTER_LIKE, "kumquat", ""}, {"p", "createdAt", FILTER_LT, "2024-01-01", ""}}, NULL,
        "firstName", true, "and t.id < $"},
};

static bool run_repeated(const char *x, const char *y)
{
	return x && y ? strcmp(x, y) == 0 : x == y;
}

TEST(test_ways)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const struct way *w = &ways[i];
		struct filter_order order = {.limit = 10, .updated = w->updated};
		struct filter one[PARTS_MAX], *parts[PARTS_MAX],
		    f = {.kind = w->any ? FILTER_ANY_OF : FILTER_ALL_OF, .parts = parts};
		struct filter_viewer viewer;
		struct filter_base b = filter_sample_base(w->table, &viewer);
		struct sql s;
		for (; f.n_parts < PARTS_MAX && w->parts[f.n_parts].field; f.n_parts++) {
			one[f.n_parts] = (struct filter){
			    .kind = FILTER_ONE, .condition = filter_sample_condition(&a, &w->parts[f.n_parts])};
			parts[f.n_parts] = &one[f.n_parts];
		}
		sql_begin(&s, &a, NULL, &workspace);
		struct filter_plan p = filter_page_sql(&s, &b, &f, &order);
		if (!run_repeated(p.driver, w->driver) || !run_repeated(p.lookups, w->lookups) ||
		    (p.most > 0) != w->tests || (w->says && !strstr(s.text, w->says))) {
			print_error("%zu: %s, %s, %d\n%s\n", i, p.driver ? p.driver : "the list",
			    p.lookups ? p.lookups : "no index", p.most, s.text);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* The more expensive the test of a row, the fewer rows are tested: a page takes about the same time for any filter. */
TEST(test_dear)
{
	struct filter_order order = {.limit = 10};
	struct filter_value values[FILTER_VALUES_MAX];
	struct filter_condition c[FILTERS_MAX];
	struct filter one[FILTERS_MAX], *parts[FILTERS_MAX],
	    f = {.kind = FILTER_ALL_OF, .parts = parts, .n_parts = FILTERS_MAX};
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base("p", &viewer);
	struct sql s;

	for (size_t i = 0; i < FILTER_VALUES_MAX; i++)
		values[i] = (struct filter_value){.text = "kumquat", .len = 7};
	for (size_t i = 0; i < FILTERS_MAX; i++) {
		static const struct filter_sample sample = {"p", "firstName", FILTER_NOT_LIKE, "x", ""};
		c[i] = *filter_sample_condition(&a, &sample);
		c[i].values = values;
		c[i].n_values = FILTER_VALUES_MAX;
		one[i] = (struct filter){.kind = FILTER_ONE, .condition = &c[i]};
		parts[i] = &one[i];
	}
	sql_begin(&s, &a, NULL, &workspace);
	struct filter_plan p = filter_page_sql(&s, &b, &f, &order);
	assert_in_range(p.most, 100, 2000);
}

/* Rows found by an index must come after the previous page, like rows of the list. */
TEST(test_behind)
{
	static const struct filter_sample sample = {"p", "groups", FILTER_IN, "a|b", ""};
	struct filter_order order = {.limit = 10, .updated = true, .after = true};
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base("p", &viewer);
	struct sql s;

	struct filter f = {.kind = FILTER_ONE, .condition = filter_sample_condition(&a, &sample)};
	sql_begin(&s, &a, NULL, &workspace);
	assert_non_null(filter_page_sql(&s, &b, &f, &order).lookups);
	assert_non_null(strstr(s.text, "(u.updated_at, u.id) > ("));
	assert_non_null(strstr(s.text, "(t.updated_at, t.id) > ("));
}

BEFORE_ALL()
{
	assert_true(uuid_parse(FILTER_SAMPLE_WORKSPACE, 36, &workspace));
}
