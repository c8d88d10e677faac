/* The tables of a workspace: what is copied when it is exported or moved, and how. */
#ifndef KITH_SERVER_CELL_CELL_TABLE_H
#define KITH_SERVER_CELL_CELL_TABLE_H

#include <stddef.h>

enum cell_sealed { CELL_OPEN, CELL_WEBHOOK, CELL_ANSWER };

struct cell_table {
	const char *name;
	const char *key;    /* its primary key without workspace_id; NULL: rows have no key, and belong to an owner */
	const char *spread; /* an expression that spreads rows over CELL_PARTS parts, the same on every server */
	/* The condition under which row t has what only one row may have, and another row s has it now: the state of t
	 * is an earlier one. Before s arrives, t gets another name in this column; without a column it is removed. If
	 * it still exists, it arrives in the same pass. */
	const char *name_column, *same_name;
	const char *owner;       /* if there is no key: the column of the record that rows belong to */
	enum cell_sealed sealed; /* the column has secrets that are encrypted with the installation's key */
};

enum { CELL_PARTS = 4096 };

/* Rows can be inserted in this order and deleted in the opposite one. The workspace itself is the first table. */
extern const struct cell_table cell_tables[];
extern const size_t n_cell_tables;

/* Tables with a workspace_id that are not copied, with the reason. */
struct cell_exception {
	const char *name, *why;
};
extern const struct cell_exception cell_exceptions[];
extern const size_t n_cell_exceptions;

const struct cell_table *cell_table_find(const char *name, size_t len);

#endif
