/* The fields of a webhook, and of what was sent to it. */
#include "store/resources.h"

static const char *const statuses[] = {"active", "inactive", NULL};
static const char *const states[] = {"pending", "delivered", "failed", "cancelled", NULL};

enum { SUBSCRIBED_MAX = 20, URL_MAX = 2048, NAME_MAX = 255 };

/* signing: flags of the secret itself, which only what makes one answers. */
#define FIELDS(signing)                                                                                                \
	{                                                                                                              \
		[WEBHOOK_ID] = {.name = "id", .column = "id", .type = FIELD_ID},                                       \
		[WEBHOOK_NAME] = {.name = "name",                                                                      \
		    .column = "name",                                                                                  \
		    .type = FIELD_TEXT,                                                                                \
		    .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,                                               \
		    .max = NAME_MAX},                                                                                  \
		[WEBHOOK_TARGET_URL] = {.name = "targetUrl",                                                           \
		    .column = "target_url",                                                                            \
		    .type = FIELD_URL,                                                                                 \
		    .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,                                               \
		    .max = URL_MAX},                                                                                   \
		[WEBHOOK_EVENTS] = {.name = "subscribedEvents",                                                        \
		    .column = "subscribed_events",                                                                     \
		    .type = FIELD_EVENTS,                                                                              \
		    .flags = FIELD_IN | FIELD_REQUIRED,                                                                \
		    .max = SUBSCRIBED_MAX},                                                                            \
		[WEBHOOK_REDACTED] = {.name = "redactedSigningSecret", .type = FIELD_TEXT},                            \
		[WEBHOOK_SIGNING] = {.name = "signingSecret", .type = FIELD_TEXT, .flags = signing},                   \
		[WEBHOOK_STATUS] = {.name = "status",                                                                  \
		    .column = "status",                                                                                \
		    .type = FIELD_CHOICE,                                                                              \
		    .flags = FIELD_IN_UPDATE | FIELD_NO_EMPTY,                                                         \
		    .choices = statuses},                                                                              \
		[WEBHOOK_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},              \
		[WEBHOOK_CREATED_BY] = {.name = "",                                                                    \
		    .column = "created_by",                                                                            \
		    .type = FIELD_USER_ID,                                                                             \
		    .flags = FIELD_HIDDEN},                                                                            \
		[WEBHOOK_UPDATED_AT] = {.name = "",                                                                    \
		    .column = "updated_at",                                                                            \
		    .type = FIELD_TIME,                                                                                \
		    .flags = FIELD_HIDDEN},                                                                            \
		[WEBHOOK_VERSION] = {.name = "", .column = "version", .type = FIELD_COUNT, .flags = FIELD_HIDDEN},     \
		[WEBHOOK_SECRET] = {.name = "", .column = "secret", .type = FIELD_SEALED, .flags = FIELD_HIDDEN},      \
		[WEBHOOK_FORMER] = {.name = "",                                                                        \
		    .column = "former_secret",                                                                         \
		    .type = FIELD_SEALED,                                                                              \
		    .flags = FIELD_HIDDEN},                                                                            \
		[WEBHOOK_FORMER_UNTIL] = {.name = "",                                                                  \
		    .column = "former_until",                                                                          \
		    .type = FIELD_TIME,                                                                                \
		    .flags = FIELD_HIDDEN},                                                                            \
		[WEBHOOK_FAILING_SINCE] = {                                                                            \
		    .name = "", .column = "failing_since", .type = FIELD_TIME, .flags = FIELD_HIDDEN},                 \
	}

static const struct field fields[WEBHOOK_FIELDS] = FIELDS(FIELD_HIDDEN), secret_fields[WEBHOOK_FIELDS] = FIELDS(0);

static const struct field delivery_fields[DELIVERY_FIELDS] = {
    [DELIVERY_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [DELIVERY_EVENT_ID] = {.name = "eventId", .column = "event_id", .type = FIELD_EVENT_ID},
    [DELIVERY_EVENT_TYPE] = {.name = "eventType", .column = "event_type", .type = FIELD_TEXT},
    [DELIVERY_STATE] =
        {.name = "state", .column = "state", .type = FIELD_CHOICE, .flags = FIELD_NO_EMPTY, .choices = states},
    [DELIVERY_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [DELIVERY_NEXT] = {.name = "nextAttemptAt",
        .column = "next_attempt_at",
        .type = FIELD_TIME,
        .flags = FIELD_NULLABLE},
    [DELIVERY_ATTEMPTS] = {.name = "attempts", .column = "attempts", .type = FIELD_ATTEMPTS},
};

static const struct field recover_fields[RECOVER_FIELDS] = {
    [RECOVER_SINCE] = {.name = "since",
        .type = FIELD_TIME,
        .flags = FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY,
        .max = 30},
};
static const struct field recovery_fields[RECOVERY_FIELDS] = {
    [RECOVERY_COUNT] = {.name = "count", .type = FIELD_COUNT},
};

const struct resource webhook_resource = {
    .name = "webhook", .table = "webhooks", .id_kind = ID_WEBHOOK, .fields = fields, .n_fields = WEBHOOK_FIELDS};
const struct resource webhook_secret_resource = {.name = "webhook secret",
    .table = "webhooks",
    .id_kind = ID_WEBHOOK,
    .fields = secret_fields,
    .n_fields = WEBHOOK_FIELDS};
const struct resource delivery_resource = {.name = "delivery",
    .table = "deliveries",
    .id_kind = ID_DELIVERY,
    .fields = delivery_fields,
    .n_fields = DELIVERY_FIELDS};
const struct resource recover_resource = {
    .name = "recover", .id_kind = ID_WEBHOOK, .fields = recover_fields, .n_fields = RECOVER_FIELDS};
const struct resource recovery_resource = {
    .name = "recovery", .id_kind = ID_WEBHOOK, .fields = recovery_fields, .n_fields = RECOVERY_FIELDS};
