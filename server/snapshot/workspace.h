/*
 * What every request of a workspace needs to know: its users, groups and roles.
 * A snapshot is immutable and shared by the requests that hold it; admission
 * tells each request the workspace's current version, and a snapshot of another
 * version is replaced before the request goes on, so the answers are exact also
 * between processes.
 */
#ifndef KITH_SERVER_SNAPSHOT_WORKSPACE_H
#define KITH_SERVER_SNAPSHOT_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "server/base/list.h"
#include "server/base/table.h"
#include "store/db.h"

enum role {
	ROLE_NONE,
	ROLE_READER,
	ROLE_CONTRIBUTOR,
	ROLE_ADMIN
}; /* in a group; NONE: it does not exist for the user */

struct user {
	struct uuid id;
	const char *full_name, *email;
	bool admin;
	const char *reference; /* {id, fullName, email} as JSON: lists name the same few users again and again */
	size_t reference_len;
};

struct member {
	struct uuid user;
	enum role role;
};

struct object_type {
	struct uuid id;
	struct uuid group;
	const char *name;
	int64_t created_at;
};

enum custom_type {
	CUSTOM_TEXT,
	CUSTOM_NUMBER,
	CUSTOM_DATE,
	CUSTOM_SINGLE,
	CUSTOM_MULTIPLE,
	CUSTOM_CONTACT,
	CUSTOM_USER,
	CUSTOM_OBJECT,
	CUSTOM_TYPES
};

enum custom_entity { ENTITY_PERSON, ENTITY_COMPANY, ENTITY_OBJECT };

struct custom_option {
	struct uuid id;
	const char *label, *color;
	bool gone; /* removed, and nobody's to see, while values still hold it */
};

/* Of the options of a field; made when the first one is looked for. */
struct option_tables {
	struct arena *arena;
	bool made;
	struct table by_label; /* those that are not gone */
	struct table by_id;
};

struct custom_field {
	struct uuid id;
	struct uuid group;
	enum custom_entity entity;
	struct uuid object_type; /* ENTITY_OBJECT */
	const char *name;
	const char *key; /* the name as JSON, with its colon */
	size_t key_len;
	enum custom_type type;
	struct custom_option *options; /* selects: in the order shown */
	size_t n_options;
	struct custom_option *gone; /* removed ones */
	struct uuid *gone_ids;      /* theirs */
	size_t n_gone;
	struct option_tables *tables;
	struct custom_field *namesake; /* the next one of the name in the group */
	const char *format;            /* numbers: "default", "currency", … */
	int decimals;                  /* -1: not set */
	const char *currency;
};

struct group {
	struct uuid id;
	const char *name;
	bool private;
	int64_t created_at;
	struct uuid created_by;
	const char *reference; /* {id, name} as JSON */
	size_t reference_len;
	const char *key; /* the id as JSON, with its colon */
	size_t key_len;
	/* What contacts without any custom value show of the group's fields, as JSON; NULL: it has none for them. */
	const char *unset[ENTITY_OBJECT];
	size_t unset_len[ENTITY_OBJECT];
	struct member *members; /* by user id */
	size_t n_members;
	struct object_type *types; /* by creation */
	size_t n_types;
	struct custom_field *fields; /* by creation, of all entities */
	size_t n_fields;
	struct table names; /* of the fields: the first of each name */
};

/* Private, of which events still tell. */
struct gone_group {
	struct uuid id;
	struct uuid *users; /* who were its members; by id */
	size_t n_users;
};

struct workspace {
	struct uuid id;
	int64_t version;
	struct user *users; /* by id, which is by creation */
	size_t n_users;
	struct table emails;  /* of the users, in small letters */
	struct group *groups; /* by id */
	size_t n_groups;
	struct gone_group *gone; /* private groups that were deleted not long ago */
	size_t n_gone;
	/* Groups and object types that were deleted, and nobody's to see, while records still hold them; groups by id.
	 */
	struct uuid *removed_groups, *removed_types;
	size_t n_removed_groups, n_removed_types;
	/* People and companies that were deleted while records still refer to them; by id. */
	struct uuid *gone_contacts;
	size_t n_gone_contacts;
	struct custom_field **fields; /* of all groups, by id */
	size_t n_fields;
	struct arena arena;
	int holders;
};

/* Who asks. */
struct viewer {
	struct uuid user;
	bool admin; /* of the workspace */
};

const struct user *workspace_user(const struct workspace *ws, const struct uuid *id);
const struct user *workspace_user_by_email(const struct workspace *ws, const char *email, size_t len);
/* Also answers groups that the viewer may not see. */
const struct group *workspace_group(const struct workspace *ws, const struct uuid *id);
const struct member *member_find(const struct group *g, const struct uuid *user);

/* What the viewer may do in a group: workspace admins everything; in a public
 * group everybody counts as contributor unless listed otherwise; a private one
 * does not exist for those who are not members. NULL is ROLE_NONE. */
enum role group_role(const struct group *g, const struct viewer *v);
/* The private groups of which the viewer may not know, deleted ones included, of which events still tell; they lie in
 * the arena. Answers how many. */
size_t workspace_hidden(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out);
/* The groups that are to count as absent from records as they are kept: those, and removed ones for everybody. */
size_t workspace_absent(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out);
/* Whether the group was deleted, and records still hold it. */
bool workspace_removed(const struct workspace *ws, const struct uuid *group);
/* Whether the person or company was deleted, and records still refer to it. */
bool workspace_gone_contact(const struct workspace *ws, const struct uuid *id);
/* The group when the viewer may see it, else NULL. */
const struct group *visible_group(const struct workspace *ws, const struct uuid *id, const struct viewer *v);

/* The type of that name in the group, NULL when there is none. */
const struct object_type *group_type(const struct group *g, const char *name, size_t len);
const struct custom_field *workspace_field(const struct workspace *ws, const struct uuid *id);
/* The field of that name; type: of objects, else NULL. */
const struct custom_field *group_field(
    const struct group *g, enum custom_entity entity, const struct uuid *type, const char *name, size_t len);
/* The option of that label, or of that id, which may be gone; NULL: none. */
const struct custom_option *field_option(const struct custom_field *f, const char *label, size_t len);
const struct custom_option *field_option_by_id(const struct custom_field *f, const struct uuid *id);
/* Whether the field is one of that entity and, for objects, type. */
bool field_of(const struct custom_field *f, enum custom_entity entity, const struct uuid *type);

/* "textField" …; CUSTOM_TYPES when it is none of them. */
const char *custom_type_name(enum custom_type type);
enum custom_type custom_type_parse(const char *text);

const char *role_name(enum role role);
enum role role_parse(const char *text);

/* --- the cache --------------------------------------------------------------- */

struct loop;
struct workspace_cache;

/* So much is kept of snapshots that nobody holds; those not used for longest go. */
enum { WORKSPACE_IDLE_BYTES = 64 << 20 };

struct workspace_cache *workspace_cache_new(struct db *db, struct loop *loop);
/* The server closes: what is being made into snapshots comes to nothing, and who waits for it is told. */
void workspace_cache_stop(struct workspace_cache *cache);
void workspace_cache_free(struct workspace_cache *cache);

/* A wait for a snapshot; embedded in its owner. */
struct workspace_wait {
	void (*done)(struct workspace_wait *w); /* ws is set, or NULL when the database could not answer */
	void *owner;
	struct workspace *ws; /* held for the owner: workspace_release() */
	enum db_status status;
	struct list link; /* the cache's */
};

/* Sets w->ws and answers true when a snapshot at least as new is there; else
 * answers false and calls done later, from the loop. */
bool workspace_get(struct workspace_cache *cache, const struct uuid *id, int64_t version, struct workspace_wait *w);
void workspace_release(struct workspace *ws);

/* Loading: the statements, and the snapshot out of their results, the first of which is given, a slice at a time. */
enum { WORKSPACE_STATEMENTS = 8 };
void workspace_statements(struct sql *out[WORKSPACE_STATEMENTS], struct arena *a, const struct uuid *id);
struct workspace_loading; /* lies in the arena; the results stay until its end */
/* NULL: there is no such workspace. */
struct workspace_loading *workspace_load_begin(
    struct arena *a, const struct db_exchange *x, int first, const struct uuid *id);
/* True when it is through; false: its time is up (loop_slice_passed()). NULL: without an end to its time. */
bool workspace_load_some(struct workspace_loading *l, int64_t *since_us);
/* Then: the snapshot, held once. */
struct workspace *workspace_load_end(struct workspace_loading *l);
/* Or it is given up, at any time; NULL is fine. */
void workspace_load_drop(struct workspace_loading *l);

#endif
