/* Writes people, companies and objects, one or in batches, in a constant number of round trips. Each step has a file:
 *
 * - open (write_open.c): finds, locks and loads everything needed;
 * - apply (write_apply.c): decides in memory, record by record;
 * - save (write_save.c): sends the changes and events with COMMIT, and the answer (write_reply.c).
 *
 * More than half a megabyte is sent in several exchanges. The database takes up to a tenth of a second for a record of
 * the largest size, each exchange has its own time limit, and the loop serves other requests in between.
 *
 * A request has one target for each record that it creates, and one for each distinct record that it updates or
 * deletes. Records of a batch with the same id are merged into one update. The same is true of records of an upsert
 * that match each other (upsert.c). Before that, each record that gives an id and a condition is tested against its
 * condition. This takes one more round trip, only in batches that have conditions. */
#ifndef KITH_SERVER_RESOURCE_WRITE_H
#define KITH_SERVER_RESOURCE_WRITE_H

#include "filter/filter.h"
#include "server/resource/contact.h"
#include "server/resource/custom_apply.h"
#include "server/output/names.h"
#include "server/request/request.h"
#include "server/request/warning.h"

struct entities;
struct write_target;
struct write;
struct upsert;

/* The properties of a kind of record. */
struct write_kind {
	const struct resource *res;
	const struct filter_table *filters; /* how the values of the field are compared */
	enum custom_entity entity;
	int name, created_at, created_by, custom;                             /* field numbers */
	int groups, companies, people, emails;                                /* -1: no such list */
	void (*settle)(struct arena *a, struct write_target *t, bool create); /* computes derived values; NULL: none */
	/* The name of a record created with this body, if it is derived; NULL: it is not derived. */
	struct value (*name_given)(struct arena *a, const struct input *in);
	/* Adds the statements of a delete. For an object they also make its event. */
	void (*remove)(struct req *r, const struct uuid *ids, size_t n);
};

struct warning {
	struct warning *next;
	const char *json; /* written by warning_write() */
	size_t len;
};

enum write_op { WRITE_DELETE, WRITE_CREATE, WRITE_UPDATE, WRITE_UPSERT };

struct write_target {
	struct uuid id;
	enum write_op op;    /* the operation of the request; in an upsert WRITE_CREATE or WRITE_UPDATE */
	struct input *input; /* NULL for a delete */
	struct custom_changes changes;
	struct record *old, *new;
	bool joined; /* in an upsert: several records of the request were the same record */
	bool failed;
	enum error_code error;
	const char *message;
	const struct uuid *candidates; /* ERROR_AMBIGUOUS: the existing records that match */
	size_t n_candidates;
	struct issues *issues;             /* the issues of a single request; NULL in a batch */
	struct write_target *duplicate_of; /* creates a company that an earlier record creates, too */
	bool existing;                     /* creates a company that already exists */
	struct value left_groups;          /* groups that the record has left */
	const char *beside;                /* a change that is not a field's, for the event; NULL: none */
	const struct uuid *merged_into;    /* deletes a contact that becomes part of this one; NULL: of none */
	struct warning *warnings, **last_warning;
};

/* A person or company that a body refers to. */
struct loaded {
	struct uuid id;
	const char *name;
	size_t len;
	bool outside; /* it is not in the object's group */
};

struct write {
	const struct write_kind *kind;
	enum write_op op;
	bool batch;
	struct write_target *targets;
	size_t n_targets;
	size_t *record_target; /* by index of the record as sent */
	size_t n_records;
	struct upsert *upsert; /* WRITE_UPSERT, else NULL */
	struct custom_scope scope;
	enum role role;                   /* for objects: the role of the viewer in their group */
	const struct db_exchange *stamps; /* the result with the stamps that conditions are tested against */
	const struct db_exchange *loads;  /* the results of loading */
	/* indexes of results; -1: not asked */
	int at_stamps, at_locked, at_old, at_named, at_companies, at_people, at_refs, at_proposed, at_names, at_held,
	    at_parents, at_merged;
	struct entities *entities;      /* the entities that deleted notes, tasks and interactions are linked to */
	struct table companies, people; /* existing contacts given by id: struct loaded, by id */
	/* Contacts given by name, by name. proposed: with an id for creating them. named: as they are in the database
	 * after that. */
	struct table proposed, named;
	struct names refs;  /* what the given custom values refer to */
	struct names names; /* what the answers refer to */
	struct value_rows rows;
	/* Progress over the targets: values read, decided, references queried, statements added. The last is progress
	 * over the answer's results. */
	size_t read, decided, wanted, saved, replied;
};

static inline bool target_gives(const struct write_target *t, int field)
{
	return field >= 0 && t->input && (t->input->given & FIELD_BIT(field));
}

/* --- write_open.c --------------------------------------------------------------------- */

/* The kind of the route's records: people, companies or objects. */
const struct write_kind *write_kind_of(const struct route *route);
/* Begins the write of a request, in r->state. */
struct write *write_prepare(struct req *r, const struct write_kind *kind);
/* Sends the statements so far and runs this step again after them. */
enum step write_ask_on(struct req *r);
/* True when the viewer may not write the objects. */
bool write_forbidden(const struct req *r, const struct write *w);

extern const char target_too_much[]; /* the error text of a record of a batch that was not loaded */
extern const char target_only_reading[];
/* Fails a record. */
void target_fail(struct write_target *t, enum error_code error, const char *message);
/* Fails a record with a 422. Only a single request uses the path. */
void target_issue(struct arena *a, struct write_target *t, const struct path *at, const char *text);
/* id: the id that the text is about; NULL: none. */
void target_warn(struct arena *a, struct write_target *t, enum warning_code code, const struct path *at,
    const char *what, const char *id);
/* A size that messages may show. -1: it may count what the viewer does not see. */
int64_t write_told(struct req *r, int64_t size);

/* Appends a target; input NULL: a delete. */
struct write_target *write_add_target(struct req *r, struct write *w, const struct uuid *id, struct input *input);
/* Merges the custom values of all records with the same target. */
void write_merge_custom(struct req *r, struct write *w);
/* Adds the targets of the request, unless it is an upsert. */
void write_find_targets(struct req *r, struct write *w);

/* The queries of the opening, and those for custom values. Call the latter again while it returns false. */
void write_load(struct req *r, struct write *w);
bool write_load_custom(struct req *r, struct write *w);
/* The record as loaded. NULL: it does not exist, or the batch's records are too large to be loaded. */
struct record *target_old(struct arena *a, const struct write *w, const struct uuid *id);

/* --- write_apply.c ---------------------------------------------------------------------- */

/* Reads rows of id, name and perhaps "is in the object's group" into struct loaded, by id or by name. at -1: nothing
 * was asked. */
void write_loaded(struct arena *a, const struct db_exchange *x, int at, bool by_name, struct table *out);
/* A new record's id, made from the time of creation in its body, or from the current time. */
struct uuid target_new_id(const struct write_target *t, const struct write_kind *k);

/* --- write_save.c ----------------------------------------------------------------------- */

/* Adds the statements that create the companies given by name. False: there are none. */
bool write_create_companies(struct req *r, struct write *w);
/* Adds the events of a target. */
void write_event(struct req *r, const struct write *w, const struct write_target *t);
/* Adds the statements that save one record, and its events. */
void write_save_target(struct req *r, struct write *w, struct write_target *t);
/* Adds the statements for the link tables of all records. */
void write_save_links(struct req *r, struct write *w);
/* True when the statements added so far must be sent. write_save_on() sends them and runs the step again. */
bool write_full(struct req *r);
enum step write_save_on(struct req *r);

/* --- write_reply.c ---------------------------------------------------------------------- */

/* Call it as the last action of a step. While w->replied is not 0 the step only calls it again. */
enum step write_reply(struct req *r, struct write *w);

/* --- the kinds: person.c, company.c, object.c, contact_remove.c -------------------------- */

/* Sets the names that are derived from others. */
void person_settle(struct arena *a, struct write_target *t, bool create);
struct value person_name_given(struct arena *a, const struct input *in);

/* Appends " and …" for companies t with one of these names. */
void company_named_sql(struct sql *s, const char *const *names, const size_t *lens, size_t n);
/* Queries the companies that have one of the given names. */
void company_ask_named(struct req *r, struct write *w);
/* Decides the result of a target whose name a company already has. */
void company_check_name(struct req *r, struct write *w, struct write_target *t);

/* Counts the records that refer to the contacts. */
void contact_ask_held(struct req *r, struct write *w, const struct uuid *ids);
/* True if only what is not in use is to be deleted, and this person or company is. */
bool contact_in_use(const struct req *r, const struct write *w, const struct uuid *id);
/* Add the statements of a deletion. */
void contact_remove(struct req *r, const struct uuid *ids, size_t n);
void object_remove(struct req *r, const struct uuid *ids, size_t n);

#endif
