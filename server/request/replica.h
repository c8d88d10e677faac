/* Lists from a standby (the setting replica_url), which takes their work off the primary.
 *
 * No list is older than its workspace's last write, whichever process wrote it. When a list is to be read, one look-up
 * on the primary finds the number of the workspace's latest transaction, by the index of its events. The standby has
 * it, and all before it, if the snapshot's xmin there is greater; this is asked in the same snapshot as the list. Else,
 * and whatever fails on the standby, the list is read on the primary, as without this setting.
 *
 * Nor is a list newer than the primary. A standby shows a commit as soon as it has replayed it; the primary shows it
 * after its log is on disk and the synchronous standbys have confirmed it, which may take long. So the look-up also
 * returns the primary's snapshot, and what the standby shows of the workspace must be visible in that one.
 *
 * Lag is compared in transactions, never in time: a standby that is paused, cut off or restarted has an old snapshot,
 * one that was promoted is not in recovery, one of another history has another generation (store/horizon.h). */
#ifndef KITH_SERVER_REQUEST_REPLICA_H
#define KITH_SERVER_REQUEST_REPLICA_H

#include "server/request/request.h"
#include "store/db_ask.h"

/* Where lists were read; and why on the primary, though they might have come from the standby. */
enum replica_result {
	REPLICA_READ,   /* on the standby */
	REPLICA_ABSENT, /* it has no connection, or too many lists wait for one */
	REPLICA_BEHIND, /* it lacked what the workspace has written, or is no standby of this history any more */
	REPLICA_AHEAD,  /* it showed what the primary did not show yet */
	REPLICA_FAILED, /* it did not answer in time, or refused: it was stopped, or its recovery came first */
	REPLICA_RESULTS
};
extern const char *const replica_results[REPLICA_RESULTS];

struct replica;

/* Starts connecting; nothing waits for it. Without the setting there is none. */
void replica_start(struct server *s);
/* Closes the connections: reads in progress go to the primary. To be called before the primary's are closed. */
void replica_stop(struct server *s);
void replica_free(struct server *s);

/* True when the request's next exchange on LIST may be read on the standby. */
bool replica_takes(const struct req *r);
/* Sends it there, then, if need be, to LIST. done gets the result of either, with r as owner. */
void replica_send(struct req *r, struct db_ask *list, void (*done)(struct db_exchange *x));

/* Sends the look-ups of this turn; to be called at its end, before db_flush(). */
void replica_flush(struct server *s);

/* The days of events, of an "events e", that the look-up reads: of the floor and of now, or of two around midnight. */
const char *replica_days(struct arena *a, int64_t floor_ms, int64_t now_ms);

/* Its connections; NULL: there is no standby. */
const struct db *replica_db(const struct server *s);
uint64_t replica_count(const struct server *s, enum replica_result result);

#endif
