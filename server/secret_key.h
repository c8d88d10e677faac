/* What webhooks need besides the database: the key of their secrets, the rule for targets, the resolver. */
#ifndef KITH_SERVER_SECRET_KEY_H
#define KITH_SERVER_SECRET_KEY_H

#include <stdbool.h>

struct server;

/* Sets vault, target_rules and resolver. To be called before anything is served: blocks until the database has
 * confirmed the key. False with a message on stderr that says what to do. */
bool secret_key_start(struct server *s);
/* Ends resolutions in progress. To be called before db_close(): requests that wait for them continue. */
void secret_key_stop(struct server *s);
/* To be called after the last request has ended. */
void secret_key_free(struct server *s);

#endif
