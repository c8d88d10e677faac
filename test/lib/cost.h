/* What a request costs the server: the processor time of the longest turn of its loop, and its memory at the highest.
 */
#ifndef KITH_TEST_COST_H
#define KITH_TEST_COST_H

#include "test/lib/caller.h"
#include "test/lib/server.h"

struct cost {
	int64_t turn_us; /* 0: no turn was long enough to be logged */
	long memory_kb;  /* more than the idle server's */
};

/* Before the server is started: with the address sanitizer, memory that was freed is used again, as without it. */
void cost_prepare(void);
/* Of this server, which logs at the level debug, from now on; what it has now is its idle memory. */
void cost_of(struct server_process *s);
/* Sends a request as caller_send() does. */
struct caller_answer cost_send(
    struct caller *c, const char *method, const char *target, const char *once, const char *body, struct cost *cost);

#endif
