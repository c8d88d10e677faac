/*
 * The embedded cluster's directories and user: everything that must be decided
 * before the cluster is started.
 *
 *   data_dir/in-use, start.lock   locks, see embedded.c
 *   data_dir/cluster              names another home, if data_dir cannot be one
 *   home/pg                       the cluster; home is data_dir if possible
 *   home/run                      the socket's directory, if its path is short and plain
 *   home/pg.log                   PostgreSQL's log
 */
#ifndef KITH_SERVER_EMBEDDED_CLUSTER_PLACE_H
#define KITH_SERVER_EMBEDDED_CLUSTER_PLACE_H

#include <stdbool.h>

#include "server/embedded/run.h"

enum { PLACE_PATH_SIZE = 1024, PLACE_PORT = 5432, PLACE_VERSION_MIN = 15 };

struct cluster_place {
	struct account account;
	char data_dir[PLACE_PATH_SIZE]; /* real path */
	char home[PLACE_PATH_SIZE];
	char cluster_dir[PLACE_PATH_SIZE];
	char socket_dir[PLACE_PATH_SIZE];
	char socket_path[PLACE_PATH_SIZE];
	char log_file[PLACE_PATH_SIZE];
	char bin_dir[PLACE_PATH_SIZE]; /* set by place_find_programs() */
};

/* Writes a message; returns false. */
bool place_fail(char error[512], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the account the owner of a directory that we created or that it owns already, and removes access for everybody
 * else. Works on a descriptor, because the owner of the parent could replace the directory between two calls. False
 * with errno. */
bool place_own(const char *path, const struct account *who);

/* Creates data_dir if needed and resolves its path, which is enough to take the locks. */
bool place_open(struct cluster_place *p, const char *data_dir, char error[512]);

/* Chooses user and home, and creates missing directories. The caller holds start.lock. False with a message. */
bool place_settle(struct cluster_place *p, char error[512]);

/* Finds PostgreSQL's programs: of the cluster's version if there is a cluster, otherwise of at least PLACE_VERSION_MIN.
 * False with a message. */
bool place_find_programs(struct cluster_place *p, char error[512]);

/* Finds a client program, such as pg_dump: of that major version, or else of the first later one. Returns its version,
 * 0 when there is none. */
int place_find_client(const char *program, int version, char path[PLACE_PATH_SIZE]);

/* True when the cluster exists. */
bool place_has_cluster(const struct cluster_place *p);

#endif
