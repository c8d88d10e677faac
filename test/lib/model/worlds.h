/* The frame of programs of test/flow that send the isolation suite's requests (isolation.h) to the servers of RIG().
 *
 *	WORLDS("queries", .servers = 2);
 *
 * A case fails if it has reported failures with suite_fail(). */
#ifndef KITH_TEST_LIB_MODEL_WORLDS_H
#define KITH_TEST_LIB_MODEL_WORLDS_H

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/model/isolation.h"

extern struct suite suite; /* its client asks the last server */

#define WORLDS(...)                                                                                                    \
	static void worlds_begin(void)                                                                                 \
	{                                                                                                              \
		flow_open(&(const struct rig_plan){__VA_ARGS__});                                                      \
		worlds_open();                                                                                         \
	}                                                                                                              \
	AROUND_ALL(worlds_begin, worlds_close);                                                                        \
	AROUND_EACH(NULL, worlds_judge)

/* Sends a body to a route, "PATCH /v1/people/{personId}", with the ids of the world. */
struct client_reply world_ask(struct world *w, const char *route, const char *body);
/* The answer must be a 200: another one ends the case. world_must() returns its data. */
struct client_reply world_good(struct world *w, const char *route, const char *body);
const struct json *world_must(struct world *w, const char *route, const char *body);

/* Called by WORLDS(). */
void worlds_open(void);
void worlds_close(void);
void worlds_judge(void);

#endif
