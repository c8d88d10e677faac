/* A group with objects of the type "deal", on two servers: for tests with many concurrent writes. */
#ifndef KITH_TEST_LIB_MODEL_DEALS_H
#define KITH_TEST_LIB_MODEL_DEALS_H

#include "test/lib/flow.h"

struct deals {
	const char *group, *in_group; /* its id; a member "groups" with it */
	const char *target;           /* the URL path of its objects */
};
extern struct deals deals;

/* RIG() with two servers, and the group. */
#define DEALS(title, ...)                                                                                              \
	static void deals_begin(void)                                                                                  \
	{                                                                                                              \
		flow_open(&(const struct rig_plan){.name = title, .servers = 2, __VA_ARGS__});                         \
		deals_make();                                                                                          \
	}                                                                                                              \
	AROUND_ALL(deals_begin, flow_close)

/* Called by DEALS(). */
void deals_make(void);

/* As Ada; the answer must be a 200. */
struct caller_answer deals_post(const char *target, const char *body);
/* A custom field of "person", "company" or "deal"; rest: further members of the body. */
void deals_field(const char *entity, const char *name, const char *rest);

/* The number of exchanges in the access line of a request to the first server. */
int deals_exchanges(const struct caller_answer *a);

#endif
