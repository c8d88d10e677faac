/* What the files of --undo share. */
#ifndef KITH_TRANSFER_UNDO_PRIVATE_H
#define KITH_TRANSFER_UNDO_PRIVATE_H

#include "server/base/table.h"
#include "transfer/import_private.h"

enum undo_count {
	UNDO_DELETED,
	UNDO_ABSENT,
	UNDO_LEFT,
	UNDO_UPDATED,
	UNDO_COMPANIES,
	UNDO_GROUPS,
	UNDO_FIELDS,
	UNDO_CONTACTS,
	UNDO_COUNTS
};

/* A record that an import created, and its state at that time. Both are texts of the line that is being read. */
struct undo_record {
	const char *id, *state;
};

/* A record that an import updated. */
struct undo_update {
	char state[PROGRESS_STATE_SIZE]; /* that the last update left */
	bool own;                        /* an import of the file made the record */
};

struct undo {
	struct remote *remote;
	struct roster roster;
	struct progress progress;
	struct bar bar;
	struct arena arena;
	struct table updates;      /* struct undo_update by id */
	struct table companies;    /* ids of companies that imports created */
	const char *path;          /* of the records of the run that is read */
	bool companies_turn;       /* companies are deleted after the people of the same file, which refer to them */
	const char *elsewhere;     /* the options of an import into another workspace; NULL: none */
	int64_t line, undone_line; /* all lines above undone_line were undone by an earlier call */
	struct undo_record records[IMPORT_BATCH];
	size_t n;                  /* records of the batch that are left */
	char tag[REMOTE_TAG_SIZE]; /* for notes and tasks: the last ETag that was read; "": none */
	int64_t counts[UNDO_COUNTS];
	bool failed;
};

/* Hides the bar and prints what happens to a record. */
void undo_say(struct undo *u, const char *id, const char *why);
/* Sends a request. NULL when the server does not respond. */
struct remote_call *undo_send(struct undo *u, struct remote_call *c);

/* True when a list is known to have no items. Frees the request. */
bool undo_is_empty(struct undo *u, struct remote_call *c);
/* undo_company.c: deletes the companies that people's records have created, unless they are used or were changed. */
void undo_companies(struct undo *u);
/* Deletes what a line {"made": …} has noted. */
void undo_made(struct undo *u, const struct json *made);

#endif
