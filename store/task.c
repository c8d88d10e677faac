/* The fields of a task. */
#include "store/resources.h"

static const char *const frequencies[] = {"weekday", "weekly", "biweekly", "monthly", "quarterly", "yearly", NULL};

/* clang-format off */
static const struct field fields[TASK_FIELDS] = {
	[TASK_ID]           = {"id",                  "id",                   FIELD_ID,     0},
	[TASK_TITLE]        = {"title",               "title",                FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .example = "Send the proposal"},
	[TASK_DESCRIPTION]  = {"description",         "description",          FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_NULLABLE, .max = 100000, .example = "Met at the spring conference"},
	[TASK_ENTITY]       = {"entity",              "entity_id",            FIELD_ENTITY, FIELD_IN | FIELD_REQUIRED},
	[TASK_DUE_AT]       = {"dueAt",               "due_at",               FIELD_DATE,   FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY},
	[TASK_DUE_TIME]     = {"dueTime",             "due_time",             FIELD_CLOCK,  FIELD_IN | FIELD_NULLABLE},
	[TASK_COMPLETED_AT] = {"completedAt",         "completed_at",         FIELD_TIME,   FIELD_IN_CREATE | FIELD_NULLABLE, .max = 30},
	[TASK_FREQUENCY]    = {"recurrenceFrequency", "recurrence_frequency", FIELD_CHOICE, FIELD_IN | FIELD_NULLABLE, .choices = frequencies},
	[TASK_CONTINUED]    = {"",                    "continued",            FIELD_FLAG,   FIELD_HIDDEN},
	[TASK_IS_PUBLIC]    = {"isPublic",            "is_public",            FIELD_FLAG,   FIELD_IN},
	[TASK_ASSIGNED]     = {"assignedUsers",       "assigned_user_ids",    FIELD_USERS,  FIELD_IN, .max = 50},
	[TASK_CREATED_BY]   = {"createdBy",           "created_by",           FIELD_USER,   FIELD_IMPORTED},
	[TASK_CREATED_AT]   = {"createdAt",           "created_at",           FIELD_TIME,   FIELD_IMPORTED, .max = 40},
	[TASK_UPDATED_AT]   = {"updatedAt",           "updated_at",           FIELD_STAMP,  0},
};

static const struct field completion_fields[COMPLETION_FIELDS] = {
	[COMPLETION_COMPLETED_AT] = {"completedAt", NULL, FIELD_TIME, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .max = 30},
};
/* clang-format on */

const struct resource task_resource = {.name = "task",
    .table = "tasks",
    .id_kind = ID_TASK,
    .stamp = TASK_UPDATED_AT,
    .fields = fields,
    .n_fields = TASK_FIELDS};
const struct resource completion_resource = {
    .name = "completion", .id_kind = ID_TASK, .fields = completion_fields, .n_fields = COMPLETION_FIELDS};
