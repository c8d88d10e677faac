/* The cost of a request for the server: the processor time of the loop's longest turn, and the highest memory. */
#ifndef KITH_TEST_LIB_SERVER_COST_H
#define KITH_TEST_LIB_SERVER_COST_H

#include "test/lib/http/caller.h"
#include "test/lib/server/kith_server.h"

struct cost {
	int64_t turn_us; /* 0: no turn was long enough to be logged */
	long memory_kb;  /* in addition to the idle server's */
};

/* To be called before the server is started: makes the address sanitizer reuse freed memory, as without it. */
void cost_prepare(void);
/* Measures this server from now on; it must log at level debug. Its current memory counts as idle. */
void cost_of(struct server_process *s);
/* Sends a request as caller_send() does. */
struct caller_answer cost_send(
    struct caller *c, const char *method, const char *target, const char *once, const char *body, struct cost *cost);

#endif
