/* Shared by notes, tasks, reminders and everything else that is linked to an entity. Either all users may see such a
 * record, or only its owners; in both cases only users who may see its entity. Lists are by entity. */
#ifndef KITH_SERVER_RESOURCE_ACTIVITY_H
#define KITH_SERVER_RESOURCE_ACTIVITY_H

#include "server/input/body.h"
#include "server/request/request.h"
#include "server/resource/write.h"

/* Who may see a row t: everybody if it is public, else its owners, an array of users. */
struct activity_rule {
	const struct resource *resource;
	const char *public, *owners;
};
/* Rule for the resource. NULL: everybody may see all of its records, and the entities that they may be linked to. */
const struct activity_rule *activity_rule(const struct resource *res);

/* Appends " and …" that leaves only rows t of the resource that the viewer may see. */
void activity_visible_sql(const struct req_caller *caller, const struct resource *res, struct sql *s);

/* Adds a statement that reads the row in the path if the viewer may see it; its result will be at r->at. lock: the
 * locking clause for the row, or "". */
void activity_ask(struct req *r, const struct resource *res, const char *name, const char *lock);

/* Opens a change: the locked row in the path will be at r->at. The caller may add more queries, then returns
 * transaction_ask(). */
void activity_lock(struct req *r);
/* The locked record; NULL when the viewer cannot see one. */
struct record *activity_locked(struct req *r);
/* The same if the record also fulfils the request's condition. NULL with a reply: a 404 or 412. */
struct record *activity_matched(struct req *r);

/* How records of a kind are created, one or in batches (activity_create.c). */
struct activity_creation {
	struct write_kind kind; /* field numbers of its resource, created_at and created_by */
	const char *insert;     /* the name of the statement */
	bool counts;            /* the entity counts the records, so creating one changes its row */
	int entity;             /* field number of the entity */
	/* Adds the queries of everything else that the bodies refer to; NULL: nothing. */
	void (*load)(struct req *r, struct write *w);
	/* Sets the values that the body does not give, or fails the record. */
	void (*settle)(struct req *r, struct write *w, struct write_target *t);
	/* Sets what only the row has, in memory that is freed when the row is written; NULL: nothing. */
	void (*derive)(struct req *r, struct record *rec, struct arena *brief);
	/* Adds the statements that follow all rows, before the answer; NULL: none. */
	void (*end)(struct req *r, struct write *w);
};
extern const struct activity_creation note_creation, task_creation, interaction_creation;

/* A new record with the body's values, an id, an author and times. */
struct record *activity_new(struct req *r, int author, int created_at);
static inline bool activity_gives(const struct req *r, int field)
{
	return r->given.input->given & FIELD_BIT(field);
}

/* Opens a creation: the entity in the body will be at r->at, for entity_given(). The second function is as
 * activity_lock(). */
void activity_create_begin(struct req *r, int entity);

/* The locked record with the values in the body; *old is the record before. NULL with a reply: as activity_matched(),
 * or a 422 when the body gives another entity than the record has. */
struct record *activity_changed(struct req *r, int entity, struct record **old);

#endif
