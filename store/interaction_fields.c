/* The fields of a logged interaction. */
#include "store/resources.h"

static const char *const activities[] = {"call", "meeting", "message", "coffee", "lunch", "event", "drink", "whatsapp",
    "twitter", "linkedin", "hangout", "skype", "slack", "iMessage", "fbMessenger", "signal", "discord", "wechat",
    "telegram", "viber", NULL};

static const char *const entities[] = {"person", "company", NULL};

/* clang-format off */
static const struct field fields[INTERACTION_FIELDS] = {
	[INTERACTION_ID]               = {"id",              "id",            FIELD_ID,       0, .about = "Id of the interaction."},
	[INTERACTION_INTERACTION_TYPE] = {"interactionType", NULL,            FIELD_CHOICE,   0, .unset = "logged", .about = "How the interaction was recorded: a user logged it."},
	[INTERACTION_FROM]             = {"from",            "user_id",       FIELD_FROM,     0, .about = "The user who had the interaction."},
	[INTERACTION_TO]               = {"to",              NULL,            FIELD_TO,       0, .same_as = "entity", .about = "The person or company with whom it was."},
	[INTERACTION_TITLE]            = {"title",           "title",         FIELD_TEXT,     FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .about = "What it was about."},
	[INTERACTION_CONTENT]          = {"content",         "content",       FIELD_TEXT,     FIELD_SILENT | FIELD_IN, .max = 100000, .about = "More about it."},
	[INTERACTION_ENTITY]           = {"entity",          "entity_id",     FIELD_ENTITY,   FIELD_IN | FIELD_REQUIRED | FIELD_REQUIRED_UPDATE, .choices = entities, .about = "The person or company with whom it was."},
	[INTERACTION_DATE_TIME]        = {"dateTime",        "date_time",     FIELD_TIME,     FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 24, .about = "When it takes place. It counts once this time has passed."},
	[INTERACTION_PRIVACY_LEVEL]    = {"privacyLevel",    NULL,            FIELD_CHOICE,   0, .unset = "sharedFull", .about = "Who sees it: all users of the workspace."},
	[INTERACTION_TYPE]             = {"type",            NULL,            FIELD_ACTIVITY, FIELD_IN_CREATE | FIELD_NO_EMPTY, .max = 50, .choices = activities, .same_as = "activityType", .about = "The old name of `activityType`."},
	[INTERACTION_ACTIVITY_TYPE]    = {"activityType",    "activity_type", FIELD_ACTIVITY, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 50, .choices = activities, .about = "The kind of interaction: one of these words, or an emoji."},
	[INTERACTION_COUNTED]          = {"",                "counted",       FIELD_FLAG,     FIELD_HIDDEN},
	[INTERACTION_CREATED_AT]       = {"createdAt",       NULL,            FIELD_TIME,     FIELD_HIDDEN | FIELD_IMPORTED, .max = 40, .about = "When it was logged where it comes from. It is in the id and in the order of lists, and not shown."},
	[INTERACTION_CREATED_BY]       = {"createdBy",       NULL,            FIELD_USER,     FIELD_HIDDEN | FIELD_IMPORTED, .same_as = "from", .about = "The user who had the interaction."},
};
/* clang-format on */

const struct resource interaction_resource = {.name = "interaction",
    .about = "A call, meeting, message or the like of a user with a person or company.",
    .table = "interactions",
    .id_kind = ID_INTERACTION,
    .fields = fields,
    .n_fields = INTERACTION_FIELDS};
