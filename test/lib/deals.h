/* A group with objects of the type "deal", on two servers: for the tests of many writes at once. */
#ifndef KITH_TEST_DEALS_H
#define KITH_TEST_DEALS_H

#include "test/lib/caller.h"
#include "test/lib/rig.h"

struct deals {
	struct rig rig;
	struct server *servers[2];
	struct caller ada;            /* at the first */
	const char *group, *in_group; /* its id; a member "groups" that names it */
	const char *target;           /* where its objects are */
};

/* Ends the process when something fails. */
void deals_open(struct deals *d, const char *name);
bool deals_close(struct deals *d);

/* The answer, which must be a 200. */
struct answer deals_good(struct answer a);
/* Ada's. */
struct answer deals_post(struct deals *d, const char *target, const char *body);
/* A custom field of "person", "company" or "deal"; rest: further members of the body. */
void deals_field(struct deals *d, const char *entity, const char *name, const char *rest);

#endif
