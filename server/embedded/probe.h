/* Whether anybody is alive in a cluster's directory. Whether it accepts connections, store/db_probe.h tells. */
#ifndef KITH_SERVER_EMBEDDED_PROBE_H
#define KITH_SERVER_EMBEDDED_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "server/embedded/run.h"

/* The postmaster named by the directory's postmaster.pid if it lives there still, 0 when there is none. */
pid_t probe_postmaster(const struct account *who, const char *cluster_dir);

/* True when any server process lives in it: a postmaster, or those that outlived theirs. */
bool probe_inhabited(const struct account *who, const char *cluster_dir);

#endif
