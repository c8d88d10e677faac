/* Erases a person. It deletes the person with the same statements as the API. Then it erases the values in what is kept
 * of the past: events, and answers stored under idempotency keys. Ids, positions and times of events stay, so that
 * followers and webhooks continue. The deletion is one transaction, with the note of it (table erasures) and an event
 * without values. The rest is found by the ids only, so the same command finishes an erasure that was interrupted
 * anywhere. Writes of the workspace exclude the deletion, so every write that could contain the person's values comes
 * before it. All functions block: they are for the command line. */
#ifndef KITH_SERVER_OPERATE_ERASE_H
#define KITH_SERVER_OPERATE_ERASE_H

#include "server/operate/remains.h"
#include "store/db.h"

enum { ERASE_REASON_MAX = 500 };

struct erase {
	struct db *db;
	const char *url;         /* of the database */
	struct remains *remains; /* the caller sets admin and arena; gets ids, and workspace if it has none */
	struct uuid person, workspace;
	const char *reason, *by;

	/* The result. */
	int64_t events, answers;
	int n_values, n_shared; /* values of only this person, and values that other records have too */
	const char *erased_at;
};

/* Finds the workspace, which may be given, and who was merged into the person. Works after the deletion too. False with
 * a message on stderr, also if the database has no data of this person. */
bool erase_find(struct erase *e, bool given);

/* Returns a JSON array for remains_prepare(). It has the person's values, in the record and in past events, that other
 * records do not have. It also has the values of given, a JSON array or NULL. NULL with a message. */
const char *erase_values(struct erase *e, const char *given);

/* Deletes the person and erases the values. False with a message. */
bool erase_run(struct erase *e);

/* Removes dead rows, except those that a transaction may still see, and removes samples of values from the statistics.
 */
bool erase_vacuum(struct erase *e);
/* Records that everything is done. */
bool erase_finish(struct erase *e);

#endif
