/* The file of refused records: as they were read, with the reason in "_refused", so that they can be corrected and
 * imported. */
#ifndef KITH_TRANSFER_REFUSAL_H
#define KITH_TRANSFER_REFUSAL_H

#include "transfer/source.h"

struct refusal {
	char *path;
	int fd; /* -1: not opened yet */
	int64_t bytes;
	bool csv;
	const struct entry_columns *columns;
	char delimiter;
	bool ours, converted; /* CSV that kith wrote; a file that is not UTF-8 */
};

/* The file is FILE.refused.csv for CSV, else FILE.refused.ndjson, with the text part before ".refused". It is truncated
 * to bytes, the length that an earlier part of this import has recorded. */
void refusal_init(struct refusal *r, const char *file, const char *part, const struct source *s, int64_t bytes);
/* Adds a refused record. body: the body that was sent to create a record of a vCard file; else NULL. Returns false
 * after it has printed a message. */
bool refusal_add(struct refusal *r, const struct entry *e, const char *reason, const char *body, size_t len);
void refusal_close(struct refusal *r);

/* Appends a value of CSV, quoted as needed. */
void refusal_csv_value(struct buf *out, const char *text, size_t len, char delimiter);
/* The same for our own CSV: a formula, or a value that begins with ', gets a ' in front, which our reader removes. */
void refusal_csv_own(struct buf *out, const char *text, char delimiter);
bool refusal_is_formula(const char *text);

#endif
