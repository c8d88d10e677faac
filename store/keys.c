/* API keys for the command line; see keys.h. Requests are checked in admission.c. */
#include "store/keys.h"

#include <string.h>

#include "server/base/crypto.h"

/* On the command line users and keys are named by their ids alone: the statement finds the workspace, hence is a
 * system statement. */
void key_create(struct sql *s, struct arena *a, const struct key_new *k)
{
	unsigned char digest[32];
	size_t len = strlen(k->key);
	sha256_digest(k->key, len, digest);
	sql_begin_system(s, a, NULL);
	sql_add(s,
	    "insert into api_keys (key_hash, workspace_id, id, user_id, name, last4, read_only, expires_at) select ");
	sql_bytea(s, digest, sizeof(digest));
	sql_add(s, ", workspace_id, ");
	sql_uuid(s, &k->id);
	sql_add(s, ", id, ");
	sql_textz(s, k->name);
	sql_add(s, ", ");
	sql_textz(s, k->key + (len > 4 ? len - 4 : 0));
	sql_add(s, ", ");
	sql_bool(s, k->read_only);
	sql_add(s, ", ");
	if (k->expires_ms != 0)
		sql_time(s, k->expires_ms);
	else
		sql_time_null(s);
	sql_add(s, " from users where id = ");
	sql_uuid(s, &k->user);
	sql_add(s, " returning workspace_id");
}

void key_list(struct sql *s, struct arena *a, const struct uuid *workspace)
{
	sql_begin(s, a, NULL, workspace);
	sql_add(s, "select id, user_id, name, last4, read_only, created_at, expires_at, revoked_at, last_used_at "
	           "from api_keys where workspace_id = $1 order by id");
}

void key_revoke(struct sql *s, struct arena *a, const struct uuid *id)
{
	sql_begin_system(s, a, NULL);
	sql_add(s, "update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ");
	sql_uuid(s, id);
	sql_add(s, " returning workspace_id, revoked_at");
}
