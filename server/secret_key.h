/* What webhooks need beside the database: the key of their secrets, the rule of their targets, names to addresses. */
#ifndef KITH_SERVER_SECRET_KEY_H
#define KITH_SERVER_SECRET_KEY_H

#include <stdbool.h>

struct server;

/* Sets vault, target_rules and resolver. Before anything is served: blocks until the database has
 * said whether the key is that of its secrets. False with a message on stderr that says what to do. */
bool outgoing_start(struct server *s);
/* Ends what the resolver has under way. Before db_close(): requests that wait for it go on. */
void outgoing_stop(struct server *s);
/* After the last request is gone. */
void outgoing_free(struct server *s);

#endif
