/* A file of records in any of the formats. */
#ifndef KITH_TRANSFER_SOURCE_H
#define KITH_TRANSFER_SOURCE_H

#include "transfer/reader.h"

enum source_format { SOURCE_CSV, SOURCE_VCARD, SOURCE_NDJSON };

struct source {
	struct reader reader;
	reader_fn *next;
	enum source_format format;
};

/* Takes over fd. The suffix of name decides the format (.csv .tsv .vcf .vcard .ndjson .jsonl, also before .gz). Without
 * a known suffix, or with name NULL, the first characters of the file decide. False with source_error(); close it in
 * any case. */
bool source_open(struct source *s, int fd, const char *name, const char *encoding);
bool source_next(struct source *s, struct entry *e);
/* "" when nothing has failed. */
const char *source_error(const struct source *s);
void source_close(struct source *s);

#endif
