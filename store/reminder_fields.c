/* The fields of a reminder. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};

/* clang-format off */
static const struct field fields[REMINDER_FIELDS] = {
	[REMINDER_ID]         = {"id",              "id",                FIELD_ID,     0, .about = "Id of the reminder."},
	[REMINDER_NAME]       = {"name",            "name",              FIELD_TEXT,   FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .about = "What it reminds of."},
	[REMINDER_ENTITY]     = {"entity",          "entity_id",         FIELD_ENTITY, FIELD_IN | FIELD_REQUIRED, .about = "The person, company or object that the reminder is about. It stays the same."},
	[REMINDER_RULE]       = {"recurrenceRule",  "recurrence_rule",   FIELD_RULE,   FIELD_IN | FIELD_REQUIRED, .max = 500, .about = "When it is due, in lines of RFC 5545: `DTSTART;TZID=…` (or `DTSTART:…Z`), then `RRULE:…`. A reminder with only `RRULE:COUNT=1` is due once."},
	[REMINDER_VISIBILITY] = {"visibility",      "visibility",        FIELD_CHOICE, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = visibilities, .about = "`public` for all who see the record, `private` only for the author."},
	[REMINDER_ASSIGNED]   = {"assignedUsers",   "assigned_user_ids", FIELD_USERS,  FIELD_IN, .max = 50, .about = "The users whom a public reminder reminds, at least one. A private one reminds only its author and has an empty list. In bodies by id or e-mail address."},
	[REMINDER_NEXT]       = {"nextTriggerTime", "next_trigger_at",   FIELD_TIME,   FIELD_NULLABLE, .about = "When it is due next; null: not again."},
	[REMINDER_LAST]       = {"lastTriggerTime", "last_trigger_at",   FIELD_TIME,   FIELD_NULLABLE, .about = "When it was due last; null: not yet."},
	[REMINDER_CREATED_BY] = {"createdBy",       "created_by",        FIELD_USER,   0, .about = "Who created it."},
	[REMINDER_CREATED_AT] = {"createdAt",       "created_at",        FIELD_TIME,   0, .about = "When it was created."},
	[REMINDER_UPDATED_AT] = {"",                "updated_at",        FIELD_STAMP,  FIELD_HIDDEN},
};
/* clang-format on */

const struct resource reminder_resource = {.name = "reminder",
    .about = "A reminder about a person, company or object.",
    .table = "reminders",
    .id_kind = ID_REMINDER,
    .stamp = REMINDER_UPDATED_AT,
    .fields = fields,
    .n_fields = REMINDER_FIELDS};
