/* One record of a file, before its columns are mapped to fields. */
#ifndef KITH_TRANSFER_ENTRY_H
#define KITH_TRANSFER_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/json.h"

enum {
	ENTRY_MAX = 1 << 20, /* bytes of text */
	ENTRY_COLUMNS_MAX = 1000,
	ENTRY_VALUES_MAX = 4000,
	ENTRY_COLUMN_NAME_MAX = 500
};

/* The names of a file's columns, in the order of their first appearance. */
struct entry_columns {
	char *names[ENTRY_COLUMNS_MAX];
	size_t count;
};

struct entry_value {
	size_t column; /* index of entry_columns */
	const char *text;
	size_t len;
	bool preferred; /* the file marks it as the primary one of its kind */
};

/* A reference to another record that this workspace does not have. The record is imported without it. */
struct entry_lost {
	struct entry_lost *next;
	const char *at, *why; /* the member's path in the body, as "people.0" */
};

struct entry {
	int64_t line;               /* of its first character */
	size_t size;                /* bytes of its text */
	struct entry_value *values; /* of CSV and vCard; without empty ones */
	size_t n_values;
	struct json *object; /* of NDJSON */
	const char *raw;     /* of NDJSON: a line that is not an object; else NULL */
	const char *refused; /* why it cannot be imported; NULL: it can */
	bool by_name;        /* of people in NDJSON: companies are named, also if their ids are known */
	bool assumed;        /* a dry run: refers to a contact that the import would make */
	struct entry_lost *lost;
	struct arena arena; /* all of its memory */
};

void entry_init(struct entry *r);
/* Empties the record, so that the next one can be read. */
void entry_clear(struct entry *r);
void entry_free(struct entry *r);
/* Marks the record as refused. If there is a reason already, it is kept. */
void entry_refuse(struct entry *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes a reference that is left out; at is copied. */
void entry_lose(struct entry *r, const char *at, const char *why_format, ...) __attribute__((format(printf, 3, 4)));
/* Copies the text, unless it is empty; beyond the limits the record is refused. */
void entry_add(struct entry *r, size_t column, const char *text, size_t len);

/* The index of a column, which is added if it is new; ENTRY_COLUMNS_MAX when there are too many. */
size_t entry_column(struct entry_columns *c, const char *name, size_t len);
/* Adds a column even when another one has its name; false when there are too many. */
bool entry_column_add(struct entry_columns *c, const char *name, size_t len);
void entry_columns_free(struct entry_columns *c);

#endif
