/* What can be filtered by: a row a field (docs/filters.md). See filter.h. */
#include "filter/tables.h"

#include <string.h>

#include "server/base/fatal.h"
#include "store/resources.h"

enum { TABLES_MAX = 8 };

#define OP(name) (1u << FILTER_##name)

/* The sets of operators. */
enum {
	UNSET = OP(EMPTY) | OP(NOT_EMPTY),
	T = OP(EQ) | OP(NOT_EQ) | OP(LIKE) | OP(NOT_LIKE) | UNSET,
	D = OP(EQ) | OP(NOT_EQ) | OP(GT) | OP(LT) | UNSET,
	U = OP(IN) | OP(NOT_IN) | UNSET,
	R = OP(ALL) | U,
	BY_VALUE = OP(EQ) | OP(IN) | OP(GT) | OP(LT), /* what an index of the values answers */
	ID = FILTER_SUBKEY_ID,
	FLAT = FILTER_SUBKEY_NONE,
	ID_OR_EMAIL = FILTER_SUBKEY_ID | FILTER_SUBKEY_EMAIL
};

/* The sets of kinds of ids. */
enum {
	USERS = 1u << ID_USER,
	GROUPS = 1u << ID_GROUP,
	PEOPLE = 1u << ID_PERSON,
	COMPANIES = 1u << ID_COMPANY,
	OBJECTS = 1u << ID_OBJECT
};

#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))
#define IN_COLUMN(name_, type_, column_, ...)                                                                          \
	{                                                                                                              \
		.name = name_, .type = type_, .column = column_, __VA_ARGS__                                           \
	}
#define TEXT(name, column, ...) IN_COLUMN(name, FILTER_TEXT, column, .ops = T, __VA_ARGS__)
#define SORTED(name, type, column) IN_COLUMN(name, type, column, .ops = D, .indexed = BY_VALUE)
#define CREATED_AT IN_COLUMN("createdAt", FILTER_DAY, "created_at", .ops = D, .in_id = true)
#define CREATED_BY                                                                                                     \
	IN_COLUMN("createdBy", FILTER_USER, "created_by", .ops = U, .subkeys = ID_OR_EMAIL, .kinds = USERS,            \
	    .indexed = BY_VALUE)
#define REFS(name, column, of, ...)                                                                                    \
	IN_COLUMN(name, FILTER_REFS, column, .ops = R, .subkeys = ID, .kinds = of, .link = {__VA_ARGS__})

/* What people and companies have alike, beside their texts that no index has: those say FIELD_FILTERED. */
#define ADDRESSES                                                                                                      \
	IN_COLUMN("emails", FILTER_EMAILS, "emails", .ops = T, .indexed = OP(EMPTY), .item = FILTER_ITEM_EMAIL,        \
	    .search = "kith_search_text(emails)"),                                                                     \
	    IN_COLUMN("phones", FILTER_PHONES, "phones", .ops = T, .indexed = OP(EMPTY), .item = FILTER_ITEM_PHONE),   \
	    IN_COLUMN("urls", FILTER_TEXTS, "urls", .ops = T, .item = FILTER_ITEM_URL)

/* --- people -------------------------------------------------------------------- */

static const char *const genders[] = {"Male", "Female", "Other", "Unknown", NULL};

#define PERSON_TEXT .search = "kith_search_text(array[full_name, first_name, last_name, job_title])"

static const struct filter_field person_rows[] = {
    TEXT("fullName", "full_name", .indexed = OP(EQ), PERSON_TEXT),
    TEXT("firstName", "first_name", PERSON_TEXT),
    TEXT("lastName", "last_name", PERSON_TEXT),
    TEXT("jobTitle", "job_title", PERSON_TEXT),
    ADDRESSES,
    SORTED("birthday", FILTER_DATE, "birthday"),
    IN_COLUMN(
        "gender", FILTER_CHOICE, "gender", .ops = OP(EQ) | OP(NOT_EQ) | UNSET, .choices = genders, .unset = "Unknown"),
    REFS("companies", "company_ids", COMPANIES, "person_companies", "person_id", "company_id"),
    REFS("groups", "group_ids", GROUPS, "person_groups", "person_id", "group_id"),
    CREATED_AT,
    CREATED_BY,
    {.name = "interactionMetadata.workspace.lastInteractedAt",
        .type = FILTER_DAY,
        .source = FILTER_MET,
        .column = "last_interacted_at",
        .ops = D},
    {.name = "interactionMetadata.user.lastInteractedAt", .type = FILTER_DAY, .source = FILTER_MET_BY, .ops = D},
};

static const struct filter_relation person_relations[] = {
    {.name = "companies", .target = &company_filters, .link = {"person_companies", "person_id", "company_id"}},
};

const struct filter_table people_filters = {
    .resource = &person_resource,
    .fields = person_rows,
    .n_fields = COUNT(person_rows),
    .custom = true,
    .items = {"person_items", "person_id"},
    .relations = person_relations,
    .n_relations = COUNT(person_relations),
};

/* --- companies ------------------------------------------------------------------ */

#define COMPANY_TEXT .search = "kith_search_text(array[name, industry])"

static const struct filter_field company_rows[] = {
    TEXT("name", "name", COMPANY_TEXT),
    ADDRESSES,
    TEXT("industry", "industry", COMPANY_TEXT),
    TEXT("employeeRange", "employee_range"),
    REFS("groups", "group_ids", GROUPS, "company_groups", "company_id", "group_id"),
    CREATED_AT,
    CREATED_BY,
    SORTED("fundingRaised", FILTER_NUMBER, "funding_raised"),
    SORTED("lastFundingDate", FILTER_DATE, "last_funding_date"),
    SORTED("foundationYear", FILTER_NUMBER, "foundation_year"),
};

static const struct filter_relation company_relations[] = {
    {.name = "people", .target = &people_filters, .link = {"person_companies", "company_id", "person_id"}},
};

const struct filter_table company_filters = {
    .resource = &company_resource,
    .fields = company_rows,
    .n_fields = COUNT(company_rows),
    .custom = true,
    .items = {"company_items", "company_id"},
    .relations = company_relations,
    .n_relations = COUNT(company_relations),
};

/* --- objects -------------------------------------------------------------------- */

static const struct filter_field object_rows[] = {
    TEXT("name", "name", .search = "kith_search_text(array[name])"),
    REFS("people", "person_ids", PEOPLE, "object_people", "object_id", "person_id"),
    REFS("companies", "company_ids", COMPANIES, "object_companies", "object_id", "company_id"),
    CREATED_AT,
    CREATED_BY,
};

static const struct filter_relation object_relations[] = {
    {.name = "people", .target = &people_filters, .link = {"object_people", "object_id", "person_id"}},
    {.name = "companies", .target = &company_filters, .link = {"object_companies", "object_id", "company_id"}},
};

const struct filter_table object_filters = {
    .resource = &object_resource,
    .fields = object_rows,
    .n_fields = COUNT(object_rows),
    .custom = true,
    .relations = object_relations,
    .n_relations = COUNT(object_relations),
};

/* --- tasks ---------------------------------------------------------------------- */

static const struct filter_field task_rows[] = {
    IN_COLUMN("dueAt", FILTER_DATE, "due_at", .ops = OP(EQ) | OP(NOT_EQ) | OP(GT) | OP(LT), .indexed = BY_VALUE),
    IN_COLUMN("createdAt", FILTER_INSTANT, "created_at", .ops = OP(GT) | OP(LT), .in_id = true),
    IN_COLUMN("assigneeUserId", FILTER_USERS, "assigned_user_ids", .ops = OP(IN) | OP(NOT_IN), .subkeys = FLAT,
        .kinds = USERS, .indexed = OP(IN)),
    IN_COLUMN("entity", FILTER_ENTITY, "entity_id", .ops = OP(IN) | OP(NOT_IN), .subkeys = FLAT,
        .kinds = PEOPLE | COMPANIES | OBJECTS, .indexed = BY_VALUE),
    IN_COLUMN(
        "completedAt", FILTER_INSTANT, "completed_at", .ops = OP(GT) | OP(LT) | UNSET, .indexed = BY_VALUE | OP(EMPTY)),
};

const struct filter_table task_filters = {
    .resource = &task_resource, .fields = task_rows, .n_fields = COUNT(task_rows)};

/* --- custom fields --------------------------------------------------------------- */

#define CUSTOM(name_, type_, ...)                                                                                      \
	{                                                                                                              \
		.name = name_, .type = type_, .source = FILTER_CUSTOM, __VA_ARGS__                                     \
	}

static const struct filter_field custom_rows[] = {
    CUSTOM("textField", FILTER_TEXT, .ops = T),
    CUSTOM("numericField", FILTER_NUMBER, .ops = D),
    CUSTOM("dateField", FILTER_DATE, .ops = D),
    CUSTOM("singleSelect", FILTER_OPTION, .ops = U, .subkeys = FLAT),
    CUSTOM("multipleSelect", FILTER_OPTIONS, .ops = R, .subkeys = FLAT),
    CUSTOM("contactField", FILTER_REFS, .ops = R, .subkeys = ID, .kinds = PEOPLE | COMPANIES),
    CUSTOM("userField", FILTER_USERS, .ops = R, .subkeys = ID_OR_EMAIL, .kinds = USERS),
    CUSTOM("objectField", FILTER_REFS, .ops = R, .subkeys = ID, .kinds = OBJECTS),
};

const struct filter_field *filter_custom_field(const char *type)
{
	for (int i = 0; i < COUNT(custom_rows); i++)
		if (strcmp(custom_rows[i].name, type) == 0)
			return &custom_rows[i];
	return NULL;
}

static bool same(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && memcmp(name, text, len) == 0;
}

/* How a field is filtered that no index has, by its type; one without operators is not. */
static const struct filter_field plain[FIELD_TYPES] = {
    [FIELD_TEXT] = {.type = FILTER_TEXT, .ops = T},
    [FIELD_TEXTS] = {.type = FILTER_TEXTS, .ops = T},
    [FIELD_DATE] = {.type = FILTER_DATE, .ops = D},
    [FIELD_YEAR] = {.type = FILTER_NUMBER, .ops = D},
    [FIELD_DECIMAL] = {.type = FILTER_NUMBER, .ops = D},
};

/* Rows made of the fields of one resource. */
struct plain_rows {
	const struct resource *resource;
	struct filter_field rows[FIELDS_MAX];
	int count;
};

static void plain_make(struct plain_rows *made, const struct resource *res)
{
	made->resource = res;
	for (int i = 0; i < res->n_fields; i++) {
		const struct field *f = &res->fields[i];
		struct filter_field *row = &made->rows[made->count];
		if (!(f->flags & FIELD_FILTERED) || !plain[f->type].ops)
			continue;
		*row = plain[f->type];
		row->name = f->name;
		row->column = f->column;
		made->count++;
	}
}

/* Tables are few, and never go. */
static const struct plain_rows *plain_of(const struct resource *res)
{
	static struct plain_rows made[TABLES_MAX];
	int i = 0;

	while (made[i].resource != res && made[i].resource)
		if (++i == TABLES_MAX)
			fatal("more tables of filters than room for them");
	if (!made[i].resource)
		plain_make(&made[i], res);
	return &made[i];
}

const struct filter_field *filter_field_at(const struct filter_table *t, int i)
{
	const struct plain_rows *more;

	if (i < t->n_fields)
		return &t->fields[i];
	more = plain_of(t->resource);
	return i - t->n_fields < more->count ? &more->rows[i - t->n_fields] : NULL;
}

const struct filter_field *filter_field_find(const struct filter_table *t, const char *name, size_t len)
{
	const struct filter_field *f;

	for (int i = 0; (f = filter_field_at(t, i)); i++)
		if (same(f->name, name, len))
			return f;
	return NULL;
}

const struct filter_relation *filter_relation_find(const struct filter_table *t, const char *name, size_t len)
{
	for (int i = 0; i < t->n_relations; i++)
		if (same(t->relations[i].name, name, len))
			return &t->relations[i];
	return NULL;
}
