/*
 * A throw-away PostgreSQL cluster for tests: in a directory of its own, reached
 * by a Unix socket, gone with cluster_stop().
 */
#ifndef KITH_TEST_CLUSTER_H
#define KITH_TEST_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

struct cluster;

enum { CLUSTER_ERROR_SIZE = 512 };

/*
 * Makes and starts one, as user postgres when we are root; blocks until it
 * accepts connections. Nobody else uses it, so it may be stopped and changed at
 * will. It lies in a directory of directory.h, and test/run
 * stops it when a killed test has left it there. fsync is off unless KITH_TEST_FSYNC is set. NULL
 * with a message.
 */
struct cluster *cluster_start(char error[CLUSTER_ERROR_SIZE]);

/* A standby of it, in a directory of its own, which follows until it is promoted. */
struct cluster *cluster_standby(const struct cluster *primary, char error[CLUSTER_ERROR_SIZE]);
/* Answers when it accepts writes. */
bool cluster_promote(struct cluster *c);

/* A libpq connection string of the superuser's database. */
const char *cluster_url(const struct cluster *c);

/* The directory of its Unix socket. */
const char *cluster_socket_dir(const struct cluster *c);

/* Stops (fast, or immediate: as after a crash) and starts again; answers when
 * it accepts connections. */
bool cluster_restart(struct cluster *c, bool immediate);

/* The halves of a restart. */
bool cluster_halt(struct cluster *c, bool immediate);
bool cluster_go(struct cluster *c);

/* Restarts it with a TCP port of 127.0.0.1 besides, until the next restart; its socket has another name for as long. */
bool cluster_listen(struct cluster *c, int port);

/* Starts without waiting until it accepts. */
bool cluster_go_async(struct cluster *c);

/* Kills the postmaster with SIGKILL; cluster_go() then waits until its children are gone too. */
void cluster_kill(struct cluster *c);

/* Stops and removes everything. */
void cluster_stop(struct cluster *c);

/* Makes an empty database and answers its connection string; false when that fails. */
bool cluster_database(const struct cluster *c, const char *name, char *url, size_t size);

/* Runs psql -c on it, as a test's second voice; the first line of the answer, false when psql failed. */
bool cluster_sql(const struct cluster *c, const char *sql, char *out, size_t size);

/* Runs one of PostgreSQL's programs, or another (by its path), as the cluster's user; true when it exited with 0. */
bool cluster_program(const struct cluster *c, const char *const args[]);
/* The directory of its data. */
const char *cluster_data(const struct cluster *c);

#endif
