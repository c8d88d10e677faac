/* Writing people, companies and objects, single or in batches, in a constant number of round trips: open (lock and
 * load everything needed), apply (decide in memory, record by record), save (send the changes, with COMMIT). More
 * than half a megabyte is sent in several exchanges: the database takes up to a tenth of a second for a record of
 * the largest size, each exchange has its own time limit, and the loop serves others in between.
 *
 * A request has one target for each record that it creates, and one for each distinct record that it updates or
 * deletes: records of a batch with the same id are merged into one update, and so are those of an upsert that match
 * each other (upsert.c). Before that each record with an id is held against its own condition, which takes one more
 * round trip, in batches that have any. */
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
	const struct filter_table *filters; /* how its values are compared */
	enum custom_entity entity;
	int name, created_at, created_by, custom;                           /* field numbers */
	int groups, companies, people, emails;                              /* -1: no such list */
	void (*settle)(struct req *r, struct write_target *t, bool create); /* computes derived values; NULL: none */
	/* The name of a record created with this body, if it is derived; NULL: it is not. */
	struct value (*name_given)(struct req *r, const struct input *in);
	/* Adds the statements of a delete; an object's also make its event. */
	void (*remove)(struct req *r, const struct uuid *ids, size_t n);
};

extern const struct write_kind person_kind, company_kind, object_kind;

struct warning {
	struct warning *next;
	const char *json; /* as warning_write() makes it */
	size_t len;
};

enum write_op { WRITE_DELETE, WRITE_CREATE, WRITE_UPDATE, WRITE_UPSERT };

struct write_target {
	struct uuid id;
	enum write_op op;    /* the request's; in an upsert WRITE_CREATE or WRITE_UPDATE */
	struct input *input; /* NULL for a delete */
	struct custom_changes changes;
	struct record *old, *new;
	bool joined; /* in an upsert: several records were one */
	bool failed;
	enum error_code error;
	const char *message;
	const struct uuid *candidates; /* ERROR_AMBIGUOUS: the existing records that match */
	size_t n_candidates;
	struct issues *issues;             /* of a single request; NULL in a batch */
	struct write_target *duplicate_of; /* creating a company: an earlier record creates it */
	bool existing;                     /* creating a company: it exists already */
	struct value left_groups;          /* the groups that it has left */
	const struct uuid *merged_into;    /* deleting a contact: it becomes part of that one; NULL: of none */
	struct warning *warnings, **last_warning;
};

/* A person or company referred to in a body. */
struct loaded {
	struct uuid id;
	const char *name;
	size_t len;
	bool outside; /* of the object's group */
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
	enum role role;                   /* objects: the viewer's in their group */
	const struct db_exchange *stamps; /* the result that conditions are held against */
	const struct db_exchange *loads;  /* the results of loading */
	/* indexes of results; -1: not asked */
	int at_stamps, at_locked, at_old, at_named, at_companies, at_people, at_refs, at_proposed, at_names, at_held,
	    at_parents, at_merged;
	struct entities *entities;      /* what notes, tasks and interactions are linked to */
	struct table companies, people; /* existing ones given by id: struct loaded, by id */
	/* Those given by name, by name: with an id to create them under; as they are in the database after that. */
	struct table proposed, named;
	struct names refs;  /* what the custom values given refer to */
	struct names names; /* what the answers refer to */
	struct value_rows rows;
	/* Progress over the targets: values read, decided, references queried, statements added; and over the
	 * answer's results. */
	size_t read, decided, wanted, saved, replied;
};

/* Finds the group and type in an object's path, also for other steps: false with the reply set. role is the
 * viewer's. */
bool object_scope(struct req *r, struct custom_scope *scope, enum role *role);

/* --- shared by the files of writes ------------------------------------------------ */

/* write.c: begins the write of a request, in r->state; then its targets, unless it is an upsert. */
struct write *write_prepare(struct req *r, const struct write_kind *kind);
void write_find_targets(struct req *r, struct write *w);
/* Of people, companies, objects. */
const struct write_kind *write_kind_of(const struct req *r);
/* Appends a target; input NULL: a delete. */
struct write_target *write_add_target(struct req *r, struct write *w, const struct uuid *id, struct input *input);
/* Merges the custom values of all records with the same target. */
void write_merge_custom(struct req *r, struct write *w);
/* True when the statements added so far are to be sent; write_save_on() sends them and runs the step again. */
bool write_full(struct req *r);
enum step write_save_on(struct req *r);

/* write_target.c: the row with that id in its first column, as those of all resources have; -1: none, or at is -1. */
int write_row(const struct write *w, int at, const struct uuid *id);
/* The record as loaded; NULL: it does not exist, or the batch's records are too large to be loaded. */
struct record *target_old(struct req *r, const struct write *w, const struct uuid *id);
extern const char target_too_much[]; /* the error in the latter case */
extern const char target_only_reading[];

bool target_gives(const struct write_target *t, int field);
/* A new record's id: of the time of creation in its body, else of the present. */
struct uuid target_new_id(const struct write_target *t, const struct write_kind *k);
/* True when the viewer may not write the objects. */
bool write_forbidden(const struct req *r, const struct write *w);
/* Fails a record. */
void target_fail(struct write_target *t, enum error_code error, const char *message);
/* Fails it with a 422; the path matters for a single request only. */
void target_issue(struct req *r, struct write_target *t, const struct path *at, const char *text);
/* id: what it is about; NULL: the text says it. */
void target_warn(struct req *r, struct write_target *t, enum warning_code code, const struct path *at, const char *what,
    const char *id);

/* contact_remove.c: counts the records that refer to the contacts; adds the statements of their deletion. */
void contact_ask_held(struct req *r, struct write *w, const struct uuid *ids);
void contact_remove(struct req *r, const struct uuid *ids, size_t n);
/* write_target.c: a size that messages may have; -1: it may count what the viewer does not see. */
int64_t write_told(struct req *r, int64_t size);
/* write_load.c: asks for the stamps of a batch's records, if any has a condition; false if none has. Then
 * whether a batch's record fails its condition. */
bool write_ask_stamps(struct req *r, struct write *w);
bool write_unmatched(const struct req *r, const struct write *w, const struct input *in);
/* The queries of the opening, and those for custom values; the latter is called again while false. */
void write_load(struct req *r, struct write *w);
bool write_load_custom(struct req *r, struct write *w);
/* write_merged.c: asks which of the contacts referred to were merged; makes them references to those that stayed. */
void write_ask_merged(struct req *r, struct write *w);
void write_take_merged(struct req *r, struct write *w);
/* Reads rows of id, name and perhaps whether it is in the object's group into struct loaded, by id or by name. at -1:
 * not asked, none. */
void write_loaded(struct arena *a, const struct db_exchange *x, int at, bool by_name, struct table *out);
void write_decide(struct req *r, struct write *w, struct write_target *t); /* write_apply.c */
/* write_company.c: appends " and …": companies t with one of these names. */
void write_named_sql(struct sql *s, const char *const *names, const size_t *lens, size_t n);
bool write_create_companies(struct req *r, struct write *w); /* queries those given by name */
void write_set_companies(struct req *r, struct write *w, struct write_target *t, struct value *out);
void write_check_name(struct req *r, struct write *w, struct write_target *t); /* names of companies are unique */
/* write_reply.c: the last act of a step; while w->replied is not 0 the step only calls it again. */
enum step write_reply(struct req *r, struct write *w);
/* write_event.c: events of a target, and of the companies created by name. */
void write_event(struct req *r, const struct write *w, const struct write_target *t);
void write_event_companies(struct req *r, const struct write *w);
/* write.c: add the statements that save a record, with its event, and the link tables of all of them. */
void write_save_target(struct req *r, struct write *w, struct write_target *t);
void write_save_links(struct req *r, struct write *w);

#endif
