/* Two servers, and things to delete that many records hold: for tests of removals. */
#ifndef KITH_TEST_LIB_MODEL_HELD_H
#define KITH_TEST_LIB_MODEL_HELD_H

#include "test/lib/flow.h"
#include "test/lib/model/follower.h"

enum { HELD_SERVERS = 2, HELD_PEOPLE = 7, HELD_COMPANIES = 5, HELD_OBJECTS = 7, HELD_WAIT_MS = 60000 };

/* Fault orders: three records count as many; and the job never runs. */
#define HELD_SMALL "small_removals 1 errors\n"
#define HELD_WAITING HELD_SMALL "removals_wait 1 errors\n"

struct held {
	const char *group, *kept; /* groups */
	const char *people[HELD_PEOPLE], *companies[HELD_COMPANIES], *objects[HELD_OBJECTS], *note, *task, *reminder;
};
extern struct held held;

/* For AROUND_ALL, with flow_close(): Ada and Ben are on different servers. */
void held_open(void);
/* Starts the servers, or starts killed ones again. */
void held_serve(const char *faults);

/* Creates new groups, fields, and records that hold them. */
void held_make(const char *visibility);

/* The number of items of a list; whether an answer contains the text; checks a request's status. */
int held_listed(struct caller *c, const char *target);
bool held_says(struct caller *c, const char *target, const char *text);
void held_expect(int status, struct caller *c, const char *method, const char *target, const char *body);

/* Waits until nothing is left to be removed. */
void held_let_go(void);

/* Starts counting events; the number of a record's events of a type. */
void held_mark(void);
int64_t held_events(const char *record, const char *type);

/* For follower_init(). held_follows(): checks that an earlier copy that has followed equals a fresh one; frees it. */
const char *held_base(void *ctx);
void held_follows(struct follower *f);

#endif
