/* Sample data for every type of event, with the members that real events have. */
#include "server/base/json.h"
#include "webhook/listen.h"

#define GROUP "grp_019a9d79-7c30-7b3e-9fa4-2516532f8c02"
#define SET(name, value, previous)                                                                                     \
	"{\"path\":[\"" name "\"],\"type\":\"set\",\"value\":" value ",\"previous\":" previous "}"
#define SET_SILENTLY(name) "{\"path\":[\"" name "\"],\"type\":\"set\"}"
#define JOINED "{\"path\":[\"groups\"],\"type\":\"add\",\"value\":[{\"id\":\"" GROUP "\"}]}"
#define ENTITY "\"entity\":{\"id\":\"per_019a9d79-7c30-7b3e-9fa4-2516532f8c01\",\"entityType\":\"person\"}"

/* Without their brackets; NULL: the event has none. */
static const struct {
	const char *changes, *details;
} samples[EVENT_TYPES] = {
    [EVENT_PERSON_UPDATED] = {SET("jobTitle", "\"Analyst\"", "null"), NULL},
    [EVENT_PERSON_DELETED] = {NULL, "\"name\":\"Ada Lovelace\",\"emails\":[\"ada@example.com\"]"},
    [EVENT_PERSON_GROUPS_UPDATED] = {JOINED, NULL},
    [EVENT_COMPANY_UPDATED] = {SET("industry", "\"Computing\"", "\"Looms\""), NULL},
    [EVENT_COMPANY_DELETED] = {NULL, "\"name\":\"Analytical Engines\",\"emails\":[\"office@example.com\"]"},
    [EVENT_COMPANY_GROUPS_UPDATED] = {JOINED, NULL},
    [EVENT_OBJECT_UPDATED] = {SET("name", "\"Bigger deal\"", "\"Big deal\""), NULL},
    [EVENT_OBJECT_DELETED] = {NULL, "\"name\":\"Big deal\""},
    [EVENT_NOTE_CREATED] = {NULL, ENTITY},
    [EVENT_NOTE_UPDATED] = {SET_SILENTLY("content"), ENTITY},
    [EVENT_NOTE_DELETED] = {NULL, ENTITY},
    [EVENT_REMINDER_CREATED] = {NULL, ENTITY},
    [EVENT_REMINDER_UPDATED] = {SET_SILENTLY("name"), ENTITY},
    [EVENT_REMINDER_DELETED] = {NULL, ENTITY},
    [EVENT_REMINDER_TRIGGERED] = {NULL, ENTITY ",\"lastTriggerTime\":\"2026-01-31T09:30:00.000Z\","
                                               "\"nextTriggerTime\":\"2026-02-07T09:30:00.000Z\""},
    [EVENT_TASK_CREATED] = {NULL, ENTITY},
    [EVENT_TASK_UPDATED] = {SET("dueTime", "\"09:30\"", "null"), ENTITY},
    [EVENT_TASK_COMPLETED] = {SET("completedAt", "\"2026-01-31T09:30:00.000Z\"", "null"), ENTITY},
    [EVENT_TASK_DELETED] = {NULL, ENTITY},
    [EVENT_INTERACTION_CREATED] = {NULL, ENTITY},
    [EVENT_INTERACTION_UPDATED] = {SET_SILENTLY("title"), ENTITY},
    [EVENT_INTERACTION_DELETED] = {NULL, ENTITY},
    [EVENT_USER_UPDATED] = {SET("role", "\"admin\"", "\"member\""), NULL},
    [EVENT_USER_SIGN_IN_FAILED] = {NULL, "\"address\":\"203.0.113.7\""},
    [EVENT_WEBHOOK_DEACTIVATED] = {NULL, "\"reason\":\"failing\""},
};

const char listen_sample_actor[] =
    "{\"type\":\"user\",\"id\":\"usr_019a9d79-7c30-7b3e-9fa4-2516532f8c03\",\"fullName\":\"Grace Hopper\","
    "\"keyId\":\"key_019a9d79-7c30-7b3e-9fa4-2516532f8c04\",\"keyName\":\"Console\",\"via\":\"console\"}";

void listen_sample(struct buf *out, enum event_type type, const struct uuid *record, const char *base_url)
{
	const struct event_kind *kind = &event_kinds[type];
	char id[ID_SIZE];

	id_format(kind->id_kind, record, id);
	buf_printf(out, "{\"id\":\"%s\",\"url\":\"%s%s%s\"", id, base_url,
	    kind->path ? kind->path : "/v1/groups/" GROUP "/Deals/", id);
	if (samples[type].changes)
		buf_printf(out, ",\"changes\":[%s]", samples[type].changes);
	if (samples[type].details)
		buf_printf(out, ",\"details\":{%s}", samples[type].details);
	buf_addc(out, '}');
}
