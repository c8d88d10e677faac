/* The frame of most programs of test/flow:
 *
 *	#include "test/lib/flow.h"
 *
 *	RIG("people");
 *
 *	TEST(an_empty_person_is_stored)
 *	{
 *		assert_int_equal(caller_send(&ada, "POST", "/v1/people", NULL, "{}").status, 200);
 *	}
 *
 * RIG starts a database with a workspace and its users Ada (an admin) and Ben (a member), servers, and a caller for
 * each of the two. In the end it stops all servers, also those of a test, and fails if one of them did
 * not end well. */
#ifndef KITH_TEST_LIB_FLOW_H
#define KITH_TEST_LIB_FLOW_H

#include "test/lib/http/caller.h"
#include "test/lib/rig.h"
#include "test/lib/test.h"

enum { RIG_NO_SERVER = -1 };

/* Of RIG(); what is not named is zero. */
struct rig_plan {
	const char *name;                           /* of the database and the workspace */
	int servers;                                /* 0: one */
	const char *settings[RIG_SETTINGS_MAX + 1]; /* of the servers, besides those of rig_serve() */
	bool own_cluster;                           /* which may be restarted */
	bool neighbour;                             /* rig_neighbour() */
	bool keep_little;                           /* rig_keep_little() */
	bool faults;                                /* the servers read fault orders from rig.orders */
};

extern struct rig rig;
extern struct server_process *servers[RIG_SERVERS_MAX];
extern struct server_process *server; /* the first one */
extern struct caller ada, ben;        /* on the first and on the last server; without one on none */

/* RIG("name", .servers = 2, .settings = {"clock_scale=20"}); see struct rig_plan. */
#define RIG(...)                                                                                                       \
	static void rig_begin(void)                                                                                    \
	{                                                                                                              \
		flow_open(&(const struct rig_plan){__VA_ARGS__});                                                      \
	}                                                                                                              \
	AROUND_ALL(rig_begin, flow_close)

/* A text in Ada's arena. */
#define TEXT(...) arena_printf(&ada.arena, __VA_ARGS__)
/* Ada's request: the body, then the target with its values. MAKE() and POST() create and must get a 200; POST() returns
 * the id. */
#define SEND(method, body, ...) caller_send(&ada, method, TEXT(__VA_ARGS__), NULL, body)
#define MAKE(body, ...) caller_good(SEND("POST", body, __VA_ARGS__))
#define POST(body, ...) MAKE(body, __VA_ARGS__).id

/* Runs statements that change what rows.h does not: tables, triggers, statistics. */
#define SQL(...) rig_sql(&rig, __VA_ARGS__)

/* Called by RIG(). */
void flow_open(const struct rig_plan *plan);
void flow_close(void);

#endif
