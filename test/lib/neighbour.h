/*
 * Another workspace on the servers of a test: somebody writes in it, reads in it, has a webhook, reminders that fall
 * due and groups that come and go. So whatever a server does for one workspace, and for all, it does in turn on the
 * same connections: the dispatcher reads that webhook's events, and the removal of a group ends with a rollback.
 *
 * A test has one by rig_neighbour() of rig.h, which calls what is here. What the neighbour is shown of others, or
 * others of it, ends the test.
 */
#ifndef KITH_TEST_NEIGHBOUR_H
#define KITH_TEST_NEIGHBOUR_H

#include <stdbool.h>

/* Its records have it, and an event of each person; nothing else in a test has: see caller.c and receiver.c. */
#define NEIGHBOUR_NAME "Next-door"

struct neighbour;
struct rig;
struct server;

/* Its workspace and user; it does nothing yet. Ends the process when something fails, as the others do. */
struct neighbour *neighbour_new(struct rig *r);

/* It is busy from now on, through that server; another one than before when that has gone, or will. */
void neighbour_go(struct neighbour *n, const struct server *s);

/* It stops, until neighbour_go(); a server and the database still run. False with a message when something was lost:
 * an event that was not delivered to it, a reminder that did not come. */
bool neighbour_rest(struct neighbour *n);

void neighbour_free(struct neighbour *n);

#endif
