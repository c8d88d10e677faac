/* API keys: their fields, and the statements of the command line; see keys.h. Requests are checked in admission.c. */
#include "store/keys.h"

#include <string.h>

#include "server/base/crypto.h"
#include "store/resources.h"

static const char *const roles[] = {"admin", "member", NULL};

enum { NAME_MAX = 255, TIME_MAX = 30 };

/* text: flags of the key itself, which only the answer to its creation shows. */
/* clang-format off */
#define FIELDS(text) { \
	[API_KEY_ID]           = {"id",         "id",           FIELD_ID,     0, .about = "Id of the key."}, \
	[API_KEY_NAME]         = {"name",       "name",         FIELD_TEXT,   FIELD_IN_CREATE, .max = NAME_MAX, .about = "What the key is for."}, \
	[API_KEY_USER]         = {"user",       "user_id",      FIELD_USER,   FIELD_IN_CREATE, .about = "The user as whom the key acts; in bodies by id, the caller when absent."}, \
	[API_KEY_ROLE]         = {"role",       NULL,           FIELD_CHOICE, FIELD_NO_EMPTY, .choices = roles, .about = "What the key's user is in the workspace."}, \
	[API_KEY_READ_ONLY]    = {"readOnly",   "read_only",    FIELD_FLAG,   FIELD_IN_CREATE, .about = "Whether the key may only read."}, \
	[API_KEY_LAST4]        = {"last4",      "last4",        FIELD_TEXT,   0, .about = "The last four characters of the key, to know it by."}, \
	[API_KEY_TEXT]         = {"key",        NULL,           FIELD_TEXT,   text, .about = "The key, to be sent as `Authorization: Bearer`. It is not shown again."}, \
	[API_KEY_CREATED_AT]   = {"createdAt",  "created_at",   FIELD_TIME,   0, .about = "When it was created."}, \
	[API_KEY_EXPIRES_AT]   = {"expiresAt",  "expires_at",   FIELD_TIME,   FIELD_IN_CREATE | FIELD_NULLABLE, .max = TIME_MAX, .about = "When it ends; null: never."}, \
	[API_KEY_LAST_USED_AT] = {"lastUsedAt", "last_used_at", FIELD_TIME,   FIELD_NULLABLE, .about = "When it was last used, to the minute; null: never."}, \
	[API_KEY_HASH]         = {"",           "key_hash",     FIELD_SEALED, FIELD_HIDDEN}, \
}
/* clang-format on */

static const struct field fields[API_KEY_FIELDS] = FIELDS(FIELD_HIDDEN), secret_fields[API_KEY_FIELDS] = FIELDS(0);

const struct resource api_key_resource = {.name = "api key",
    .about = "An API key, without the key itself.",
    .table = "api_keys",
    .id_kind = ID_KEY,
    .fields = fields,
    .n_fields = API_KEY_FIELDS};
const struct resource api_key_secret_resource = {.name = "api key secret",
    .about = "An API key with the key itself.",
    .table = "api_keys",
    .id_kind = ID_KEY,
    .fields = secret_fields,
    .n_fields = API_KEY_FIELDS};

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
