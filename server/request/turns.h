/* Exclusive transactions of a workspace take turns within a process.
 *
 * A delete, a merge or a change of settings excludes the other writes of its workspace. PostgreSQL serves waiting lock
 * requests in order, so many exclusive ones in a row would stop all other writes, and each would hold a connection
 * meanwhile. Therefore only one of a workspace runs or waits in the database. The others wait here, without a
 * connection, and writes that have arrived in between go first. Users take turns: the next change is another user's, if
 * there is one. Between processes an extra lock does the same (transaction_open.c). */
#ifndef KITH_SERVER_REQUEST_TURNS_H
#define KITH_SERVER_REQUEST_TURNS_H

#include "server/request/request.h"

enum {
	TURNS_WAITING_OF_USER = 64, /* a request gets a 503 when more than this many wait, or after this time */
	TURNS_WAIT_MS = 10000
};

struct server;

/* Call it before a transaction is opened. True: open it, because it is the request's turn or because the request
 * excludes nobody. False: the request waits. In its turn transaction_send() is called, or the request ends with a
 * 503. */
bool turns_enter(struct req *r);

/* Call it when the request has ended, in every case. */
void turns_release(struct req *r);

/* Call it at the end of each turn of the loop: it ends requests that have waited too long. */
void turns_flush(struct server *s);

/* Answers the waiting requests when the server stops. */
void turns_stop(struct server *s);

#endif
