/*
 * Word that events were committed, here or by another process: followers of the
 * feed and the dispatcher look when they hear it. It is a hint and carries nothing;
 * who misses one, because the connection that listens was lost, is woken when it is back.
 */
#ifndef KITH_SERVER_REQUEST_COMMIT_NOTIFY_H
#define KITH_SERVER_REQUEST_COMMIT_NOTIFY_H

struct server;
struct wake;

/* Sets s->wake; loop and db are there. Before the other hooks of a turn's end: who is woken may ask the database. */
void wake_start(struct server *s);
/* After db_close(). */
void wake_free(struct server *s);

/* After every COMMIT that wrote events. Wakes this process at the end of the turn, the others
 * at once or, after a recent word, up to 10 ms later: in a statement of its own, as a NOTIFY inside a write
 * would let all writes commit one after the other. */
void wake_committed(struct server *s);

typedef void wake_fn(void *ctx);

/* Calls fn from the loop whenever something was committed, until the server stops. At most 4. */
void wake_subscribe(struct server *s, wake_fn *fn, void *ctx);

#endif
