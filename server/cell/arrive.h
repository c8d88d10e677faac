/* What a workspace's database and file need at both ends: locks, keys of secrets, and how a workspace begins to live.
 */
#ifndef KITH_SERVER_CELL_ARRIVE_H
#define KITH_SERVER_CELL_ARRIVE_H

#include "server/cell/cell.h"
#include "store/db_copy.h"

/* Connects; the workspace's users and keys may be written although it is not here. */
struct db_copy *arrive_open(const char *url, const struct uuid *workspace, const char *what);

/* One command at a time moves, imports or exports the workspace in a database. */
bool arrive_alone(struct db_copy *c, const struct uuid *workspace);

/* Opens the key of a database's secrets; the database remembers it if it had none. NULL with a message. */
struct vault *arrive_vault(struct db_copy *c, const char *secret_file);
/* The fingerprint that the database remembers, ""; false on failure. */
bool arrive_print(struct db_copy *c, char out[]);

/* The present generation of events; 0 on failure. */
int64_t arrive_generation(struct db_copy *c);
/* How many days the generation of what kith has made may be ahead of its new database: the clock of the machine that it
 * is from may have been. */
enum { ARRIVE_AHEAD_DAYS = 3650 };
/* Whether a generation is no further ahead than that many days: it is a time, and every restart needs a later one.
 * False with a message, which begins with that text. */
bool arrive_in_time(struct db_copy *c, int64_t generation, int days, const char *what);
/* Later events are of a generation after that one: what was seen of the workspace elsewhere comes before them. */
bool arrive_after(struct db_copy *c, int64_t generation);

#endif
