/*
 * Asks a cluster how it is without a client library: is anybody alive in its
 * directory, does it accept connections, is there a database in it.
 */
#ifndef KITH_SERVER_EMBEDDED_PROBE_H
#define KITH_SERVER_EMBEDDED_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/embedded_run.h"

enum probe {
	PROBE_SILENT,      /* nobody listens, or no sensible answer within 5 s */
	PROBE_STARTING,    /* starting up, recovering or shutting down: ask again */
	PROBE_READY,       /* the database accepts us */
	PROBE_NO_DATABASE, /* the cluster accepts connections, but has no such database */
	PROBE_REFUSED      /* anything else: see the message */
};

/* Tries to log in over the Unix socket. message gets the cluster's own words, if any. */
enum probe probe_login(const char *socket_path, const char *user, const char *database, char message[200]);

/* Logs in and runs one statement; false with the cluster's own words. */
bool probe_execute(const char *socket_path, const char *user, const char *database, const char *sql, char message[200]);

/* The postmaster named by the directory's postmaster.pid if it lives there still, 0 when there is none. */
pid_t probe_postmaster(const struct account *who, const char *cluster_dir);

/* True when any server process lives in it: a postmaster, or those that outlived theirs. */
bool probe_inhabited(const struct account *who, const char *cluster_dir);

#endif
