/* The file FILE.kith: what an import has done, so that it can go on after any end, and be undone.
 *
 * One JSON object a line, only ever appended: {"run": …} begins an import, {"batch": …} is one that is done, {"made":
 * …} a group or custom field that was made, {"done": true} ends it, {"gaveUp": true} says that the server refused all
 * of it, {"undone": true} follows after --undo. */
#ifndef KITH_TRANSFER_PROGRESS_H
#define KITH_TRANSFER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "server/base/arena.h"
#include "server/base/json.h"

enum progress_count {
	PROGRESS_CREATED,
	PROGRESS_UPDATED,
	PROGRESS_UNCHANGED,
	PROGRESS_EXISTING, /* companies whose name was there */
	PROGRESS_REFUSED,
	PROGRESS_LOST, /* references of records that were imported without them */
	PROGRESS_COUNTS
};

extern const char *const progress_count_names[PROGRESS_COUNTS];

/* An import as it was begun. */
struct progress_run {
	char sum[65];     /* of the file, SHA-256 in hex */
	char *options;    /* those that decide what is sent, and the server and user */
	char *path;       /* of the records: "/v1/people" */
	int number;       /* runs before it in the file */
	int64_t began_ms; /* by the server's clock */
	bool keeps_authors, same_workspace;
};

/* A run that has ended, and was not undone. */
struct progress_done {
	char sum[65];
	char *options;
	int64_t counts[PROGRESS_COUNTS];
};

struct progress {
	char *path;
	int fd;     /* -1: nothing is written (a dry run) */
	bool found; /* the file was there, with this state, when it was read */
	struct stat stat;
	bool any, finished, undone; /* of the last run */
	struct progress_run run;    /* the last one */
	int runs;
	struct progress_done *ended;
	size_t n_ended;
	uint64_t *batches; /* one bit for each that is done */
	size_t words;
	int64_t counts[PROGRESS_COUNTS];
	int64_t refused_bytes; /* of the file of refused records */
	int64_t lines;         /* appended since the run began */
};

/* Reads the file, if there is one. False with a message when it is none of kith's. */
bool progress_open(struct progress *p, const char *path);
void progress_close(struct progress *p);

/* Makes the file, if there is none, and holds it for this process until progress_close(); false with a message when
 * another one does. */
bool progress_lock(struct progress *p);
/* Begins a run: the number of those before it is set. False with a message. */
bool progress_begin(struct progress *p, const struct progress_run *run);
bool progress_has(const struct progress *p, int64_t batch);
/* Appends a line; false with a message. progress_note_batch() has been called for a batch. */
bool progress_append(struct progress *p, const struct buf *line);
void progress_note_batch(struct progress *p, int64_t batch);

/* Appends ["id","state"] to a list: with the state a record is known unchanged by progress_state(). */
void progress_put_record(struct buf *list, const struct json *data);
enum { PROGRESS_STATE_SIZE = 40 };
/* updatedAt, or of notes and interactions a digest of what can be changed. */
void progress_state(const struct json *data, char out[PROGRESS_STATE_SIZE]);

/* Calls each for every line of a file; false with a message, or when each returns false. */
bool progress_read(const char *path, bool (*each)(void *ctx, const struct json *line), void *ctx);

#endif
