/* For tests of delivery: a loop, a nameserver, a resolver and a deliverer in this process. Errors fail the test. */
#ifndef KITH_TEST_LIB_WEBHOOK_DELIVERY_RIG_H
#define KITH_TEST_LIB_WEBHOOK_DELIVERY_RIG_H

#include "server/base/loop.h"
#include "test/lib/http/nameserver.h"
#include "webhook/deliver.h"

struct delivery {
	struct loop *loop;
	struct nameserver *names;
	struct resolver *resolver;
	struct target_rules *rules;
	struct deliverer *deliverer;
	struct deliver_config config;
};

/* allow: exceptions to the rule for targets, NULL: none. Unset members of c get defaults: a timeout of 500 ms. */
void delivery_start(struct delivery *d, const char *allow, struct deliver_config c);
void delivery_stop(struct delivery *d);

/* Delivers "{}" to the URL, which the rule must allow; returns when done. */
struct deliver_result delivery_send(struct delivery *d, const char *url);

/* Several at once. */
struct delivery_batch {
	struct deliver_result *results;
	int n, done;
};
/* Starts n deliveries of body; may be called again for the same batch. Freed by delivery_finish(). */
void delivery_begin(struct delivery *d, struct delivery_batch *b, const char *url, int n, const char *body, size_t len);
/* Runs the loop until all are done; false after ms. */
bool delivery_wait(struct delivery *d, struct delivery_batch *b, int ms);
void delivery_finish(struct delivery_batch *b);

/* The peak memory per delivery, in bytes, of n concurrent deliveries of "{}". */
size_t delivery_cost(struct delivery *d, const char *url, int n);

/* Runs the loop for ms, or until the condition holds; returns whether it holds. */
bool delivery_turn(struct delivery *d, int ms, bool (*holds)(void *ctx), void *ctx);

#endif
