/* Requests of the load, and what may be answered to them. */
#ifndef KITH_TEST_SOAK_SOAK_LOAD_H
#define KITH_TEST_SOAK_SOAK_LOAD_H

#include "test/lib/http/client.h"
#include "test/soak/soak.h"

/* A user's connection, to either server. */
struct load_client {
	struct client *client;
	const struct soak_space *space;
	const char *key;
	int side, generation; /* where it is connected */
	unsigned chance;
	bool outage; /* the last answer is one of an outage: what was done is unknown */
};

void load_client_init(struct load_client *c, const struct soak_space *space, const char *key, int number);
void load_client_free(struct load_client *c);
unsigned load_draw(struct load_client *c, unsigned below);

/* Sends to the client's server, or after a failure to the other one; what a rate limit refuses, again. Status 0: no
 * answer. Finds answers that hold other workspaces' marks, and failures outside of outages. once: an
 * Idempotency-Key, or NULL. */
void load_send(struct load_client *c, struct arena *a, const char *method, const char *target, const char *once,
    const char *body, struct client_reply *reply);
/* Continues at the other server. */
void load_turn(struct load_client *c);

/* Sends a keyed request until its outcome is known: NULL when the time is over. */
bool load_settle(struct load_client *c, struct arena *a, const char *method, const char *target, const char *once,
    const char *body, struct client_reply *reply);

/* data.id of an answer; "" without. */
const char *load_id(struct arena *a, const struct client_reply *reply);

#endif
