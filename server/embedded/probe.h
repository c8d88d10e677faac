/* Whether processes of a cluster are running. store/db_probe.h tells whether it accepts connections. */
#ifndef KITH_SERVER_EMBEDDED_PROBE_H
#define KITH_SERVER_EMBEDDED_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/embedded/run.h"

/* The postmaster named in postmaster.pid, if it is still running in that directory; else 0. */
pid_t probe_postmaster(const struct account *who, const char *cluster_dir);

/* True when any server process runs in it: a postmaster, or children that outlived theirs. */
bool probe_inhabited(const struct account *who, const char *cluster_dir);

#endif
