/* Sends events to webhooks. Only one process of a database sends; a session advisory lock elects it, and any other
 * process can take over. Each webhook has its own position in the workspace's events. When it has room it reads further
 * events, matches them, sends them, and writes outcomes in batches. So a dead or slow receiver delays no other, and a
 * backlog stays in the database instead of memory. */
#ifndef KITH_WEBHOOK_DISPATCH_H
#define KITH_WEBHOOK_DISPATCH_H

#include "server/base/histogram.h"
#include "server/base/loop.h"
#include "store/db.h"
#include "webhook/deliver.h"
#include "webhook/vault.h"

struct dispatcher;

struct dispatch_config {
	struct loop *loop;
	struct db *db;
	struct deliverer *deliverer;
	const struct target_rules *rules;
	const struct vault *vault;
	const char *public_url; /* for source and url */
	int clock_scale;        /* divisor of every schedule */
	/* Called after the dispatcher has committed an event of its own. */
	loop_fn *committed;
	void *ctx;
};

struct dispatcher *dispatch_start(const struct dispatch_config *c);
/* Something was committed, in this process or another: poll soon. */
void dispatch_wake(struct dispatcher *d);
/* Starts no further work. Calls stopped from the loop when nothing is in progress and all outcomes are written, or
 * after ms milliseconds. */
void dispatch_stop(struct dispatcher *d, int ms, loop_fn *stopped, void *ctx);
void dispatch_free(struct dispatcher *d);

/* --- for /metrics (dispatch_send.c) --- */

enum {
	DISPATCH_COUNTED = 50, /* webhooks whose attempts are counted separately; all others share one further place */
	DISPATCH_BEHIND = 20   /* webhooks with work that metrics name */
};

/* Attempts of a webhook since this process counts them. After an hour without attempts another webhook gets its place.
 */
struct dispatch_count {
	struct uuid workspace, id; /* zero: the place of the others */
	struct histogram delivered, failed;
	uint64_t retries; /* attempts that were not the first */
	int64_t used_us;
};

/* A webhook with work, as far as memory knows. */
struct dispatch_behind {
	struct uuid workspace, id;
	int64_t behind_ms; /* since the first failure in a row, or since the event up to which everything is finished */
	int64_t failing_ms; /* since the first failure in a row; -1: the last attempt succeeded */
};

struct dispatch_stats {
	bool leads;                          /* this process sends */
	uint64_t events;                     /* events that became readable while it sent */
	int n_in_flight;                     /* attempts */
	const struct dispatch_count *counts; /* n_counts of them; the last one is of all other webhooks together */
	int n_counts;
	int n_behind, n_failing; /* webhooks with work, and those whose last attempt failed */
	struct dispatch_behind behind[DISPATCH_BEHIND + 1]; /* those that are furthest behind, in that order */
	int n_named;
};
void dispatch_stats_get(const struct dispatcher *d, struct dispatch_stats *out);

#endif
