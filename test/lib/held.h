/* Two servers, and what is to be deleted while many records hold it: for the tests of removals. */
#ifndef KITH_TEST_HELD_H
#define KITH_TEST_HELD_H

#include "test/lib/deals.h"
#include "test/lib/follower.h"

enum { HELD_SERVERS = 2, HELD_PEOPLE = 7, HELD_COMPANIES = 5, HELD_OBJECTS = 7, HELD_WAIT_MS = 30000 };

/* Orders of faults: as if three records were many; and as if the job never came by. */
#define HELD_SMALL "small_removals 1 errors\n"
#define HELD_WAITING HELD_SMALL "removals_wait 1 errors\n"

struct held {
	struct rig rig;
	struct server *servers[HELD_SERVERS];
	struct caller ada, ben;   /* admin, member; of a server each */
	char orders[256];         /* the file of faults */
	const char *group, *kept; /* groups */
	const char *people[HELD_PEOPLE], *companies[HELD_COMPANIES], *objects[HELD_OBJECTS], *note, *task, *reminder;
};
extern struct held held;

/* Ada's requests; MAKE's and POST's must be a 200, POST answers the id. */
#define SEND(method, body, ...) caller_send(&held.ada, method, arena_printf(&held.ada.arena, __VA_ARGS__), NULL, body)
#define MAKE(body, ...) deals_good(SEND("POST", body, __VA_ARGS__))
#define POST(body, ...) MAKE(body, __VA_ARGS__).id
#define TEXT(...) arena_printf(&held.ada.arena, __VA_ARGS__)

/* For cmocka. */
int held_open(void **state);
int held_close(void **state);
/* Starts the servers, anew where they were killed. */
void held_serve(const char *faults);

/* Groups, fields, and records that hold them, afresh. */
void held_make(const char *visibility);

/* How many items a list has; whether an answer has the text; that a request is answered so. */
int held_listed(struct caller *c, const char *target);
bool held_says(struct caller *c, const char *target, const char *text);
void held_expect(int status, struct caller *c, const char *method, const char *target, const char *body);

/* Waits until nothing is left to remove. */
void held_let_go(void);

/* Events from here on are counted; how many a record has of a type. */
void held_mark(void);
int64_t held_events(const char *record, const char *type);

/* For follower_init(). And: who copied before holds what one holds who copies now; it is freed. */
const char *held_base(void *ctx);
void held_follows(struct follower *f);

#endif
