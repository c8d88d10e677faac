/* A proxy between a server and PostgreSQL on a Unix socket, in a thread, that damages connections as a network
 * might. */
#ifndef KITH_TEST_LIB_DB_PROXY_H
#define KITH_TEST_LIB_DB_PROXY_H

#include <stdbool.h>

struct proxy;

enum proxy_mode {
	PROXY_PASS,
	PROXY_SWALLOW,   /* PostgreSQL gets the next COMMIT and its answer is lost: the connection stops responding */
	PROXY_CUT_AFTER, /* PostgreSQL gets the next COMMIT; the server finds its connection broken instead of an answer
	                  */
	PROXY_CUT_BEFORE, /* the next COMMIT is dropped; both ends find the connection broken */
	PROXY_HOLE,       /* the next COMMIT is dropped, silently */
	PROXY_HALF,       /* the same, but everything before it in the pipeline arrives */
	PROXY_STALL,      /* nothing passes on any connection until the mode changes; new ones wait too */
	PROXY_LATE,       /* what clients send arrives 200 ms late: of a standby, its acknowledgements */
	PROXY_RESET       /* breaks all connections now; new ones pass */
};

/* dir: an existing directory for the proxy's socket. upstream: PostgreSQL's socket directory. */
struct proxy *proxy_start(const char *dir, const char *upstream);
/* Takes effect at once. The modes that name a COMMIT affect one of them, the others pass. */
void proxy_set(struct proxy *p, enum proxy_mode mode);
/* True when that COMMIT has arrived. */
bool proxy_hit(struct proxy *p);
void proxy_stop(struct proxy *p);

/* The connection string through dir instead of upstream; to be freed. */
char *proxy_url(const char *url, const char *upstream, const char *dir);

#endif
