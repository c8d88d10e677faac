/* The fields of a company, of its duplicates, and of a merge's body. */
#include "store/resources.h"

enum { NULLABLE_IN = FIELD_IN | FIELD_NULLABLE };

static const char *const employee_ranges[] = {
    "1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10000+", NULL};

/* clang-format off */
static const struct field fields[COMPANY_FIELDS] = {
	[COMPANY_ID]                = {"id",                "id",                FIELD_ID,      0, .about = "Id of the company."},
	[COMPANY_NAME]              = {"name",              "name",              FIELD_TEXT,    FIELD_IN, .max = 1000, .watched = 1, .about = "Name, unique in the workspace exactly as written."},
	[COMPANY_DESCRIPTION]       = {"description",       "description",       FIELD_TEXT,    FIELD_SILENT | FIELD_IN | FIELD_FILTERED, .max = 5000, .watched = 2, .about = "Free text about the company."},
	[COMPANY_INDUSTRY]          = {"industry",          "industry",          FIELD_TEXT,    NULLABLE_IN | FIELD_NULL_EMPTY, .max = 1000, .watched = 11, .about = "What the company does."},
	[COMPANY_FUNDING_RAISED]    = {"fundingRaised",     "funding_raised",    FIELD_DECIMAL, NULLABLE_IN, .watched = 7, .about = "Money raised so far, as a decimal number."},
	[COMPANY_LAST_FUNDING_DATE] = {"lastFundingDate",   "last_funding_date", FIELD_DATE,    NULLABLE_IN, .watched = 8, .about = "Day of the last funding."},
	[COMPANY_FOUNDATION_YEAR]   = {"foundationYear",    "foundation_year",   FIELD_YEAR,    NULLABLE_IN, .watched = 9, .about = "Year of foundation."},
	[COMPANY_EMPLOYEE_RANGE]    = {"employeeRange",     "employee_range",    FIELD_CHOICE,  NULLABLE_IN, .choices = employee_ranges, .watched = 10, .about = "How many people work there."},
	[COMPANY_GROUPS]            = {"groups",            "group_ids",         FIELD_GROUPS,  FIELD_IN, .max = 100, .about = "The groups that the company is in, as far as the key's user may see them."},
	[COMPANY_ADDRESSES]         = {"addresses",         "addresses",         FIELD_TEXTS,   FIELD_IN | FIELD_FILTERED, .max = 20, .item_max = 500, .watched = 3, .about = "Postal addresses, the primary one first."},
	[COMPANY_EMAILS]            = {"emails",            "emails",            FIELD_TEXTS,   FIELD_IN, .max = 20, .item_max = 254, .watched = 4, .about = "E-mail addresses, the primary one first."},
	[COMPANY_PHONES]            = {"phones",            "phones",            FIELD_TEXTS,   FIELD_IN, .max = 20, .item_max = 30, .watched = 5, .about = "Telephone numbers, the primary one first."},
	[COMPANY_URLS]              = {"urls",              "urls",              FIELD_TEXTS,   FIELD_IN, .max = 20, .item_max = 2048, .watched = 6, .about = "Addresses on the web, the primary one first."},
	[COMPANY_CREATED_AT]        = {"createdAt",         "created_at",        FIELD_TIME,    FIELD_IMPORTED, .max = 40, .about = "When it was created."},
	[COMPANY_CREATED_BY]        = {"createdBy",         "created_by",        FIELD_USER,    FIELD_IMPORTED, .about = "Who created it."},
	[COMPANY_UPDATED_AT]        = {"updatedAt",         "updated_at",        FIELD_STAMP,   0, .about = "When it was last changed."},
	[COMPANY_CUSTOM]            = {"customFieldValues", "custom_values",     FIELD_CUSTOM,  FIELD_IN, .watched = 12, .about = "Values of the groups' custom fields, by the group's id and the field's name."},
};

static const struct field duplicate_fields[DUPLICATE_FIELDS] = {
	[DUPLICATE_ID]      = {"id",      "id",      FIELD_ID,      0, .about = "Id of the record that may be the same."},
	[DUPLICATE_NAME]    = {"name",    "name",    FIELD_TEXT,    0, .about = "Its name."},
	[DUPLICATE_REASONS] = {"reasons", "reasons", FIELD_REASONS, 0, .about = "What both have in common."},
};

static const struct field merge_fields[MERGE_FIELDS] = {
	[MERGE_ID] = {"id", NULL, FIELD_ID, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE, .about = "Id of the other record, which is merged into the one in the path and deleted."},
};
/* clang-format on */

const struct resource company_resource = {.name = "company",
    .about = "A company of the workspace.",
    .table = "companies",
    .order = "companies_updates",
    .id_kind = ID_COMPANY,
    .stamp = COMPANY_UPDATED_AT,
    .fields = fields,
    .n_fields = COMPANY_FIELDS};
const struct resource company_duplicate_resource = {.name = "company duplicate",
    .about = "A company that may be the same as another one, and why.",
    .id_kind = ID_COMPANY,
    .fields = duplicate_fields,
    .n_fields = DUPLICATE_FIELDS};
const struct resource company_merge_resource = {.name = "company merge",
    .about = "Which company is merged into another one.",
    .id_kind = ID_COMPANY,
    .fields = merge_fields,
    .n_fields = MERGE_FIELDS};
