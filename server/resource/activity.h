/* Shared by notes, tasks, reminders and everything else linked to an entity: visible to their owners or to all, and
 * only to those who may see their entity; listed by entity. */
#ifndef KITH_SERVER_RESOURCE_ACTIVITY_H
#define KITH_SERVER_RESOURCE_ACTIVITY_H

#include "server/input/body.h"
#include "server/request/request.h"
#include "server/resource/write.h"
#include "store/record.h"

/* Who may see a row t: everybody if it is public, else its owners, an array of users. */
struct activity_rule {
	const struct resource *resource;
	const char *public, *owners;
};
/* NULL: everybody may see all of them, and the entities that they may be linked to. */
const struct activity_rule *activity_rule(const struct resource *res);

/* Appends " and …": only rows t of the resource that the viewer may see. */
void activity_visible_sql(const struct req *r, const struct resource *res, struct sql *s);

/* Adds a statement that reads the row in the path if the viewer may see it; its result will be at r->at. lock: how
 * the row is locked, or "". */
void activity_ask(struct req *r, const struct resource *res, const char *name, const char *lock);

/* Opens a change: the row in the path, locked, will be at r->at. The caller may add more queries, then returns
 * transaction_ask(). */
void activity_lock(struct req *r);
/* The locked record; NULL when the viewer cannot see one. */
struct record *activity_locked(struct req *r);
/* The same if it also fulfils the request's condition; NULL with a reply: a 404 or 412. */
struct record *activity_matched(struct req *r);

/* How records of a kind are created, single and in batches (activity_create.c). */
struct activity_creation {
	struct write_kind kind; /* its resource, created_at and created_by */
	const char *insert;     /* the statement's name */
	const char *lock;       /* of the entity's row */
	int entity;             /* field number */
	/* Adds the queries of what else the bodies refer to; NULL: nothing. */
	void (*load)(struct req *r, struct write *w);
	/* Sets what the body does not give, or fails the record. */
	void (*settle)(struct req *r, struct write *w, struct write_target *t);
	/* Sets what only the row has, in memory that is freed when it is written; NULL: nothing. */
	void (*derive)(struct req *r, struct record *rec, struct arena *brief);
	/* Adds the statements behind all rows, before the answer; NULL: none. */
	void (*end)(struct req *r, struct write *w);
};
extern const struct activity_creation note_creation, task_creation, interaction_creation;

/* A new record with the body's values, an id, author and times. */
struct record *activity_new(struct req *r, int author, int created_at);
static inline bool activity_gives(const struct req *r, int field)
{
	return r->input->given & FIELD_BIT(field);
}

/* Opens a creation: the entity in the body, for entity_given(), will be at r->at. As activity_lock(). */
void activity_create_begin(struct req *r, int entity);

/* The locked record with the values in the body; *old: as it was. NULL with a reply: as activity_matched(), or a 422
 * when the body gives an entity other than the record's own. */
struct record *activity_changed(struct req *r, int entity, struct record **old);

#endif
