/* The fields of a reminder. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};

static const struct field fields[REMINDER_FIELDS] = {
    [REMINDER_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [REMINDER_NAME] = {.name = "name",
        .column = "name",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 255},
    [REMINDER_ENTITY] = {.name = "entity",
        .column = "entity_id",
        .type = FIELD_ENTITY,
        .flags = FIELD_IN | FIELD_REQUIRED},
    [REMINDER_RULE] = {.name = "recurrenceRule",
        .column = "recurrence_rule",
        .type = FIELD_RULE,
        .flags = FIELD_IN | FIELD_REQUIRED,
        .max = 500},
    [REMINDER_VISIBILITY] = {.name = "visibility",
        .column = "visibility",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .choices = visibilities},
    [REMINDER_ASSIGNED] =
        {.name = "assignedUsers", .column = "assigned_user_ids", .type = FIELD_USERS, .flags = FIELD_IN, .max = 50},
    [REMINDER_NEXT] = {.name = "nextTriggerTime",
        .column = "next_trigger_at",
        .type = FIELD_TIME,
        .flags = FIELD_NULLABLE},
    [REMINDER_LAST] = {.name = "lastTriggerTime",
        .column = "last_trigger_at",
        .type = FIELD_TIME,
        .flags = FIELD_NULLABLE},
    [REMINDER_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
    [REMINDER_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
};

const struct resource reminder_resource = {
    .name = "reminder", .table = "reminders", .id_kind = ID_REMINDER, .fields = fields, .n_fields = REMINDER_FIELDS};
