/* The data that filters are tested on: one workspace with some hundred records of every kind, all created through
 * the API, by several users, with awkward values. The same seed gives the same data, apart from ids. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_WORLD_H
#define KITH_TEST_LIB_MODEL_FILTER_WORLD_H

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/http/caller.h"
#include "test/lib/model/filter_model.h"
#include "test/lib/rig.h"

/* --- content ------------------------------------------------------------------------------ */

enum filter_maker {
	MAKER_ADA,   /* admin of the workspace */
	MAKER_BEN,   /* member; cannot see the private group */
	MAKER_CY,    /* member; created the private group */
	MAKER_NOISE, /* member; creates unrelated records meanwhile */
	MAKERS
};

enum filter_group {
	GROUP_SALES,
	GROUP_OTHER,
	GROUP_PRIVATE, /* visible to Cy and the admins */
	GROUP_BARE,    /* without fields; deleted, while many records still refer to it */
	GROUPS_MADE
};

enum filter_kind { KIND_COMPANY, KIND_PERSON, KIND_OBJECT, KIND_TASK, KINDS };

enum {
	WORLD_PEOPLE = 130,
	WORLD_COMPANIES = 60,
	WORLD_OBJECTS = 90,
	WORLD_TASKS = 80,
	WORLD_INTERACTIONS = 110,
	WORLD_RECORDS_MAX = 130,
	WORLD_FIELDS_MAX = 64,
	WORLD_STRAYS_MAX = 32
};

/* A custom field of the world. */
struct world_custom {
	const char *entity; /* "person", "company" or the objects' type */
	enum filter_group group;
	const char *name, *type;
};
extern const struct world_custom filter_customs[];
extern const int n_filter_customs;

/* The objects' type; another one in the same group has objects that lists of this one must not show. */
extern const char filter_type[], filter_other_type[];

struct filter_made {
	const char *id;
	unsigned groups; /* set of 1u << enum filter_group */
};

/* What one user sees. */
struct filter_list {
	const char *target; /* "/v1/people" */
	const char *kind;   /* "people" */
	struct model_field fields[WORLD_FIELDS_MAX];
	int n_fields;
	struct json **records; /* in order of creation */
	size_t n_records;
	struct model_relation relations[2];
	int n_relations;
	const char *const *strays; /* the world's */
	size_t n_strays;
};

struct filter_view {
	struct caller caller;
	const char *name;
	struct arena arena;
	struct filter_list lists[KINDS];
	const char *groups[GROUPS_MADE]; /* visible groups */
	size_t n_groups;
};

struct filter_world {
	struct rig rig;
	struct server_process *server;
	struct arena arena;
	struct test_user users[MAKERS];
	struct caller callers[MAKERS];
	const char *groups[GROUPS_MADE];
	struct filter_made made[KINDS][WORLD_RECORDS_MAX];
	int n_made[KINDS], n_names;
	/* Ids of all kinds: unknown, deleted, hidden from some, and existing. */
	const char *strays[WORLD_STRAYS_MAX];
	size_t n_strays;
	char orders[128];                      /* file of the server's fault orders */
	struct filter_view views[MAKER_NOISE]; /* of Ada, Ben and Cy */
};

/* Creates it and reads what each user sees. Ends the process on failure. */
void filter_world_open(struct filter_world *w, const char *name, uint64_t seed);
/* True when the server ended normally. */
bool filter_world_close(struct filter_world *w);
/* Makes the server test only few rows before it uses an index or ends a page, as for a large list; or ends this. */
void filter_world_shorten(struct filter_world *w, bool yes);

/* Writes unrelated data in a thread of its own (filter_world_noise.c): people and companies of the noise user, tasks
 * due after 2100, objects of the other type, another workspace, groups that are created and deleted. */
struct filter_noise;
struct filter_noise *filter_noise_start(struct filter_world *w);
/* Returns the number of requests; -1 when one was refused. */
int filter_noise_stop(struct filter_noise *n);

/* --- internal ----------------------------------------------------------------------------------- */

/* A record of that kind for a create, or for an update of id, without references to people and objects in custom
 * fields (filter_world_record.c). */
void filter_record(struct filter_world *w, struct json_out *o, enum filter_kind kind, unsigned groups, const char *id);
/* An update with references to contacts and objects in custom fields. */
void filter_references(struct filter_world *w, struct json_out *o, enum filter_kind kind, const struct filter_made *r);
void filter_task(struct filter_world *w, struct json_out *o);
void filter_interaction(struct filter_world *w, struct json_out *o);
/* The labels of selects; NULL terminated. */
extern const char *const filter_labels[];

/* Sends a batch of records as JSON; returns the first result. Ends the process unless all succeeded. */
void filter_batch_begin(struct buf *b, struct json_out *o);
const struct json *filter_batch_send(struct filter_world *w, enum filter_maker maker, enum filter_kind kind,
    const char *verb, struct buf *b, struct json_out *o);

/* Changes some records and their groups, deletes some, and an option of a select (filter_world_change.c). */
void filter_world_change(struct filter_world *w);

/* Spreads times of creation, with the ids, and of updates (filter_world_times.c). Records have other ids afterwards. */
void filter_world_move(struct filter_world *w);

/* Deletes things to which many records refer, without removing the references; finds the strays
 * (filter_world_gone.c). Ids do not change any more from here on. */
void filter_world_delete(struct filter_world *w);

/* At the end: waits until no record refers to what was deleted; false: it takes too long. */
bool filter_world_let_go(struct filter_world *w);

/* Reads what a user sees (filter_world_view.c). */
void filter_view_open(struct filter_world *w, struct filter_view *v, enum filter_maker maker);
void filter_view_close(struct filter_view *v);
/* Sends a request and parses the answer, freed with a; ends the process unless it is a 200. */
struct json *filter_ask(
    struct caller *c, struct arena *a, const char *method, const char *target, const char *body, struct buf *raw);
/* Percent-encodes, in the arena. */
const char *filter_encoded(struct arena *a, const char *text);
/* A page's nextLink from "/v1" on; NULL: there is none. */
const char *filter_next(const struct json *page);

#endif
