/* Where a workspace is, as the rows of both databases say while it moves. Each change is one statement on the
 * condition of what was before, so that of two commands, or of one that has been thought dead, one alone goes on. */
#ifndef KITH_SERVER_CELL_PLACE_H
#define KITH_SERVER_CELL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/id.h"
#include "store/db_copy.h"

enum { PLACE_STATE_SIZE = 16, PLACE_ID_SIZE = 37, PLACE_ADDRESS_SIZE = 512 };

struct place {
	bool there;
	char state[PLACE_STATE_SIZE]; /* workspaces.moving; "": it lives there */
	char move[PLACE_ID_SIZE];     /* the move's id; "": none */
	char address[PLACE_ADDRESS_SIZE];
};
bool place_read(struct db_copy *c, const struct uuid *workspace, struct place *p);

/* At the source. A state of it, for that long; the state before must be one of those. False also if it was another. */
bool place_leave(struct db_copy *c, const struct uuid *workspace, const char *move, const char *before,
    const char *state, int for_ms);
/* Its webhooks rest, or nobody sends. */
bool place_rest(struct db_copy *c, const struct uuid *workspace, int ms);
/* From now on it is at that address; false if it may have been written meanwhile. */
bool place_moved(struct db_copy *c, const struct uuid *workspace, const char *move, const char *address);

/* At the target. */
bool place_arrive(
    struct db_copy *c, const struct uuid *workspace, const char *move, const char *before, const char *state);
bool place_live(struct db_copy *c, const struct uuid *workspace, const char *move);

#endif
