/* Removes what has expired, in small batches on the WORK lane. */
#ifndef KITH_SERVER_CLEANER_H
#define KITH_SERVER_CLEANER_H

struct cleaner;
struct server;

struct cleaner *cleaner_start(struct server *s);
/* Before db_close(), which ends the batch under way; frees. */
void cleaner_stop(struct cleaner *c);

#endif
