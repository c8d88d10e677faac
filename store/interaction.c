/* The fields of a logged interaction. */
#include "store/resources.h"

static const char *const activities[] = {"call", "meeting", "message", "coffee", "lunch", "event", "drink", "whatsapp",
    "twitter", "linkedin", "hangout", "skype", "slack", "iMessage", "fbMessenger", "signal", "discord", "wechat",
    "telegram", "viber", NULL};

static const char *const entities[] = {"person", "company", NULL};

static const struct field fields[INTERACTION_FIELDS] = {
    [INTERACTION_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [INTERACTION_INTERACTION_TYPE] = {.name = "interactionType", .type = FIELD_CHOICE, .unset = "logged"},
    [INTERACTION_FROM] = {.name = "from", .column = "user_id", .type = FIELD_FROM},
    [INTERACTION_TO] = {.name = "to", .type = FIELD_TO, .same_as = "entity"},
    [INTERACTION_TITLE] = {.name = "title",
        .column = "title",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 255},
    [INTERACTION_CONTENT] =
        {.name = "content", .column = "content", .type = FIELD_TEXT, .flags = FIELD_SILENT | FIELD_IN, .max = 100000},
    [INTERACTION_ENTITY] = {.name = "entity",
        .column = "entity_id",
        .type = FIELD_ENTITY,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_REQUIRED_UPDATE,
        .choices = entities},
    [INTERACTION_DATE_TIME] = {.name = "dateTime",
        .column = "date_time",
        .type = FIELD_TIME,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 24},
    [INTERACTION_PRIVACY_LEVEL] = {.name = "privacyLevel", .type = FIELD_CHOICE, .unset = "sharedFull"},
    [INTERACTION_TYPE] = {.name = "type",
        .type = FIELD_ACTIVITY,
        .flags = FIELD_IN_CREATE | FIELD_NO_EMPTY,
        .max = 50,
        .choices = activities,
        .same_as = "activityType"},
    [INTERACTION_ACTIVITY_TYPE] = {.name = "activityType",
        .column = "activity_type",
        .type = FIELD_ACTIVITY,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 50,
        .choices = activities},
    [INTERACTION_COUNTED] = {.name = "", .column = "counted", .type = FIELD_FLAG, .flags = FIELD_HIDDEN},
};

const struct resource interaction_resource = {.name = "interaction",
    .table = "interactions",
    .id_kind = ID_INTERACTION,
    .fields = fields,
    .n_fields = INTERACTION_FIELDS};
