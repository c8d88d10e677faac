/* The fields of a person, of its duplicates, and of a merge's body. */
#include "store/resources.h"

static const char *const genders[] = {"Male", "Female", "Other", NULL};

/* clang-format off */
static const struct field fields[PERSON_FIELDS] = {
	[PERSON_ID]              = {"id",                  "id",                FIELD_ID,         0},
	[PERSON_FIRST_NAME]      = {"firstName",           "first_name",        FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 1, .example = "Ada"},
	[PERSON_LAST_NAME]       = {"lastName",            "last_name",         FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 2, .example = "Lovelace"},
	[PERSON_FULL_NAME]       = {"fullName",            "full_name",         FIELD_TEXT,       FIELD_IN, .max = 1000, .example = "Ada Lovelace"},
	[PERSON_FULL_NAME_GIVEN] = {"",                    "full_name_given",   FIELD_FLAG,       FIELD_HIDDEN},
	[PERSON_DESCRIPTION]     = {"description",         "description",       FIELD_TEXT,       FIELD_SILENT | FIELD_IN | FIELD_FILTERED, .max = 5000, .watched = 5, .example = "Met at the spring conference"},
	[PERSON_BIRTHDAY]        = {"birthday",            "birthday",          FIELD_DATE,       FIELD_IN | FIELD_NULLABLE, .watched = 3},
	[PERSON_GENDER]          = {"gender",              "gender",            FIELD_CHOICE,     FIELD_IN, .choices = genders, .unset = "Unknown"},
	[PERSON_JOB_TITLE]       = {"jobTitle",            "job_title",         FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 4, .example = "Analyst"},
	[PERSON_CREATED_AT]      = {"createdAt",           "created_at",        FIELD_TIME,       FIELD_IMPORTED, .max = 40},
	[PERSON_CREATED_BY]      = {"createdBy",           "created_by",        FIELD_USER,       FIELD_IMPORTED},
	[PERSON_UPDATED_AT]      = {"updatedAt",           "updated_at",        FIELD_STAMP,      0},
	[PERSON_GROUPS]          = {"groups",              "group_ids",         FIELD_GROUPS,     FIELD_IN, .max = 100},
	[PERSON_COMPANIES]       = {"companies",           "company_ids",       FIELD_COMPANIES,  FIELD_IN, .max = 20, .item_max = 1000},
	[PERSON_ADDRESSES]       = {"addresses",           "addresses",         FIELD_TEXTS,      FIELD_IN | FIELD_FILTERED, .max = 20, .item_max = 500, .watched = 6, .example = "12 St James's Square, London"},
	[PERSON_EMAILS]          = {"emails",              "emails",            FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 254, .watched = 7, .example = "ada@example.com"},
	[PERSON_PHONES]          = {"phones",              "phones",            FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 30, .watched = 8, .example = "+44 20 7946 0000"},
	[PERSON_URLS]            = {"urls",                "urls",              FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 2048, .watched = 9, .example = "https://example.com/ada"},
	[PERSON_CUSTOM]          = {"customFieldValues",   "custom_values",     FIELD_CUSTOM,     FIELD_IN, .watched = 10},
	[PERSON_METADATA]        = {"interactionMetadata", "interaction_users", FIELD_METADATA,   0},
	[PERSON_CONNECTION]      = {"strongestConnection", NULL,                FIELD_CONNECTION, 0},
};

static const struct field duplicate_fields[DUPLICATE_FIELDS] = {
	[DUPLICATE_ID]      = {"id",       "id",        FIELD_ID,      0},
	[DUPLICATE_NAME]    = {"fullName", "full_name", FIELD_TEXT,    0, .example = "Ada Lovelace"},
	[DUPLICATE_REASONS] = {"reasons",  "reasons",   FIELD_REASONS, 0},
};

static const struct field merge_fields[MERGE_FIELDS] = {
	[MERGE_ID] = {"id", NULL, FIELD_ID, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE},
};
/* clang-format on */

const struct resource person_resource = {.name = "person",
    .table = "people",
    .order = "people_updates",
    .id_kind = ID_PERSON,
    .stamp = PERSON_UPDATED_AT,
    .fields = fields,
    .n_fields = PERSON_FIELDS};
const struct resource person_duplicate_resource = {
    .name = "person duplicate", .id_kind = ID_PERSON, .fields = duplicate_fields, .n_fields = DUPLICATE_FIELDS};
const struct resource person_merge_resource = {
    .name = "person merge", .id_kind = ID_PERSON, .fields = merge_fields, .n_fields = MERGE_FIELDS};
