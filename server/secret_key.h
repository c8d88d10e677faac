/* What webhooks need besides the database: the key of their secrets, the rules for targets, and the resolver. */
#ifndef KITH_SERVER_SECRET_KEY_H
#define KITH_SERVER_SECRET_KEY_H

#include <stdbool.h>

struct server;

/* Sets vault, target_rules and resolver. Call it before anything is served: it blocks until the database has confirmed
 * the key. False with a message on stderr that says what to do. */
bool secret_key_start(struct server *s);
/* Ends resolutions in progress. Call it before db_close(): requests that wait for a resolution continue. */
void secret_key_stop(struct server *s);
/* Call it after the last request has ended. */
void secret_key_free(struct server *s);

#endif
