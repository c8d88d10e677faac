/* Creates the embedded cluster and writes its settings. */
#ifndef KITH_SERVER_EMBEDDED_MAKE_H
#define KITH_SERVER_EMBEDDED_MAKE_H

#include "server/embedded/cluster_place.h"

/* Runs initdb, with role as superuser. First removes the remains of an interrupted run. False with a message. */
bool make_cluster(const struct cluster_place *p, const char *role, char error[512]);

/* Writes kith.conf into the cluster at every start, so that a new version's settings apply. ALTER SYSTEM overrides it.
 */
bool make_settings(const struct cluster_place *p, char error[512]);

#endif
