/* Sends events to webhooks. One process of those on a database does so, elected by a session advisory lock; any
 * other can take over. Each webhook is a reader with its own position in the workspace's events: it reads forward
 * when it has room, matches, sends, and writes outcomes in batches. So a dead or slow receiver delays no other, and
 * a backlog stays in the database instead of memory. */
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
	int clock_scale;        /* divisor of every schedule */
	/* Called after the dispatcher has committed an event of its own. */
	loop_fn *committed;
	void *ctx;
};

struct dispatcher *dispatch_start(const struct dispatch_config *c);
/* Something was committed, in this process or another: poll soon. */
void dispatch_wake(struct dispatcher *d);
/* Starts nothing more. Calls stopped from the loop when nothing is in progress and all outcomes are written, or
 * after ms milliseconds. */
void dispatch_stop(struct dispatcher *d, int ms, loop_fn *stopped, void *ctx);
void dispatch_free(struct dispatcher *d);

#endif
