/* Where a workspace is, as the rows in both databases say while it moves. Each change is one statement with a condition
 * on the previous state. So of two commands, or of a command that only seemed dead, only one continues. */
#ifndef KITH_SERVER_CELL_CELL_PLACE_H
#define KITH_SERVER_CELL_CELL_PLACE_H

#include <stdbool.h>

#include "server/base/id.h"
#include "store/db_copy.h"

enum { PLACE_STATE_SIZE = 16, PLACE_ID_SIZE = 37, PLACE_ADDRESS_SIZE = 512 };

struct place {
	bool there;
	char state[PLACE_STATE_SIZE]; /* workspaces.moving; "": the workspace lives there */
	char move[PLACE_ID_SIZE];     /* the move's id; "": none */
	char address[PLACE_ADDRESS_SIZE];
};
bool place_read(struct db_copy *c, const struct uuid *workspace, struct place *p);

/* At the source: sets a state for that long. The previous state must be one of those given. False also if it was
 * another one. */
bool place_leave(struct db_copy *c, const struct uuid *workspace, const char *move, const char *before,
    const char *state, int for_ms);
/* Waits until its webhooks rest, or no process sends. */
bool place_rest(struct db_copy *c, const struct uuid *workspace, int ms);
/* From now on the workspace is at that address. False if it may have been written meanwhile. */
bool place_moved(struct db_copy *c, const struct uuid *workspace, const char *move, const char *address);

/* At the target: sets a state. */
bool place_arrive(
    struct db_copy *c, const struct uuid *workspace, const char *move, const char *before, const char *state);
bool place_live(struct db_copy *c, const struct uuid *workspace, const char *move);

#endif
