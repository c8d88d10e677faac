/* Moves a workspace out of its database or into another one, as a file or directly. All functions block, so they are
 * for the command line. They return false with a message on stderr. */
#ifndef KITH_SERVER_CELL_CELL_H
#define KITH_SERVER_CELL_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/id.h"
#include "server/base/file_key.h"

enum { CELL_ADDRESS_MAX = 400 };

/* A database, as a command sees it. */
struct cell_side {
	const char *url;         /* of the database */
	const char *secret_file; /* encrypts the secrets of its webhooks */
};

/* The result of a command, for its line of output. */
struct cell_report {
	int64_t rows;    /* copied rows */
	int64_t held_ms; /* how long writes waited at the end of a move */
};

/* Writes a whole workspace to a file, as it is at one moment. seal: a key file, created if it is missing, which
 * encrypts the file's secrets instead of the installation's own key; NULL: the own key. key: authenticates the file, if
 * there is one. */
bool cell_export(const struct cell_side *from, const struct uuid *workspace, const char *path, const char *seal,
    const struct file_key *key, struct cell_report *report);

/* Imports a file's workspace into a database that has no workspace with its id. */
struct cell_import {
	const char *seal; /* as when the file was made */
	const struct file_key *key;
	bool trust; /* accept a file without the key's HMAC */
	bool quiet; /* make its webhooks inactive */
};
bool cell_import(const struct cell_side *to, const char *path, const struct cell_import *how, struct uuid *workspace,
    struct cell_report *report);

/* Moves a workspace to another database, which then serves it at that address. After an interruption, run it again: it
 * finishes the move or starts anew. Nothing is lost, and the workspace never lives in both databases. Only the source's
 * state decides: from "moved" on, the workspace belongs to the target. */
struct cell_move {
	struct cell_side from, to; /* to.secret_file NULL: it has the same key */
	struct uuid workspace;
	const char *address;
	int hold_ms;  /* the longest time that writes may be held; after that the move tries again */
	int grace_ms; /* how long requests in progress may still read the rows at the source */
};
bool cell_move(const struct cell_move *m, struct cell_report *report);
/* Gives up an unfinished move: the workspace stays where it is. False if it has moved already. */
bool cell_move_cancel(const struct cell_side *from, const struct uuid *workspace);

#endif
