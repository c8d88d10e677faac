/* Feed requests and streams that wait for an event, without a database connection. After a commit, in this process or
 * another, one cheap query per workspace finds which of them may read.
 *
 * Events become readable when every older transaction has ended, and nothing announces that. So the query is repeated
 * while there are events that are not readable yet. */
#ifndef KITH_SERVER_EVENT_WAIT_H
#define KITH_SERVER_EVENT_WAIT_H

#include "server/event/feed.h"

struct event_waits;

enum {
	EVENT_WAITS_MAX = 1000,         /* in all, including streams */
	EVENT_WAITS_OF_WORKSPACE = 200, /* in one workspace */
	EVENT_WAITS_OF_USER = 20,       /* of one user */
};

/* Sets s->event_waits; s->commit_notify must exist. */
void event_waits_start(struct server *s);
/* Answers all waiting requests when the server stops. Later requests do not wait. */
void event_waits_stop(struct server *s);
/* Call it after db_close(). */
void event_waits_free(struct server *s);

/* Queues a request that has no events; returns false when too many wait. The request continues with f->resume(): it
 * reads when there are events, and ends at its deadline or when its client has disconnected. */
bool event_wait(struct req *r, struct feed *f);

/* Takes a place among those that wait. The request keeps it while it reads and sends, too. Returns false when there are
 * too many. */
bool event_wait_enter(struct req *r, struct feed *f);
/* Sets what the holder of a place does instead of waiting. FEED_SENDS: f->resume() is called if its client disconnects.
 * FEED_RESTS: it waits from f->rests_until_us on, so that a busy workspace is not read without pause. FEED_NO_PLACE: it
 * gives up its place. */
void event_wait_place(struct feed *f, enum feed_place place);

#endif
