/* References to people, companies and objects, and what is deleted with them. */
#ifndef KITH_SERVER_RESOURCE_ENTITY_H
#define KITH_SERVER_RESOURCE_ENTITY_H

#include "server/request/request.h"
#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* Adds a statement that looks up the entity of a FIELD_ENTITY and locks its row; returns the index of its result.
 * lock: ENTITY_KEEP, a deletion waits and then sees what was linked to it; ENTITY_COUNT, which excludes itself. */
#define ENTITY_KEEP " for key share of t"
#define ENTITY_COUNT " for no key update of t"
int entity_ask(struct req *r, const struct value *ref, const char *lock);

/* Sets ref's name from the result, and its id if the one given was merged. False with an issue when there is no such
 * entity for the viewer: objects of hidden groups do not exist for them. */
bool entity_given(struct req *r, int at, struct value *ref);

/* The entities of many records. */
struct entities {
	const struct value **refs; /* FIELD_ENTITY, each once, in the order of their ids */
	size_t count;
	int at; /* index of the result: a row for each */
};

/* Sorts refs and leaves each once; adds a statement as entity_ask() for all of them, which locks their rows in that
 * order. */
void entities_ask(struct req *r, struct entities *e, const char *lock);

/* Sets the name of ref, an equal of one of them, and its id if that was merged, from the results x; false when there is
 * no such entity for the viewer. */
bool entities_given(struct req *r, const struct db_exchange *x, const struct entities *e, struct value *ref);

/* The entity in a parameter's id; NULL, with an id that no record has, when it is not an entity's. */
struct param_value;
const struct entity_kind *entity_param_read(const struct param_value *v, struct uuid *id);
/* Appends " and …": only rows t of the entity in the query's entity.id; nothing without it. An entity that is
 * unknown, of another kind or hidden has no rows. */
void entity_param_sql(const struct req *r, struct sql *s);

/* Appends " and …" that excludes rows t whose entity is hidden from the viewer. The text is the same for every
 * viewer. */
void entity_visible_sql(const struct req *r, struct sql *s);

/* For entities deleted by the transaction. Adds the statements that delete what belongs to them (notes, tasks,
 * reminders, interactions, custom values); and those that remove custom values that refer to them, everywhere (some
 * NULL) or in some records. Their own rows and links are left to the caller. */
void entity_forget_own(const struct statements *st, const struct uuid *ids, size_t n);
void entity_forget_own_values(const struct statements *st, const struct uuid *ids, size_t n); /* the values alone */
void entity_forget_references(const struct statements *st, const struct uuid *ids, size_t n, const struct owners *some);

/* Adds the statements that remove ids from the lists and the link table. */
void entity_unlink(const struct statements *st, const struct uuid *ids, size_t n, const struct link_table *l,
    const struct owners *some);

#endif
