/* The fields of a task. */
#include "store/resources.h"

static const char *const frequencies[] = {"weekday", "weekly", "biweekly", "monthly", "quarterly", "yearly", NULL};

/* clang-format off */
static const struct field fields[TASK_FIELDS] = {
	[TASK_ID]           = {"id",                  "id",                   FIELD_ID,     0, .about = "Id of the task."},
	[TASK_TITLE]        = {"title",               "title",                FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .about = "What is to be done."},
	[TASK_DESCRIPTION]  = {"description",         "description",          FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_NULLABLE, .max = 100000, .about = "More about it."},
	[TASK_ENTITY]       = {"entity",              "entity_id",            FIELD_ENTITY, FIELD_IN | FIELD_REQUIRED, .about = "The person, company or object that the task is about."},
	[TASK_DUE_AT]       = {"dueAt",               "due_at",               FIELD_DATE,   FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .about = "The day by which it is to be done."},
	[TASK_DUE_TIME]     = {"dueTime",             "due_time",             FIELD_CLOCK,  FIELD_IN | FIELD_NULLABLE, .about = "The time of that day, `HH:MM`; null: none."},
	[TASK_COMPLETED_AT] = {"completedAt",         "completed_at",         FIELD_TIME,   FIELD_IN_CREATE | FIELD_NULLABLE, .max = 30, .about = "When it was done; null: it is open."},
	[TASK_FREQUENCY]    = {"recurrenceFrequency", "recurrence_frequency", FIELD_CHOICE, FIELD_IN | FIELD_NULLABLE, .choices = frequencies, .about = "How often the task is repeated; null: it is not repeated."},
	[TASK_CONTINUED]    = {"",                    "continued",            FIELD_FLAG,   FIELD_HIDDEN},
	[TASK_IS_PUBLIC]    = {"isPublic",            "is_public",            FIELD_FLAG,   FIELD_IN, .about = "True: all who see the record see the task. False: only its author and assignees see it. True when absent in a create."},
	[TASK_ASSIGNED]     = {"assignedUsers",       "assigned_user_ids",    FIELD_USERS,  FIELD_IN, .max = 50, .about = "Who is to do it. In bodies by id or e-mail address; the key's user when absent in a create."},
	[TASK_CREATED_BY]   = {"createdBy",           "created_by",           FIELD_USER,   FIELD_IMPORTED, .about = "Who created it."},
	[TASK_CREATED_AT]   = {"createdAt",           "created_at",           FIELD_TIME,   FIELD_IMPORTED, .max = 40, .about = "When it was created."},
	[TASK_UPDATED_AT]   = {"updatedAt",           "updated_at",           FIELD_STAMP,  0, .about = "When it was last changed."},
};

static const struct field completion_fields[COMPLETION_FIELDS] = {
	[COMPLETION_COMPLETED_AT] = {"completedAt", NULL, FIELD_TIME, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .max = 30, .about = "When the task was done."},
};
/* clang-format on */

const struct resource task_resource = {.name = "task",
    .about = "A task about a person, company or object.",
    .table = "tasks",
    .id_kind = ID_TASK,
    .stamp = TASK_UPDATED_AT,
    .fields = fields,
    .n_fields = TASK_FIELDS};
const struct resource completion_resource = {.name = "completion",
    .about = "When a task was done.",
    .id_kind = ID_TASK,
    .fields = completion_fields,
    .n_fields = COMPLETION_FIELDS};
