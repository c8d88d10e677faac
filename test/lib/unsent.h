/*
 * Webhooks whose target refuses connections, with events and deliveries that are put into the database: for the tests
 * of what becomes of rows, whether or not anything arrives.
 */
#ifndef KITH_TEST_UNSENT_H
#define KITH_TEST_UNSENT_H

#include "test/lib/caller.h"
#include "test/lib/rig.h"

/* The body of a webhook, with one type of events to be filled in. */
#define UNSENT_HOOK                                                                                                    \
	"{\"name\": \"x\", \"targetUrl\": \"http://127.0.0.1:9/hook\", \"subscribedEvents\": [{\"eventType\": "        \
	"\"%s\"}]}"

enum { UNSENT_WAIT_MS = 20000, UNSENT_MS_PER_HOUR = 60 * 60 * 1000 };

struct unsent {
	struct rig rig;
	struct server_process *server;
	struct caller ada;
	char orders[256]; /* the file of faults */
};
extern struct unsent unsent;

/* For cmocka: a rig with a neighbour and one server. */
int unsent_open(void **state);
int unsent_close(void **state);
/* Starts the server anew; what ada's caller held is gone. */
void unsent_serve(void);

/* Ada's webhook for events of that type; its id. */
const char *unsent_make(const char *event);
/* Ada's request at /v1/webhooks/{id}{what}. */
struct caller_answer unsent_act(const char *id, const char *method, const char *what, const char *body);
/* The UUID in an id, for statements. */
const char *unsent_bare(const char *id);

/* An event "task.created" of ada's workspace so many hours ago; its own transaction, so that it has a position of its
 * own. */
void unsent_event(int hours, char id[37]);
/* A delivery of it that was tried nine times; one that is pending is due in 20 hours. */
void unsent_delivery(const char *hook, const char *event, const char *state);
/* How many deliveries of that event fulfil the condition. */
int64_t unsent_deliveries(const char *hook, const char *event, const char *condition);

#endif
