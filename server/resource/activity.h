/* Shared by notes, tasks, reminders and everything else linked to an entity: visible to their owners or to all, and
 * only to those who may see their entity; listed by entity. */
#ifndef KITH_SERVER_RESOURCE_ACTIVITY_H
#define KITH_SERVER_RESOURCE_ACTIVITY_H

#include "filter/compile.h"
#include "server/input/body.h"
#include "server/request/request.h"
#include "store/record.h"

/* Who may see a row t: everybody if it is public, else its owners, an array of users. */
struct activity_rule {
	const struct resource *resource;
	const char *public, *owners;
};
/* NULL: everybody may see all of them. */
const struct activity_rule *activity_rule(const struct resource *res);

/* Appends " and …": only rows t of the route's resource that the viewer may see. */
void activity_visible_sql(const struct req *r, struct sql *s);

/* The rows selected by parameters other than entity.id and query, without the filters. */
const struct filter_base *activity_list_base(struct req *r);

/* Opens a change: the row in the path, locked, will be at r->at. The caller may add more queries, then returns
 * transaction_ask(). */
void activity_lock(struct req *r);
/* The locked record; NULL when the viewer cannot see one. */
struct record *activity_locked(struct req *r);

/* A new record with the body's values, an id, and values in these columns (-1: none). */
struct record *activity_new(struct req *r, int author, int created_at);
/* Copies the values given by the body into rec. */
void activity_take(struct record *rec, const struct input *in);
static inline bool activity_gives(const struct req *r, int field)
{
	return r->input->given & FIELD_BIT(field);
}

/* When an update gives an entity other than the record's own: DONE with a 422. */
enum step activity_same_entity(struct req *r, int field, const struct value *own);

/* {data: record}, with its entity's name and its parent loaded. */
enum step activity_answer(struct req *r, struct record *rec);

#endif
