/* An exchange with all that belongs to it: its statements and the arena in which they lie. */
#ifndef KITH_STORE_DB_ASK_H
#define KITH_STORE_DB_ASK_H

#include <stdbool.h>

#include "server/base/arena.h"
#include "store/db.h"
#include "store/sql.h"

struct db_ask {
	struct db_exchange x;
	struct arena arena; /* of the statements and their parameters */
	struct sql **statements;
	int n, cap;
	bool busy; /* begun and not ended */
};

/* Without statements; db_ask_end() ends it, and it may be begun again. */
void db_ask_begin(struct db_ask *a);

/* One more statement, which the caller begins in a->arena. */
struct sql *db_ask_add(struct db_ask *a);

/* One that lies in a->arena already. */
void db_ask_put(struct db_ask *a, struct sql *s);

/* Sends them; what else the exchange needs may be set in a->x before. done is told &a->x, whose owner is owner. */
void db_ask_send(struct db_ask *a, struct db *db, enum db_lane lane, void (*done)(struct db_exchange *x), void *owner);

/* Sends them and waits, as db_run() does. */
enum db_status db_ask_run(struct db_ask *a, struct db *db, enum db_lane lane);

/* Frees the results and the statements. */
void db_ask_end(struct db_ask *a);

#endif
