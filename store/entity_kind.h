/* The kinds of entities that a note, task, reminder or interaction can be linked to. */
#ifndef KITH_STORE_ENTITY_KIND_H
#define KITH_STORE_ENTITY_KIND_H

#include "server/base/id.h"
#include "store/sql.h"

struct entity_kind {
	enum id_kind id_kind;
	const char *type;  /* entityType in JSON and in the column entity_type */
	const char *table; /* its rows have workspace_id and id */
	const char *name;  /* the column shown as fullName */
	const char *group; /* the column of the group that decides about visibility; NULL: visible to everybody */
};

/* NULL when ids of that kind are not entities. */
const struct entity_kind *entity_kind_of(enum id_kind kind);
/* NULL when there is no such type. */
const struct entity_kind *entity_kind_named(const char *type, size_t len);

/* Appends an expression for the name of the entity in entity_type and column of row t. */
void entity_name_sql(struct sql *s, const char *column);

#endif
