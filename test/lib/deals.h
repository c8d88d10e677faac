/* A group with objects of the type "deal", on two servers: for tests with many concurrent writes. */
#ifndef KITH_TEST_LIB_DEALS_H
#define KITH_TEST_LIB_DEALS_H

#include "test/lib/caller.h"
#include "test/lib/rig.h"

struct deals {
	struct rig rig;
	struct server_process *servers[2];
	struct caller ada;            /* on the first server */
	const char *group, *in_group; /* its id; a member "groups" with it */
	const char *target;           /* the URL path of its objects */
};

/* Ends the process on failure. */
void deals_open(struct deals *d, const char *name);
bool deals_close(struct deals *d);

/* Returns the answer, which must be a 200. */
struct caller_answer deals_good(struct caller_answer a);
/* As Ada. */
struct caller_answer deals_post(struct deals *d, const char *target, const char *body);
/* A custom field of "person", "company" or "deal"; rest: further members of the body. */
void deals_field(struct deals *d, const char *entity, const char *name, const char *rest);

/* The number of exchanges in the access line of a request to the first server. */
int deals_exchanges(const struct deals *d, const struct caller_answer *a);

#endif
