/*
 * How far the events of a database are complete, and certain to stay so.
 *
 * Below pg_snapshot_xmin() every transaction has ended. But after a crash the
 * numbers of transactions of which the log on disk knows nothing are given out
 * again: a position that was made of such a number would pass over new events.
 * A sample becomes the horizon once the log is on disk up to where it was
 * written when the sample was taken.
 *
 * Numbers belong to a generation (migrations/0006_events.sql). When a sample is of a newer one,
 * what is known of the older is forgotten: all its events are below the new one's beginning.
 */
#ifndef KITH_STORE_HORIZON_H
#define KITH_STORE_HORIZON_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

struct horizon_point {
	int64_t generation;
	uint64_t xid;  /* every transaction of the generation below has ended, for good; 0: its beginning */
	int64_t at_ms; /* the database's clock when that was seen */
};

struct horizon {
	struct horizon_point point;

	/* not on disk yet; 0: none */
	uint64_t next_xid, next_written;
	int64_t next_at_ms, next_backend;
};

/* The columns that horizon_read() reads, of a connection that lives long: ", kith_generation(), …". */
extern const char horizon_columns[];
enum { HORIZON_COLUMNS = 6 };

/* Takes a sample out of a result; column is the first of them. Samples may come in any order. Answers the sample's
 * generation. What connects later says that it has seen so much. */
int64_t horizon_read(struct horizon *h, struct db *db, const struct db_exchange *x, int statement, int row, int column);

/* The same for what was read together with a sample, on any connection: the lower of the sample's and the horizon. */
struct horizon_point horizon_of(
    const struct horizon *h, const struct db_exchange *x, int statement, int row, int column);

/* Finds the first one, at the start of a process, by something that waits for the disk; blocks in the loop as
 * db_run() does. false when the database did not do it; what it said
 * instead is in *asked. */
bool horizon_first(struct horizon *h, struct db *db, struct db_exchange *asked);

/*
 * The version of a workspace w as caches compare it, with g the row of event_generation: after a failover that lost
 * commits the same versions come again, for something else. Behind a newer generation all are greater.
 */
#define HORIZON_VERSION "(g.generation << 20) + w.version"
int64_t horizon_version(int64_t generation, int64_t version);

#endif
