/* Clients of a workspace that moves between cells: writers whose every request is done exactly once, and a follower of
 * the feed. They go where a 421 sends them, with the same key and cursor. */
#ifndef KITH_TEST_LIB_SERVER_MOVERS_H
#define KITH_TEST_LIB_SERVER_MOVERS_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/base/id.h"
#include "test/lib/http/caller.h"

enum { MOVERS = 3, MOVER_MADE_MAX = 200000 };

/* A user of another workspace, who reads and writes at a steady pace. */
enum { BYSTANDER_MAX = 100000 };
struct bystander {
	struct caller caller;
	pthread_t thread;
	atomic_bool stop;
	int failed, n;
	int32_t took_us[BYSTANDER_MAX];
};
void bystander_start(struct bystander *b, const char *key, const char *base);
/* False: a request failed. Prints how long they took. */
bool bystander_end(struct bystander *b, const char *when);

struct receiver;
struct movers {
	const char *key;
	int pause_ms;  /* between the requests of a writer */
	char base[64]; /* where they begin */
	atomic_bool stop;
	struct mover {
		struct movers *all;
		pthread_t thread;
		int i, made;     /* people made */
		int64_t held_us; /* the longest time that a write was refused with 503 */
		int moved, retried;
		char (*ids)[ID_SIZE];
	} writers[MOVERS];
	struct moved_follower {
		pthread_t thread;
		char cursor[600];
		int n, cap;
		char (*ids)[ID_SIZE]; /* of the people whose creation it saw, in order */
		int moved;
	} follower;
};

/* Starts them; cursor: from which the follower goes on. */
void movers_start(struct movers *m, const char *key, const char *base, const char *cursor, int pause_ms);
/* Ends the writers, lets the follower read to the end, and checks that each person was made once, that the follower saw
 * each creation once, and that a retry at "base" is answered as before. False with a message. */
bool movers_end(struct movers *m, const char *base);
/* Checks that the receiver has taken the creation of each person once. */
bool movers_delivered(struct movers *m, struct receiver *r);
void movers_free(struct movers *m);

/* The longest time that writes were held. */
int64_t movers_held_ms(const struct movers *m);
int movers_made(const struct movers *m);

/* Sends the caller to the address in a 421; false if it is none. */
bool mover_follows(struct caller *c, const struct caller_answer *a);

#endif
