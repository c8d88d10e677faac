/* Makes the embedded cluster and writes its settings. */
#ifndef KITH_SERVER_EMBEDDED_MAKE_H
#define KITH_SERVER_EMBEDDED_MAKE_H

#include "server/embedded/place.h"

/* initdb, with role as superuser. What an interrupted one left behind is removed first. */
bool make_cluster(const struct place *p, const char *role, char error[512]);

/* Writes kith.conf into the cluster; at every start, so that a new program's
 * settings hold. ALTER SYSTEM still overrides them. */
bool make_settings(const struct place *p, char error[512]);

#endif
