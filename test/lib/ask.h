/* One exchange with all that belongs to it, for tests of the lanes (lanes.h). */
#ifndef KITH_TEST_ASK_H
#define KITH_TEST_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "store/db.h"
#include "store/sql.h"
#include "test/lib/lanes.h"

enum { ASK_STATEMENTS_MAX = 4 };

struct ask {
	struct db_exchange x;
	struct sql sql[ASK_STATEMENTS_MAX];
	struct sql *list[ASK_STATEMENTS_MAX];
	struct arena arena;
	struct lanes *w;
	int done;  /* times */
	int times; /* to send it again from done */
};

/* A workspace that tests may name. */
extern const struct uuid ask_workspace;

/* Without statements; ask_free() ends it. */
struct ask *ask_new(struct lanes *w, enum db_lane lane);
/* One more statement of no workspace; answers it, for its parameters. */
struct sql *ask_system(struct ask *a, const char *name, const char *text);
/* Both of them. */
struct ask *ask_text(struct lanes *w, enum db_lane lane, const char *text);
/* The same exchange, for other statements. */
void ask_restart(struct ask *a);
void ask_send(struct ask *a);
/* Sends and waits for its end. */
enum db_status ask_run(struct ask *a);
void ask_free(struct ask *a);

/* A statement from beginning to end. */
enum db_status ask_once(struct lanes *w, enum db_lane lane, const char *text);
/* The number that it answers, by the work lane. */
int64_t ask_int(struct lanes *w, const char *text);

#endif
