/* See filter_sample.h. */
#include "test/lib/model/filter_sample.h"

#include <string.h>

#include "server/base/clock.h"
#include "store/resources.h"
#include "test/lib/test.h"

#define OPS (~0u)
#define BY_VALUE (1u << FILTER_EQ | 1u << FILTER_IN | 1u << FILTER_GT | 1u << FILTER_LT)
#define WS FILTER_SAMPLE_WORKSPACE
#define ID(kind, letter) "0000000" kind "-0000-7000-8000-00000000000" letter

/* Kinds: 1 people, 2 companies, 3 groups, 4 users, 5 custom fields, 6 options, 7 objects, 8 tasks. */
const char *const filter_fixture[] = {
    "insert into workspaces (workspace_id, name) values ('" WS "', 'w')",
    "insert into users (workspace_id, id, email, full_name, role) select '" WS
    "', ('" ID("4", "") "' || l)::uuid, l, l, "
                        "'member' from unnest('{a,b}'::text[]) l",
    "insert into groups (workspace_id, id, name, visibility, created_by) select '" WS
    "', ('" ID("3", "") "' || l)::uuid, l, "
                        "'private', '" ID("4", "a") "' from unnest('{a,b,c}'::text[]) l",
    "insert into companies (workspace_id, id, name, industry, funding_raised, foundation_year, created_at, created_by, "
    "updated_at) values ('" WS "', '" ID("2", "a") "', 'Acme', 'Tools', 1000.50, 1999, '2024-01-01', '" ID(
        "4", "a") "', now()), "
                  "('" WS "', '" ID("2", "b") "', 'Bolt', null, null, null, '2024-01-02', '" ID("4", "b") "', now())",
    "insert into people (workspace_id, id, first_name, birthday, gender, group_ids, company_ids, emails, phones, "
    "last_interacted_at, created_at, created_by, updated_at) values "
    "('" WS "', '" ID("1", "a") "', 'Ada', '1990-05-01', 'Female', '{" ID("3", "a") "," ID("3", "b") "}', '{" ID("2",
        "a") "}', "
             "'{Ada@Mail.example,b_1%@x.example}', '{+1 (555) 010,77}', '2024-02-01 23:59:59.999Z', '2024-01-01 "
             "23:59:59.999Z', '" ID("4",
                 "a") "', '2024-03-03'), "
                      "('" WS
                      "', '" ID("1", "b") "', 'ÄDA_x', null, null, '{" ID("3", "b") "}', '{" ID("2", "a") "," ID("2",
                          "b") "}', "
                               "'{}', '{}', null, '2024-01-02Z', '" ID("4",
                                   "b") "', '2024-03-02'), "
                                        "('" WS "', '" ID("1",
                                            "c") "', '', '1991-01-01', 'Male', '{}', '{}', "
                                                 "'{b1@x.example}', '{1555010}', '2024-02-02Z', '2024-01-03Z', '" ID(
                                                     "4", "b") "', '2024-03-02'), "
                                                               "('" WS "', '" ID("1",
                                                                   "d") "', 'a\\dä%', '1990-05-02', 'Other', '{" ID("3",
                                                                   "a") "}', '{" ID("2",
                                                                   "b") "}', "
                                                                        "E'{\"two\\nlines\"}', '{none}', "
                                                                        "'2024-02-03Z', '2024-01-03 12:00Z', '" ID(
                                                                            "4", "a") "', '2024-03-01')",
    "insert into person_groups select workspace_id, unnest(group_ids), id from people",
    "insert into person_companies select workspace_id, unnest(company_ids), id from people",
    "insert into interaction_counts select '" WS "', ('" ID("1", "") "' || e)::uuid, ('" ID(
        "4", "") "' || u)::uuid, 1, at "
                 "from (values ('a', 'a', timestamptz '2024-02-01 10:00Z'), ('a', 'b', '2024-02-01 23:59:59.999Z'), "
                 "('c', 'c', '2024-02-02Z'), "
                 "('c', 'b', '2024-02-02Z'), ('d', 'a', '2024-02-03Z')) v (e, u, at)",
    "insert into interaction_counts select '" WS
    "', ('" ID("2", "") "' || e)::uuid, '" ID("4", "a") "', 1, '2024-02-03' from unnest('{a,b}'::text[]) e",
    "select interaction_totals(workspace_id, id) from people where last_interacted_at is not null",
    "insert into object_types (workspace_id, id, group_id, name, created_at) values ('" WS
    "', '" ID("9", "a") "', '" ID("3", "a") "', 't', now())",
    "insert into objects (workspace_id, id, group_id, type_id, name, created_at, created_by, updated_at) select '" WS
    "', ('" ID("7", "") "' || l)::uuid, ('" ID("3", "") "' || l)::uuid, '" ID("9", "a") "', l, now(), '" ID(
        "4", "a") "', now() "
                  "from unnest('{a,b}'::text[]) l",
    /* fields: a text, b number, c date, d single, e multiple, f contacts, 0 objects, 1 number of objects */
    "insert into field_values (workspace_id, field_id, owner_id, text_value) values "
    "('" WS "', '" ID("5", "a") "', '" ID("1", "a") "', 'Café'), ('" WS
                                                    "', '" ID("5", "a") "', '" ID("1", "d") "', 'CAFÉ bar')",
    "insert into field_values (workspace_id, field_id, owner_id, number_value) values "
    "('" WS "', '" ID("5", "b") "', '" ID("1", "a") "', 10), ('" WS "', '" ID("5", "b") "', '" ID("1", "d") "', 9.5)",
    "insert into field_values (workspace_id, field_id, owner_id, date_value) values "
    "('" WS "', '" ID("5", "c") "', '" ID("1", "a") "', '2024-01-01'), ('" WS
                                                    "', '" ID("5", "c") "', '" ID("1", "b") "', '2024-01-02')",
    "insert into field_values (workspace_id, field_id, owner_id, ref_id) select '" WS
    "', ('" ID("5", "") "' || f)::uuid, ('" ID("1", "") "' || o)::uuid, ('" ID(
        "6", "") "' || r)::uuid from (values ('d', 'a', 'a'), ('d', 'b', 'b'), "
                 "('e', 'a', 'a'), ('e', 'a', 'b'), ('e', 'b', 'a'), ('e', 'c', 'c')) v (f, o, r)",
    "insert into field_values (workspace_id, field_id, owner_id, number_value) values ('" WS
    "', '" ID("5", "1") "', '" ID("7", "a") "', 1)",
    "update objects set custom_values = '{\"" ID("5", "1") "\": 1}' where id = '" ID("7", "a") "'",
    "insert into field_values (workspace_id, field_id, owner_id, ref_id) select '" WS
    "', '" ID("5", "0") "', ('" ID("1", "") "' || o)::uuid, ('" ID(
        "7", "") "' || r)::uuid from (values ('a', 'a'), ('a', 'b'), ('b', 'b'), ('c', 'a')) v (o, r)",
    "insert into tasks (workspace_id, id, entity_id, entity_type, title, due_at, completed_at, is_public, "
    "assigned_user_ids, "
    "created_by, created_at, updated_at) values "
    "('" WS
    "', '" ID("8", "a") "', '" ID("1", "a") "', 'person', 't', '2024-01-01', null, true, '{" ID("4", "a") "}', '" ID(
        "4", "a") "', '2024-01-01 10:00Z', now()), "
                  "('" WS "', '" ID("8", "b") "', '" ID(
                      "1", "b") "', 'person', 't', '2024-01-02', '2024-01-05 08:00:00.001Z', true, '{" ID("4",
                      "a") "," ID("4", "b") "}', '" ID("4",
                      "a") "', '2024-01-01 10:00:00.001Z', now()), "
                           "('" WS "', '" ID("8", "c") "', '" ID(
                               "2", "a") "', 'company', 't', '2024-01-03', '2024-01-06Z', true, '{}', '" ID("4",
                               "a") "', '2024-01-02 10:00Z', now())",
    NULL,
};

#define PERSON_LINES                                                                                                   \
	"coalesce(search_text, kith_search_lines(array[full_name, first_name, last_name, job_title], emails, phones, " \
	"urls))"
#define COLUMN .source = FILTER_COLUMN, .ops = OPS, .column
static const struct filter_field person_fields[] = {
    {"firstName", FILTER_TEXT, COLUMN = "first_name", .search = PERSON_LINES},
    {"birthday", FILTER_DATE, COLUMN = "birthday", .indexed = BY_VALUE},
    {"gender", FILTER_CHOICE, COLUMN = "gender", .unset = "Unknown"},
    {"emails", FILTER_EMAILS, COLUMN = "emails", .indexed = 1u << FILTER_EMPTY, .item = FILTER_ITEM_EMAIL,
        .search = PERSON_LINES},
    {"texts", FILTER_TEXTS, COLUMN = "emails"},
    {"phones", FILTER_PHONES, COLUMN = "phones", .indexed = 1u << FILTER_EMPTY, .item = FILTER_ITEM_PHONE},
    {"groups", FILTER_REFS, COLUMN = "group_ids", .kinds = 1u << ID_GROUP,
        .link = {"person_groups", "person_id", "group_id"}},
    {"companies", FILTER_REFS, COLUMN = "company_ids", .kinds = 1u << ID_COMPANY,
        .link = {"person_companies", "person_id", "company_id"}},
    {"createdAt", FILTER_DAY, COLUMN = "created_at", .in_id = true},
    {"plainAt", FILTER_DAY, COLUMN = "created_at"},
    {"createdBy", FILTER_USER, COLUMN = "created_by", .indexed = BY_VALUE},
    {"workspaceAt", FILTER_DAY, .source = FILTER_MET, .ops = OPS, .column = "last_interacted_at"},
    {"userAt", FILTER_DAY, .source = FILTER_MET_BY, .ops = OPS},
    {"industry", FILTER_TEXT, COLUMN = "industry"},
    {"fundingRaised", FILTER_NUMBER, COLUMN = "funding_raised", .indexed = BY_VALUE},
    {"foundationYear", FILTER_NUMBER, COLUMN = "foundation_year", .indexed = BY_VALUE},
    {"dueAt", FILTER_DATE, COLUMN = "due_at", .indexed = BY_VALUE},
    {"taskAt", FILTER_INSTANT, COLUMN = "created_at"},
    {"completedAt", FILTER_INSTANT, COLUMN = "completed_at", .indexed = BY_VALUE | 1u << FILTER_EMPTY},
    {"assignee", FILTER_USERS, COLUMN = "assigned_user_ids", .indexed = 1u << FILTER_IN},
    {"entity", FILTER_ENTITY, COLUMN = "entity_id", .indexed = BY_VALUE},
    {"a:text", FILTER_TEXT, .source = FILTER_CUSTOM, .ops = OPS},
    {"b:number", FILTER_NUMBER, .source = FILTER_CUSTOM, .ops = OPS},
    {"c:date", FILTER_DATE, .source = FILTER_CUSTOM, .ops = OPS},
    {"d:single", FILTER_OPTION, .source = FILTER_CUSTOM, .ops = OPS, .kinds = 1u << ID_GROUP_OPTION},
    {"e:multiple", FILTER_OPTIONS, .source = FILTER_CUSTOM, .ops = OPS, .kinds = 1u << ID_GROUP_OPTION},
    {"1:number", FILTER_NUMBER, .source = FILTER_CUSTOM, .ops = OPS},
    {"0:objects", FILTER_REFS, .source = FILTER_CUSTOM, .ops = OPS, .kinds = 1u << ID_OBJECT},
};

const struct filter_table sample_people = {.resource = &person_resource, .items = {"person_items", "person_id"}},
                          sample_companies = {.resource = &company_resource},
                          sample_tasks = {.resource = &task_resource}, sample_objects = {.resource = &object_resource};
static const struct filter_relation relations[] = {
    {"companies.", &sample_companies, {"person_companies", "person_id", "company_id"}},
    {"people.", &sample_people, {"person_companies", "company_id", "person_id"}},
};

struct uuid filter_sample_id(char kind, char letter)
{
	char text[] = ID("0", "0");
	struct uuid id;

	text[7] = kind;
	text[35] = letter;
	assert_true(uuid_parse(text, 36, &id));
	return id;
}

struct filter_base filter_sample_base(const char *table, struct filter_viewer *v)
{
	static struct uuid hidden;

	hidden = filter_sample_id('3', 'b');
	*v = (struct filter_viewer){.user = filter_sample_id('4', 'a'), .hidden = &hidden, .n_hidden = table[1] == '!'};
	return (struct filter_base){.table = *table == 'p'   ? &sample_people
	                                     : *table == 'c' ? &sample_companies
	                                     : *table == 'o' ? &sample_objects
	                                                     : &sample_tasks,
	    .viewer = v};
}

/* --- a condition out of a case ------------------------------------------------------- */

static char id_kind(const struct filter_field *f)
{
	switch (f->type) {
	case FILTER_USER:
	case FILTER_USERS:
		return '4';
	case FILTER_OPTION:
	case FILTER_OPTIONS:
		return '6';
	default:
		return f->kinds == 1u << ID_GROUP     ? '3'
		       : f->kinds == 1u << ID_COMPANY ? '2'
		       : f->kinds == 1u << ID_OBJECT  ? '7'
		                                      : '1';
	}
}

static void read_value(struct filter_value *v, const struct filter_field *f, const char *text, size_t len)
{
	int32_t day;

	v->text = text;
	v->len = len;
	switch (f->type) {
	case FILTER_DATE:
		assert_true(date_parse(text, len, &v->day));
		return;
	case FILTER_DAY:
	case FILTER_INSTANT:
		if (len > 10) {
			assert_true(time_parse(text, len, &v->from_ms));
			v->to_ms = v->from_ms + 1;
		} else {
			assert_true(date_parse(text, len, &day));
			v->from_ms = day * INT64_C(86400000);
			v->to_ms = v->from_ms + 86400000;
		}
		return;
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_OPTION:
	case FILTER_OPTIONS:
	case FILTER_ENTITY:
	case FILTER_REFS:
		v->unknown = *text == '?';
		if (!v->unknown)
			v->id = filter_sample_id(id_kind(f), *text);
		return;
	default:
		return;
	}
}

struct filter_condition *filter_sample_condition(struct arena *a, const struct filter_sample *t)
{
	struct filter_condition *c = arena_alloc(a, sizeof *c);
	const char *name = t->field, *part = t->values;

	for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
		if (strncmp(name, relations[i].name, strlen(relations[i].name)) == 0) {
			c->relation = &relations[i];
			name += strlen(relations[i].name);
		}
	for (size_t i = 0; i < sizeof person_fields / sizeof *person_fields; i++)
		if (strcmp(person_fields[i].name, name) == 0)
			c->field = &person_fields[i];
	assert_non_null(c->field);
	c->op = t->op;
	c->name = t->field;
	if (c->field->source == FILTER_CUSTOM)
		c->custom.id = filter_sample_id('5', *name);
	c->values = arena_alloc(a, 8 * sizeof *c->values);
	while (part) {
		size_t len = strcspn(part, "|");
		read_value(&c->values[c->n_values++], c->field, arena_dup(a, part, len), len);
		part = part[len] ? part + len + 1 : NULL;
	}
	return c;
}
