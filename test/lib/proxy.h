/*
 * Stands between a server and PostgreSQL on a Unix socket, in a thread, and
 * damages connections as a network would.
 */
#ifndef KITH_TEST_PROXY_H
#define KITH_TEST_PROXY_H

#include <stdbool.h>

struct proxy;

enum proxy_mode {
	PROXY_PASS,
	PROXY_SWALLOW,   /* PostgreSQL gets the next COMMIT and its answer is lost: the connection goes silent */
	PROXY_CUT_AFTER, /* PostgreSQL gets the next COMMIT; the server finds its connection broken instead of an answer
	                  */
	PROXY_CUT_BEFORE, /* the next COMMIT goes nowhere; both ends find the connection broken */
	PROXY_HOLE,       /* the next COMMIT goes nowhere and nobody is told */
	PROXY_HALF,       /* the same, but what comes before it in its pipeline arrives */
	PROXY_STALL,      /* nothing passes on any connection until the mode changes; new ones wait too */
	PROXY_RESET       /* all connections break now; new ones pass */
};

/* dir: a directory that is there; the proxy's socket is made in it. upstream: PostgreSQL's socket directory. */
struct proxy *proxy_start(const char *dir, const char *upstream);
/* One COMMIT is hit by the modes that name it, the others pass. Works at once. */
void proxy_set(struct proxy *p, enum proxy_mode mode);
/* True when the COMMIT that was waited for has come. */
bool proxy_hit(struct proxy *p);
void proxy_stop(struct proxy *p);

/* The connection string that goes through dir instead of upstream; to be freed. */
char *proxy_url(const char *url, const char *upstream, const char *dir);

#endif
