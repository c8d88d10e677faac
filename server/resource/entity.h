/* References to a person, a company or an object, and what goes with one. */
#ifndef KITH_SERVER_RESOURCE_ENTITY_H
#define KITH_SERVER_RESOURCE_ENTITY_H

#include "server/request/request.h"
#include "server/request/statements.h"
#include "server/resource/removal_rows.h"

/* Adds the statement that looks an entity up and keeps it until COMMIT (hold), or only
 * looks; answers the index of its result. ref is a FIELD_ENTITY as a body gave it. */
int entity_load(struct req *r, const struct value *ref, bool hold);

/* Puts the name that was found into ref; false when there is no such entity for the
 * viewer: an object of a group that he may not see does not exist for him. */
bool entity_found(const struct req *r, int at, struct value *ref);

/* The same, with an issue at "entity", "id". */
bool entity_given(struct req *r, int at, struct value *ref);

/* The entity that a parameter's id names; NULL, and nobody's id, when it is the id of none. */
struct param_value;
const struct entity_kind *entity_param_read(const struct param_value *v, struct uuid *id);
/* Appends " and …": only rows t of the entity that the query's entity.id names; nothing without it.
 * An entity that is unknown, of another kind or not to be seen has no rows. */
void entity_param_sql(const struct req *r, struct sql *s);

/* Appends " and …" that leaves out rows t whose entity, in that column, the viewer may
 * not see. The text is the same for every viewer. */
void entity_visible_sql(const struct req *r, struct sql *s, const char *column);

/*
 * Adds the statements that remove everything that belongs or refers to entities
 * which the transaction deletes: notes, tasks, reminders, interactions,
 * values of custom fields, theirs and those that name them. The entities' own rows
 * and links are the caller's. Nothing when n is 0.
 */
void entity_forget(const struct statements *st, const struct uuid *ids, size_t n);
/* Its parts: what is theirs alone; and what refers to them, NULL: everywhere, or in some records. */
void entity_forget_own(const struct statements *st, const struct uuid *ids, size_t n);
void entity_forget_references(const struct statements *st, const struct uuid *ids, size_t n, const struct owners *some);

/* Adds the statements that take ids out of the lists, and of the link table. */
void entity_unlink(const struct statements *st, const struct uuid *ids, size_t n, const struct unlinking *u,
    const struct owners *some);

#endif
