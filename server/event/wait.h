/*
 * Requests of the feed that wait for an event. They hold no connection of the
 * database: when something was committed, here or in another process, one cheap look for
 * each of their workspaces tells whose turn it is to read.
 *
 * Events become readable when every older transaction has ended, which nobody
 * announces; so while some are there and not yet readable, the looks go on.
 */
#ifndef KITH_SERVER_EVENT_WAIT_H
#define KITH_SERVER_EVENT_WAIT_H

#include "server/event/feed.h"

struct event_waits;

enum {
	EVENT_WAITS_MAX = 1000,         /* in all */
	EVENT_WAITS_OF_WORKSPACE = 200, /* of one workspace */
	EVENT_WAITS_OF_USER = 20,       /* of one user */
};

/* Sets s->event_waits; s->wake is there. */
void event_waits_start(struct server *s);
/* Answers all who wait; later ones do not wait: when the server stops. */
void event_waits_stop(struct server *s);
/* After db_close(). */
void event_waits_free(struct server *s);

/* Takes a request that has nothing to tell; false when too many wait. It goes on by event_feed_read_again() or
 * event_feed_end_wait(), the latter also when its client has gone. */
bool event_wait(struct req *r, struct feed *f);

#endif
