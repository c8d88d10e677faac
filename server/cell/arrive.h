/* What a workspace's database and file need at both ends: locks, keys of secrets, and how a workspace becomes live. */
#ifndef KITH_SERVER_CELL_ARRIVE_H
#define KITH_SERVER_CELL_ARRIVE_H

#include "server/cell/cell.h"
#include "store/db_copy.h"

/* Connects. The connection may write the workspace's users and keys although the workspace is not here. */
struct db_copy *arrive_open(const char *url, const struct uuid *workspace, const char *what);

/* Takes a lock, so that only one command at a time moves, imports or exports the workspace in a database. */
bool arrive_alone(struct db_copy *c, const struct uuid *workspace);

/* Opens the key of a database's secrets. If the database had none, it remembers this one. NULL with a message. */
struct vault *arrive_vault(struct db_copy *c, const char *secret_file);
/* Reads the fingerprint that the database remembers; "" if there is none. False on failure. */
bool arrive_print(struct db_copy *c, char out[]);

/* Returns the current generation of events; 0 on failure. */
int64_t arrive_generation(struct db_copy *c);
/* How many days the generation of a file or cell may be ahead of the database that takes its workspace: the clock of
 * its machine may have been ahead. */
enum { ARRIVE_AHEAD_DAYS = 3650 };
/* True when a generation is at most that many days ahead. A generation is a time, and every restart needs a later one.
 * False with a message that begins with what. */
bool arrive_in_time(struct db_copy *c, int64_t generation, int days, const char *what);
/* Makes later events belong to a generation after that one, so that they come after all events of the workspace that
 * readers have seen elsewhere. */
bool arrive_after(struct db_copy *c, int64_t generation);

#endif
