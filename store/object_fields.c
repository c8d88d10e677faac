/* The fields of a custom object and of an object type. */
#include "store/resources.h"

/* clang-format off */
static const struct field fields[OBJECT_FIELDS] = {
	[OBJECT_ID]         = {"id",                "id",            FIELD_ID,        0, .about = "Id of the object."},
	[OBJECT_GROUP]      = {"",                  "group_id",      FIELD_HIDDEN_ID, FIELD_HIDDEN},
	[OBJECT_TYPE]       = {"",                  "type_id",       FIELD_HIDDEN_ID, FIELD_HIDDEN},
	[OBJECT_NAME]       = {"name",              "name",          FIELD_TEXT,      FIELD_IN, .max = 1000, .watched = 1, .about = "Name of the object."},
	[OBJECT_COMPANIES]  = {"companies",         "company_ids",   FIELD_COMPANIES, FIELD_IN, .max = 20, .about = "Companies of the group that the object is about."},
	[OBJECT_PEOPLE]     = {"people",            "person_ids",    FIELD_PEOPLE,    FIELD_IN, .max = 20, .about = "People of the group that the object is about."},
	[OBJECT_CREATED_AT] = {"createdAt",         "created_at",    FIELD_TIME,      FIELD_IMPORTED, .max = 40, .about = "When it was created."},
	[OBJECT_CREATED_BY] = {"createdBy",         "created_by",    FIELD_USER,      FIELD_IMPORTED, .about = "Who created it."},
	[OBJECT_UPDATED_AT] = {"updatedAt",         "updated_at",    FIELD_STAMP,     0, .about = "When it was last changed."},
	[OBJECT_CUSTOM]     = {"customFieldValues", "custom_values", FIELD_CUSTOM,    FIELD_IN, .watched = 2, .about = "Values of the type's custom fields, by the field's name."},
};

static const struct field type_fields[TYPE_FIELDS] = {
	[TYPE_NAME]       = {"name",      "name",       FIELD_TEXT, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 500, .about = "Name of the type, unique in its group. It is part of the paths of its objects."},
	[TYPE_CREATED_AT] = {"createdAt", "created_at", FIELD_TIME, 0, .about = "When it was created."},
};
/* clang-format on */

const struct resource object_resource = {.name = "object",
    .title = "custom object",
    .about = "An object of a type that a group has defined, such as a deal.",
    .table = "objects",
    .order = "objects_updates",
    .id_kind = ID_OBJECT,
    .stamp = OBJECT_UPDATED_AT,
    .fields = fields,
    .n_fields = OBJECT_FIELDS};
const struct resource object_type_resource = {.name = "objectType",
    .about = "A kind of objects of a group, such as Deals.",
    .fields = type_fields,
    .n_fields = TYPE_FIELDS};
