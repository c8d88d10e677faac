/* Another workspace on the servers of a test: somebody writes in it, it has a webhook and reminders that are due, so
 * that whatever a server does for one workspace it does between work for another. */
#ifndef KITH_TEST_NEIGHBOUR_H
#define KITH_TEST_NEIGHBOUR_H

#include "test/lib/rig.h"

struct neighbour;

/* Begins to write through that server, until the end; hooks: the server may deliver to this machine. Ends the process
 * when something fails. */
struct neighbour *neighbour_start(struct rig *r, const struct server *s, bool hooks);

/* Its events all became deliveries, and its reminders that were due came: false with a message when something was lost.
 */
bool neighbour_complete(struct neighbour *n, int ms);

/* Before the rig is closed; also when the server is gone. */
void neighbour_stop(struct neighbour *n);

#endif
