/* Writes that may share a transaction (server/request/joint.h), for programs with RIG("…", .faults = true): a crowd
 * whose members each send one request. The fault point joint_hold makes the server wait a little for all of them. */
#ifndef KITH_TEST_LIB_HTTP_MEMBERS_H
#define KITH_TEST_LIB_HTTP_MEMBERS_H

#include <stdint.h>

#include "test/lib/flow.h"

enum { MEMBERS = 8 };

/* What a member sends, and its answer. */
struct joint_member {
	const char *method, *target, *body, *once, *trace, *if_match, *via;
	struct caller caller;
	struct caller_answer answer;
};
extern struct joint_member members[MEMBERS];

/* Fault orders beside joint_hold: lines, each with its line feed. */
void members_order(const char *more);

/* Ada's and Ben's in turn; they post people. */
void members_begin(void);
/* The same; each person has that last name, and the member's number as the first name. */
void members_begin_people(const char *name);
/* Gives every step-th member an idempotency key. */
void members_give_keys(const char *name, int step);
/* Sends member i's request; for caller_crowd_run(). */
void member_send(void *ctx, int i);
void members_send(void);
void members_end(void);

/* Each has a 200 with its own first name. */
void members_expect_own_answers(void);
/* A 200 was done once, a 503 not at all, and nobody has another answer. */
void members_expect_outcomes(const char *name);

/* People of that last name, the transactions that wrote them, and their events. */
int64_t members_people(const char *name);
int64_t members_transactions(const char *name);
int64_t members_events(const char *name);

#endif
