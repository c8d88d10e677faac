/* filter/read.c, filter/read_query.c: reading the filters of a query string, and the issues of wrong ones. */
#include <stdio.h>
#include <string.h>

#include "filter/read.h"
#include "test/lib/model/filter_text.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

#define GROUP "grp_" FILTER_TEXT_UUID("1")
#define HIDDEN "grp_" FILTER_TEXT_UUID("9")
#define USER "usr_" FILTER_TEXT_UUID("2")
#define COMPANY "com_" FILTER_TEXT_UUID("3")
#define PERSON "per_" FILTER_TEXT_UUID("4")
#define CUSTOM "customFieldValues." GROUP "."

struct query_case {
	const char *query;
	const char *expected; /* the filter; or the issues, one per line */
};

static void run_cases(const struct filter_table *table, const struct query_case *cases, size_t n, bool any_of)
{
	for (size_t i = 0; i < n; i++) {
		struct query q;
		struct issues is;
		struct buf out;
		struct filter_reading rd = {
		    .arena = &a, .table = table, .resolver = &filter_text_resolver, .issues = &is};
		issues_init(&is);
		buf_init(&out, 1 << 16);
		assert_int_equal(query_parse(&q, &a, cases[i].query, strlen(cases[i].query)), QUERY_OK);
		const struct filter *f = filter_read_query(&rd, &q, any_of);
		if (is.count) {
			assert_null(f);
			filter_text_issues(&out, &is);
		} else {
			filter_text_write(&out, f);
		}
		if (strcmp(out.data, cases[i].expected) != 0)
			fprintf(stderr, "%s\n", cases[i].query);
		assert_string_equal(out.data, cases[i].expected);
		buf_free(&out);
		issues_free(&is);
	}
}

#define RUN(table, cases) run_cases(&(table), cases, sizeof(cases) / sizeof *(cases), false)

static const struct query_case forms[] = {
    {"", "-"},
    {"limit=2&filter=x&filters[a]=b", "-"},
    {"filter[emails][like]=x", "(emails like [x])"},
    {"filter%5Bemails%5D%5Blike%5D=x%2By+z", "(emails like [x+y z])"},
    {"filter[firstName][eq]=Ann&filter[firstName][eq]=Bob", "(firstName eq [Ann, Bob])"},
    {"filter[firstName][eq][0]=Ann&limit=1&filter[firstName][eq][]=Bob", "(firstName eq [Ann, Bob])"},
    {"filter[firstName][eq]=A&filter[lastName][eq]=B&filter[firstName][not_eq]=C",
        "(firstName eq [A] and firstName not_eq [C] and lastName eq [B])"},
    {"filter[urls][empty]", "(urls empty)"},
    {"filter[urls][empty]=", "(urls empty)"},
    {"filter[urls][empty]=true&filter[urls][empty]", "(urls empty)"},
    {"filter[urls][not_empty][]", "(urls not_empty)"},
    {"filter[firstName][like]=%25_%5C'\"[]", "(firstName like [%_\\'\"[]])"},
};

static const struct query_case types[] = {
    {"filter[birthday][gt]=2000-02-29", "(birthday gt [2000-02-29])"},
    {"filter[createdAt][eq]=2026-01-31", "(createdAt eq [2026-01-31T00:00:00.000Z+86400000])"},
    {"filter[createdAt][lt]=2026-01-31T23:30:00-01:00", "(createdAt lt [2026-02-01T00:00:00.000Z+86400000])"},
    {"filter[createdAt][eq]=1969-12-31T23:59:59Z", "(createdAt eq [1969-12-31T00:00:00.000Z+86400000])"},
    {"filter[gender][eq]=Male&filter[gender][eq]=Unknown", "(gender eq [Male, Unknown])"},
    {"filter[companies][in][id]=" COMPANY, "(companies in [3])"},
    {"filter[companies][all][id][0]=" COMPANY "&filter[companies][all][id][1]=com_" FILTER_TEXT_UUID("5"),
        "(companies all [3, 5])"},
    {"filter[companies][in][id]=" PERSON, "(companies in [nobody])"},
    {"filter[groups][not_in][id]=" GROUP, "(groups not_in [1])"},
    {"filter[createdBy][in][id]=" USER "&filter[createdBy][in][email]=nobody@example.com",
        "(createdBy in [2, nobody])"},
    {"filter[createdBy][not_in][email]=ada@example.com", "(createdBy not_in [2])"},
    {"filter[interactionMetadata.user.lastInteractedAt][empty]", "(interactionMetadata.user.lastInteractedAt empty)"},
    {"filter[" CUSTOM "textField][like]=a", "(custom textField like [a])"},
    {"filter[" CUSTOM "a.b][c+d][eq]=a", "(custom textField eq [a])"},
    {"filter[" CUSTOM "numericField][gt]=1.50e1", "(custom numericField gt [15])"},
    {"filter[" CUSTOM "dateField][lt]=2026-01-31", "(custom dateField lt [2026-01-31])"},
    {"filter[" CUSTOM "singleSelect][in]=Red", "(custom singleSelect in [a])"},
    {"filter[" CUSTOM "multipleSelect][all]=Red&filter[" CUSTOM "multipleSelect][all]=Blue",
        "(custom multipleSelect all [a, b])"},
    {"filter[" CUSTOM "contactField][in][id]=" COMPANY "&filter[" CUSTOM "contactField][in][id]=" PERSON,
        "(custom contactField in [3, 4])"},
    {"filter[" CUSTOM "userField][in][email]=ada@example.com", "(custom userField in [2])"},
    {"filter[" CUSTOM "objectField][in][id]=" PERSON, "(custom objectField in [nobody])"},
};

static const struct query_case refused[] = {
    {"filter[foo][eq]=x&filter[bar]=y", "unrecognized_keys [\"filter\"] keys=[\"foo\",\"bar\"]\n"},
    {"filter[emails=x", "unrecognized_keys [\"filter\"] keys=[\"emails\"]\n"},
    {"filter[]=x", "unrecognized_keys [\"filter\"] keys=[\"\"]\n"},
    {"filter[emails]=x", "invalid_type [\"filter\",\"emails\"] expected=\"object\" received=\"string\"\n"},
    {"filter[emails][gt]=x&filter[emails][near]=y&filter[emails][eq]=",
        "too_small [\"filter\",\"emails\",\"eq\"] minimum=1 type=\"string\"\n"
        "unrecognized_keys [\"filter\",\"emails\"] keys=[\"gt\",\"near\"]\n"},
    {"filter[emails][like][id]=x", "unrecognized_keys [\"filter\",\"emails\",\"like\"] keys=[\"id\"]\n"},
    {"filter[groups][in]=" GROUP,
        "invalid_type [\"filter\",\"groups\",\"in\"] expected=\"object\" received=\"string\"\n"},
    {"filter[groups][in][email]=a&filter[groups][in][name]=b",
        "unrecognized_keys [\"filter\",\"groups\",\"in\"] keys=[\"email\",\"name\"]\n"},
    {"filter[groups][in][id][x]=a", "unrecognized_keys [\"filter\",\"groups\",\"in\"] keys=[\"[id][x]\"]\n"},
    {"filter[groups][empty][id]", "unrecognized_keys [\"filter\",\"groups\",\"empty\"] keys=[\"id\"]\n"},
    {"filter[groups][in][id]=grp_1",
        "too_small [\"filter\",\"groups\",\"in\",\"id\"] minimum=40 type=\"string\" exact=true\n"},
    {"filter[groups][in][id]=" HIDDEN, "custom [\"filter\",\"groups\",\"in\",\"id\"]\n"},
    {"filter[groups][in][id]=" PERSON, "custom [\"filter\",\"groups\",\"in\",\"id\"]\n"},
    {"filter[companies][in][id]=COM_" FILTER_TEXT_UUID("3"),
        "invalid_string [\"filter\",\"companies\",\"in\",\"id\"] validation=\"regex\"\n"},
    {"filter[emails][empty]=false",
        "invalid_enum_value [\"filter\",\"emails\",\"empty\"] options=[\"true\"] received=\"false\"\n"},
    {"filter[emails][like]=a%00b", "invalid_string [\"filter\",\"emails\",\"like\"] validation=\"regex\"\n"},
    {"filter[emails][like]=%c0%80", "invalid_string [\"filter\",\"emails\",\"like\"] validation=\"regex\"\n"},
    {"filter[em%ffails][like]=a", "invalid_string [\"filter\"] validation=\"regex\"\n"},
    {"filter[em%00ails][like]=a", "unrecognized_keys [\"filter\"] keys=[\"em\\u0000ails\"]\n"},
    {"filter[birthday][eq]=2026-02-30", "invalid_string [\"filter\",\"birthday\",\"eq\"] validation=\"date\"\n"},
    {"filter[birthday][eq]=2026-01-31T00:00:00Z",
        "invalid_string [\"filter\",\"birthday\",\"eq\"] validation=\"date\"\n"},
    {"filter[createdAt][gt]=soon", "invalid_string [\"filter\",\"createdAt\",\"gt\"] validation=\"date\"\n"},
    {"filter[createdAt][gt]=2026-01-01&filter[createdAt][gt]=2026-01-02",
        "too_big [\"filter\",\"createdAt\",\"gt\"] maximum=1 type=\"array\"\n"},
    {"filter[gender][eq]=male", "invalid_enum_value [\"filter\",\"gender\",\"eq\"] "
                                "options=[\"Male\",\"Female\",\"Other\",\"Unknown\"] received=\"male\"\n"},
    {"filter[gender][like]=Male", "unrecognized_keys [\"filter\",\"gender\"] keys=[\"like\"]\n"},
    {"filter[customFieldValues.textField][eq]=a",
        "unrecognized_keys [\"filter\"] keys=[\"customFieldValues.textField\"]\n"},
    {"filter[customFieldValues." HIDDEN ".textField][eq]=a",
        "custom [\"filter\",\"customFieldValues." HIDDEN ".textField\"]\n"},
    {"filter[" CUSTOM "other][eq]=a", "custom [\"filter\",\"" CUSTOM "other\"]\n"},
    {"filter[" CUSTOM "textField][gt]=a", "unrecognized_keys [\"filter\",\"" CUSTOM "textField\"] keys=[\"gt\"]\n"},
    {"filter[" CUSTOM "numericField][gt]=a", "custom [\"filter\",\"" CUSTOM "numericField\",\"gt\"]\n"},
    {"filter[" CUSTOM "dateField][gt]=a", "custom [\"filter\",\"" CUSTOM "dateField\",\"gt\"]\n"},
    {"filter[" CUSTOM "singleSelect][in]=red&filter[" CUSTOM "singleSelect][in]=Red",
        "custom [\"filter\",\"" CUSTOM "singleSelect\",\"in\"]\n"},
    {"filter[" CUSTOM "singleSelect][all]=Red",
        "unrecognized_keys [\"filter\",\"" CUSTOM "singleSelect\"] keys=[\"all\"]\n"},
    {"filter[companies.industry][eq]=x", "unrecognized_keys [\"filter\"] keys=[\"companies.industry\"]\n"},
};

static const struct query_case companies[] = {
    {"filter[fundingRaised][gt]=1e6", "(fundingRaised gt [1000000])"},
    {"filter[foundationYear][eq]=0.5", "(foundationYear eq [0.5])"},
    {"filter[employeeRange][like]=1-", "(employeeRange like [1-])"},
    {"filter[foundationYear][eq]=x",
        "invalid_type [\"filter\",\"foundationYear\",\"eq\"] expected=\"number\" received=\"string\"\n"},
};

static const struct query_case objects[] = {
    {"filter[customFieldValues.textField][eq]=a", "(custom textField eq [a])"},
    {"filter[people][in][id]=" PERSON, "(people in [4])"},
    {"filter[customFieldValues.none][eq]=a", "custom [\"filter\",\"customFieldValues.none\"]\n"},
    {"filter[customFieldValues.objectField][empty]", "custom [\"filter\",\"customFieldValues.objectField\"]\n"},
};

static const struct query_case tasks[] = {
    {"filter[entity][in]=" PERSON "&filter[entity][in]=" COMPANY, "(entity in [4, 3])"},
    {"filter[entity][in]=" USER, "(entity in [nobody])"},
    {"filter[assigneeUserId][not_in]=" USER, "(assigneeUserId not_in [2])"},
    {"filter[createdAt][gt]=2026-01-31", "(createdAt gt [2026-01-31T00:00:00.000Z+86400000])"},
    {"filter[completedAt][lt]=2026-01-31T10:00:00.5Z", "(completedAt lt [2026-01-31T10:00:00.500Z+1])"},
    {"filter[dueAt][empty]", "unrecognized_keys [\"filter\",\"dueAt\"] keys=[\"empty\"]\n"},
    {"filter[entity][in][id]=" PERSON, "unrecognized_keys [\"filter\",\"entity\",\"in\"] keys=[\"id\"]\n"},
    {"filter[completedAt][gt]=x", "invalid_string [\"filter\",\"completedAt\",\"gt\"] validation=\"datetime\"\n"},
    {"filter[customFieldValues.textField][eq]=a",
        "unrecognized_keys [\"filter\"] keys=[\"customFieldValues.textField\"]\n"},
};

TEST(test_reads)
{
	static const struct query_case any[] = {
	    {"filter[emails][eq]=a&filter[urls][empty]", "(emails eq [a] or urls empty)"}};

	RUN(people_filters, forms);
	RUN(people_filters, types);
	RUN(people_filters, refused);
	RUN(company_filters, companies);
	RUN(object_filters, objects);
	RUN(task_filters, tasks);
	run_cases(&people_filters, any, 1, true);
}

/* The limits count conditions and values, not query pairs. */
TEST(test_limits)
{
	static const char *const ops[] = {"eq", "not_eq", "like", "not_like", "empty"};
	static const char *const fields[] = {"fullName", "firstName", "lastName", "jobTitle", "description"};
	struct buf q, values;

	buf_init(&q, QUERY_MAX);
	buf_init(&values, QUERY_MAX);
	for (int i = 0; i < 20; i++)
		buf_printf(&q, "filter[%s][%s]=%s&", fields[i / 5 % 5], ops[i % 5], i % 5 == 4 ? "" : "a");
	for (int i = 0; i < 100; i++)
		buf_addz(&values, "filter[urls][eq]=a&");
	struct query parsed;
	struct issues is;
	struct buf out;
	issues_init(&is);
	buf_init(&out, 1 << 16);
	struct filter_reading rd = {
	    .arena = &a, .table = &people_filters, .resolver = &filter_text_resolver, .issues = &is};
	assert_int_equal(query_parse(&parsed, &a, q.data, q.len), QUERY_OK);
	assert_int_equal(filter_read_query(&rd, &parsed, false)->n_parts, 20);
	buf_addz(&q, "filter[description][not_empty]");
	rd.n_conditions = 0;
	assert_int_equal(query_parse(&parsed, &a, q.data, q.len), QUERY_OK);
	assert_null(filter_read_query(&rd, &parsed, false));
	filter_text_issues(&out, &is);
	assert_string_equal(out.data, "too_big [\"filter\"] maximum=20 type=\"array\"\n");
	buf_clear(&out);
	issues_free(&is);
	issues_init(&is);

	rd.n_conditions = 0;
	assert_int_equal(query_parse(&parsed, &a, values.data, values.len), QUERY_OK);
	assert_int_equal(filter_read_query(&rd, &parsed, false)->parts[0]->condition->n_values, 100);
	buf_addz(&values, "filter[urls][eq][0]=");
	rd.n_conditions = 0;
	assert_int_equal(query_parse(&parsed, &a, values.data, values.len), QUERY_OK);
	assert_null(filter_read_query(&rd, &parsed, false));
	filter_text_issues(&out, &is);
	assert_string_equal(out.data, "too_big [\"filter\",\"urls\",\"eq\"] maximum=100 type=\"array\"\n");
	buf_free(&out);
	issues_free(&is);
	buf_free(&q);
	buf_free(&values);
}

/* Every type of custom field has filters, and every row has what the compiler needs. */
TEST(test_tables)
{
	const struct filter_table *const all[] = {&people_filters, &company_filters, &object_filters, &task_filters};
	const struct filter_field *f;

	for (size_t t = 0; t < 4; t++) {
		for (int i = 0; (f = filter_field_at(all[t], i)); i++) {
			assert_true(f->ops != 0);
			assert_true((f->source == FILTER_COLUMN || f->source == FILTER_MONTH ||
			                f->source == FILTER_MET) == (f->column != NULL));
			assert_true((f->type == FILTER_CHOICE) == (f->choices != NULL));
			assert_ptr_equal(filter_field_find(all[t], f->name, strlen(f->name)), f);
		}
	}
	assert_null(filter_custom_field("noField"));
	assert_int_equal(filter_custom_field("userField")->type, FILTER_USERS);
}
