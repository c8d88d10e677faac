/* A workspace leaves its database or comes into another one: as a file, or by a move. All of these block: they are for
 * the command line. They return false with a message on stderr. */
#ifndef KITH_SERVER_CELL_CELL_H
#define KITH_SERVER_CELL_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/id.h"
#include "server/base/file_key.h"
#include "webhook/vault.h"

enum { CELL_ADDRESS_MAX = 400 };

/* A database, as a command sees it. */
struct cell_side {
	const char *url;         /* of the database */
	const char *secret_file; /* encrypts the secrets of its webhooks */
};

/* What a command did, for its line of output. */
struct cell_report {
	int64_t rows;    /* copied */
	int64_t held_ms; /* how long writes waited at the end of a move */
};

/* Writes everything of a workspace to a file, of one moment. seal: a key's file, made if it is absent, with which the
 * file's secrets are encrypted instead of the installation's own; NULL: its own. key: authenticates the file, if there
 * is one. */
bool cell_export(const struct cell_side *from, const struct uuid *workspace, const char *path, const char *seal,
    const struct file_key *key, struct cell_report *report);

/* Brings a file's workspace into a database that has none of its id. */
struct cell_import {
	const char *seal; /* as when the file was made */
	const struct file_key *key;
	bool trust; /* the file may be without the key's HMAC */
	bool quiet; /* its webhooks are inactive */
};
bool cell_import(const struct cell_side *to, const char *path, const struct cell_import *how, struct uuid *workspace,
    struct cell_report *report);

/* Moves a workspace to another database, from which it is then served at that address. Run again after any end, it
 * finishes, or begins anew. Nothing is lost and nothing is in both: from the source's "moved" on, the only one that
 * decides, it is the target's. */
struct cell_move {
	struct cell_side from, to; /* to.secret_file NULL: it has the same key */
	struct uuid workspace;
	const char *address;
	int hold_ms;  /* the longest that writes may be held at a time; then it is tried again */
	int grace_ms; /* how long requests that are under way may read what is left behind */
};
bool cell_move(const struct cell_move *m, struct cell_report *report);
/* Gives an unfinished move up: the workspace stays where it is. False if it has moved already. */
bool cell_move_cancel(const struct cell_side *from, const struct uuid *workspace);

#endif
