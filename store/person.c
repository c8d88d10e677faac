/* The fields of a person. */
#include "store/resources.h"

static const char *const genders[] = {"Male", "Female", "Other", NULL};

static const struct field fields[PERSON_FIELDS] = {
    [PERSON_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [PERSON_FIRST_NAME] =
        {.name = "firstName", .column = "first_name", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 500},
    [PERSON_LAST_NAME] = {.name = "lastName", .column = "last_name", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 500},
    [PERSON_FULL_NAME] =
        {.name = "fullName", .column = "full_name", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 1000},
    [PERSON_FULL_NAME_GIVEN] = {.name = "", .column = "full_name_given", .type = FIELD_FLAG, .flags = FIELD_HIDDEN},
    [PERSON_DESCRIPTION] = {.name = "description",
        .column = "description",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN,
        .max = 5000},
    [PERSON_BIRTHDAY] = {.name = "birthday",
        .column = "birthday",
        .type = FIELD_DATE,
        .flags = FIELD_IN | FIELD_NULLABLE},
    [PERSON_GENDER] = {.name = "gender",
        .column = "gender",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN,
        .choices = genders,
        .unset = "Unknown"},
    [PERSON_JOB_TITLE] = {.name = "jobTitle", .column = "job_title", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 500},
    [PERSON_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [PERSON_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
    [PERSON_UPDATED_AT] = {.name = "updatedAt", .column = "updated_at", .type = FIELD_TIME},
    [PERSON_GROUPS] = {.name = "groups", .column = "group_ids", .type = FIELD_GROUPS, .flags = FIELD_IN, .max = 100},
    [PERSON_COMPANIES] = {.name = "companies",
        .column = "company_ids",
        .type = FIELD_COMPANIES,
        .flags = FIELD_IN,
        .max = 20,
        .item_max = 1000},
    [PERSON_ADDRESSES] = {.name = "addresses",
        .column = "addresses",
        .type = FIELD_TEXTS,
        .flags = FIELD_IN,
        .max = 20,
        .item_max = 500},
    [PERSON_EMAILS] =
        {.name = "emails", .column = "emails", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 254},
    [PERSON_PHONES] =
        {.name = "phones", .column = "phones", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 30},
    [PERSON_URLS] =
        {.name = "urls", .column = "urls", .type = FIELD_TEXTS, .flags = FIELD_IN, .max = 20, .item_max = 2048},
    [PERSON_CUSTOM] = {.name = "customFieldValues", .column = "custom_values", .type = FIELD_CUSTOM, .flags = FIELD_IN},
    [PERSON_METADATA] = {.name = "interactionMetadata", .column = "interaction_users", .type = FIELD_METADATA},
    [PERSON_CONNECTION] = {.name = "strongestConnection", .type = FIELD_CONNECTION},
};

const struct resource person_resource = {.name = "person",
    .table = "people",
    .order = "people_updates",
    .id_kind = ID_PERSON,
    .fields = fields,
    .n_fields = PERSON_FIELDS};
