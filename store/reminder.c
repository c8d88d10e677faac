/* The fields of a reminder. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};

/* clang-format off */
static const struct field fields[REMINDER_FIELDS] = {
	[REMINDER_ID]         = {"id",              "id",                FIELD_ID,     0},
	[REMINDER_NAME]       = {"name",            "name",              FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .example = "Analytical Engines"},
	[REMINDER_ENTITY]     = {"entity",          "entity_id",         FIELD_ENTITY, FIELD_IN | FIELD_REQUIRED},
	[REMINDER_RULE]       = {"recurrenceRule",  "recurrence_rule",   FIELD_RULE,   FIELD_IN | FIELD_REQUIRED, .max = 500, .example = "DTSTART;TZID=Europe/London:20260131T093000\nRRULE:FREQ=WEEKLY;INTERVAL=2"},
	[REMINDER_VISIBILITY] = {"visibility",      "visibility",        FIELD_CHOICE, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = visibilities},
	[REMINDER_ASSIGNED]   = {"assignedUsers",   "assigned_user_ids", FIELD_USERS,  FIELD_IN, .max = 50},
	[REMINDER_NEXT]       = {"nextTriggerTime", "next_trigger_at",   FIELD_TIME,   FIELD_NULLABLE},
	[REMINDER_LAST]       = {"lastTriggerTime", "last_trigger_at",   FIELD_TIME,   FIELD_NULLABLE},
	[REMINDER_CREATED_BY] = {"createdBy",       "created_by",        FIELD_USER,   0},
	[REMINDER_CREATED_AT] = {"createdAt",       "created_at",        FIELD_TIME,   0},
	[REMINDER_UPDATED_AT] = {"",                "updated_at",        FIELD_STAMP,  FIELD_HIDDEN},
};
/* clang-format on */

const struct resource reminder_resource = {.name = "reminder",
    .table = "reminders",
    .id_kind = ID_REMINDER,
    .stamp = REMINDER_UPDATED_AT,
    .fields = fields,
    .n_fields = REMINDER_FIELDS};
