/* The horizon: the position below which the events of a database are complete and stay complete.
 *
 * Below pg_snapshot_xmin() every transaction has ended. But after a crash, transaction numbers that never reached
 * the log on disk are assigned again: a position made from such a number would skip new events. So a sample becomes
 * the horizon only when the log is on disk up to where it was written when the sample was taken.
 *
 * Numbers belong to a generation (migrations/0006_events.sql). A sample of a newer generation replaces everything
 * known: all events of older ones are below its beginning. */
#ifndef KITH_STORE_HORIZON_H
#define KITH_STORE_HORIZON_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

struct horizon_point {
	int64_t generation;
	uint64_t xid; /* all transactions of the generation below it have ended, even after a crash; 0: the beginning */
	int64_t at_ms; /* the database's clock at that time */
};

struct horizon_sample {
	struct horizon_point point;
	uint64_t written, flushed; /* positions of the log */
	int64_t backend;
};

struct horizon {
	struct horizon_point point;
	struct horizon_sample next; /* not on disk yet; xid 0: none */
};

/* The columns that horizon_read() reads, on a long-lived connection: ", kith_generation(), …". */
extern const char horizon_columns[];
enum { HORIZON_COLUMNS = 6 };

/* Takes a sample from a result; column is the first of its columns. Samples may arrive in any order. Returns the
 * sample's generation. Later connections are checked against it (db_seen()). */
int64_t horizon_read(struct horizon *h, struct db *db, const struct db_exchange *x, int statement, int row, int column);

/* The horizon for data that was read together with a sample, on any connection: the lower of the sample and the
 * known horizon. */
struct horizon_point horizon_of(
    const struct horizon *h, const struct db_exchange *x, int statement, int row, int column);

/* Begins a generation of events after all positions in the database, if no generation has begun. To be called before
 * connections join the generation, because they end when a later one begins. Fails like horizon_first(). */
bool horizon_settle(struct db *db, struct db_exchange *asked);
/* Determines the first horizon at process start with a write that waits for the disk; runs the loop as db_run()
 * does. False when the database failed, with its error in *asked. */
bool horizon_first(struct horizon *h, struct db *db, struct db_exchange *asked);

/* The version of workspace w that caches compare; g is the row of event_generation. A failover that lost commits uses
 * the same version numbers again for other content. So versions of a newer generation are made greater than all older
 * ones. */
#define HORIZON_VERSION "(g.generation << 20) + w.version"
int64_t horizon_version(int64_t generation, int64_t version);

#endif
