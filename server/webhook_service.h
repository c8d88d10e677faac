/* The dispatcher of webhooks within the server: its start, its wake-ups, its end. */
#ifndef KITH_SERVER_WEBHOOK_SERVICE_H
#define KITH_SERVER_WEBHOOK_SERVICE_H

#include <stdbool.h>

struct server;

/* After outgoing_start(), wake_start() and when it is known where the server listens. False with a line in the log. */
bool sender_start(struct server *s);
/* Begins nothing more, and waits at most so long for what is under way; sender_idle() tells when. */
void sender_stop(struct server *s, int ms);
/* True when nothing is under way and what came of it is written. */
bool sender_idle(const struct server *s);
/* Ends what is still under way. Before db_close(). */
void sender_close(struct server *s);
/* After db_close(). */
void sender_free(struct server *s);

#endif
