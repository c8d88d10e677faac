/* The fields of a person, of its duplicates, and of a merge's body. */
#include "store/resources.h"

static const char *const genders[] = {"Male", "Female", "Other", NULL};

/* clang-format off */
static const struct field fields[PERSON_FIELDS] = {
	[PERSON_ID]              = {"id",                  "id",                FIELD_ID,         0, .about = "Id of the person."},
	[PERSON_FIRST_NAME]      = {"firstName",           "first_name",        FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 1, .about = "First or given name."},
	[PERSON_LAST_NAME]       = {"lastName",            "last_name",         FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 2, .about = "Last or family name."},
	[PERSON_FULL_NAME]       = {"fullName",            "full_name",         FIELD_TEXT,       FIELD_IN, .max = 1000, .about = "The whole name as it is shown. If it is absent, it is made from the first and last name."},
	[PERSON_FULL_NAME_GIVEN] = {"",                    "full_name_given",   FIELD_FLAG,       FIELD_HIDDEN},
	[PERSON_DESCRIPTION]     = {"description",         "description",       FIELD_TEXT,       FIELD_SILENT | FIELD_IN | FIELD_FILTERED, .max = 5000, .watched = 5, .about = "Free text about the person."},
	[PERSON_BIRTHDAY]        = {"birthday",            "birthday",          FIELD_DATE,       FIELD_IN | FIELD_NULLABLE, .watched = 3, .about = "Date of birth."},
	[PERSON_GENDER]          = {"gender",              "gender",            FIELD_CHOICE,     FIELD_IN, .choices = genders, .unset = "Unknown", .about = "Gender; `Unknown` when unset."},
	[PERSON_JOB_TITLE]       = {"jobTitle",            "job_title",         FIELD_TEXT,       FIELD_IN, .max = 500, .watched = 4, .about = "What the person works as."},
	[PERSON_CREATED_AT]      = {"createdAt",           "created_at",        FIELD_TIME,       FIELD_IMPORTED, .max = 40, .about = "When it was created."},
	[PERSON_CREATED_BY]      = {"createdBy",           "created_by",        FIELD_USER,       FIELD_IMPORTED, .about = "Who created it."},
	[PERSON_UPDATED_AT]      = {"updatedAt",           "updated_at",        FIELD_STAMP,      0, .about = "When it was last changed."},
	[PERSON_GROUPS]          = {"groups",              "group_ids",         FIELD_GROUPS,     FIELD_IN, .max = 100, .about = "The groups that the person is in, as far as the key's user may see them."},
	[PERSON_COMPANIES]       = {"companies",           "company_ids",       FIELD_COMPANIES,  FIELD_IN, .max = 20, .item_max = 1000, .about = "The companies that the person belongs to, the primary one first. In bodies by id or by name; a new name creates the company."},
	[PERSON_ADDRESSES]       = {"addresses",           "addresses",         FIELD_TEXTS,      FIELD_IN | FIELD_FILTERED, .max = 20, .item_max = 500, .watched = 6, .about = "Postal addresses, the primary one first."},
	[PERSON_EMAILS]          = {"emails",              "emails",            FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 254, .watched = 7, .about = "E-mail addresses, the primary one first."},
	[PERSON_PHONES]          = {"phones",              "phones",            FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 30, .watched = 8, .about = "Telephone numbers, the primary one first."},
	[PERSON_URLS]            = {"urls",                "urls",              FIELD_TEXTS,      FIELD_IN, .max = 20, .item_max = 2048, .watched = 9, .about = "Addresses on the web, the primary one first."},
	[PERSON_CUSTOM]          = {"customFieldValues",   "custom_values",     FIELD_CUSTOM,     FIELD_IN, .watched = 10, .about = "Values of the groups' custom fields, by the group's id and the field's name."},
	[PERSON_METADATA]        = {"interactionMetadata", "interaction_users", FIELD_METADATA,   0, .about = "How often and when last the key's user, and all users, were in contact with the person."},
	[PERSON_CONNECTION]      = {"strongestConnection", NULL,                FIELD_CONNECTION, 0, .about = "For each group the member with the most interactions with the person."},
};

static const struct field duplicate_fields[DUPLICATE_FIELDS] = {
	[DUPLICATE_ID]      = {"id",       "id",        FIELD_ID,      0, .about = "Id of the record that may be the same."},
	[DUPLICATE_NAME]    = {"fullName", "full_name", FIELD_TEXT,    0, .about = "Its name."},
	[DUPLICATE_REASONS] = {"reasons",  "reasons",   FIELD_REASONS, 0, .about = "What both have in common."},
};

static const struct field merge_fields[MERGE_FIELDS] = {
	[MERGE_ID] = {"id", NULL, FIELD_ID, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE, .about = "Id of the other record, which is merged into the one in the path and deleted."},
};
/* clang-format on */

const struct resource person_resource = {.name = "person",
    .about = "A person of the workspace.",
    .table = "people",
    .order = "people_updates",
    .id_kind = ID_PERSON,
    .stamp = PERSON_UPDATED_AT,
    .fields = fields,
    .n_fields = PERSON_FIELDS};
const struct resource person_duplicate_resource = {.name = "person duplicate",
    .about = "A person who may be the same as another one, and why.",
    .id_kind = ID_PERSON,
    .fields = duplicate_fields,
    .n_fields = DUPLICATE_FIELDS};
const struct resource person_merge_resource = {.name = "person merge",
    .about = "Which person is merged into another one.",
    .id_kind = ID_PERSON,
    .fields = merge_fields,
    .n_fields = MERGE_FIELDS};
