/* API keys for the command line (their fields are in resources.h): statements that create, list and revoke them. Each
 * function begins a complete statement; the caller sends it. The text of a key is never stored. */
#ifndef KITH_STORE_KEYS_H
#define KITH_STORE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "store/sql.h"

struct key_new {
	struct uuid id, user;
	const char *key;  /* its text, server/base/apikey.h: its SHA-256 and the last 4 characters are stored */
	const char *name; /* may be "" */
	bool read_only;
	int64_t expires_ms; /* unix ms; 0: never */
};

/* Columns: workspace_id. No row: there is no such user. */
void key_create(struct sql *s, struct arena *a, const struct key_new *k);

/* Columns, oldest first: */
enum {
	KEY_ID,
	KEY_USER,
	KEY_NAME,
	KEY_LAST4,
	KEY_READ_ONLY,
	KEY_CREATED_AT,
	KEY_EXPIRES_AT,
	KEY_REVOKED_AT,
	KEY_LAST_USED_AT /* these three may be null */
};
void key_list(struct sql *s, struct arena *a, const struct uuid *workspace);

/* Columns: workspace_id, revoked_at. No row: there is no such key. A key that is revoked already keeps its time. The
 * key is refused from the next request on. */
void key_revoke(struct sql *s, struct arena *a, const struct uuid *id);

#endif
