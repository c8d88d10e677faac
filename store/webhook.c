/* The fields of a webhook and of a delivery. */
#include "store/resources.h"

static const char *const statuses[] = {"active", "inactive", NULL};
static const char *const states[] = {"pending", "delivered", "failed", "cancelled", NULL};

enum { SUBSCRIBED_MAX = 20, URL_MAX = 2048, NAME_MAX = 255 };

/* signing: flags of the secret, which only the answer to its creation shows. */
/* clang-format off */
#define FIELDS(signing) { \
	[WEBHOOK_ID]            = {"id",                    "id",                FIELD_ID,      0}, \
	[WEBHOOK_NAME]          = {"name",                  "name",              FIELD_TEXT,    FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = NAME_MAX, .example = "Analytical Engines"}, \
	[WEBHOOK_TARGET_URL]    = {"targetUrl",             "target_url",        FIELD_URL,     FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = URL_MAX, .example = "https://hooks.example.com/kith"}, \
	[WEBHOOK_EVENTS]        = {"subscribedEvents",      "subscribed_events", FIELD_EVENTS,  FIELD_IN | FIELD_REQUIRED, .max = SUBSCRIBED_MAX}, \
	[WEBHOOK_REDACTED]      = {"redactedSigningSecret", NULL,                FIELD_TEXT,    0, .example = "whsec_****************************************Zm8="}, \
	[WEBHOOK_SIGNING]       = {"signingSecret",         NULL,                FIELD_TEXT,    signing, .example = "whsec_qkgqDhpK0V8p3xX4sUu0TzO5j8aXv0l2w3b4c5d6Zm8="}, \
	[WEBHOOK_STATUS]        = {"status",                "status",            FIELD_CHOICE,  FIELD_IN_UPDATE | FIELD_NO_EMPTY, .choices = statuses}, \
	[WEBHOOK_CREATED_AT]    = {"createdAt",             "created_at",        FIELD_TIME,    0}, \
	[WEBHOOK_CREATED_BY]    = {"",                      "created_by",        FIELD_USER_ID, FIELD_HIDDEN}, \
	[WEBHOOK_UPDATED_AT]    = {"",                      "updated_at",        FIELD_TIME,    FIELD_HIDDEN}, \
	[WEBHOOK_VERSION]       = {"",                      "version",           FIELD_COUNT,   FIELD_HIDDEN}, \
	[WEBHOOK_SECRET]        = {"",                      "secret",            FIELD_SEALED,  FIELD_HIDDEN}, \
	[WEBHOOK_FORMER]        = {"",                      "former_secret",     FIELD_SEALED,  FIELD_HIDDEN}, \
	[WEBHOOK_FORMER_UNTIL]  = {"",                      "former_until",      FIELD_TIME,    FIELD_HIDDEN}, \
	[WEBHOOK_FAILING_SINCE] = {"",                      "failing_since",     FIELD_TIME,    FIELD_HIDDEN}, \
}
/* clang-format on */

static const struct field fields[WEBHOOK_FIELDS] = FIELDS(FIELD_HIDDEN), secret_fields[WEBHOOK_FIELDS] = FIELDS(0);

/* request: flags of what is posted, which lists do not show. */
/* clang-format off */
#define DELIVERY_ROWS(request) { \
	[DELIVERY_ID]         = {"id",               "id",              FIELD_ID,       0}, \
	[DELIVERY_EVENT_ID]   = {"eventId",          "event_id",        FIELD_EVENT_ID, 0}, \
	[DELIVERY_EVENT_TYPE] = {"eventType",        "event_type",      FIELD_TEXT,     0, .example = "person.updated"}, \
	[DELIVERY_STATE]      = {"state",            "state",           FIELD_CHOICE,   FIELD_NO_EMPTY, .choices = states}, \
	[DELIVERY_CREATED_AT] = {"createdAt",        "created_at",      FIELD_TIME,     0}, \
	[DELIVERY_NEXT]       = {"nextAttemptAt",    "next_attempt_at", FIELD_TIME,     FIELD_NULLABLE}, \
	[DELIVERY_ATTEMPTS]   = {"attempts",         "attempts",        FIELD_ATTEMPTS, 0}, \
	[DELIVERY_BODY]       = {"body",             NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .example = "{\"id\":\"evt_018f2c6e-7a40-7e1d-9b6a-3f5c1d2e4a5b\",\"type\":\"webhook.test\"}"}, \
	[DELIVERY_TIMESTAMP]  = {"webhookTimestamp", NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .example = "1767225600"}, \
	[DELIVERY_SIGNATURE]  = {"webhookSignature", NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .example = "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="}, \
}
/* clang-format on */

static const struct field delivery_fields[DELIVERY_FIELDS] = DELIVERY_ROWS(FIELD_HIDDEN),
                          delivery_request_fields[DELIVERY_FIELDS] = DELIVERY_ROWS(0);

static const char *const health_states[] = {"active", "failing", "inactive", NULL};

/* clang-format off */
static const struct field health_fields[HEALTH_FIELDS] = {
	[HEALTH_ID]            = {"id",              "id",            FIELD_ID,     0},
	[HEALTH_STATE]         = {"state",           NULL,            FIELD_CHOICE, FIELD_NO_EMPTY, .choices = health_states},
	[HEALTH_FAILING_SINCE] = {"failingSince",    "failing_since", FIELD_TIME,   FIELD_NULLABLE},
	[HEALTH_LAG]           = {"lagSeconds",      NULL,            FIELD_COUNT,  0},
	[HEALTH_PENDING]       = {"pending",         NULL,            FIELD_COUNT,  0},
	[HEALTH_DELIVERED_AT]  = {"lastDeliveredAt", NULL,            FIELD_TIME,   FIELD_NULLABLE},
	[HEALTH_FAILED_AT]     = {"lastFailedAt",    NULL,            FIELD_TIME,   FIELD_NULLABLE},
	[HEALTH_ERROR]         = {"lastError",       NULL,            FIELD_TEXT,   FIELD_NULL_EMPTY | FIELD_NULLABLE, .example = "http_error"},
	[HEALTH_STATUS]        = {"",                "status",        FIELD_CHOICE, FIELD_HIDDEN, .choices = statuses},
};

static const struct field recover_fields[RECOVER_FIELDS] = {
	[RECOVER_SINCE] = {"since", NULL, FIELD_TIME, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .max = 30},
};

static const struct field recovery_fields[RECOVERY_FIELDS] = {
	[RECOVERY_COUNT]     = {"count",            NULL, FIELD_COUNT, 0},
	[RECOVERY_ESTIMATED] = {"countIsEstimated", NULL, FIELD_FLAG,  FIELD_WHEN_TRUE},
};
/* clang-format on */

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
const struct resource delivery_request_resource = {.name = "delivery request",
    .table = "deliveries",
    .id_kind = ID_DELIVERY,
    .fields = delivery_request_fields,
    .n_fields = DELIVERY_FIELDS};
const struct resource webhook_health_resource = {.name = "webhook health",
    .table = "webhooks",
    .id_kind = ID_WEBHOOK,
    .fields = health_fields,
    .n_fields = HEALTH_FIELDS};
const struct resource recover_resource = {
    .name = "recover", .id_kind = ID_WEBHOOK, .fields = recover_fields, .n_fields = RECOVER_FIELDS};
const struct resource recovery_resource = {
    .name = "recovery", .id_kind = ID_WEBHOOK, .fields = recovery_fields, .n_fields = RECOVERY_FIELDS};
