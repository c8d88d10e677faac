/*
 * The embedded cluster's directories and user: everything that is decided
 * before anything is started.
 *
 *   data_dir/in-use, start.lock   locks, see cluster.c
 *   data_dir/cluster              names another home, when data_dir cannot be one
 *   home/pg                       the cluster; home is data_dir if possible
 *   home/run                      the socket's directory, when the path is short enough
 *   home/pg.log                   PostgreSQL's log
 */
#ifndef KITH_SERVER_EMBEDDED_PLACE_H
#define KITH_SERVER_EMBEDDED_PLACE_H

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

/* Gives a directory, made by us or owned by the account, to the account, with access for nobody else. Works on a
 * descriptor: the owner of the parent could replace the directory between two calls. False with errno. */
bool place_own(const char *path, const struct account *who);

/* Makes data_dir if need be and resolves its path: enough to take the locks. */
bool place_open(struct cluster_place *p, const char *data_dir, char error[512]);

/* Chooses user and home, and makes missing directories. Call with start.lock held. False with a message. */
bool place_settle(struct cluster_place *p, char error[512]);

/* Finds PostgreSQL's programs: of the cluster's version when there is a cluster, else of at least PLACE_VERSION_MIN.
 * False with a message. */
bool place_find_programs(struct cluster_place *p, char error[512]);

/* Finds one of the programs for clients, such as pg_dump: of that major version, else the first later one. Returns its
 * version, 0 when there is none. */
int place_find_client(const char *program, int version, char path[PLACE_PATH_SIZE]);

/* True when the cluster exists. */
bool place_has_cluster(const struct cluster_place *p);

#endif
