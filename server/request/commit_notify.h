/* Notifications that this process or another one has committed events. The feed's waiting requests and the dispatcher
 * use them. They are hints without content. After the listening connection was lost, subscribers are called when it is
 * restored. */
#ifndef KITH_SERVER_REQUEST_COMMIT_NOTIFY_H
#define KITH_SERVER_REQUEST_COMMIT_NOTIFY_H

struct server;
struct commit_notify;

/* Sets s->commit_notify; s->loop and s->db must exist. Call it before other hooks of the turn's end are added, because
 * subscribers may query the database. */
void commit_notify_start(struct server *s);
/* Call it after db_close(). */
void commit_notify_free(struct server *s);

/* Call it after every COMMIT that wrote events. It notifies this process at the end of the turn. Other processes are
 * notified at once or, if a notification was sent recently, up to 10 ms later. NOTIFY is a statement of its own,
 * because inside writes it would serialise their commits. */
void commit_notify_send(struct server *s);

typedef void commit_notify_fn(void *ctx);

/* Calls fn from the loop after commits, until the server stops. At most 4. */
void commit_notify_subscribe(struct server *s, commit_notify_fn *fn, void *ctx);

#endif
