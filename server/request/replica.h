/* Reads lists from a standby (the setting replica_url), so that the primary has less work.
 *
 * No list is older than its workspace's last write, whichever process wrote it. When a list is to be read, one look-up
 * on the primary finds the number of the workspace's latest transaction, by the index of its events. The standby has
 * this transaction and all before it if the xmin of the snapshot there is greater. This is asked in the same snapshot
 * as the list. Otherwise, and after any failure of the standby, the list is read on the primary, as without this
 * setting.
 *
 * No list is newer than the primary, either. A standby shows a commit as soon as it has replayed it. The primary shows
 * it after its log is on disk and the synchronous standbys have confirmed it, which may take long. So the look-up also
 * returns the primary's snapshot, and what the standby shows of the workspace must be visible in that snapshot.
 *
 * Lag is compared in transactions, never in time. A standby that is paused, cut off or restarted has an old snapshot. A
 * server that was promoted is not in recovery. A server of another history has another generation (store/horizon.h). */
#ifndef KITH_SERVER_REQUEST_REPLICA_H
#define KITH_SERVER_REQUEST_REPLICA_H

#include "server/request/request.h"
#include "store/db_ask.h"

/* Where lists were read, and why some were read on the primary although they were meant for the standby. */
enum replica_result {
	REPLICA_READ,   /* on the standby */
	REPLICA_ABSENT, /* the standby has no connection, or too many lists wait for one */
	REPLICA_BEHIND, /* the standby lacks the workspace's last write, or no longer belongs to this history */
	REPLICA_AHEAD,  /* the standby showed a change that the primary did not show yet */
	REPLICA_FAILED, /* the standby did not answer in time, or refused */
	REPLICA_RESULTS
};
extern const char *const replica_results[REPLICA_RESULTS];

struct replica;

/* Starts connecting; nothing waits for it. Does nothing without the setting. */
void replica_start(struct server *s);
/* Closes the connections: running reads go to the primary. Call it before the connections of the primary are closed. */
void replica_stop(struct server *s);
void replica_free(struct server *s);

/* True when the standby may read the request's next exchange on LIST. */
bool replica_takes(const struct req *r);
/* Sends the exchange to the standby, then, if necessary, to LIST. done gets the result of the one that succeeds, with r
 * as owner. */
void replica_send(struct req *r, struct db_ask *list, void (*done)(struct db_exchange *x));

/* Sends the look-ups of this turn. Call it at the end of the turn, before db_flush(). */
void replica_flush(struct server *s);

/* Returns a statement of replica.sql for the days that the look-up reads: the day of the floor and today. prepared gets
 * the name under which it is prepared: each pair of days is a text of its own. */
const char *replica_text(struct arena *a, const char *name, int64_t floor_ms, int64_t now_ms, const char **prepared);

/* Its connections; NULL: there is no standby. */
const struct db *replica_db(const struct server *s);
uint64_t replica_count(const struct server *s, enum replica_result result);

#endif
