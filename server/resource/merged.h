/* People and companies that were merged into another record. Their ids no longer name a record; they lead to the kept
 * record. */
#ifndef KITH_SERVER_RESOURCE_MERGED_H
#define KITH_SERVER_RESOURCE_MERGED_H

#include "server/request/request.h"

/* Sets the 404 for the record that the first id in the path names, with details.mergedInto if it was merged. The kind
 * is that of the route's resource; kinds other than people and companies get the plain 404. Call it as the last action
 * of a step that has not found the record. It sends the look-up and runs the step again, which must then call it again
 * without reading its own results: test r->merged_asked first, as duplicate_show() does. */
enum step merged_not_found(struct req *r);

/* References follow a merge: they mean the kept record. The ids in a path, of a batch's records, and of a merge itself
 * do not follow it, because a DELETE must never hit the kept record.
 *
 * Appends the id of the kept record for an expression; the same id if the record was not merged. */
struct entity_kind;
void merged_now_sql(struct sql *s, const struct entity_kind *kind, const char *id);
/* Appends a select of those ids that were merged. Its columns are the id, the id of the kept record, its name, its
 * kind, and whether it is in the group. group NULL: in any group. */
void merged_given_sql(struct sql *s, const struct uuid *ids, size_t n, const struct uuid *group);
struct value;
/* Adds a statement that finds the kept record of an entity in a body, if the entity is a contact. */
void merged_entity_ask(struct req *r, const struct value *ref);
/* Replaces the id of the entity with the result of that statement. */
void merged_entity_take(const struct db_exchange *x, int at, struct value *ref);
/* Replaces merged ids in the query, or in a search's filter. A step calls it before it uses the ids, and returns any
 * result other than PASS: the step then runs once more. */
enum step merged_follow_query(struct req *r);

/* Adds the statement that stores where the record has gone. */
void merged_insert(struct sql *s, enum id_kind kind, const struct uuid *gone, const struct uuid *kept);

#endif
