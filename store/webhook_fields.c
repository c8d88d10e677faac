/* The fields of a webhook and of a delivery. */
#include "store/resources.h"

static const char *const statuses[] = {"active", "inactive", NULL};
static const char *const states[] = {"pending", "delivered", "failed", "cancelled", NULL};

enum { SUBSCRIBED_MAX = 20, URL_MAX = 2048, NAME_MAX = 255 };

/* signing: flags of the secret, which only the answer to its creation shows. */
/* clang-format off */
#define FIELDS(signing) { \
	[WEBHOOK_ID]            = {"id",                    "id",                FIELD_ID,      0, .about = "Id of the webhook."}, \
	[WEBHOOK_NAME]          = {"name",                  "name",              FIELD_TEXT,    FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = NAME_MAX, .about = "Name of the webhook."}, \
	[WEBHOOK_TARGET_URL]    = {"targetUrl",             "target_url",        FIELD_URL,     FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = URL_MAX, .about = "Where events are posted: `http` or `https`, to a public address."}, \
	[WEBHOOK_EVENTS]        = {"subscribedEvents",      "subscribed_events", FIELD_EVENTS,  FIELD_IN | FIELD_REQUIRED, .max = SUBSCRIBED_MAX, .about = "Which events are sent."}, \
	[WEBHOOK_REDACTED]      = {"redactedSigningSecret", NULL,                FIELD_TEXT,    0, .about = "The beginning and the end of the signing secret."}, \
	[WEBHOOK_SIGNING]       = {"signingSecret",         NULL,                FIELD_TEXT,    signing | FIELD_NULL_EMPTY, .about = "The signing secret, for verifying deliveries as in Standard Webhooks. It is not shown again: a retry under the same `Idempotency-Key` gets null."}, \
	[WEBHOOK_STATUS]        = {"status",                "status",            FIELD_CHOICE,  FIELD_IN_UPDATE | FIELD_NO_EMPTY, .choices = statuses, .about = "Whether events are sent. A webhook becomes `inactive` after 5 days of failures, or when its target answers 410."}, \
	[WEBHOOK_CREATED_AT]    = {"createdAt",             "created_at",        FIELD_TIME,    0, .about = "When it was created."}, \
	[WEBHOOK_CREATED_BY]    = {"createdBy",             "created_by",        FIELD_USER,    0, .about = "Who created it. The webhook gets the events that this user may see, also if an application of theirs has created it and is no longer connected."}, \
	[WEBHOOK_GROUPS]        = {"",                      "group_ids",         FIELD_GROUPS,  FIELD_HIDDEN}, \
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
	[DELIVERY_ID]         = {"id",               "id",              FIELD_ID,       0, .about = "Id of the delivery."}, \
	[DELIVERY_EVENT_ID]   = {"eventId",          "event_id",        FIELD_EVENT_ID, 0, .about = "Id of the event, which is also sent as `webhook-id`."}, \
	[DELIVERY_EVENT_TYPE] = {"eventType",        "event_type",      FIELD_TEXT,     0, .about = "Type of the event."}, \
	[DELIVERY_STATE]      = {"state",            "state",           FIELD_CHOICE,   FIELD_NO_EMPTY, .choices = states, .about = "`pending`: to be tried, perhaps again. `delivered`: arrived. `failed`: given up. `cancelled`: no longer wanted."}, \
	[DELIVERY_CREATED_AT] = {"createdAt",        "created_at",      FIELD_TIME,     0, .about = "When it was queued."}, \
	[DELIVERY_NEXT]       = {"nextAttemptAt",    "next_attempt_at", FIELD_TIME,     FIELD_NULLABLE, .about = "When it is tried next; null: not again."}, \
	[DELIVERY_ATTEMPTS]   = {"attempts",         "attempts",        FIELD_ATTEMPTS, 0, .about = "The result of each attempt so far."}, \
	[DELIVERY_BODY]       = {"body",             NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .about = "What is posted, byte for byte; null: the event is no longer kept, or the webhook's creator may no longer see it."}, \
	[DELIVERY_TIMESTAMP]  = {"webhookTimestamp", NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .about = "The header `webhook-timestamp` of the last attempt; null: there was no attempt."}, \
	[DELIVERY_SIGNATURE]  = {"webhookSignature", NULL,              FIELD_TEXT,     (request) | FIELD_NULL_EMPTY | FIELD_NULLABLE, .about = "The header `webhook-signature` that belongs to body and timestamp, with the current secrets; null: there was no attempt."}, \
}
/* clang-format on */

static const struct field delivery_fields[DELIVERY_FIELDS] = DELIVERY_ROWS(FIELD_HIDDEN),
                          delivery_request_fields[DELIVERY_FIELDS] = DELIVERY_ROWS(0);

static const char *const health_states[] = {"active", "failing", "inactive", NULL};

/* clang-format off */
static const struct field health_fields[HEALTH_FIELDS] = {
	[HEALTH_ID]            = {"id",              "id",            FIELD_ID,     0, .about = "Id of the webhook."},
	[HEALTH_STATE]         = {"state",           NULL,            FIELD_CHOICE, FIELD_NO_EMPTY, .choices = health_states, .about = "`active`: events arrive. `failing`: no event has arrived since the last failure. `inactive`: nothing is sent."},
	[HEALTH_FAILING_SINCE] = {"failingSince",    "failing_since", FIELD_TIME,   FIELD_NULLABLE, .about = "When it began to fail; null: it does not fail."},
	[HEALTH_LAG]           = {"lagSeconds",      NULL,            FIELD_COUNT,  0, .about = "Age in seconds of the oldest event that was not delivered yet."},
	[HEALTH_PENDING]       = {"pending",         NULL,            FIELD_COUNT,  0, .about = "Deliveries that are to be tried, perhaps again; counted to 10,000."},
	[HEALTH_DELIVERED_AT]  = {"lastDeliveredAt", NULL,            FIELD_TIME,   FIELD_NULLABLE, .about = "When a delivery last succeeded; null: no such delivery is known."},
	[HEALTH_FAILED_AT]     = {"lastFailedAt",    NULL,            FIELD_TIME,   FIELD_NULLABLE, .about = "When an attempt last failed; null: no such attempt is known."},
	[HEALTH_ERROR]         = {"lastError",       NULL,            FIELD_TEXT,   FIELD_NULL_EMPTY | FIELD_NULLABLE, .about = "Why that attempt failed, as in the attempts of deliveries; null: none failed."},
	[HEALTH_STATUS]        = {"",                "status",        FIELD_CHOICE, FIELD_HIDDEN, .choices = statuses},
};

static const struct field recover_fields[RECOVER_FIELDS] = {
	[RECOVER_SINCE] = {"since", NULL, FIELD_TIME, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .max = 30, .about = "Sends every event since this time that was not delivered."},
};

static const struct field recovery_fields[RECOVERY_FIELDS] = {
	[RECOVERY_COUNT]     = {"count",            NULL, FIELD_COUNT, 0, .about = "How many deliveries are sent again."},
	[RECOVERY_ESTIMATED] = {"countIsEstimated", NULL, FIELD_FLAG,  FIELD_WHEN_TRUE, .about = "True: counting would have taken too long, and `count` is an estimate."},
};
/* clang-format on */

const struct resource webhook_resource = {.name = "webhook",
    .about = "An address to which events are posted.",
    .table = "webhooks",
    .id_kind = ID_WEBHOOK,
    .fields = fields,
    .n_fields = WEBHOOK_FIELDS};
const struct resource webhook_secret_resource = {.name = "webhook secret",
    .about = "A webhook with its signing secret.",
    .table = "webhooks",
    .id_kind = ID_WEBHOOK,
    .fields = secret_fields,
    .n_fields = WEBHOOK_FIELDS};
const struct resource delivery_resource = {.name = "delivery",
    .about = "An event that was or is to be sent to a webhook.",
    .table = "deliveries",
    .id_kind = ID_DELIVERY,
    .fields = delivery_fields,
    .n_fields = DELIVERY_FIELDS};
const struct resource delivery_request_resource = {.name = "delivery request",
    .about = "An event that was or is to be sent to a webhook, with what is posted.",
    .table = "deliveries",
    .id_kind = ID_DELIVERY,
    .fields = delivery_request_fields,
    .n_fields = DELIVERY_FIELDS};
const struct resource webhook_health_resource = {.name = "webhook health",
    .about = "Whether a webhook's events arrive, and how far it is behind.",
    .table = "webhooks",
    .id_kind = ID_WEBHOOK,
    .fields = health_fields,
    .n_fields = HEALTH_FIELDS};
const struct resource recover_resource = {.name = "recover",
    .about = "From when on events are sent again.",
    .id_kind = ID_WEBHOOK,
    .fields = recover_fields,
    .n_fields = RECOVER_FIELDS};
const struct resource recovery_resource = {.name = "recovery",
    .about = "How many events are sent again.",
    .id_kind = ID_WEBHOOK,
    .fields = recovery_fields,
    .n_fields = RECOVERY_FIELDS};
