/* How values of each type of field are stored in SQL: one row per type. The other layers have tables of their own:
 * server/input/body_value.c reads, server/output/render.c renders, server/event/diff.c compares,
 * server/openapi/schema_field.c describes; test/unit/test_field_types.c checks that they agree. */
#ifndef KITH_STORE_FIELD_TYPE_H
#define KITH_STORE_FIELD_TYPE_H

#include "store/db.h"
#include "store/field.h"
#include "store/sql.h"

/* Where a value is read from: column is its first column. */
struct field_cell {
	const struct db_exchange *exchange;
	int statement, row, column;
	struct arena *arena;
};

struct field_storage {
	int columns;             /* of a SELECT; 0: never read */
	bool never_null;         /* unset is an empty list, or false */
	bool is_long;            /* has no limit of its own, or a large one */
	enum id_kind refers;     /* lists of ids: what they refer to */
	const char *second;      /* a second column written with it; NULL: none */
	const char *unpacked[2]; /* text around the column's name that makes a text of about its length; NULL: it is
	                            short, or FIELD_TEXT */
	const char *read[2];     /* text around the column's name in a SELECT; NULL: "t." */

	/* Appends the further columns of a SELECT, each after ", "; NULL: none. */
	void (*select_more)(struct sql *s, const struct field *f);
	/* Sets null and the value, which is all zero before. NULL: the column is never read. */
	void (*load)(struct value *v, const struct field_cell *cell);
	/* Appends a parameter; NULL: never written with the record. */
	void (*bind)(struct sql *s, const struct value *v);
	void (*bind_second)(struct sql *s, const struct value *v);
	/* Compares two values that are not null. */
	bool (*equal)(const struct value *a, const struct value *b);
};

extern const struct field_storage field_storages[FIELD_TYPES];

#endif
