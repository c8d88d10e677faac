/* The embedded PostgreSQL: a private cluster under data_dir, made with initdb at the first start, reachable only by
 * a Unix socket, run as an unprivileged user when we are root, stopped with the last process that uses it. A cluster
 * left running after a kill -9 is taken over. */
#ifndef KITH_SERVER_EMBEDDED_CLUSTER_H
#define KITH_SERVER_EMBEDDED_CLUSTER_H

#include <stdbool.h>

struct embedded;

/* Makes and starts the cluster, or joins the running one; returns when it accepts connections. One whose program was
 * upgraded since it started is restarted, unless looks is set. For start-up and the command line: blocks, and reports
 * progress on stderr. NULL with a message that says what to do. */
struct embedded *embedded_start(const char *data_dir, bool looks, char error[512]);

/* True when the cluster runs a program that was upgraded meanwhile. */
bool embedded_outdated(const struct embedded *e);

/* A libpq connection string, owned by e. */
const char *embedded_url(const struct embedded *e);

/* Called periodically by a server; reached: the database is reachable. When it is not, or its program was upgraded,
 * starts a process that checks the cluster and restarts it if need be, with pauses of 0.5 to 30 s between failures.
 * Does not block. */
void embedded_check(struct embedded *e, bool reached);
/* True while such a process runs. */
bool embedded_starting(const struct embedded *e);

/* Gives up our use of the cluster; the last user stops it (fast shutdown, waits up to 30 s). */
void embedded_stop(struct embedded *e);

#endif
