/* Exclusive transactions of a workspace take turns within a process.
 *
 * A delete, a merge or a change of settings excludes the other writes of its workspace. PostgreSQL serves those that
 * wait for a lock in their order, so many exclusive ones in a row would stop all others, and each would hold a
 * connection meanwhile. Therefore one of a workspace runs or waits in the database, and the others wait here, without
 * a connection. Writes that have come in between go first. Users take turns: the next one is of another user, if there
 * is one. Between processes a lock of its own does the same (transaction_open.c). */
#ifndef KITH_SERVER_REQUEST_TURNS_H
#define KITH_SERVER_REQUEST_TURNS_H

#include "server/request/request.h"

enum {
	TURNS_WAITING_OF_USER = 64, /* a 503 beyond this number, and after this time */
	TURNS_WAIT_MS = 10000
};

struct server;

/* Before a transaction is opened. True: it may be, now or because it excludes nobody. False: it waits, and
 * transaction_send() is called in its turn, or it ends with a 503. */
bool turns_enter(struct req *r);

/* To be called when the request has ended, in every case. */
void turns_release(struct req *r);

/* At the end of each turn of the loop: ends those that have waited too long. */
void turns_flush(struct server *s);

/* For when the server stops: answers those waiting. */
void turns_stop(struct server *s);

#endif
