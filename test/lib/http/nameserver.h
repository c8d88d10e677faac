/* A DNS server for tests on 127.0.0.1, in a thread: answers A and AAAA queries from a script. */
#ifndef KITH_TEST_LIB_HTTP_NAMESERVER_H
#define KITH_TEST_LIB_HTTP_NAMESERVER_H

#include <stdbool.h>

struct nameserver;

struct nameserver *nameserver_start(void);
void nameserver_stop(struct nameserver *s);
/* "127.0.0.1:PORT" */
const char *nameserver_address(const struct nameserver *s);

/* Sets the answers for a name: addresses of both families, separated by blanks; each query gets those of its family.
 * Several answers, separated by '|', are given to a family's queries in turn, the last one from then on. Names that
 * are not set do not exist. Instead of addresses: "silent" (no answer), "servfail", "refused", "empty" (the name
 * exists, without addresses), "truncated", "garbage". */
void nameserver_set(struct nameserver *s, const char *name, const char *answers);

/* The number of queries, of both families; for one name, or for all (NULL). */
int nameserver_asked(struct nameserver *s, const char *name);

#endif
