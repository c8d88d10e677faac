/*
 * What a webhook subscribes to: 1 to 20 {eventType, filter}, and which events that is
 * (docs/api.md, "Webhooks").
 */
#ifndef KITH_WEBHOOK_SUBSCRIPTION_H
#define KITH_WEBHOOK_SUBSCRIPTION_H

#include "server/base/json.h"
#include "webhook/event.h"

enum { SUBSCRIPTIONS_MAX = 20, SUBSCRIPTION_PATH_MAX = 3 };

struct subscription {
	enum event_type type;
	bool by_group;
	struct uuid group;
	const char *object_type;                 /* NULL: any */
	const char *path[SUBSCRIPTION_PATH_MAX]; /* "customFieldValues", "grp_…", "name" */
	int n_path;
	const struct json *value; /* NULL: any; a string, a number (compared as plain decimal text), or an array */
};

struct subscriptions {
	struct subscription items[SUBSCRIPTIONS_MAX];
	int count;
};

/* Reads what is stored in webhooks.subscribed_events, which was checked when it was
 * stored; a type that this release does not know is left out. Lives in the arena. */
void subscriptions_read(struct subscriptions *out, struct arena *a, const char *json, size_t len);

/* True when one of them asks for the event. Paths and values are compared with the changes that the listener may see;
 * arena is for reading them. */
bool subscriptions_match(
    const struct subscriptions *s, const struct event_row *e, const struct event_listener *l, struct arena *arena);

#endif
