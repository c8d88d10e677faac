/*
 * The embedded PostgreSQL: a private cluster under data_dir, made with initdb
 * at the first start, reached by a Unix socket only, run as an unprivileged user
 * when we are root, stopped with the last process that uses it. A cluster left
 * running by a kill -9 is taken over.
 */
#ifndef KITH_SERVER_EMBEDDED_CLUSTER_H
#define KITH_SERVER_EMBEDDED_CLUSTER_H

#include <stdbool.h>

struct embedded;

/* Makes and starts the cluster, or joins the running one, and answers when it
 * accepts connections. For start-up and the command line: it blocks, and shows
 * progress on stderr. NULL with a message that says what to do. */
struct embedded *embedded_start(const char *data_dir, char error[512]);

/* A libpq connection string, owned by e. */
const char *embedded_url(const struct embedded *e);

/*
 * For a server, now and then; reached: the database can be reached. When it cannot, a process is started that looks for
 * the cluster and starts it again if it has ended, with pauses of 0.5 to 30 s between failures. Does not block.
 */
void embedded_look(struct embedded *e, bool reached);
/* True while such a process is at it. */
bool embedded_starting(const struct embedded *e);

/* Leaves the cluster; stops it (fast shutdown, waits up to 30 s) when nobody else uses it. */
void embedded_stop(struct embedded *e);

#endif
