/* For tests of delivery: a loop, a nameserver, a resolver and a deliverer in this process. What goes wrong fails the
 * test. */
#ifndef KITH_TEST_DELIVERY_H
#define KITH_TEST_DELIVERY_H

#include "server/base/loop.h"
#include "test/lib/nameserver.h"
#include "webhook/deliver.h"

struct delivery {
	struct loop *loop;
	struct nameserver *names;
	struct resolver *resolver;
	struct target_rules *rules;
	struct deliverer *deliverer;
	struct deliver_config config;
};

/* allow: exceptions of the address rule, NULL: none. Unset members of c get defaults: a timeout of 500 ms. */
void delivery_start(struct delivery *d, const char *allow, struct deliver_config c);
void delivery_stop(struct delivery *d);

/* One delivery of "{}" to the URL, which the rule must let pass; returns when it is done. */
struct deliver_result delivery_send(struct delivery *d, const char *url);

/* Several at once. */
struct delivery_batch {
	struct deliver_result *results;
	int n, done;
};
/* Begins n deliveries of body; a batch may get more. Freed by delivery_finish(). */
void delivery_begin(struct delivery *d, struct delivery_batch *b, const char *url, int n, const char *body, size_t len);
/* Turns the loop until all are done; false when that takes longer than ms. */
bool delivery_wait(struct delivery *d, struct delivery_batch *b, int ms);
void delivery_finish(struct delivery_batch *b);

/* What each of n deliveries of "{}", begun at once, takes of this process's memory at the most, in bytes. */
size_t delivery_cost(struct delivery *d, const char *url, int n);

/* Turns the loop for so long, or until the condition holds; then what it says. */
bool delivery_turn(struct delivery *d, int ms, bool (*holds)(void *ctx), void *ctx);

#endif
