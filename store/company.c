/* The fields of a company. */
#include "store/resources.h"

enum { NULLABLE_IN = FIELD_IN | FIELD_NULLABLE };

static const char *const employee_ranges[] = {
    "1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10000+", NULL};

static const struct field fields[COMPANY_FIELDS] = {
    [COMPANY_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [COMPANY_NAME] = {.name = "name", .column = "name", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 1000},
    [COMPANY_DESCRIPTION] = {.name = "description",
        .column = "description",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN,
        .max = 5000},
    [COMPANY_INDUSTRY] = {.name = "industry",
        .column = "industry",
        .type = FIELD_TEXT,
        .flags = NULLABLE_IN | FIELD_NULL_EMPTY,
        .max = 1000},
    [COMPANY_FUNDING_RAISED] = {.name = "fundingRaised",
        .column = "funding_raised",
        .type = FIELD_DECIMAL,
        .flags = NULLABLE_IN},
    [COMPANY_LAST_FUNDING_DATE] = {.name = "lastFundingDate",
        .column = "last_funding_date",
        .type = FIELD_DATE,
        .flags = NULLABLE_IN},
    [COMPANY_FOUNDATION_YEAR] = {.name = "foundationYear",
        .column = "foundation_year",
        .type = FIELD_YEAR,
        .flags = NULLABLE_IN},
    [COMPANY_EMPLOYEE_RANGE] = {.name = "employeeRange",
        .column = "employee_range",
        .type = FIELD_CHOICE,
        .flags = NULLABLE_IN,
        .choices = employee_ranges},
    [COMPANY_GROUPS] = {.name = "groups", .column = "group_ids", .type = FIELD_GROUPS, .flags = FIELD_IN, .max = 100},
    [COMPANY_ADDRESSES] = {.name = "addresses",
        .column = "addresses",
        .type = FIELD_TEXTS,
        .flags = FIELD_IN,
        .max = 20,
        .item_max = 500},
    [COMPANY_EMAILS] =
        {.name = "emails", .column = "emails", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 254},
    [COMPANY_PHONES] =
        {.name = "phones", .column = "phones", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 30},
    [COMPANY_URLS] =
        {.name = "urls", .column = "urls", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 2048},
    [COMPANY_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [COMPANY_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
    [COMPANY_UPDATED_AT] = {.name = "updatedAt", .column = "updated_at", .type = FIELD_TIME},
    [COMPANY_CUSTOM] = {.name = "customFieldValues",
        .column = "custom_values",
        .type = FIELD_CUSTOM,
        .flags = FIELD_IN},
};

const struct resource company_resource = {.name = "company",
    .table = "companies",
    .order = "companies_updates",
    .id_kind = ID_COMPANY,
    .fields = fields,
    .n_fields = COMPANY_FIELDS};
