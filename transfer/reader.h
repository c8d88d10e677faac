/* The readers of the formats. Each turns a text into records, one at a time, with memory for one record. */
#ifndef KITH_TRANSFER_READER_H
#define KITH_TRANSFER_READER_H

#include "transfer/decoder.h"
#include "transfer/entry.h"

enum { READER_AHEAD_MAX = 12 };

/* A file that is being read. */
struct reader {
	struct decoder in;
	struct entry_columns columns;
	struct buf text, held; /* buffers of the reader: the text it collects, and text read too far */
	bool has_held;
	int64_t held_line;
	char delimiter; /* CSV */
	bool ours;      /* CSV that kith wrote: values that begin with ' have one more */

	/* CSV: rows that were read already, whether an empty line is before the next one, and whether a record with
	 * several values was read. */
	struct entry ahead[READER_AHEAD_MAX];
	size_t n_ahead, ahead_at;
	bool below_empty, has_records;
	/* CSV: lines that are beside the table so far; vCard: cards that are lists of cards. The line of the first one,
	 * and its text in a CSV. */
	int64_t beside, beside_line;
	const char *beside_text;

	struct arena scratch;
};

/* Reads the next record. If only this record is wrong, r->refused is set. False at the end; also, with the line in
 * rd->in.error, when the rest of the file cannot be read. */
typedef bool reader_fn(struct reader *rd, struct entry *r);

/* RFC 4180. Blank lines are skipped; a line may have fewer values than the header. Lines beside the table are left out:
 * a repeated header, the text above it, and the text below the last record. */
reader_fn csv_next;
/* Finds the delimiter and reads the header; false with rd->in.error. */
bool csv_begin(struct reader *rd);

/* vCard 2.1 (with quoted-printable), 3.0 (RFC 2426) and 4.0 (RFC 6350). The columns are the names of the properties;
 * the parts of N have the columns "Last Name", "First Name", "Middle Name", "Name Prefix" and "Name Suffix", an ADR is
 * one line of text, the parts of ORG after the first are "ORG unit". Pictures, sounds and keys are left out, and cards
 * that are lists of cards. */
reader_fn vcard_next;

/* One JSON object a line; there are no columns. */
reader_fn ndjson_next;

#endif
