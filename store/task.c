/* The fields of a task. */
#include "store/resources.h"

static const char *const frequencies[] = {"weekday", "weekly", "biweekly", "monthly", "quarterly", "yearly", NULL};

static const struct field fields[TASK_FIELDS] = {
    [TASK_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [TASK_TITLE] = {.name = "title",
        .column = "title",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 255},
    [TASK_DESCRIPTION] = {.name = "description",
        .column = "description",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN | FIELD_NULLABLE,
        .max = 100000},
    [TASK_ENTITY] = {.name = "entity", .column = "entity_id", .type = FIELD_ENTITY, .flags = FIELD_IN | FIELD_REQUIRED},
    [TASK_DUE_AT] = {.name = "dueAt",
        .column = "due_at",
        .type = FIELD_DATE,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY},
    [TASK_DUE_TIME] = {.name = "dueTime",
        .column = "due_time",
        .type = FIELD_CLOCK,
        .flags = FIELD_IN | FIELD_NULLABLE},
    [TASK_COMPLETED_AT] = {.name = "completedAt",
        .column = "completed_at",
        .type = FIELD_TIME,
        .flags = FIELD_IN_CREATE | FIELD_NULLABLE,
        .max = 30},
    [TASK_FREQUENCY] = {.name = "recurrenceFrequency",
        .column = "recurrence_frequency",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN | FIELD_NULLABLE,
        .choices = frequencies},
    [TASK_CONTINUED] = {.name = "", .column = "continued", .type = FIELD_FLAG, .flags = FIELD_HIDDEN},
    [TASK_IS_PUBLIC] = {.name = "isPublic", .column = "is_public", .type = FIELD_FLAG, .flags = FIELD_IN},
    [TASK_ASSIGNED] =
        {.name = "assignedUsers", .column = "assigned_user_ids", .type = FIELD_USERS, .flags = FIELD_IN, .max = 50},
    [TASK_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
    [TASK_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [TASK_UPDATED_AT] = {.name = "updatedAt", .column = "updated_at", .type = FIELD_TIME},
};

static const struct field completion_fields[COMPLETION_FIELDS] = {
    [COMPLETION_COMPLETED_AT] = {.name = "completedAt",
        .type = FIELD_TIME,
        .flags = FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY,
        .max = 30},
};

const struct resource task_resource = {
    .name = "task", .table = "tasks", .id_kind = ID_TASK, .fields = fields, .n_fields = TASK_FIELDS};
const struct resource completion_resource = {
    .name = "completion", .id_kind = ID_TASK, .fields = completion_fields, .n_fields = COMPLETION_FIELDS};
