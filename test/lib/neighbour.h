/*
 * Another workspace on the servers of a test: somebody writes in it, it has a webhook, reminders that fall due and
 * groups that come and go. So whatever a server does for one workspace, and for all, it does in turn on the same
 * connections: the dispatcher reads that webhook's events, and the removal of a group ends with a rollback.
 */
#ifndef KITH_TEST_NEIGHBOUR_H
#define KITH_TEST_NEIGHBOUR_H

#include "test/lib/rig.h"

struct neighbour;

/* Begins to write through that server. Ends the process when something fails. */
struct neighbour *neighbour_start(struct rig *r, const struct server *s);

/* Goes on through another server: that one has gone, or will. */
void neighbour_turn(struct neighbour *n, const struct server *s);

/* Ends, while a server and the database still run. False with a message when something was lost: an event without a
 * delivery, a reminder that did not come. */
bool neighbour_stop(struct neighbour *n);

#endif
