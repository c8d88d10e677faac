/* A DNS server for tests on 127.0.0.1, in a thread: answers A and AAAA questions from a script. */
#ifndef KITH_TEST_NAMESERVER_H
#define KITH_TEST_NAMESERVER_H

#include <stdbool.h>

struct nameserver;

struct nameserver *nameserver_start(void);
void nameserver_stop(struct nameserver *s);
/* "127.0.0.1:PORT" */
const char *nameserver_address(const struct nameserver *s);

/*
 * What is answered for a name from now on: addresses of both families, blank-separated,
 * for each family those that are its. Several answers, divided by '|', are given in turn
 * to the questions of a family, the last one ever after. Names without a row do not exist.
 * In place of addresses: "silent" (no answer), "servfail", "refused", "empty" (the name
 * exists, without addresses), "truncated", "garbage".
 */
void nameserver_set(struct nameserver *s, const char *name, const char *answers);

/* Questions that came, of either family; of one name, or of all (NULL). */
int nameserver_asked(struct nameserver *s, const char *name);

#endif
