/* Interactions dated in the future: counted when they fall due, by whichever process looks first. */
#ifndef KITH_SERVER_DUE_H
#define KITH_SERVER_DUE_H

struct due;
struct server;

/* Looks every second, times clock_scale. */
struct due *due_start(struct server *s);
void due_stop(struct due *d);

#endif
