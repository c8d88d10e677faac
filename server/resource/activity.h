/*
 * What notes, tasks, reminders (and whatever else is linked to an entity) have in
 * common: they are seen by whom they belong to or by all, and only by who may see
 * their entity; they are listed by entity.
 */
#ifndef KITH_SERVER_RESOURCE_ACTIVITY_H
#define KITH_SERVER_RESOURCE_ACTIVITY_H

#include "filter/compile.h"
#include "server/input/body.h"
#include "server/request/request.h"
#include "store/record.h"

/* Who may see a row t: everybody when it is public, else its owners, an array of users. */
struct activity_rule {
	const struct resource *resource;
	const char *public, *owners;
};
/* NULL: everybody may see all of them. */
const struct activity_rule *activity_rule(const struct resource *res);

/* Appends " and …": only rows t of the route's resource that the viewer may see. */
void activity_visible_sql(const struct req *r, struct sql *s);

/* The rows of a list by parameters other than entity.id and query, whatever its filters. */
const struct filter_base *activity_list_base(struct req *r);

/* Opens a change: the row of the path, locked, will be at r->at; the caller may add more
 * loads, then returns ask_write(). */
void activity_lock(struct req *r);
/* The locked record; NULL when there is none for the viewer. */
struct record *activity_locked(struct req *r);

/* A new record with the values of the body, an id, and those in the columns given (-1: none). */
struct record *activity_new(struct req *r, int author, int created_at);
/* Puts the values that the body gives into rec. */
void activity_take(struct record *rec, const struct input *in);
static inline bool activity_gives(const struct req *r, int field)
{
	return r->input->given & FIELD_BIT(field);
}

/* An entity that an update gives and that is not the record's own: DONE with the 422. */
enum step activity_same_entity(struct req *r, int field, const struct value *own);

/* {data: record}, with its entity's name and its parent loaded. */
enum step activity_answer(struct req *r, struct record *rec);

#endif
