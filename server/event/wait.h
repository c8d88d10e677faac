/* Feed requests that wait for an event, without a database connection. After a commit, here or in another process,
 * one cheap query per workspace finds which requests may read.
 *
 * Events become readable when every older transaction has ended, which nothing announces; so while there are events
 * that are not yet readable, the query is repeated. */
#ifndef KITH_SERVER_EVENT_WAIT_H
#define KITH_SERVER_EVENT_WAIT_H

#include "server/event/feed.h"

struct event_waits;

enum {
	EVENT_WAITS_MAX = 1000,         /* in all */
	EVENT_WAITS_OF_WORKSPACE = 200, /* of one workspace */
	EVENT_WAITS_OF_USER = 20,       /* of one user */
};

/* Sets s->event_waits; s->commit_notify must exist. */
void event_waits_start(struct server *s);
/* Answers all waiting requests; later ones do not wait. For when the server stops. */
void event_waits_stop(struct server *s);
/* To be called after db_close(). */
void event_waits_free(struct server *s);

/* Queues a request that has no events; false when too many wait. It continues with event_feed_resume(): reads when
 * there are some, ends at its deadline, or when its client has disconnected. */
bool event_wait(struct req *r, struct feed *f);

#endif
