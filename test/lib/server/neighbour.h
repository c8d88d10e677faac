/* A second workspace on a test's servers: it writes and reads, has a webhook, due reminders, and groups that are
 * created and deleted. So whatever a server does for one workspace and for all happens in turn on the same
 * connections: the dispatcher reads that webhook's events, and the removal of a group ends with a rollback.
 *
 * Tests get one by rig_neighbour() of rig.h. If the neighbour is shown data of others, or others see its data, the
 * test ends. */
#ifndef KITH_TEST_LIB_SERVER_NEIGHBOUR_H
#define KITH_TEST_LIB_SERVER_NEIGHBOUR_H

#include <stdbool.h>

/* In all its records, and in an event of each person, but nowhere else in a test: see caller.c and receiver.c. */
#define NEIGHBOUR_NAME "Next-door"

struct neighbour;
struct rig;
struct server_process;

/* Makes its workspace and user; it does nothing yet. Ends the process on failure, as do the others. */
struct neighbour *neighbour_new(struct rig *r);

/* Makes it busy from now on, through that server; to be called again for another server when that stops. */
void neighbour_go(struct neighbour *n, const struct server_process *s);

/* Pauses it until neighbour_go(), while a server and the database still run. False with a message when something was
 * lost: an event that was not delivered, a reminder that did not fire. What is not due yet is not waited for. */
bool neighbour_rest(struct neighbour *n);

void neighbour_free(struct neighbour *n);

#endif
