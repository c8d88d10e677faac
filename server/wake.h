/* Wakes those who wait for events. */
#ifndef KITH_SERVER_WAKE_H
#define KITH_SERVER_WAKE_H

struct server;

/* A transaction that wrote events was committed. */
void wake_committed(struct server *s);

#endif
