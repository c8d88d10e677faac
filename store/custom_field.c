/* The fields of a group custom field's definition. */
#include "store/resources.h"

static const char *const types[] = {"textField", "numericField", "dateField", "singleSelect", "multipleSelect",
    "contactField", "userField", "objectField", NULL};

/* clang-format off */
static const struct field fields[CF_FIELDS] = {
	[CF_NAME]           = {"name",          "name", FIELD_TEXT,       FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 500, .example = "Analytical Engines"},
	[CF_TYPE]           = {"type",          "type", FIELD_CHOICE,     FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = types},
	[CF_OPTIONS]        = {"options",       NULL,   FIELD_DEFINITION, FIELD_IN_CREATE, .max = 1000},
	[CF_CONFIG]         = {"config",        NULL,   FIELD_DEFINITION, FIELD_IN},
	[CF_ADD_OPTIONS]    = {"addOptions",    NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000},
	[CF_UPDATE_OPTIONS] = {"updateOptions", NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000},
	[CF_REMOVE_OPTIONS] = {"removeOptions", NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000},
};
/* clang-format on */

const struct resource custom_field_resource = {.name = "customField", .fields = fields, .n_fields = CF_FIELDS};
