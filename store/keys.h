/* The scopes of API keys, and the statements of the command line that create, rotate, list and revoke keys. The fields
 * of a key are in resources.h. Each function begins a complete statement; the caller sends it. The text of a key is
 * never stored. */
#ifndef KITH_STORE_KEYS_H
#define KITH_STORE_KEYS_H

#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "store/sql.h"

/* The scopes of a key, as bits. A key never has more rights than its user. */
enum key_scope {
	SCOPE_READ = 1,      /* lists, searches, records, events */
	SCOPE_WRITE = 2,     /* creating and changing records, webhooks */
	SCOPE_DELETE = 4,    /* deleting them, and merging */
	SCOPE_ADMIN = 8,     /* groups with their members, fields and types; keys of others */
	SCOPE_ALL = 15,      /* these four: what a key has when none are named */
	SCOPE_CONTACTS = 16, /* address books of devices */
	SCOPE_CALENDAR = 32, /* calendars of devices */
	SCOPE_ANY = 64       /* of a route: any key may use it */
};
enum { KEY_SCOPES = 6, KEY_GROUPS_MAX = 50 };

/* What a key is for. A key of the last two kinds opens only the routes that need its scope. */
enum key_kind {
	KEY_KIND_KEY,      /* made for a program */
	KEY_KIND_SESSION,  /* a person's browser */
	KEY_KIND_GRANT,    /* an access token of an application */
	KEY_KIND_CONTACTS, /* the password of a device for its address book */
	KEY_KIND_CALENDAR, /* the same for its calendar */
	KEY_KINDS
};

/* By number, then NULL; the database has the names. */
extern const char *const key_kind_names[KEY_KINDS + 1];
/* Returns KEY_KINDS for an unknown name. */
enum key_kind key_kind_parse(const char *name, size_t len);

/* By the bits' order, then NULL. */
extern const char *const key_scope_names[KEY_SCOPES + 1];
/* Returns 0 for an unknown scope. */
unsigned key_scope_parse(const char *name, size_t len);

/* Adds the names of the scopes as an array of texts. */
void key_scopes_sql(struct sql *s, unsigned scopes);

/* The kind of a key that is made with these scopes. */
enum key_kind key_kind_of(unsigned scopes);
/* What is wrong with them; NULL: they go together. */
const char *key_scopes_wrong(unsigned scopes);

struct key_new {
	struct uuid id, user;
	const char *key;  /* its text, server/base/apikey.h: its SHA-256 and the last 4 characters are stored */
	const char *name; /* may be "" */
	unsigned scopes;
	const struct uuid *groups; /* the only groups that the key may see */
	size_t n_groups;           /* 0: all that its user may see */
	int64_t lasts_ms;          /* until it expires, by the database's clock; 0: for ever */
};

/* Columns: workspace_id, expires_at. No row: there is no such user, or not all the groups are of their workspace. */
enum { KEY_MADE_WORKSPACE, KEY_MADE_EXPIRES_AT };
void key_create(struct sql *s, struct arena *a, const struct key_new *k);

/* Columns, oldest first: */
enum {
	KEY_ID,
	KEY_USER,
	KEY_NAME,
	KEY_LAST4,
	KEY_SCOPES_OF, /* bits */
	KEY_GROUPS,
	KEY_CREATED_AT,
	KEY_EXPIRES_AT,
	KEY_REVOKED_AT,
	KEY_LAST_USED_AT,
	KEY_ROTATED_AT, /* these four may be null */
	KEY_KIND_OF
};
void key_list(struct sql *s, struct arena *a, const struct uuid *workspace);

/* Creates the key k as a copy of an old key, with another text and the same lifetime. The old key stays valid for
 * valid_ms. Columns: expires_at of the new key, expires_at of the old one. No row: the key does not exist, was revoked,
 * is not the key of a program, or was rotated and has ended since. */
void key_rotate(struct sql *s, struct arena *a, const struct key_new *k, const struct uuid *old, int64_t valid_ms);

/* Ends a key and the sessions that were made from it; the statement has been begun for its workspace. */
void key_end(struct sql *s, const struct uuid *id);

/* The same by its id only. Columns: workspace_id, revoked_at. No row: there is no such key. A key that is revoked
 * already keeps its time. The key is refused from the next request on. */
void key_revoke(struct sql *s, struct arena *a, const struct uuid *id);

#endif
