/* The file FILE.kith: the progress of an import, so that it can continue after any interruption, and be undone.
 *
 * It has one JSON object a line, and lines are only appended. {"run": …} begins an import. {"batch": …} is a finished
 * batch, {"made": …} a group or custom field that was created. {"done": true} ends the import; {"gaveUp": true} ends
 * one when the server has refused all records. --undo appends {"undone": true}. */
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
	PROGRESS_EXISTING, /* companies whose name existed already */
	PROGRESS_REFUSED,
	PROGRESS_LOST, /* references that were left out */
	PROGRESS_COUNTS
};

extern const char *const progress_count_names[PROGRESS_COUNTS];

/* The beginning of an import. */
struct progress_run {
	char sum[65];                     /* of the file, SHA-256 in hex */
	const char *server, *kind, *user; /* where it goes: the address, "people", and the id of the key's user */
	const char *options;              /* all options that decide what is sent, and where */
	const char *path;                 /* of the records: "/v1/people" */
	int number;                       /* number of runs before it in the file */
	int64_t began_ms;                 /* by the server's clock */
	bool keeps_authors, same_workspace;
};

/* A run that has ended and was not undone. */
struct progress_done {
	struct progress_run run;
	int64_t counts[PROGRESS_COUNTS];
};

struct progress {
	struct arena arena; /* all texts that were read */
	const char *path;
	int fd;     /* -1: nothing is written (a dry run) */
	bool found; /* the file existed, with this state, when it was read */
	struct stat stat;
	bool any, finished, undone; /* of the last run */
	struct progress_run run;    /* the last one */
	int runs;
	struct progress_done *ended;
	size_t n_ended;
	uint64_t *batches; /* one bit for each finished batch */
	size_t words;
	int64_t counts[PROGRESS_COUNTS];
	int64_t refused_bytes; /* of the file of refused records */
	int64_t lines;         /* appended since the run began */
};

/* Reads the file, if it exists. False with a message when kith did not write it. */
bool progress_open(struct progress *p, const char *path);
void progress_close(struct progress *p);

/* Creates the file if it does not exist, and locks it until progress_close(). False with a message when another process
 * holds the lock. */
bool progress_lock(struct progress *p);
/* Reads the member "run" of a line. Its texts are in the arena. */
void progress_read_run(struct arena *a, const struct json *run, struct progress_run *out);
/* Begins a run, whose texts stay valid until progress_close(). A dry run does not write it to the file. False with a
 * message. */
bool progress_begin(struct progress *p, const struct progress_run *run, bool writes);
bool progress_has(const struct progress *p, int64_t batch);
/* Appends a line; false with a message. progress_note_batch() has been called for a batch. */
bool progress_append(struct progress *p, const struct buf *line);
void progress_note_batch(struct progress *p, int64_t batch);
/* A line {"what": {...}}: begins it, and ends and appends it. */
void progress_line_begin(struct json_out *o, struct buf *line, const char *what);
bool progress_line_append(struct progress *p, struct json_out *o, struct buf *line);

/* Appends ["id","state"] to a list. Later progress_state() yields the same state if the record is unchanged. */
void progress_put_record(struct buf *list, const struct json *data);
enum { PROGRESS_STATE_SIZE = 40 };
/* The state of a record: updatedAt; for notes and interactions a digest of the members that can change. */
void progress_state(const struct json *data, char out[PROGRESS_STATE_SIZE]);

/* Calls each for every line of a file. Returns false with a message, or when each returns false. */
bool progress_read(const char *path, bool (*each)(void *ctx, const struct json *line), void *ctx);

#endif
