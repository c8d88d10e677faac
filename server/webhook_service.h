/* Starting, waking and stopping the dispatcher of webhooks within the server. */
#ifndef KITH_SERVER_WEBHOOK_SERVICE_H
#define KITH_SERVER_WEBHOOK_SERVICE_H

#include <stdbool.h>

struct server;

/* To be called after secret_key_start() and commit_notify_start(), when it is known where the server listens. False
 * with a log line. */
bool webhook_service_start(struct server *s);
/* Starts nothing more and waits at most ms for what is in progress; webhook_service_idle() tells when. */
void webhook_service_stop(struct server *s, int ms);
/* True when nothing is in progress and all outcomes are written. */
bool webhook_service_idle(const struct server *s);
/* Ends what is still in progress. To be called before db_close(). */
void webhook_service_close(struct server *s);
/* To be called after db_close(). */
void webhook_service_free(struct server *s);

#endif
