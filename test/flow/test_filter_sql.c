/* The filter compiler against a database: every type of field with every operator, on columns, custom values and
 * counters, also of related records. Each record is a letter; a case gives the letters that must be found, in order. */
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "filter/compile.h"
#include "store/db.h"
#include "test/lib/db/database.h"
#include "test/lib/model/filter_sample.h"
#include "test/lib/test.h"

/* Groups with letter b are hidden where there is a '!'; ids are letters, '?' is an unknown id. */
static const struct filter_sample tests[] = {
    {"p", "firstName", FILTER_EQ, "Ada", "a"},
    {"p", "firstName", FILTER_EQ, "ada|a\\dä%", "d"},
    {"p", "firstName", FILTER_NOT_EQ, "Ada", "bcd"},
    {"p", "firstName", FILTER_NOT_EQ, "Ada|ÄDA_x", "cd"},
    {"p", "firstName", FILTER_LIKE, "äda", "b"},
    {"p", "firstName", FILTER_LIKE, "DA", "ab"},
    {"p", "firstName", FILTER_LIKE, "a_", "b"},
    {"p", "firstName", FILTER_LIKE, "%|ada", "ad"},
    {"p", "firstName", FILTER_LIKE, "\\", "d"},
    {"p", "firstName", FILTER_NOT_LIKE, "Ä|zz", "ac"},
    {"p", "firstName", FILTER_EMPTY, NULL, "c"},
    {"p", "firstName", FILTER_NOT_EMPTY, NULL, "abd"},
    {"p", "birthday", FILTER_EQ, "1990-05-01|1991-01-01", "ac"},
    {"p", "birthday", FILTER_NOT_EQ, "1990-05-01", "bcd"},
    {"p", "birthday", FILTER_GT, "1990-05-01", "cd"},
    {"p", "birthday", FILTER_LT, "1990-05-02", "a"},
    {"p", "birthday", FILTER_EMPTY, NULL, "b"},
    {"p", "birthday", FILTER_NOT_EMPTY, NULL, "acd"},
    {"p", "gender", FILTER_EQ, "Male", "c"},
    {"p", "gender", FILTER_EQ, "Male|Unknown", "bc"},
    {"p", "gender", FILTER_NOT_EQ, "Male", "abd"},
    {"p", "gender", FILTER_NOT_EQ, "Male|Unknown", "ad"},
    {"p", "gender", FILTER_EMPTY, NULL, "b"},
    {"p", "gender", FILTER_NOT_EMPTY, NULL, "acd"},
    {"p", "emails", FILTER_EQ, "aDA@mail.EXAMPLE", "a"},
    {"p", "emails", FILTER_EQ, "two", ""},
    {"p", "emails", FILTER_EQ, "TWO\nlines|b1@x.example", "cd"},
    {"p", "emails", FILTER_NOT_EQ, "ada@mail.example", "bcd"},
    {"p", "emails", FILTER_LIKE, "B_1%", "a"},
    {"p", "emails", FILTER_LIKE, "example\nb", ""},
    {"p", "emails", FILTER_LIKE, "o\nl", "d"},
    {"p", "emails", FILTER_NOT_LIKE, "x.EX", "bd"},
    {"p", "emails", FILTER_EMPTY, NULL, "b"},
    {"p", "emails", FILTER_NOT_EMPTY, NULL, "acd"},
    {"p", "texts", FILTER_EQ, "ada@mail.example|b1@x.example", "c"},
    {"p", "texts", FILTER_NOT_EQ, "Ada@Mail.example|b1@x.example", "bd"},
    {"p", "phones", FILTER_EQ, "1-555-010", "ac"},
    {"p", "phones", FILTER_NOT_EQ, "(1)555010", "bd"},
    {"p", "phones", FILTER_EQ, "none", "d"},
    {"p", "phones", FILTER_EQ, "None|-", ""},
    {"p", "phones", FILTER_EQ, "-|none|15-55-010", "acd"},
    {"p", "phones", FILTER_NOT_EQ, "-", "abcd"},
    {"p", "phones", FILTER_LIKE, "555", "ac"},
    {"p", "phones", FILTER_LIKE, "(555)", "a"},
    {"p", "phones", FILTER_EMPTY, NULL, "b"},
    {"p", "groups", FILTER_IN, "a", "ad"},
    {"p", "groups", FILTER_IN, "b|c", "ab"},
    {"p!", "groups", FILTER_IN, "b|c", ""},
    {"p!", "groups", FILTER_IN, "b|a", "ad"},
    {"p", "groups", FILTER_NOT_IN, "b", "cd"},
    {"p!", "groups", FILTER_NOT_IN, "b", "abcd"},
    {"p", "groups", FILTER_ALL, "a", "d"},
    {"p!", "groups", FILTER_ALL, "a", "ad"},
    {"p", "groups", FILTER_ALL, "b|a|b", "a"},
    {"p!", "groups", FILTER_ALL, "b|a", ""},
    {"p", "groups", FILTER_ALL, "a|?", ""},
    {"p", "groups", FILTER_EMPTY, NULL, "c"},
    {"p!", "groups", FILTER_EMPTY, NULL, "bc"},
    {"p", "groups", FILTER_NOT_EMPTY, NULL, "abd"},
    {"p!", "groups", FILTER_NOT_EMPTY, NULL, "ad"},
    {"p", "companies", FILTER_IN, "a", "ab"},
    {"p", "companies", FILTER_IN, "a|b", "abd"},
    {"p", "companies", FILTER_NOT_IN, "a", "cd"},
    {"p", "companies", FILTER_ALL, "a", "a"},
    {"p", "companies", FILTER_ALL, "a|b", "b"},
    {"p", "companies", FILTER_EMPTY, NULL, "c"},
    {"p", "companies", FILTER_NOT_EMPTY, NULL, "abd"},
    {"p", "plainAt", FILTER_EQ, "2024-01-01|2024-01-03", "acd"},
    {"p", "plainAt", FILTER_NOT_EQ, "2024-01-01", "bcd"},
    {"p", "plainAt", FILTER_GT, "2024-01-01", "bcd"},
    {"p", "plainAt", FILTER_LT, "2024-01-02", "a"},
    {"p", "plainAt", FILTER_EMPTY, NULL, ""},
    {"p", "plainAt", FILTER_NOT_EMPTY, NULL, "abcd"},
    {"p", "createdBy", FILTER_IN, "a", "ad"},
    {"p", "createdBy", FILTER_IN, "?", ""},
    {"p", "createdBy", FILTER_IN, "?|a|b", "abcd"},
    {"p", "createdBy", FILTER_NOT_IN, "a|?", "bc"},
    {"p", "createdBy", FILTER_NOT_IN, "?", "abcd"},
    {"p", "createdBy", FILTER_EMPTY, NULL, ""},
    {"p", "createdBy", FILTER_NOT_EMPTY, NULL, "abcd"},
    {"p", "workspaceAt", FILTER_EQ, "2024-02-01", "a"},
    {"p", "workspaceAt", FILTER_NOT_EQ, "2024-02-01", "bcd"},
    {"p", "workspaceAt", FILTER_GT, "2024-02-01", "cd"},
    {"p", "workspaceAt", FILTER_LT, "2024-02-03", "ac"},
    {"p", "workspaceAt", FILTER_EMPTY, NULL, "b"},
    {"p", "userAt", FILTER_EQ, "2024-02-01", "a"},
    {"p", "userAt", FILTER_NOT_EQ, "2024-02-01", "bcd"},
    {"p", "userAt", FILTER_GT, "2024-02-01", "d"},
    {"p", "userAt", FILTER_LT, "2024-02-03", "a"},
    {"p", "userAt", FILTER_EMPTY, NULL, "bc"},
    {"p", "userAt", FILTER_NOT_EMPTY, NULL, "ad"},
    {"p", "a:text", FILTER_EQ, "Café", "a"},
    {"p", "a:text", FILTER_NOT_EQ, "Café", "bcd"},
    {"p", "a:text", FILTER_LIKE, "café", "ad"},
    {"p", "a:text", FILTER_NOT_LIKE, "BAR", "abc"},
    {"p", "a:text", FILTER_EMPTY, NULL, "bc"},
    {"p", "a:text", FILTER_NOT_EMPTY, NULL, "ad"},
    {"p", "b:number", FILTER_EQ, "10.0|3", "a"},
    {"p", "b:number", FILTER_NOT_EQ, "10", "bcd"},
    {"p", "b:number", FILTER_GT, "9.4", "ad"},
    {"p", "b:number", FILTER_LT, "10", "d"},
    {"p", "b:number", FILTER_EMPTY, NULL, "bc"},
    {"p", "c:date", FILTER_EQ, "2024-01-01", "a"},
    {"p", "c:date", FILTER_NOT_EQ, "2024-01-01", "bcd"},
    {"p", "c:date", FILTER_GT, "2024-01-01", "b"},
    {"p", "c:date", FILTER_LT, "2024-01-02", "a"},
    {"p", "c:date", FILTER_NOT_EMPTY, NULL, "ab"},
    {"p", "d:single", FILTER_IN, "a|c", "a"},
    {"p", "d:single", FILTER_NOT_IN, "a", "bcd"},
    {"p", "d:single", FILTER_EMPTY, NULL, "cd"},
    {"p", "d:single", FILTER_NOT_EMPTY, NULL, "ab"},
    {"p", "e:multiple", FILTER_IN, "a", "ab"},
    {"p", "e:multiple", FILTER_IN, "b|c", "ac"},
    {"p", "e:multiple", FILTER_NOT_IN, "a", "cd"},
    {"p", "e:multiple", FILTER_ALL, "a", "b"},
    {"p", "e:multiple", FILTER_ALL, "b|a", "a"},
    {"p", "e:multiple", FILTER_ALL, "a|?", ""},
    {"p", "e:multiple", FILTER_EMPTY, NULL, "d"},
    {"p", "e:multiple", FILTER_NOT_EMPTY, NULL, "abc"},
    {"p", "0:objects", FILTER_IN, "b", "ab"},
    {"p!", "0:objects", FILTER_IN, "b", ""},
    {"p", "0:objects", FILTER_NOT_IN, "b", "cd"},
    {"p!", "0:objects", FILTER_NOT_IN, "b", "abcd"},
    {"p", "0:objects", FILTER_ALL, "a", "c"},
    {"p!", "0:objects", FILTER_ALL, "a", "ac"},
    {"p!", "0:objects", FILTER_EMPTY, NULL, "bd"},
    {"p!", "0:objects", FILTER_NOT_EMPTY, NULL, "ac"},
    {"c", "industry", FILTER_NOT_EQ, "Tools", "b"},
    {"c", "industry", FILTER_NOT_LIKE, "ool", "b"},
    {"c", "industry", FILTER_EMPTY, NULL, "b"},
    {"c", "industry", FILTER_NOT_EMPTY, NULL, "a"},
    {"c", "fundingRaised", FILTER_EQ, "1000.5", "a"},
    {"c", "fundingRaised", FILTER_NOT_EQ, "1", "ab"},
    {"c", "foundationYear", FILTER_EQ, "1999.0", "a"},
    {"c", "foundationYear", FILTER_GT, "1998.5", "a"},
    {"c", "foundationYear", FILTER_LT, "1998.5", ""},
    {"c", "foundationYear", FILTER_EMPTY, NULL, "b"},
    {"t", "dueAt", FILTER_NOT_EQ, "2024-01-01", "bc"},
    {"t", "taskAt", FILTER_GT, "2024-01-01T10:00:00.000Z", "bc"},
    {"t", "taskAt", FILTER_GT, "2024-01-01", "c"},
    {"t", "taskAt", FILTER_LT, "2024-01-01T10:00:00.001Z", "a"},
    {"t", "taskAt", FILTER_LT, "2024-01-02", "ab"},
    {"t", "completedAt", FILTER_EMPTY, NULL, "a"},
    {"t", "completedAt", FILTER_GT, "2024-01-05", "c"},
    {"t", "assignee", FILTER_IN, "b", "b"},
    {"t", "assignee", FILTER_NOT_IN, "b|?", "ac"},
    {"t", "entity", FILTER_IN, "a", "a"},
    {"t", "entity", FILTER_NOT_IN, "a", "bc"},
    {"o", "1:number", FILTER_EMPTY, NULL, "b"},
    {"o", "a:text", FILTER_EMPTY, NULL, "ab"},
    {"o", "1:number", FILTER_NOT_EMPTY, NULL, "a"},
    {"p", "companies.industry", FILTER_EQ, "Tools", "ab"},
    {"p", "companies.industry", FILTER_EMPTY, NULL, "bd"},
    {"p", "companies.industry", FILTER_NOT_EQ, "Tools", "bd"},
    {"c", "people.emails", FILTER_LIKE, "ADA@", "a"},
    {"c", "people.userAt", FILTER_GT, "2024-02-02", "b"},
    {"c", "people.groups", FILTER_IN, "b", "ab"},
    {"c", "people.birthday", FILTER_GT, "1990-05-01", "b"},
    {"c", "people.createdBy", FILTER_IN, "b", "ab"},
};

static struct program *program;
static struct event_base *base;
static struct db *db;
static struct uuid workspace;

/* --- queries --------------------------------------------------------------------------- */

/* Every parameter in the text exists, and every existing one is in the text. */
static void check_parameters(const struct sql *s)
{
	bool used[512] = {false};

	assert_true(s->n_params < 512);
	for (const char *p = strchr(s->text, '$'); p; p = strchr(p + 1, '$')) {
		long n = strtol(p + 1, NULL, 10);
		assert_in_range(n, 1, s->n_params);
		used[n] = true;
	}
	for (int i = 1; i <= s->n_params; i++)
		assert_true(used[i]);
}

/* The last hexadecimal digits of the ids, which are the letters. */
static const char *row_letters(struct arena *a, struct db_exchange *x)
{
	struct uuid *ids;
	size_t n = db_uuid_array(x, 0, 0, 0, a, &ids);
	char *out = arena_alloc(a, n + 1);

	for (size_t i = 0; i < n; i++)
		out[i] = "0123456789abcdef"[ids[i].b[15] & 15];
	return out;
}

static const char *page_letters(
    struct arena *a, const char *table, const struct filter *f, const struct filter_order *o)
{
	struct sql ids, count, *list[] = {&ids, &count};
	struct db_exchange x = {.lane = DB_LIST, .statements = list, .n_statements = 2};
	struct filter_viewer viewer;
	struct filter_base b = filter_sample_base(table, &viewer);
	const char *found;

	sql_begin(&ids, a, NULL, &workspace);
	filter_page_sql(&ids, &b, f, o);
	sql_begin(&count, a, NULL, &workspace);
	filter_count_sql(&count, &b, f, 0);
	check_parameters(&ids);
	check_parameters(&count);
	if (db_run(db, &x) != DB_OK)
		fail_msg("%s: %s", list[x.failed < 0 ? 0 : x.failed]->text, x.message);
	found = row_letters(a, &x);
	if (o->limit > 1 && (size_t)db_int(&x, 1, 0, 0) != strlen(found))
		fail_msg("%s: %d counted", count.text, (int)db_int(&x, 1, 0, 0));
	db_exchange_clear(&x);
	return found;
}

TEST(test_operators)
{
	struct filter_order order = {.limit = 10};
	int wrong = 0;

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		struct arena a;
		arena_init(&a);
		struct filter f = {.kind = FILTER_ONE, .condition = filter_sample_condition(&a, &tests[i])};
		const char *found = page_letters(&a, tests[i].table, &f, &order);
		if (strcmp(found, tests[i].found) != 0) {
			print_error("%s %s %s %s: found %s, not %s\n", tests[i].table, tests[i].field,
			    filter_op_word(tests[i].op), tests[i].values ? tests[i].values : "", found, tests[i].found);
			wrong++;
		}
		arena_free(&a);
	}
	assert_int_equal(wrong, 0);
}

/* Pages of one, in every order, for any condition: together they are the whole list. */
TEST(test_pages)
{
	static const struct {
		bool updated, down;
		const char *all;
	} orders[] = {{false, false, "abcd"}, {false, true, "dcba"}, {true, false, "dbca"}, {true, true, "acbd"}};
	static const struct filter_sample some[] = {{"p", "createdBy", FILTER_NOT_IN, "?", ""},
	    {"p", "emails", FILTER_LIKE, "x.example", ""}, {"p", "groups", FILTER_IN, "a|b|c", ""},
	    {"p", "companies", FILTER_IN, "a|b", ""}, {"p", "b:number", FILTER_GT, "1", ""},
	    {"p", "userAt", FILTER_NOT_EMPTY, NULL, ""}, {"p", "plainAt", FILTER_GT, "2024-01-01", ""},
	    {"p", "birthday", FILTER_LT, "2000-01-01", ""}, {"p", "phones", FILTER_EQ, "1555010", ""},
	    {"p", "e:multiple", FILTER_IN, "a|b|c", ""}, {"p", "workspaceAt", FILTER_GT, "2024-01-01", ""}};
	static const int64_t updated_us[] = {1709424000000000, 1709337600000000, 1709337600000000, 1709251200000000};

	for (size_t i = 0; i < 4 * sizeof some / sizeof *some; i++) {
		struct filter_order order = {.updated = orders[i % 4].updated, .down = orders[i % 4].down, .limit = 10};
		char walked[8] = {0};
		struct arena a;
		arena_init(&a);
		struct filter f = {.kind = FILTER_ONE, .condition = filter_sample_condition(&a, &some[i / 4])};
		const char *whole = page_letters(&a, "p", &f, &order), *next = orders[i % 4].all;
		/* The same order as without a filter. */
		for (const char *l = whole; *l; l++) {
			next = strchr(next, *l);
			assert_non_null(next);
		}
		order.limit = 1;
		while (strlen(walked) < sizeof walked - 1) {
			const char *one = page_letters(&a, "p", &f, &order);
			if (!*one)
				break;
			walked[strlen(walked)] = *one;
			order.after = true;
			order.id = filter_sample_id('1', *one);
			order.time_us = updated_us[*one - 'a'];
		}
		assert_string_equal(walked, whole);
		arena_free(&a);
	}
}

TEST(test_trees)
{
	static const struct filter_sample leaves[] = {{"p", "firstName", FILTER_EQ, "Ada", ""},
	    {"p", "groups", FILTER_IN, "a", ""}, {"p", "birthday", FILTER_EMPTY, NULL, ""}};
	struct filter_order order = {.limit = 10};
	struct arena a;

	arena_init(&a);
	struct filter one[3], *parts[3], tree = {.kind = FILTER_ALL_OF, .parts = parts},
	                                 inner = {.kind = FILTER_ANY_OF, .parts = parts + 1, .n_parts = 2};
	for (int i = 0; i < 3; i++) {
		one[i] = (struct filter){.kind = FILTER_ONE, .condition = filter_sample_condition(&a, &leaves[i])};
		parts[i] = &one[i];
	}
	assert_string_equal(page_letters(&a, "p", &tree, &order), "abcd"); /* all of no conditions */
	tree.n_parts = 2;
	assert_string_equal(page_letters(&a, "p", &tree, &order), "a");
	tree.kind = FILTER_ANY_OF;
	tree.n_parts = 3;
	assert_string_equal(page_letters(&a, "p", &tree, &order), "abd");
	tree.n_parts = 0;
	assert_string_equal(page_letters(&a, "p", &tree, &order), "");
	struct filter *both[] = {&one[1], &inner}, nested = {.kind = FILTER_ALL_OF, .parts = both, .n_parts = 2};
	assert_string_equal(page_letters(&a, "p", &nested, &order), "ad");
	assert_string_equal(page_letters(&a, "p", NULL, &order), "abcd");
	arena_free(&a);
}

/* --- the database -------------------------------------------------------------------------- */

BEFORE_ALL()
{
	enum { MOST = 32 };
	struct sql statements[MOST], *list[MOST];
	struct db_exchange x = {.lane = DB_WORK, .statements = list, .n_statements = 0};
	struct db_config config;
	struct arena a;

	assert_true(uuid_parse(FILTER_SAMPLE_WORKSPACE, 36, &workspace));
	program = database_create(command_binary(), "filter_sql");
	base = event_base_new();
	db_config_default(&config, program->database_url, 1);
	db_config_roles(&config);
	db = db_open(base, &config);
	arena_init(&a);
	for (int i = 0; filter_fixture[i]; i++) {
		x.n_statements++;
		list[i] = &statements[i];
		sql_begin_system(list[i], &a, NULL);
		sql_add(list[i], filter_fixture[i]);
	}
	if (db_run(db, &x) != DB_OK)
		fail_msg("%s: %s", filter_fixture[x.failed < 0 ? 0 : x.failed], x.message);
	db_exchange_clear(&x);
	arena_free(&a);
}

AFTER_ALL()
{
	db_close(db);
	event_base_free(base);
	database_drop(program);
}
