/* A workspace leaves its database or comes into another one as a file. All of these block: they are for
 * the command line. They return false with a message on stderr. */
#ifndef KITH_SERVER_CELL_CELL_H
#define KITH_SERVER_CELL_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/id.h"
#include "webhook/vault.h"

/* A database, as a command sees it. */
struct cell_side {
	const char *url;         /* of the database */
	const char *secret_file; /* encrypts the secrets of its webhooks */
};

/* What a command did, for its line of output. */
struct cell_report {
	int64_t rows; /* copied */
};

/* Writes everything of a workspace to a file, of one moment. seal: a key's file, made if it is absent, with which the
 * file's secrets are encrypted instead of the installation's own; NULL: its own. */
bool cell_export(const struct cell_side *from, const struct uuid *workspace, const char *path, const char *seal,
    struct cell_report *report);

/* Brings a file's workspace into a database that has none of its id. seal: as when the file was made. quiet: its
 * webhooks are inactive. */
bool cell_import(const struct cell_side *to, const char *path, const char *seal, bool quiet, struct uuid *workspace,
    struct cell_report *report);

#endif
