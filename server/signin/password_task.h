/* Hashing passwords for requests, in threads beside the loop (server/base/workers.h): 4 at a time, of 32 MiB each, and
 * 64 that wait. The sites that they come from take turns. */
#ifndef KITH_SERVER_SIGNIN_PASSWORD_TASK_H
#define KITH_SERVER_SIGNIN_PASSWORD_TASK_H

#include "server/request/request.h"
#include "server/signin/password_hash.h"

enum { PASSWORD_THREADS = 4, PASSWORD_WAITING = 64 };

/* Sets and frees s->passwords. The stop comes before db_close(): it ends the requests that wait. */
void passwords_start(struct server *s);
void passwords_stop(struct server *s);
void passwords_free(struct server *s);

/* False: as many requests as may wait are waiting, and none of them makes room. The reply is then a 503 with
 * Retry-After. */
bool password_possible(struct req *r);

/* Derives the keys of n hashes from one password, which is wiped afterwards, then runs the next step. All of it must
 * stay where it is until then. Returns WAIT, or DONE with a 503. */
enum step password_derive(struct req *r, struct password_hash *hashes, int n, char *password, size_t len);

#endif
