/* The readers of the formats: each turns a text into records, one at a time, with memory for one record. */
#ifndef KITH_TRANSFER_READER_H
#define KITH_TRANSFER_READER_H

#include "transfer/decoder.h"
#include "transfer/entry.h"

/* One file that is read. */
struct reader {
	struct decoder in;
	struct entry_columns columns;
	struct buf text, held; /* of the reader: what it collects, what it has read too far */
	bool has_held;
	int64_t held_line;
	char delimiter; /* CSV */
	bool ours;      /* CSV that kith wrote: values that begin with ' have one more */
	struct arena scratch;
};

/* Reads the next record; r->refused when it alone is wrong. False at the end, or with rd->in.error, which names the
 * line, when what follows cannot be read. */
typedef bool reader_fn(struct reader *rd, struct entry *r);

/* RFC 4180. Blank lines are passed over; a line may have fewer values than the header. */
reader_fn csv_next;
/* Finds the delimiter and reads the header; false with rd->in.error. */
bool csv_begin(struct reader *rd);

/* vCard 2.1 (with quoted-printable), 3.0 (RFC 2426) and 4.0 (RFC 6350). The columns are the names of the properties;
 * the parts of N have the columns "Last Name", "First Name", "Middle Name", "Name Prefix" and "Name Suffix", an ADR is
 * one line of text, the parts of ORG behind the first are "ORG unit". Pictures, sounds and keys are left out. */
reader_fn vcard_next;

/* One JSON object a line; there are no columns. */
reader_fn ndjson_next;

#endif
