/* The fields of a group custom field's definition. */
#include "store/resources.h"

static const char *const types[] = {"textField", "numericField", "dateField", "singleSelect", "multipleSelect",
    "contactField", "userField", "objectField", NULL};

static const struct field fields[CF_FIELDS] = {
    [CF_NAME] = {.name = "name",
        .column = "name",
        .type = FIELD_TEXT,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 500},
    [CF_TYPE] = {.name = "type",
        .column = "type",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .choices = types},
    [CF_OPTIONS] = {.name = "options", .type = FIELD_DEFINITION, .flags = FIELD_IN_CREATE, .max = 1000},
    [CF_CONFIG] = {.name = "config", .type = FIELD_DEFINITION, .flags = FIELD_IN},
    [CF_ADD_OPTIONS] = {.name = "addOptions", .type = FIELD_DEFINITION, .flags = FIELD_IN_UPDATE, .max = 1000},
    [CF_UPDATE_OPTIONS] = {.name = "updateOptions", .type = FIELD_DEFINITION, .flags = FIELD_IN_UPDATE, .max = 1000},
    [CF_REMOVE_OPTIONS] = {.name = "removeOptions", .type = FIELD_DEFINITION, .flags = FIELD_IN_UPDATE, .max = 1000},
};

const struct resource custom_field_resource = {.name = "customField", .fields = fields, .n_fields = CF_FIELDS};
