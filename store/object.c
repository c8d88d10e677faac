/* The fields of a custom object and of an object type. */
#include "store/resources.h"

/* clang-format off */
static const struct field fields[OBJECT_FIELDS] = {
	[OBJECT_ID]         = {"id",                "id",            FIELD_ID,        0},
	[OBJECT_GROUP]      = {"",                  "group_id",      FIELD_HIDDEN_ID, FIELD_HIDDEN},
	[OBJECT_TYPE]       = {"",                  "type_id",       FIELD_HIDDEN_ID, FIELD_HIDDEN},
	[OBJECT_NAME]       = {"name",              "name",          FIELD_TEXT,      FIELD_IN, .max = 1000, .watched = 1, .example = "Analytical Engines"},
	[OBJECT_COMPANIES]  = {"companies",         "company_ids",   FIELD_COMPANIES, FIELD_IN, .max = 20},
	[OBJECT_PEOPLE]     = {"people",            "person_ids",    FIELD_PEOPLE,    FIELD_IN, .max = 20},
	[OBJECT_CREATED_AT] = {"createdAt",         "created_at",    FIELD_TIME,      FIELD_IMPORTED, .max = 40},
	[OBJECT_CREATED_BY] = {"createdBy",         "created_by",    FIELD_USER,      FIELD_IMPORTED},
	[OBJECT_UPDATED_AT] = {"updatedAt",         "updated_at",    FIELD_STAMP,     0},
	[OBJECT_CUSTOM]     = {"customFieldValues", "custom_values", FIELD_CUSTOM,    FIELD_IN, .watched = 2},
};

static const struct field type_fields[TYPE_FIELDS] = {
	[TYPE_NAME]       = {"name",      "name",       FIELD_TEXT, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 500, .example = "Analytical Engines"},
	[TYPE_CREATED_AT] = {"createdAt", "created_at", FIELD_TIME, 0},
};
/* clang-format on */

const struct resource object_resource = {.name = "object",
    .table = "objects",
    .order = "objects_updates",
    .id_kind = ID_OBJECT,
    .stamp = OBJECT_UPDATED_AT,
    .fields = fields,
    .n_fields = OBJECT_FIELDS};
const struct resource object_type_resource = {.name = "objectType", .fields = type_fields, .n_fields = TYPE_FIELDS};
