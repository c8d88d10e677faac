/* People and companies that were merged into another one: their ids are gone, and lead to the record that stayed. */
#ifndef KITH_SERVER_RESOURCE_MERGED_H
#define KITH_SERVER_RESOURCE_MERGED_H

#include "server/request/request.h"

/* The 404 for the record that the route's last id names, with details.mergedInto if it was merged. The last act of a
 * step, which runs once more and comes here again: only who finds nothing pays for the look-up. */
enum step merged_not_found(struct req *r);

/* References follow a merge: the record is meant that stayed. The ids in a path, of a batch's records, and of a merge
 * itself do not, as a DELETE must never hit the record that stayed.
 *
 * Appends the id of the record that stayed, for an expression; the same id if it was not merged. */
struct entity_kind;
void merged_now_sql(struct sql *s, const struct entity_kind *kind, const char *id);
/* Appends a select of those of the ids that were merged: the id, that of the record that stayed, its name, its kind,
 * and whether it is in the group; NULL: of any. */
void merged_given_sql(struct sql *s, const struct uuid *ids, size_t n, const struct uuid *group);
/* Adds a statement for an entity that a body repeats, when it is a contact; then, at its result, replaces the entity's
 * id. */
struct value;
void merged_entity_ask(struct req *r, const struct value *ref);
void merged_entity_take(const struct req *r, int at, struct value *ref);
/* Replaces the ids in the query, or in a search's filter. A step calls it before it uses them, and passes on what is
 * not PASS: it then runs once more. */
enum step merged_follow_query(struct req *r);

/* Adds the statement that remembers it. */
void merged_insert(struct sql *s, enum id_kind kind, const struct uuid *gone, const struct uuid *kept);

#endif
