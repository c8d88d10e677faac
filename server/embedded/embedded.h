/* The embedded PostgreSQL is a private cluster under data_dir. initdb makes it at the first start, and it is reachable
 * only by a Unix socket. If kith runs as root, the cluster runs as an unprivileged user. It stops with the last process
 * that uses it. A cluster left running after a kill -9 is taken over. */
#ifndef KITH_SERVER_EMBEDDED_EMBEDDED_H
#define KITH_SERVER_EMBEDDED_EMBEDDED_H

#include <stdbool.h>

struct embedded;

/* Creates and starts the cluster, or joins the running one. Returns when it accepts connections. If its program was
 * upgraded since it started, it is restarted, unless looks is set. For start-up and the command line: it blocks, and
 * reports progress on stderr. NULL with a message that says what to do. */
struct embedded *embedded_start(const char *data_dir, bool looks, char error[512]);

/* True when the program that the cluster runs was upgraded after it started. */
bool embedded_outdated(const struct embedded *e);

/* A libpq connection string, owned by e. */
const char *embedded_url(const struct embedded *e);

/* A server calls it periodically. reached: the database is reachable. If the database is not reachable or its program
 * was upgraded, it starts a process that checks the cluster and restarts it if needed. After failures it pauses for 0.5
 * to 30 s. Does not block. */
void embedded_check(struct embedded *e, bool reached);
/* True while such a process runs. */
bool embedded_starting(const struct embedded *e);

/* Ends our use of the cluster. The last user stops it with a fast shutdown, and waits up to 30 s. */
void embedded_stop(struct embedded *e);

#endif
