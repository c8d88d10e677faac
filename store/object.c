/* The fields of a custom object and of an object type. */
#include "store/resources.h"

static const struct field fields[OBJECT_FIELDS] = {
    [OBJECT_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [OBJECT_GROUP] = {.name = "", .column = "group_id", .type = FIELD_HIDDEN_ID, .flags = FIELD_HIDDEN},
    [OBJECT_TYPE] = {.name = "", .column = "type_id", .type = FIELD_HIDDEN_ID, .flags = FIELD_HIDDEN},
    [OBJECT_NAME] = {.name = "name", .column = "name", .type = FIELD_TEXT, .flags = FIELD_IN, .max = 1000},
    [OBJECT_COMPANIES] =
        {.name = "companies", .column = "company_ids", .type = FIELD_COMPANIES, .flags = FIELD_IN, .max = 20},
    [OBJECT_PEOPLE] = {.name = "people", .column = "person_ids", .type = FIELD_PEOPLE, .flags = FIELD_IN, .max = 20},
    [OBJECT_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [OBJECT_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
    [OBJECT_UPDATED_AT] = {.name = "updatedAt", .column = "updated_at", .type = FIELD_TIME},
    [OBJECT_CUSTOM] = {.name = "customFieldValues", .column = "custom_values", .type = FIELD_CUSTOM, .flags = FIELD_IN},
};

static const struct field type_fields[TYPE_FIELDS] = {
    [TYPE_NAME] = {.name = "name",
        .column = "name",
        .type = FIELD_TEXT,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 500},
    [TYPE_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
};

const struct resource object_resource = {.name = "object",
    .table = "objects",
    .order = "objects_updates",
    .id_kind = ID_OBJECT,
    .fields = fields,
    .n_fields = OBJECT_FIELDS};
const struct resource object_type_resource = {.name = "objectType", .fields = type_fields, .n_fields = TYPE_FIELDS};
