/* Starts, wakes and stops the dispatcher of webhooks in the server. */
#ifndef KITH_SERVER_WEBHOOK_SERVICE_H
#define KITH_SERVER_WEBHOOK_SERVICE_H

#include <stdbool.h>

struct server;

/* Call it after secret_key_start() and commit_notify_start(), when the server's own address is known. False with a log
 * line. */
bool webhook_service_start(struct server *s);
/* Starts no further attempts and waits at most ms for those in progress. webhook_service_idle() tells when they are
 * done. */
void webhook_service_stop(struct server *s, int ms);
/* True when no attempt is in progress and all outcomes are written. */
bool webhook_service_idle(const struct server *s);
/* Ends what is still in progress. Call it before db_close(). */
void webhook_service_close(struct server *s);
/* Call it after db_close(). */
void webhook_service_free(struct server *s);

#endif
