/* Tells whether processes of a cluster are running. store/db_probe.h tells whether it accepts connections. */
#ifndef KITH_SERVER_EMBEDDED_POSTMASTER_H
#define KITH_SERVER_EMBEDDED_POSTMASTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/embedded/run.h"

/* Returns the postmaster named in postmaster.pid if it still runs in that directory, otherwise 0. */
pid_t probe_postmaster(const struct account *who, const char *cluster_dir);

/* True when any server process runs in the directory: a postmaster, or children that outlived one. */
bool probe_inhabited(const struct account *who, const char *cluster_dir);

/* True when the program that the postmaster runs was replaced at least this many seconds ago, because PostgreSQL was
 * upgraded. New sessions would load libraries of the new version into the old program. False where this cannot be
 * determined. Does not block. */
bool probe_replaced(const char *cluster_dir, int for_s);

#endif
