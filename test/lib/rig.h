/* The basis of tests of whole servers: a database with a workspace and users, and servers on it. */
#ifndef KITH_TEST_LIB_RIG_H
#define KITH_TEST_LIB_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "test/lib/db/cluster.h"
#include "test/lib/db/database.h"
#include "test/lib/db/proxy.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"

enum { RIG_SETTINGS_MAX = 8, RIG_SERVERS_MAX = 8 };

struct rig {
	struct cluster *cluster; /* NULL: the one shared by all tests of the run */
	struct program *program;
	struct program via; /* the same database through the proxy */
	struct proxy *proxy;
	char socket_dir[128], proxy_dir[DIRECTORY_SIZE];
	struct arena arena;
	struct test_workspace workspace;
	char own[64];              /* "workspace_id = '…'", for statements */
	char orders[256];          /* a path for the orders of FAULT_FILE */
	struct test_user ada, ben; /* admin, member */
	struct neighbour *neighbour;
	bool neighbour_rests;
	struct server_process *servers[RIG_SERVERS_MAX]; /* that run and are not behind the proxy */
};

/* own: a cluster of the test's own, which may be restarted. Ends the process on failure. */
void rig_open(struct rig *r, const char *name, bool own);
void rig_close(struct rig *r);

/* For tests of memory: the sanitizer in later servers keeps little freed memory, which would count as used. */
void rig_keep_little(void);

/* Creates another workspace with an admin, both with this name. */
struct test_user rig_stranger(struct rig *r, const char *name);

/* Starts a server on the database, or behind the proxy; without rate limits, with webhooks to this machine allowed.
 * more: settings, ends with NULL; may be NULL. */
struct server_process *rig_serve(struct rig *r, bool behind_proxy, const char *const more[]);

/* The same for a server that obeys the fault orders in r->orders (server/base/fault.h); rig_write() gives them. */
struct server_process *rig_serve_faulty(struct rig *r, bool behind_proxy, const char *const more[]);

/* Stops all servers of rig_serve() that are not behind the proxy and still run; false when one of them did not end
 * well. */
bool rig_stop(struct rig *r);

/* Gives the rig a neighbour (neighbour.h), which is busy while there is a server of rig_serve() that is not behind a
 * proxy; when one stops it continues with another. server_stop() of the last one returns false if the neighbour lost
 * something. */
void rig_neighbour(struct rig *r);
/* Pauses the neighbour, for tests that need the machine for themselves; and continues it. False with a message when it
 * lost something. */
bool rig_neighbour_rest(struct rig *r);
void rig_neighbour_go(struct rig *r);
/* Part of rig_close(). */
void rig_neighbour_end(struct rig *r);

/* The key of a new session of the user, as signing in makes it. */
const char *rig_session(struct rig *r, const char *user_id);

/* One number, -1 for null; ends the process when the statement fails. Reconnects if need be. */
int64_t rig_int(const struct rig *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Executes statements; ends the process when one fails. */
void rig_sql(const struct rig *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Waits until deleted things are removed from all records; false after ms. */
bool rig_removed(const struct rig *r, int64_t ms);

/* Locks the table in another process until it is released. */
pid_t rig_hold(const struct rig *r, const char *table);
/* The same for rows, as a note that is being made for them holds them. */
pid_t rig_hold_row(const struct rig *r, const char *table, const char *where);
/* The same as a write of the workspace that is under way. */
pid_t rig_hold_workspace(const struct rig *r);
void rig_release(const struct rig *r, pid_t holder);

/* The number of answers stored under ada's key of that text. */
int64_t rig_stored(const struct rig *r, const char *once);

/* Replaces a file atomically with one with that text. */
void rig_write(const char *path, const char *text);

/* A number in the environment, at least 1, or the default. */
int rig_setting(const char *name, int otherwise);

#endif
