/* HTTP by hand on sockets that a test opens, abandons or breaks. */
#ifndef KITH_TEST_LIB_HTTP_RAW_H
#define KITH_TEST_LIB_HTTP_RAW_H

#include <stdbool.h>

/* Connects to "http://127.0.0.1:PORT"; -1 when refused. */
int raw_open(const char *base);

/* Sends a request with a JSON body or none; once: an Idempotency-Key, NULL: none. */
bool raw_send(int fd, const char *method, const char *target, const char *key, const char *once, const char *body);

/* The status received; 0: none yet, -1: the connection ended without one. Reads once. */
int raw_status(int fd);

/* Closes with a reset. */
void raw_reset(int fd);

#endif
