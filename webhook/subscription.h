/* A webhook's subscriptions: 1 to 20 {eventType, filter}, and which events they match (docs/api.md, "Webhooks"). */
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

/* Reads webhooks.subscribed_events, which was validated when stored; types unknown to this release are skipped.
 * Allocated in the arena. */
void subscriptions_read(struct subscriptions *out, struct arena *a, const char *json, size_t len);

/* True when a subscription matches the event. Paths and values are compared with the changes that the listener may
 * see; arena is scratch space. */
bool subscriptions_match(
    const struct subscriptions *s, const struct event_row *e, const struct event_listener *l, struct arena *arena);

#endif
