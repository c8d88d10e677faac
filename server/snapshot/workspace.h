/* The data of a workspace that every request needs: users, groups, roles and custom fields. A snapshot does not change,
 * and the requests that hold it share it. Admission tells each request the current version of the workspace. An older
 * snapshot is replaced before the request continues, so answers are exact across processes, too. */
#ifndef KITH_SERVER_SNAPSHOT_WORKSPACE_H
#define KITH_SERVER_SNAPSHOT_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "server/base/list.h"
#include "server/base/near.h"
#include "server/base/table.h"
#include "store/db.h"

enum role {
	ROLE_NONE,
	ROLE_READER,
	ROLE_CONTRIBUTOR,
	ROLE_ADMIN
}; /* role in a group; NONE: the group does not exist for the user */

struct user {
	struct uuid id;
	const char *full_name, *email;
	bool admin;
	const char *time_zone; /* by its name in the IANA database, such as "Europe/Berlin" */
	const char *reference; /* {id, fullName, email} as JSON, because lists repeat the same few users */
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
	bool gone; /* removed: hidden from everybody while values still have it */
};

/* Indexes over the options of a field, built at the first look-up. */
struct option_tables {
	struct arena *arena;
	bool made;
	struct table by_label; /* without removed options */
	struct table by_id;
};

struct custom_field {
	struct uuid id;
	struct uuid group;
	enum custom_entity entity;
	struct uuid object_type; /* for ENTITY_OBJECT */
	const char *name;
	const char *key; /* the name as a JSON key with its colon */
	size_t key_len;
	enum custom_type type;
	struct custom_option *options; /* selects: options in the order shown */
	size_t n_options;
	struct custom_option *gone; /* removed options */
	struct uuid *gone_ids;      /* their ids */
	size_t n_gone;
	struct option_tables *tables;
	struct custom_field *namesake; /* the next field of the same name in the group */
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
	const char *key; /* the id as a JSON key with its colon */
	size_t key_len;
	/* The fields of the group as shown for contacts without any custom value, as JSON. NULL: contacts have no
	 * fields. */
	const char *unset[ENTITY_OBJECT];
	size_t unset_len[ENTITY_OBJECT];
	struct member *members; /* by user id */
	size_t n_members;
	struct object_type *types; /* by creation */
	size_t n_types;
	struct custom_field *fields; /* by creation, of all entities */
	size_t n_fields;
	struct table names; /* of the fields: the first one of each name */
};

/* A deleted private group that events still refer to. */
struct gone_group {
	struct uuid id;
	struct uuid *users; /* its members before the deletion, by id */
	size_t n_users;
};

/* Whether a workspace is on this server while it moves from one installation to another (docs/growing.md). */
enum workspace_place {
	WORKSPACE_HERE,
	WORKSPACE_HELD,    /* until held_until_ms: writes wait for the end of a move */
	WORKSPACE_ARRIVES, /* it is still being moved to this server */
	WORKSPACE_MOVED    /* it has moved to moved_to */
};

struct workspace {
	struct uuid id;
	int64_t version;
	enum workspace_place place;
	int64_t held_until_ms;                  /* by the database's clock */
	const char *moved_to;                   /* an address; NULL: not known */
	const unsigned char *cursor_key;        /* key that seals its cursors */
	const unsigned char *cursor_key_before; /* key that sealed them before; NULL: the key of the installation did */
	struct user *users;                     /* by id, and so by creation */
	size_t n_users;
	struct table emails;  /* e-mail addresses of the users, in lower case */
	struct group *groups; /* by id */
	size_t n_groups;
	struct gone_group *gone; /* private groups that were deleted recently */
	size_t n_gone;
	/* Groups and object types that were deleted but that records still refer to. They are hidden from everybody.
	 * Groups are sorted by id. */
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

/* The user who makes the request, within the limits of their key. */
struct viewer {
	struct uuid user;
	bool admin; /* admin of the workspace */
	/* The only groups that exist for the user, whatever the roles; 0: no limit. A workspace admin with a limit is
	 * admin of these groups, not of the workspace. */
	const struct uuid *groups;
	size_t n_groups;
	bool admin_inside;
};
/* The groups must outlive the viewer. */
struct viewer viewer_limited(const struct uuid *user, bool is_admin, const struct uuid *groups, size_t n_groups);

const struct user *workspace_user(const struct workspace *ws, const struct uuid *id);
const struct user *workspace_user_by_email(const struct workspace *ws, const char *email, size_t len);
/* Finds also groups that the viewer may not see. */
const struct group *workspace_group(const struct workspace *ws, const struct uuid *id);
const struct member *member_find(const struct group *g, const struct uuid *user);

/* The viewer's role in a group. Outside their limit it is ROLE_NONE. Workspace admins are admins. In a public group
 * everybody is a contributor unless the group lists another role. A private group does not exist for users who are not
 * members. group NULL: ROLE_NONE. */
enum role group_role(const struct group *g, const struct viewer *v);
/* The private groups that must stay unknown to the viewer, with deleted ones that events still refer to. Returns their
 * number; *out is allocated in the arena. */
size_t workspace_hidden(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out);
/* The groups to leave out of stored records: those hidden from the viewer, and removed groups for everybody. */
size_t workspace_absent(const struct workspace *ws, const struct viewer *v, struct arena *a, struct uuid **out);
/* True when the group was deleted and records still refer to it. */
bool workspace_removed(const struct workspace *ws, const struct uuid *group);
/* True when the person or company was deleted and records still refer to it. */
bool workspace_gone_contact(const struct workspace *ws, const struct uuid *id);
/* The group if the viewer may see it, else NULL. */
const struct group *visible_group(const struct workspace *ws, const struct uuid *id, const struct viewer *v);

/* The object type of that name in the group, NULL when there is none. */
const struct object_type *group_type(const struct group *g, const char *name, size_t len);
const struct custom_field *workspace_field(const struct workspace *ws, const struct uuid *id);
/* The field of that name; type: for fields of objects, else NULL. */
const struct custom_field *group_field(
    const struct group *g, enum custom_entity entity, const struct uuid *type, const char *name, size_t len);
/* The option with that label, or with that id, which may be removed; NULL: none. */
const struct custom_option *field_option(const struct custom_field *f, const char *label, size_t len);
const struct custom_option *field_option_by_id(const struct custom_field *f, const struct uuid *id);
/* True when the field belongs to that entity and, for objects, to that type. */
bool field_of(const struct custom_field *f, enum custom_entity entity, const struct uuid *type);

/* For hints: try the names of a group's fields, the labels of a field's options, or the names of a group's types. */
struct field_names {
	const struct group *group;
	enum custom_entity entity;
	const struct uuid *type; /* as in group_field() */
};
near_names field_names_near; /* ctx: struct field_names */
near_names option_near;      /* ctx: struct custom_field */
near_names group_types_near; /* ctx: struct group */

/* "textField" …; CUSTOM_TYPES for an unknown name. */
const char *custom_type_name(enum custom_type type);
enum custom_type custom_type_parse(const char *text);

const char *role_name(enum role role);
enum role role_parse(const char *text);

/* --- the cache --------------------------------------------------------------- */

struct loop;
struct workspace_cache;

/* Bytes for snapshots that no request holds. Beyond it, the least recently used ones are dropped. */
enum { WORKSPACE_IDLE_BYTES = 64 << 20 };

struct workspace_cache *workspace_cache_new(struct db *db, struct loop *loop);
/* For the stop of the server: gives up running loads and ends the waits for them. */
void workspace_cache_stop(struct workspace_cache *cache);
void workspace_cache_free(struct workspace_cache *cache);

/* A wait for a snapshot; it is embedded in its owner. */
struct workspace_wait {
	void (*done)(struct workspace_wait *w); /* ws is set; ws NULL: the database failed, or is not the primary */
	void *owner;
	struct workspace *ws; /* held for the owner, who calls workspace_release() */
	/* for the cache */
	struct list link;
	int64_t version;
	int loads; /* loads that ended with an older version */
};

/* Sets w->ws and returns true when a snapshot at least as new is cached. Else it returns false, and the loop calls done
 * later. */
bool workspace_get(struct workspace_cache *cache, const struct uuid *id, int64_t version, struct workspace_wait *w);
/* Holds it once more. */
void workspace_hold(struct workspace *ws);
void workspace_release(struct workspace *ws);

/* Loading: the statements, then the snapshot from their results, one slice at a time. */
enum { WORKSPACE_STATEMENTS = 8 };
void workspace_statements(struct sql *out[WORKSPACE_STATEMENTS], struct arena *a, const struct uuid *id);
struct workspace_loading; /* Allocated in the arena. The results must stay valid until its end. */
/* NULL: there is no such workspace. */
struct workspace_loading *workspace_load_begin(struct arena *a, const struct db_exchange *x, const struct uuid *id);
/* Continues the load. Returns the snapshot, which the caller holds and releases with workspace_release(). Returns NULL
 * when the slice has ended (loop_slice_passed()) and more calls are needed. since_us NULL: no time limit. */
struct workspace *workspace_load_some(struct workspace_loading *l, int64_t *since_us);
/* Gives up an unfinished load. */
void workspace_load_drop(struct workspace_loading *l);

#endif
