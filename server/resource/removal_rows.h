/* The rows that a removal concerns: owners, values, links. Conditions are appended to statements whose $1 is the
 * workspace. */
#ifndef KITH_SERVER_RESOURCE_REMOVAL_ROWS_H
#define KITH_SERVER_RESOURCE_REMOVAL_ROWS_H

#include "server/snapshot/workspace.h"
#include "store/entity_kind.h"
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

/* People and companies as members of groups. */
struct contact_kind {
	enum custom_entity entity;
	const char *table, *links, *column;
};
enum { CONTACT_KINDS = 2 };
extern const struct contact_kind contact_kinds[CONTACT_KINDS];

/* Values of a custom field, or only those that are one of the options (NULL: all). */
struct values_gone {
	enum custom_entity entity;
	struct uuid field;
	const struct uuid *options;
	size_t n_options;
};

/* Appends " and …" for rows v of field_values: those values, of those owners. */
void removal_rows_of_values(struct sql *s, const struct values_gone *gone, const struct owners *some);

/* A list of ids in a table's rows, and the link table that is its inverse (columns: owner of the list, other). */
struct unlinking {
	const char *table, *list, *links, *owner, *other;
};
/* The nth table with links to them; NULL: no more. */
const struct unlinking *removal_rows_links(enum id_kind kind, int nth);

#endif
