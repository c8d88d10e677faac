/* The fields of a group custom field's definition. */
#include "store/resources.h"

static const char *const types[] = {"textField", "numericField", "dateField", "singleSelect", "multipleSelect",
    "contactField", "userField", "objectField", NULL};

/* clang-format off */
static const struct field fields[CF_FIELDS] = {
	[CF_NAME]           = {"name",          "name", FIELD_TEXT,       FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 500, .about = "Name of the field, unique among those of the same kind of record in its group."},
	[CF_TYPE]           = {"type",          "type", FIELD_CHOICE,     FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = types, .about = "What the field holds: a text, a number, a date, one or several of its options, or references to contacts, users or objects."},
	[CF_OPTIONS]        = {"options",       NULL,   FIELD_DEFINITION, FIELD_IN_CREATE, .max = 1000, .about = "What a select offers."},
	[CF_CONFIG]         = {"config",        NULL,   FIELD_DEFINITION, FIELD_IN, .about = "How the numbers of a numeric field are shown."},
	[CF_ADD_OPTIONS]    = {"addOptions",    NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000, .about = "Options to be added to a select."},
	[CF_UPDATE_OPTIONS] = {"updateOptions", NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000, .about = "Options of a select that get another label or color."},
	[CF_REMOVE_OPTIONS] = {"removeOptions", NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000, .about = "Ids of options to be removed from a select, and from the values that hold them."},
	[CF_OPTION_ORDER]   = {"optionOrder",   NULL,   FIELD_DEFINITION, FIELD_IN_UPDATE, .max = 1000, .about = "Ids or labels of options of a select in their new order. Options that are not named follow in their old order."},
};
/* clang-format on */

const struct resource custom_field_resource = {.name = "customField",
    .about = "A custom field of a group. `options` belongs to selects, `config` to numeric fields.",
    .fields = fields,
    .n_fields = CF_FIELDS};
