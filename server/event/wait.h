/* Feed requests and streams that wait for an event, without a database connection. After a commit, here or in another
 * process, one cheap query per workspace finds which of them may read.
 *
 * Events become readable when every older transaction has ended, which nothing announces; so while there are events
 * that are not yet readable, the query is repeated. */
#ifndef KITH_SERVER_EVENT_WAIT_H
#define KITH_SERVER_EVENT_WAIT_H

#include "server/event/feed.h"

struct event_waits;

enum {
	EVENT_WAITS_MAX = 1000,         /* in all, streams among them */
	EVENT_WAITS_OF_WORKSPACE = 200, /* of one workspace */
	EVENT_WAITS_OF_USER = 20,       /* of one user */
};

/* Sets s->event_waits; s->commit_notify must exist. */
void event_waits_start(struct server *s);
/* Answers all waiting requests; later ones do not wait. For when the server stops. */
void event_waits_stop(struct server *s);
/* To be called after db_close(). */
void event_waits_free(struct server *s);

/* Queues a request that has no events; false when too many wait. It continues with f->resume(): reads when there are
 * some, ends at its deadline, or when its client has disconnected. */
bool event_wait(struct req *r, struct feed *f);

/* Takes a place among those that wait, to be kept while it reads and sends, too; false when there are too many. */
bool event_wait_enter(struct req *r, struct feed *f);
/* Says what the holder of a place does instead of waiting. FEED_SENDS: f->resume() is called if its client disconnects.
 * FEED_RESTS: it waits from f->rests_until_us on, so that a busy workspace is not read without pause. FEED_NO_PLACE:
 * leaves. */
void event_wait_place(struct feed *f, enum feed_place place);

#endif
