/* What the files of --undo share. */
#ifndef KITH_TRANSFER_UNDO_PRIVATE_H
#define KITH_TRANSFER_UNDO_PRIVATE_H

#include "transfer/import_private.h"

enum { LISTED_MAX = 100 };

enum undo_count {
	UNDO_DELETED,
	UNDO_ABSENT,
	UNDO_LEFT,
	UNDO_UPDATED,
	UNDO_COMPANIES,
	UNDO_GROUPS,
	UNDO_FIELDS,
	UNDO_COUNTS
};

/* A record that a later import of the file updated, with the state that this import left. */
struct undo_update {
	struct uuid id;
	enum id_kind kind;
	char state[PROGRESS_STATE_SIZE];
	bool own; /* an import of the file made the record */
};

struct undo {
	struct remote *remote;
	struct roster roster;
	struct progress progress;
	char *path;                /* of the records of the run that is read */
	int64_t line, undone_line; /* all lines above undone_line were undone by an earlier call */
	char *elsewhere;           /* the options of an import into another workspace; NULL: none */
	struct undo_update *updates;
	size_t n_updates;
	struct uuid *companies; /* that imports created; one may occur several times */
	size_t n_companies;
	int64_t counts[UNDO_COUNTS];
	bool failed;
	struct bar bar;
};

/* Hides the bar and prints what happens to a record. */
void undo_say(struct undo *u, const char *id, const char *why);

/* undo_made.c: deletes the companies, groups and fields that were created for the records, after the records. False
 * when the server does not respond. */
bool undo_made(struct undo *u);

#endif
