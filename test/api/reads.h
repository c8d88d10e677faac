/* With KITH_TEST_STANDBY in the environment the suite has a cluster of its own with a hot standby, on which its servers
 * read lists. "yes": each commit waits until the standby shows it, so that all lists come from there; "late": it is
 * 50 ms late, so that some may not. Without the variable servers are started as always. */
#ifndef KITH_TEST_API_READS_H
#define KITH_TEST_API_READS_H

#include <stdbool.h>

#include "test/lib/server/kith_server.h"

/* Makes the clusters, to which KITH_TEST_DATABASE_URL leads from then on; before the database is created. Ends the
 * process with a message on failure. */
void reads_open(void);

struct server_process *reads_serve(const struct program *p, const char *const settings[]);

/* After the database was dropped. False when the servers have not read on the standby what they might have. */
bool reads_close(void);

#endif
