/*
 * How the values of a type of field lie in SQL: one row a type. What the other layers do with a type is a row in a
 * table of theirs: server/input/value.c reads, server/output/record.c shows, server/event/diff.c tells of changes,
 * server/openapi/field.c describes; test/unit/test_field_types.c holds all of them against each other.
 */
#ifndef KITH_STORE_FIELD_TYPE_H
#define KITH_STORE_FIELD_TYPE_H

#include "store/db.h"
#include "store/field.h"
#include "store/sql.h"

/* Where a value was read: column is its first one. */
struct field_cell {
	const struct db_exchange *exchange;
	int statement, row, column;
	struct arena *arena;
};

struct field_storage {
	int columns;             /* of a SELECT; 0: it is never read */
	bool never_null;         /* an unset one is an empty list, or false */
	bool is_long;            /* has no limit of its own, or a large one */
	enum id_kind refers;     /* lists of ids: to what */
	const char *second;      /* a second column that is written with it; NULL: none */
	const char *unpacked[2]; /* around the name of its column: a text of about its length; NULL: it is short, or
	                            FIELD_TEXT */

	/* Appends the further columns of a SELECT, each behind ", "; NULL: there are none. */
	void (*select_more)(struct sql *s, const struct field *f);
	/* Sets null and the value, of memory that is all zero; NULL: never read. */
	void (*load)(struct value *v, const struct field_cell *cell);
	/* Appends a parameter; NULL: never written with its record. */
	void (*bind)(struct sql *s, const struct value *v);
	void (*bind_second)(struct sql *s, const struct value *v);
	/* Of two that are not null. */
	bool (*equal)(const struct value *a, const struct value *b);
};

extern const struct field_storage field_storages[FIELD_TYPES];

#endif
