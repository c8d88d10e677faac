/* HTTP by hand on sockets that a test opens, forgets or breaks as it likes. */
#ifndef KITH_TEST_RAW_H
#define KITH_TEST_RAW_H

#include <stdbool.h>

/* To "http://127.0.0.1:PORT"; -1 when nobody listens. */
int raw_open(const char *base);

/* One request with a JSON body or none; once: an Idempotency-Key, NULL: none. */
bool raw_send(int fd, const char *method, const char *target, const char *key, const char *once, const char *body);

/* The status that came; 0: none yet, -1: the connection ended without one. Reads it once. */
int raw_status(int fd);

/* Closes with a reset. */
void raw_reset(int fd);

#endif
