/* Streaming replication between clusters of cluster.h, and what happens to machines. cluster_standby() makes a standby,
 * cluster_promote() promotes it. */
#ifndef KITH_TEST_LIB_DB_STANDBY_H
#define KITH_TEST_LIB_DB_STANDBY_H

#include <stdbool.h>
#include <stdint.h>

#include "test/lib/db/cluster.h"

/* From now on each commit on primary waits until a standby has it on disk (wait = true), or for none. A standby made
 * or rejoined before does not take the setting over. Returns when a standby is synchronous. */
bool standby_synchronous(struct cluster *primary, bool wait);

/* Waits until primary has that many standbys that stream, false after ms. */
bool standby_await(const struct cluster *primary, int n, int64_t ms);

/* Waits until every standby of primary has replayed what primary has written up to now; false after ms. */
bool standby_await_replay(const struct cluster *primary, int64_t ms);

/* From now on c, a standby, replays nothing that it gets. */
bool standby_pause(const struct cluster *c);
/* It goes on; returns when it has replayed what primary has written up to now, false after ms. */
bool standby_resume(const struct cluster *c, const struct cluster *primary, int64_t ms);

/* Makes c, an old primary that does not run, a standby of primary by pg_rewind. Starts it, and returns when it streams.
 * What only c had is lost. */
bool standby_rejoin(struct cluster *c, const struct cluster *primary);

/* Stops all processes of the cluster (SIGSTOP): it accepts connections, and answers nothing. */
void standby_freeze(const struct cluster *c);
/* They go on. */
void standby_thaw(const struct cluster *c);
/* Kills all processes of the cluster, frozen or not, as when its machine loses power. */
void standby_cut_off(const struct cluster *c);

#endif
