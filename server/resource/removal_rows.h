/* The rows that a removal affects: owners, values, links. Conditions are appended to statements whose $1 is the
 * workspace. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_ROWS_H
#define KITH_SERVER_RESOURCE_REMOVAL_ROWS_H

#include "server/snapshot/workspace.h"
#include "store/entity_kind.h"
#include "store/resources.h"
#include "store/sql.h"

/* The kind of the records that have values for that entity. */
const struct entity_kind *removal_rows_kind(enum custom_entity entity);

/* A set of records. NULL instead of it: all records that have the value. */
struct owners {
	const struct uuid *ids;
	size_t n;
};

/* Appends " and column = any (…)", or nothing for all records. */
void removal_rows_of_owners(struct sql *s, const char *column, const struct owners *some);

/* A table that is the inverse of a list of ids in records. */
struct link_table {
	const struct resource *resource; /* kind of the records */
	int field;                       /* field number of the list */
	enum id_kind kind;               /* kind of its items */
	const char *name, *owner, *item; /* the table, its column with the record's id, its column with the item's id */
};
enum { LINK_TABLES = 5, GROUP_LINKS = 2 };
extern const struct link_table link_tables[LINK_TABLES]; /* the first GROUP_LINKS rows link groups to their members */
/* The nth table with links to things of that kind; NULL: there are no more. */
const struct link_table *link_table_to(enum id_kind kind, int nth);

/* Values of a custom field, or only those that have one of the options. options NULL: all values. */
struct removed_values {
	enum custom_entity entity;
	struct uuid field;
	const struct uuid *options;
	size_t n_options;
};

/* Appends " and …" for rows v of field_values: those values of those owners. */
void removal_rows_of_values(struct sql *s, const struct removed_values *removed, const struct owners *some);

#endif
