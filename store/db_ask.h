/* An exchange together with its statements and their arena. */
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

/* Begins an exchange without statements. After db_ask_end() it may begin again. */
void db_ask_begin(struct db_ask *a);

/* Adds a statement, which the caller begins in a->arena. */
struct sql *db_ask_add(struct db_ask *a);

/* Adds a statement that is allocated in a->arena. */
void db_ask_put(struct db_ask *a, struct sql *s);

/* Fills in the exchange without sending it; done gets &a->x, with this owner. */
void db_ask_fill(struct db_ask *a, enum db_lane lane, void (*done)(struct db_exchange *x), void *owner);

/* Sends the statements. Other members of a->x may be set before. done gets &a->x, with this owner. */
void db_ask_send(struct db_ask *a, struct db *db, enum db_lane lane, void (*done)(struct db_exchange *x), void *owner);

/* Sends them on the lane DB_WORK and waits, as db_run() does. */
enum db_status db_ask_run(struct db_ask *a, struct db *db);

/* Frees the results and the statements. */
void db_ask_end(struct db_ask *a);

#endif
