/* Webhooks whose target refuses connections, with events and deliveries inserted by SQL: for tests of stored rows,
 * independent of any arrival. */
#ifndef KITH_TEST_LIB_WEBHOOK_UNSENT_H
#define KITH_TEST_LIB_WEBHOOK_UNSENT_H

#include "test/lib/flow.h"

/* The body of a webhook; %s is the event type. */
#define UNSENT_HOOK                                                                                                    \
	"{\"name\": \"x\", \"targetUrl\": \"http://127.0.0.1:9/hook\", \"subscribedEvents\": [{\"eventType\": "        \
	"\"%s\"}]}"

enum { UNSENT_WAIT_MS = 60000, UNSENT_MS_PER_HOUR = 60 * 60 * 1000 };

/* For AROUND_ALL, with flow_close(): a rig with a neighbour and one server, which reads its faults from rig.orders. */
void unsent_open(void);
/* Restarts the server; frees what ada's caller held. */
void unsent_serve(void);

/* Creates ada's webhook for events of that type; returns its id. */
const char *unsent_make(const char *event);
/* Sends ada's request to /v1/webhooks/{id}{what}. */
struct caller_answer unsent_act(const char *id, const char *method, const char *what, const char *body);
/* The UUID in an id, for statements. */
const char *unsent_bare(const char *id);

/* Inserts an event "task.created" of that many hours ago, in a transaction of its own, so that it has its own
 * position. */
void unsent_event(int hours, char id[37]);
/* Inserts a delivery of it after nine attempts; if pending, the next is in 20 hours. */
void unsent_delivery(const char *hook, const char *event, const char *state);
/* The number of deliveries of that event that meet the condition. */
int64_t unsent_deliveries(const char *hook, const char *event, const char *condition);

#endif
