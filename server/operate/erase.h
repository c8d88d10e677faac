/* Erasing a person: deletion as the API does it, by the same statements, and then the values in what is kept of the
 * past: events, and answers stored under idempotency keys. Ids, positions and times of events stay, so that followers
 * and webhooks go on.
 *
 * The deletion is one transaction, with the note of it (table erasures) and an event without values. What follows is
 * found by the ids alone, so that an erasure that ended anywhere is finished by the same command. Writes of the
 * workspace exclude the deletion, and so all that could write the person's values comes before it. Everything here
 * blocks: for the command line. */
#ifndef KITH_SERVER_OPERATE_ERASE_H
#define KITH_SERVER_OPERATE_ERASE_H

#include "server/operate/remains.h"
#include "store/db.h"

enum { ERASE_REASON_MAX = 500 };

struct erase {
	struct db *db;
	const char *url;         /* the database's */
	struct remains *remains; /* admin, arena; gets ids, and workspace if it has none */
	struct uuid person, workspace;
	const char *reason, *by;

	/* What was done. */
	int64_t events, answers;
	int n_values, n_shared; /* values that were theirs alone, or that other records have, too */
	const char *erased_at;
};

/* Finds the workspace, which may be given, and who was merged into the person; also after the deletion. False with a
 * message on stderr, also when there is nothing of such a person. */
bool erase_find(struct erase *e, bool given);

/* The values of the person, of the present and of past events, that other records do not have, and those of given, a
 * JSON array or NULL; as a JSON array for remains_prepare(). NULL with a message. */
const char *erase_values(struct erase *e, const char *given);

/* False with a message. */
bool erase_run(struct erase *e);

/* Dead rows are removed, so far as no transaction may still see them, and samples of values from statistics. */
bool erase_vacuum(struct erase *e);
/* All is done. */
bool erase_finish(struct erase *e);

#endif
