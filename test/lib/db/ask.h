/* An exchange with its statements and arena, for tests of the lanes (lanes.h). */
#ifndef KITH_TEST_LIB_DB_ASK_H
#define KITH_TEST_LIB_DB_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "store/db.h"
#include "store/sql.h"
#include "test/lib/db/lanes.h"

enum { ASK_STATEMENTS_MAX = 4 };

struct ask {
	struct db_exchange x;
	struct sql sql[ASK_STATEMENTS_MAX];
	struct sql *list[ASK_STATEMENTS_MAX];
	struct arena arena;
	struct lanes *w;
	int done;  /* number of calls */
	int times; /* how often to send it again from done */
};

/* A workspace that tests may name. */
extern const struct uuid ask_workspace;

/* Without statements; freed by ask_free(). */
struct ask *ask_new(struct lanes *w, enum db_lane lane);
/* Adds a system statement; returns it, for its parameters. */
struct sql *ask_system(struct ask *a, const char *name, const char *text);
/* Both. */
struct ask *ask_text(struct lanes *w, enum db_lane lane, const char *text);
/* Resets the exchange for other statements. */
void ask_restart(struct ask *a);
void ask_send(struct ask *a);
/* Sends and waits. */
enum db_status ask_run(struct ask *a);
void ask_free(struct ask *a);

/* Runs a single statement. */
enum db_status ask_once(struct lanes *w, enum db_lane lane, const char *text);
/* The same on the work lane; it must succeed. */
void ask_do(struct lanes *w, const char *text);
/* The number returned by a statement on the work lane. */
int64_t ask_int(struct lanes *w, const char *text);

#endif
