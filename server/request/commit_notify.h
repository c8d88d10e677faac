/* Notifications that events were committed, by this process or another, for the feed's waiting requests and the
 * dispatcher. They are hints without content; after a loss of the listening connection subscribers are called when
 * it is back. */
#ifndef KITH_SERVER_REQUEST_COMMIT_NOTIFY_H
#define KITH_SERVER_REQUEST_COMMIT_NOTIFY_H

struct server;
struct commit_notify;

/* Sets s->commit_notify; loop and db must exist. To be called before other hooks of the turn's end are added, as
 * subscribers may query the database. */
void commit_notify_start(struct server *s);
/* To be called after db_close(). */
void commit_notify_free(struct server *s);

/* To be called after every COMMIT that wrote events. Notifies this process at the end of the turn, others at once
 * or, after a recent notification, up to 10 ms later: in a statement of its own, because a NOTIFY inside writes
 * would serialise their commits. */
void commit_notify_send(struct server *s);

typedef void commit_notify_fn(void *ctx);

/* Calls fn from the loop after commits, until the server stops. At most 4. */
void commit_notify_subscribe(struct server *s, commit_notify_fn *fn, void *ctx);

#endif
