/* The rows that a removal concerns: owners, values, links. Conditions are appended to statements whose $1 is the
 * workspace. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_ROWS_H
#define KITH_SERVER_RESOURCE_REMOVAL_ROWS_H

#include "server/snapshot/workspace.h"
#include "store/entity_kind.h"
#include "store/resources.h"
#include "store/sql.h"

/* The kind of the records that have values of that entity. */
const struct entity_kind *removal_rows_kind(enum custom_entity entity);

/* A set of records; NULL in its place: all that hold it. */
struct owners {
	const struct uuid *ids;
	size_t n;
};

/* Appends " and column = any (…)", or nothing for all. */
void removal_rows_of_owners(struct sql *s, const char *column, const struct owners *some);

/* A table that is the inverse of a list of ids in records. */
struct link_table {
	const struct resource *resource; /* of the records */
	int field;                       /* the list */
	enum id_kind kind;               /* of its items */
	const char *name, *owner, *item; /* the table, its columns with the record's id and the item's */
};
enum { LINK_TABLES = 5, GROUP_LINKS = 2 };
extern const struct link_table link_tables[LINK_TABLES]; /* the first GROUP_LINKS have the members of groups */
/* The nth table with links to things of that kind; NULL: no more. */
const struct link_table *link_table_to(enum id_kind kind, int nth);

/* Values of a custom field, or only those that are one of the options (NULL: all). */
struct removed_values {
	enum custom_entity entity;
	struct uuid field;
	const struct uuid *options;
	size_t n_options;
};

/* Appends " and …" for rows v of field_values: those values, of those owners. */
void removal_rows_of_values(struct sql *s, const struct removed_values *removed, const struct owners *some);

#endif
