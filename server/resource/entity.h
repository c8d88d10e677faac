/* References to people, companies and objects, and the records that are deleted with them. */
#ifndef KITH_SERVER_RESOURCE_ENTITY_H
#define KITH_SERVER_RESOURCE_ENTITY_H

#include "server/request/request.h"
#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* Adds a statement that looks up the entity of a FIELD_ENTITY and locks its row. Returns the index of its result. lock
 * ENTITY_KEEP: a deletion waits for this transaction, and then sees what was linked to the entity. lock ENTITY_COUNT:
 * the same, but it also excludes other ENTITY_COUNT locks. */
#define ENTITY_KEEP " for key share of t"
#define ENTITY_COUNT " for no key update of t"
int entity_ask(struct req *r, const struct value *ref, const char *lock);

/* Sets the name of ref from the result, and its id if the given entity was merged. Returns false with an issue when
 * there is no such entity for the viewer. For the viewer, objects of hidden groups do not exist. */
bool entity_given(struct req *r, int at, struct value *ref);

/* The entities of many records. */
struct entities {
	const struct value **refs; /* FIELD_ENTITY, each once, in the order of their ids */
	size_t count;
	int at; /* index of the result, which has a row for each entity */
};

/* Sorts refs and drops duplicates. Adds a statement as entity_ask() for all of them, which locks their rows in that
 * order. */
void entities_ask(struct req *r, struct entities *e, const char *lock);

/* Takes the result of entities_ask() for ref, which must be one of the refs in e. Sets the name of ref, and its id if
 * the entity was merged. Returns false when the viewer may not see the entity or it does not exist. */
bool entities_given(
    const struct req_caller *caller, const struct db_exchange *x, const struct entities *e, struct value *ref);

/* The entity in a parameter's id. NULL, with an id that no record has, when the id is not of an entity. */
struct param_value;
const struct entity_kind *entity_param_read(const struct param_value *v, struct uuid *id);
/* Appends " and …" that leaves only rows t of the entity in the query's entity.id; appends nothing without that
 * parameter. An entity that is unknown, hidden or of another kind has no rows. */
void entity_param_sql(const struct req *r, struct sql *s);

/* Appends " and …" that leaves out rows t whose entity is hidden from the viewer. The text is the same for every
 * viewer. */
void entity_visible_sql(const struct req_caller *caller, struct sql *s);

/* Appends " + …", the number of kinds of notes, tasks, reminders and interactions that the entity has. */
void entity_activities_sql(struct sql *s, const char *id);

/* For entities that the transaction deletes. Adds the statements that delete what belongs to them (notes, tasks,
 * reminders, interactions, custom values). Then adds those that remove custom values that refer to them, in all records
 * (some NULL) or in some. The caller deletes the rows and links of the entities themselves. */
void entity_forget_own(const struct statements *st, const struct uuid *ids, size_t n);
void entity_forget_own_values(const struct statements *st, const struct uuid *ids, size_t n); /* only the values */
void entity_forget_references(const struct statements *st, const struct uuid *ids, size_t n, const struct owners *some);

/* Adds the statements that remove ids from the lists and from the link table. */
void entity_unlink(const struct statements *st, const struct uuid *ids, size_t n, const struct link_table *l,
    const struct owners *some);

#endif
