/* Cells: installations of their own, between which a workspace moves; and whether two of them hold the same of it. */
#ifndef KITH_TEST_LIB_SERVER_CELLS_H
#define KITH_TEST_LIB_SERVER_CELLS_H

#include "test/lib/db/database.h"
#include "test/lib/rig.h"

struct cell {
	struct program program;
	struct cluster *cluster; /* NULL: the rig's */
	struct server_process *server;
};

/* Another installation, in a cluster of its own or in that of another cell, with a data directory and a secret file of
 * its own. Ends the process on failure. */
void cell_open(struct cell *c, struct arena *a, const char *path, const struct cell *beside, const char *name);
void cell_close(struct cell *c);
void cell_serve(struct cell *c, const char *const more[]);

/* The number of tables in which the two differ for this workspace; prints them. Leaves out what belongs to an
 * installation: versions, when a key was last used, secrets as they are encrypted. */
int cells_differ(struct arena *a, const struct program *one, const struct program *other, const char *workspace);

/* The same as a text, to compare what one has now with what another has later. */
const char *cells_state(struct arena *a, const struct program *p, const char *workspace);

/* Whether the installation has rows of the workspace beyond those that say where it went. */
bool cells_emptied(struct arena *a, const struct program *p, const char *workspace);

/* A cursor of the feed as release 0.2.0 would have sealed it, by the installation's key, in the arena. */
const char *cells_old_cursor(struct arena *a, const struct program *p, const char *workspace, const char *cursor);

/* The id of a workspace without its prefix. */
const char *cells_uuid(const char *workspace);

#endif
