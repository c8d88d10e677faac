/*
 * Sends events to webhooks. One process of all on a database does it, elected by a
 * session advisory lock; any other takes over. Each webhook is a reader of its own:
 * it has a position in the workspace's events, reads forward from it when it has
 * room, matches, sends, and writes in batches what came of it. So a dead or slow
 * receiver delays nobody, and a backlog lies in the database, not in memory.
 */
#ifndef KITH_WEBHOOK_DISPATCH_H
#define KITH_WEBHOOK_DISPATCH_H

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
	int clock_scale;        /* divides every schedule */
	/* Called when it has committed an event of its own; NULL: nobody cares. */
	loop_fn *committed;
	void *ctx;
};

struct dispatcher *dispatch_start(const struct dispatch_config *c);
/* Something was committed, here or elsewhere: look soon. */
void dispatch_wake(struct dispatcher *d);
/* Begins nothing more; calls stopped from the loop when nothing is under way and what came of it is
 * written, or after so many milliseconds. */
void dispatch_stop(struct dispatcher *d, int ms, loop_fn *stopped, void *ctx);
void dispatch_free(struct dispatcher *d);

/* Milliseconds until the next attempt after so many that failed, ±10 % by random (0 to 1); -1: there is none. */
int64_t dispatch_retry_ms(int failed, double random);

#endif
