/* The frame of tests of webhooks: receivers and webhooks that end with their case.
 *
 *	HOOKS("webhooks_order", .neighbour = true);
 *
 *	TEST(a_person_arrives)
 *	{
 *		struct receiver *r = RECEIVE(.behaviour = {.status = 202});
 *
 *		hooked_make(&ada, receiver_url(r, "/"), NULL);
 *		hook_rig_person("Grace");
 *		assert_true(receiver_wait(r, 1, 10000));
 *	} */
#ifndef KITH_TEST_LIB_WEBHOOK_HOOK_RIG_H
#define KITH_TEST_LIB_WEBHOOK_HOOK_RIG_H

#include "test/lib/rows.h"
#include "test/lib/webhook/hooked.h"

/* RIG(), and hook_rig_end() after each case. */
#define HOOKS(...)                                                                                                     \
	RIG(__VA_ARGS__);                                                                                              \
	AROUND_EACH(NULL, hook_rig_end)

/* A receiver that is stopped after the case: members of struct receiver_config. */
#define RECEIVE(...) hook_rig_receive(&(struct receiver_config){__VA_ARGS__})

struct receiver *hook_rig_receive(const struct receiver_config *config);

/* Creates a person as Ada; returns the id. */
const char *hook_rig_person(const char *first_name);

/* The id of a webhook as the database has it. */
const char *hook_rig_bare(struct hooked h);

/* Stops the receivers of RECEIVE(), and deletes all webhooks except the neighbour's. */
void hook_rig_end(void);

#endif
