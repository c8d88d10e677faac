/* What operators see of a server: its listener of admin_listen, in tests. */
#ifndef KITH_TEST_LIB_SERVER_OPERATED_H
#define KITH_TEST_LIB_SERVER_OPERATED_H

#include <stdbool.h>
#include <stdint.h>

#include "test/lib/http/client.h"

struct operated {
	int port;
	char setting[40]; /* for rig_serve() */
	struct client *client;
	struct arena arena; /* of all its answers */
};

/* Chooses a free port. */
void operated_init(struct operated *o);
void operated_free(struct operated *o);

struct rig;
/* operated_init(), and a server with that listener. faulty: it obeys the fault orders of the rig. */
struct server_process *operated_serve(struct operated *o, struct rig *r, bool faulty);

/* Continues on a new connection. */
void operated_turn(struct operated *o);

/* Sends a request; the answer's status is 0 without one. */
struct client_reply operated_send(struct operated *o, const char *method, const char *target);
/* The value of a sample of /metrics, "kith_build_info{version=\"1\"}" as it is written there; -1: there is none. */
double operated_value(struct operated *o, const char *sample);
/* The value of kith_replica_reads_total with that result. */
int64_t operated_reads(struct operated *o, const char *result);
/* Waits until a sample has at least that value; false after ms. */
bool operated_until(struct operated *o, const char *sample, double value, int ms);

#endif
