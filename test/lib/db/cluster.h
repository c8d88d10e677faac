/* A throw-away PostgreSQL cluster for tests: in a directory of its own, reached by a Unix socket, removed by
 * cluster_stop(). */
#ifndef KITH_TEST_LIB_DB_CLUSTER_H
#define KITH_TEST_LIB_DB_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

struct cluster;

enum { CLUSTER_ERROR_SIZE = 512 };

/* Makes and starts a cluster, as user postgres when we are root; blocks until it accepts connections. It is not
 * shared, so it may be stopped and changed at will. It is in a directory of directory.h, and test/run stops it if a
 * killed test has left it there. fsync is off unless KITH_TEST_FSYNC is set; pg_rewind
 * finds what it needs. NULL with a message. */
struct cluster *cluster_start(char error[CLUSTER_ERROR_SIZE]);

/* A standby of primary, in a directory of its own, which follows until it is promoted. */
struct cluster *cluster_standby(const struct cluster *primary, char error[CLUSTER_ERROR_SIZE]);
/* Returns when it accepts writes. */
bool cluster_promote(struct cluster *c);

/* Starts archiving its log, in a directory of its own; restarts it. */
bool cluster_archive(struct cluster *c);
/* A base backup of its files, not started. */
struct cluster *cluster_backup(const struct cluster *primary, char error[CLUSTER_ERROR_SIZE]);
/* Recovers a backup to the named restore point from the primary's archive; returns when it accepts writes. */
bool cluster_recover(struct cluster *c, const struct cluster *primary, const char *point);

/* A libpq connection string of the superuser's database. */
const char *cluster_url(const struct cluster *c);

/* The directory of its Unix socket. */
const char *cluster_socket_dir(const struct cluster *c);

/* Stops (fast, or immediate, as after a crash) and starts again; returns when it accepts connections. */
bool cluster_restart(struct cluster *c, bool immediate);

/* The two halves of a restart. */
bool cluster_halt(struct cluster *c, bool immediate);
bool cluster_go(struct cluster *c);

/* Restarts it with a TCP port on 127.0.0.1 in addition, until the next restart; meanwhile its socket has another
 * name. */
bool cluster_listen(struct cluster *c, int port);
/* The same on another address of this machine. */
bool cluster_listen_at(struct cluster *c, const char *address, int port);

/* Starts without waiting for connections to be accepted. */
bool cluster_go_async(struct cluster *c);

/* Kills the postmaster with SIGKILL; cluster_go() then waits until its children have ended too. */
void cluster_kill(struct cluster *c);

/* Stops and removes everything. */
void cluster_stop(struct cluster *c);

/* Creates an empty database and returns its connection string; false on failure. */
bool cluster_database(const struct cluster *c, const char *name, char *url, size_t size);

/* Runs psql -c, independently of the code under test; out gets the first line of the answer. False when psql failed. */
bool cluster_sql(const struct cluster *c, const char *sql, char *out, size_t size);

/* Changes a setting of the running server, for all of its processes. */
bool cluster_set(const struct cluster *c, const char *name, const char *value);

/* Runs one of PostgreSQL's programs, or another (by path), as the cluster's user; true when it exited with 0. */
bool cluster_program(const struct cluster *c, const char *const args[]);
/* The data directory. */
const char *cluster_data(const struct cluster *c);

#endif
