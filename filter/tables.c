/* The fields that can be filtered by, one row each (docs/filters.md). See filter.h. */
#include "filter/filter.h"

#include <string.h>

#include "server/base/fatal.h"
#include "store/resources.h"

enum { TABLES_MAX = 8 };

#define OP(name) (1u << FILTER_##name)

/* Sets of operators. */
enum {
	UNSET = OP(EMPTY) | OP(NOT_EMPTY),
	BEFORE_AFTER = OP(GT) | OP(LT),
	E = OP(EQ) | OP(NOT_EQ) | UNSET,
	T = OP(LIKE) | OP(NOT_LIKE) | E,
	D = BEFORE_AFTER | E,
	U = OP(IN) | OP(NOT_IN) | UNSET,
	R = OP(ALL) | U,
	BY_VALUE = OP(EQ) | OP(IN) | OP(GT) | OP(LT), /* supported by an index on the values */
	ID = FILTER_SUBKEY_ID,
	FLAT = FILTER_SUBKEY_NONE,
	ID_OR_EMAIL = FILTER_SUBKEY_ID | FILTER_SUBKEY_EMAIL
};

/* Sets of kinds of ids. */
enum {
	USERS = 1u << ID_USER,
	GROUPS = 1u << ID_GROUP,
	PEOPLE = 1u << ID_PERSON,
	COMPANIES = 1u << ID_COMPANY,
	OBJECTS = 1u << ID_OBJECT
};

#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))

/* clang-format off */

/* The texts that searches look at, and the text in the index, which is used for "like", too (migrations/0018_search.sql). */
#define PERSON_TEXT "coalesce(search_text, kith_search_lines(array[full_name, first_name, last_name, job_title], emails, phones, urls))"
#define COMPANY_TEXT "coalesce(search_text, kith_search_lines(array[name], emails, phones, urls))"
#define COMPANY_INDEX "(" COMPANY_TEXT " || kith_search_fold(coalesce(industry || e'\\n', '')))"
#define OBJECT_TEXT "kith_search_line(name)"
#define TASK_TEXT "kith_search_line(title)"

#define COMPANY_NAMES(table, owner) {SEARCH_COMPANIES, "company_ids", {table, owner, "company_id"}, "companies", "name", "companies.name"}

#define SEARCHED_ADDRESSES \
	{"emails", "kith_search_lines('{}', emails, '{}', '{}')"}, \
	{"phones", "kith_search_lines('{}', '{}', phones, '{}')"}, \
	{"urls", "kith_search_lines('{}', '{}', '{}', urls)"}, \
	{NULL, NULL}

/* Rows of several tables. Unindexed texts of people and companies have FIELD_FILTERED in their own rows. */
#define ADDRESSES(index) \
	{"emails", FILTER_EMAILS, "emails", T, OP(EMPTY), .item = FILTER_ITEM_EMAIL, .search = index}, \
	{"phones", FILTER_PHONES, "phones", T, OP(EMPTY), .item = FILTER_ITEM_PHONE, .search = index}, \
	{"urls",   FILTER_TEXTS,  "urls",   T, 0,         .item = FILTER_ITEM_URL, .search = index}
#define CREATED \
	{"createdAt", FILTER_DAY,  "created_at", D, 0,        .in_id = true}, \
	{"createdBy", FILTER_USER, "created_by", U, BY_VALUE, ID_OR_EMAIL, USERS}
#define UPDATED \
	{"updatedAt", FILTER_INSTANT, "updated_at", BEFORE_AFTER, 0}

/* --- people -------------------------------------------------------------------- */

static const char *const genders[] = {"Male", "Female", "Other", "Unknown", NULL};

static const struct filter_field person_rows[] = {
	{"fullName",  FILTER_TEXT,   "full_name",   T, OP(EQ), .search = PERSON_TEXT},
	{"firstName", FILTER_TEXT,   "first_name",  T, 0, .search = PERSON_TEXT},
	{"lastName",  FILTER_TEXT,   "last_name",   T, 0, .search = PERSON_TEXT},
	{"jobTitle",  FILTER_TEXT,   "job_title",   T, 0, .search = PERSON_TEXT, .grouped = true},
	ADDRESSES(PERSON_TEXT),
	{"birthday",  FILTER_DATE,   "birthday",    D, BY_VALUE},
	{"birthday.month", FILTER_NUMBER, "birthday", D, .source = FILTER_MONTH},
	{"gender",    FILTER_CHOICE, "gender",      E, 0, .choices = genders, .unset = "Unknown"},
	{"companies", FILTER_REFS,   "company_ids", R, 0, ID, COMPANIES, {"person_companies", "person_id", "company_id"}},
	{"groups",    FILTER_REFS,   "group_ids",   R, 0, ID, GROUPS, {"person_groups", "person_id", "group_id"}},
	CREATED,
	UPDATED,
	{"interactionMetadata.workspace.lastInteractedAt", FILTER_DAY, "last_interacted_at", D, .source = FILTER_MET},
	{"interactionMetadata.user.lastInteractedAt",      FILTER_DAY, NULL,                 D, .source = FILTER_MET_BY},
};

static const struct filter_relation person_relations[] = {
	{"companies", &company_filters, {"person_companies", "person_id", "company_id"}},
};

static const struct search_field person_searched[] = {
	{"fullName", "kith_search_line(full_name)"},
	{"firstName", "kith_search_line(first_name)"},
	{"lastName", "kith_search_line(last_name)"},
	{"jobTitle", "kith_search_line(job_title)"},
	SEARCHED_ADDRESSES,
};

static const struct search_relation person_names[] = {
	COMPANY_NAMES("person_companies", "person_id"),
};

const struct filter_table people_filters = {
	.resource = &person_resource, .fields = person_rows, .n_fields = COUNT(person_rows), .custom = true,
	.items = {"person_items", "person_id"}, .relations = person_relations, .n_relations = COUNT(person_relations),
	.searched = {PERSON_TEXT, PERSON_TEXT, person_names, COUNT(person_names), person_searched},
};

/* --- companies ------------------------------------------------------------------ */

static const struct filter_field company_rows[] = {
	{"name",            FILTER_TEXT,   "name",              T, 0, .search = COMPANY_INDEX},
	ADDRESSES(COMPANY_INDEX),
	{"industry",        FILTER_TEXT,   "industry",          T, 0, .search = COMPANY_INDEX, .grouped = true},
	{"employeeRange",   FILTER_TEXT,   "employee_range",    T, .grouped = true},
	{"groups",          FILTER_REFS,   "group_ids",         R, 0, ID, GROUPS, {"company_groups", "company_id", "group_id"}},
	CREATED,
	UPDATED,
	{"fundingRaised",   FILTER_NUMBER, "funding_raised",    D, BY_VALUE},
	{"lastFundingDate", FILTER_DATE,   "last_funding_date", D, BY_VALUE},
	{"foundationYear",  FILTER_NUMBER, "foundation_year",   D, BY_VALUE},
};

static const struct filter_relation company_relations[] = {
	{"people", &people_filters, {"person_companies", "company_id", "person_id"}},
};

static const struct search_field company_searched[] = {
	{"name", "kith_search_line(name)"},
	SEARCHED_ADDRESSES,
};

const struct filter_table company_filters = {
	.resource = &company_resource, .fields = company_rows, .n_fields = COUNT(company_rows), .custom = true,
	.items = {"company_items", "company_id"}, .relations = company_relations, .n_relations = COUNT(company_relations),
	.searched = {COMPANY_TEXT, COMPANY_INDEX, .fields = company_searched},
};

/* --- objects -------------------------------------------------------------------- */

static const struct filter_field object_rows[] = {
	{"name",      FILTER_TEXT, "name",        T, 0, .search = OBJECT_TEXT},
	{"people",    FILTER_REFS, "person_ids",  R, 0, ID, PEOPLE, {"object_people", "object_id", "person_id"}},
	{"companies", FILTER_REFS, "company_ids", R, 0, ID, COMPANIES, {"object_companies", "object_id", "company_id"}},
	CREATED,
	UPDATED,
};

static const struct filter_relation object_relations[] = {
	{"people",    &people_filters,  {"object_people", "object_id", "person_id"}},
	{"companies", &company_filters, {"object_companies", "object_id", "company_id"}},
};

static const struct search_field object_searched[] = {
	{"name", OBJECT_TEXT},
	{NULL, NULL},
};

static const struct search_relation object_names[] = {
	{SEARCH_PEOPLE, "person_ids", {"object_people", "object_id", "person_id"}, "people", "full_name", "people.fullName"},
	COMPANY_NAMES("object_companies", "object_id"),
};

const struct filter_table object_filters = {
	.resource = &object_resource, .fields = object_rows, .n_fields = COUNT(object_rows), .custom = true,
	.relations = object_relations, .n_relations = COUNT(object_relations),
	.searched = {OBJECT_TEXT, OBJECT_TEXT, object_names, COUNT(object_names), object_searched},
};

/* --- tasks ---------------------------------------------------------------------- */

static const struct filter_field task_rows[] = {
	{"dueAt",          FILTER_DATE,    "due_at",            D & ~UNSET, BY_VALUE},
	{"createdAt",      FILTER_INSTANT, "created_at",        BEFORE_AFTER, 0, .in_id = true},
	UPDATED,
	{"assigneeUserId", FILTER_USERS,   "assigned_user_ids", U & ~UNSET, OP(IN), FLAT, USERS},
	{"entity",         FILTER_ENTITY,  "entity_id",         U & ~UNSET, BY_VALUE, FLAT, PEOPLE | COMPANIES | OBJECTS},
	{"completedAt",    FILTER_INSTANT, "completed_at",      BEFORE_AFTER | UNSET, BY_VALUE | OP(EMPTY)},
};

static const struct search_field task_searched[] = {
	{"title", TASK_TEXT},
	{NULL, NULL},
};

const struct filter_table task_filters = {
	.resource = &task_resource, .fields = task_rows, .n_fields = COUNT(task_rows),
	.searched = {TASK_TEXT, TASK_TEXT, .fields = task_searched},
};

/* --- notes ---------------------------------------------------------------------- */

#define NOTE_TEXT "kith_search_line(content)"

static const struct search_field note_fields_searched[] = {
	{"content", NOTE_TEXT},
	{NULL, NULL},
};

const struct filter_searched note_searched = {NOTE_TEXT, NOTE_TEXT, .fields = note_fields_searched};

/* --- custom fields --------------------------------------------------------------- */

#define CUSTOM .source = FILTER_CUSTOM

static const struct filter_field custom_rows[] = {
	{"textField",      FILTER_TEXT,    NULL, T, 0, CUSTOM},
	{"numericField",   FILTER_NUMBER,  NULL, D, 0, CUSTOM},
	{"dateField",      FILTER_DATE,    NULL, D, 0, CUSTOM},
	{"singleSelect",   FILTER_OPTION,  NULL, U, 0, FLAT, CUSTOM},
	{"multipleSelect", FILTER_OPTIONS, NULL, R, 0, FLAT, CUSTOM},
	{"contactField",   FILTER_REFS,    NULL, R, 0, ID, PEOPLE | COMPANIES, CUSTOM},
	{"userField",      FILTER_USERS,   NULL, R, 0, ID_OR_EMAIL, USERS, CUSTOM},
	{"objectField",    FILTER_REFS,    NULL, R, 0, ID, OBJECTS, CUSTOM},
};

/* How unindexed fields are filtered, by type; types without operators are not. */
static const struct filter_field plain[FIELD_TYPES] = {
	[FIELD_TEXT]    = {.type = FILTER_TEXT,   .ops = T},
	[FIELD_TEXTS]   = {.type = FILTER_TEXTS,  .ops = T},
	[FIELD_DATE]    = {.type = FILTER_DATE,   .ops = D},
	[FIELD_YEAR]    = {.type = FILTER_NUMBER, .ops = D},
	[FIELD_DECIMAL] = {.type = FILTER_NUMBER, .ops = D},
};

/* clang-format on */

/* --- operators ------------------------------------------------------------------------ */

static const char *const op_words[FILTER_OPS] = {
    [FILTER_OP_NONE] = "",
    [FILTER_EQ] = "eq",
    [FILTER_NOT_EQ] = "not_eq",
    [FILTER_GT] = "gt",
    [FILTER_LT] = "lt",
    [FILTER_LIKE] = "like",
    [FILTER_NOT_LIKE] = "not_like",
    [FILTER_ALL] = "all",
    [FILTER_IN] = "in",
    [FILTER_NOT_IN] = "not_in",
    [FILTER_EMPTY] = "empty",
    [FILTER_NOT_EMPTY] = "not_empty",
};

static bool name_is(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && memcmp(name, text, len) == 0;
}

const char *filter_op_word(enum filter_op op)
{
	return op_words[op];
}

enum filter_op filter_op_parse(const char *text, size_t len)
{
	enum filter_op op = FILTER_OPS - 1;

	while (op > FILTER_OP_NONE && !name_is(op_words[op], text, len))
		op--;
	return op;
}

bool filter_op_valueless(enum filter_op op)
{
	return op == FILTER_EMPTY || op == FILTER_NOT_EMPTY;
}

/* --- looking up ---------------------------------------------------------------------- */

const struct filter_field *filter_custom_field(const char *type)
{
	for (int i = 0; i < COUNT(custom_rows); i++)
		if (strcmp(custom_rows[i].name, type) == 0)
			return &custom_rows[i];
	return NULL;
}

/* The rows of a resource's fields with FIELD_FILTERED, made when first used. */
static const struct filter_field *filter_plain(const struct resource *res, int at)
{
	static struct plain_rows {
		const struct resource *resource;
		struct filter_field rows[FIELDS_MAX];
		int count;
	} made[TABLES_MAX];
	struct plain_rows *m = made;

	while (m->resource != res && m->resource)
		if (++m == made + TABLES_MAX)
			fatal_abort("more tables of filters than room for them");
	for (int i = 0; i < res->n_fields && !m->resource; i++) {
		const struct field *f = &res->fields[i];
		if (!(f->flags & FIELD_FILTERED) || !plain[f->type].ops)
			continue;
		m->rows[m->count] = plain[f->type];
		m->rows[m->count].name = f->name;
		m->rows[m->count++].column = f->column;
	}
	m->resource = res;
	return at < m->count ? &m->rows[at] : NULL;
}

const struct filter_field *filter_field_at(const struct filter_table *t, int i)
{
	return i < t->n_fields ? &t->fields[i] : filter_plain(t->resource, i - t->n_fields);
}

const struct filter_field *filter_field_find(const struct filter_table *t, const char *name, size_t len)
{
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(t, i)); i++)
		if (name_is(f->name, name, len))
			return f;
	return NULL;
}

const struct filter_relation *filter_relation_find(const struct filter_table *t, const char *name, size_t len)
{
	for (int i = 0; i < t->n_relations; i++)
		if (name_is(t->relations[i].name, name, len))
			return &t->relations[i];
	return NULL;
}
