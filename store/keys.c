/* API keys: their fields, and the statements of the command line; see keys.h. Requests are checked in admission.c. */
#include "store/keys.h"

#include <string.h>

#include "server/base/crypto.h"
#include "store/resources.h"

static const char *const roles[] = {"admin", "member", NULL};

enum { NAME_MAX = 255, TIME_MAX = 30, SCOPE_NAME_MAX = 8 };

const char *const key_scope_names[KEY_SCOPES + 1] = {"read", "write", "delete", "admin", "contacts", "calendar", NULL};
const char *const key_kind_names[KEY_KINDS + 1] = {"key", "session", "grant", "contacts", "calendar", NULL};

enum key_kind key_kind_parse(const char *name, size_t len)
{
	enum key_kind kind = KEY_KIND_KEY;

	while (
	    kind < KEY_KINDS && (strlen(key_kind_names[kind]) != len || memcmp(key_kind_names[kind], name, len) != 0))
		kind++;
	return kind;
}

unsigned key_scope_parse(const char *name, size_t len)
{
	for (int i = 0; i < KEY_SCOPES; i++)
		if (strlen(key_scope_names[i]) == len && memcmp(key_scope_names[i], name, len) == 0)
			return 1U << i;
	return 0;
}

void key_scopes_sql(struct sql *s, unsigned scopes)
{
	const char *names[KEY_SCOPES];
	size_t lens[KEY_SCOPES], n = 0;

	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i) {
			names[n] = key_scope_names[i];
			lens[n++] = strlen(key_scope_names[i]);
		}
	sql_text_array(s, names, lens, n);
}

enum key_kind key_kind_of(unsigned scopes)
{
	return scopes & SCOPE_CONTACTS ? KEY_KIND_CONTACTS : scopes & SCOPE_CALENDAR ? KEY_KIND_CALENDAR : KEY_KIND_KEY;
}

const char *key_scopes_wrong(unsigned scopes)
{
	const unsigned read_or_delete = SCOPE_READ | SCOPE_DELETE;

	if (scopes & SCOPE_CALENDAR && scopes != SCOPE_CALENDAR)
		return "The scope `calendar` stands by itself";
	if (scopes & SCOPE_CONTACTS &&
	    (scopes & ~(SCOPE_CONTACTS | read_or_delete) || (scopes & read_or_delete) == read_or_delete))
		return "Beside `contacts` there may be `read` or `delete`, and nothing else";
	return NULL;
}

/* text: flags of the key itself, which only the answer to its creation shows. */
/* clang-format off */
#define FIELDS(text) { \
	[API_KEY_ID]           = {"id",         "id",           FIELD_ID,     0, .about = "Id of the key."}, \
	[API_KEY_NAME]         = {"name",       "name",         FIELD_TEXT,   FIELD_IN_CREATE, .max = NAME_MAX, .about = "What the key is for."}, \
	[API_KEY_KIND]         = {"kind",       "kind",         FIELD_CHOICE, 0, .choices = key_kind_names, .about = "What it is for. `key`: a program. `session`: a person's browser. `grant`: an application that its user has connected. `contacts` and `calendar`: a device, which can use nothing else."}, \
	[API_KEY_USER]         = {"user",       "user_id",      FIELD_USER,   FIELD_IN_CREATE, .about = "The user as whom the key acts; in bodies by id, the caller when absent."}, \
	[API_KEY_ROLE]         = {"role",       NULL,           FIELD_CHOICE, FIELD_NO_EMPTY, .choices = roles, .about = "What the key's user is in the workspace."}, \
	[API_KEY_READ_ONLY]    = {"readOnly",   "read_only",    FIELD_FLAG,   FIELD_IN_CREATE, .about = "Whether the key may only read: its only scope is `read`."}, \
	[API_KEY_SCOPES]       = {"scopes",     "scopes",       FIELD_TEXTS,  FIELD_IN_CREATE | FIELD_NO_EMPTY, .max = KEY_SCOPES, .item_max = SCOPE_NAME_MAX, .choices = key_scope_names, .about = "What the key may do. `read`: lists, searches, records and events. `write`: create and change records and webhooks. `delete`: delete and merge them. `admin`: groups with their members, fields and types, and the keys of others. When absent, the key has these four. `contacts`: the address books of devices; with `read` it only reads them, with `delete` it may also delete people and companies. `calendar`: calendars of devices. A key never has more rights than its user."}, \
	[API_KEY_GROUPS]       = {"groups",     "group_ids",    FIELD_GROUPS, FIELD_IN_CREATE | FIELD_NO_EMPTY | FIELD_NULLABLE, .max = KEY_GROUPS_MAX, .about = "The only groups that the key may see, of those that its user may see; null: all of these."}, \
	[API_KEY_LAST4]        = {"last4",      "last4",        FIELD_TEXT,   0, .about = "The last four characters of the key, to recognize it."}, \
	[API_KEY_TEXT]         = {"key",        NULL,           FIELD_TEXT,   text | FIELD_NULL_EMPTY, .about = "The key, to be sent as `Authorization: Bearer`. It is not shown again: a retry under the same `Idempotency-Key` gets null."}, \
	[API_KEY_URL]          = {"url",        NULL,           FIELD_TEXT,   text | FIELD_NULL_EMPTY, .about = "For `calendar`: the address of the calendar, which has the key in it; else null."}, \
	[API_KEY_CREATED_AT]   = {"createdAt",  "created_at",   FIELD_TIME,   0, .about = "When it was created."}, \
	[API_KEY_EXPIRES_AT]   = {"expiresAt",  "expires_at",   FIELD_TIME,   FIELD_IN_CREATE | FIELD_NULLABLE, .max = TIME_MAX, .about = "When it ends; null: never."}, \
	[API_KEY_LAST_USED_AT] = {"lastUsedAt", "last_used_at", FIELD_TIME,   FIELD_NULLABLE, .about = "When it was last used, to the minute; null: never."}, \
	[API_KEY_ROTATED_AT]   = {"rotatedAt",  "rotated_at",   FIELD_TIME,   FIELD_NULLABLE, .about = "When a rotation replaced it by another key; it is valid until `expiresAt`. Null: it was not replaced."}, \
	[API_KEY_ADDRESS]      = {"address",    "address",      FIELD_TEXT,   FIELD_NULL_EMPTY, .about = "Of a session: the address from which its user signed in; else null."}, \
	[API_KEY_USER_AGENT]   = {"userAgent",  "user_agent",   FIELD_TEXT,   FIELD_NULL_EMPTY, .about = "Of a session: what its browser called itself; else null."}, \
	[API_KEY_HASH]         = {"",           "key_hash",     FIELD_SEALED, FIELD_HIDDEN}, \
	[API_KEY_PARENT]       = {"",           "parent_id",    FIELD_HIDDEN_ID, FIELD_HIDDEN | FIELD_NULLABLE}, \
	[API_KEY_REPLACES]     = {"",           "replaces_id",  FIELD_HIDDEN_ID, FIELD_HIDDEN | FIELD_NULLABLE}, \
}
/* clang-format on */

/* clang-format off */
static const struct field rotation_fields[KEY_ROTATION_FIELDS] = {
	[KEY_ROTATION_EXPIRES_AT] = {"expiresAt", NULL, FIELD_TIME, FIELD_IN_UPDATE | FIELD_NULLABLE, .max = TIME_MAX, .about = "When the new key ends; null: never. When absent, the new key lives as long as the old one did."},
	[KEY_ROTATION_FORMER]     = {"formerExpiresAt", NULL, FIELD_TIME, FIELD_IN_UPDATE, .max = TIME_MAX, .about = "Until when the old key is valid, at most until its own end. When absent: 24 hours from now. A time in the past ends it at once."},
};
/* clang-format on */

static const struct field fields[API_KEY_FIELDS] = FIELDS(FIELD_HIDDEN), secret_fields[API_KEY_FIELDS] = FIELDS(0);

const struct resource api_key_resource = {.name = "api key",
    .about = "An API key, a session or the password of a device, without the secret itself.",
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

const struct resource key_rotation_resource = {.name = "key rotation",
    .about = "When the new key and the old one end.",
    .id_kind = ID_KEY,
    .fields = rotation_fields,
    .n_fields = KEY_ROTATION_FIELDS};

/* The command line names users and keys only by their ids. The statements find the workspace, so they are system
 * statements. */

static void key_add_text(struct sql *s, const char *key)
{
	unsigned char digest[32];

	sha256_digest(key, strlen(key), digest);
	sql_bytea(s, digest, sizeof digest);
}

static void key_add_last4(struct sql *s, const char *key)
{
	size_t len = strlen(key);

	sql_textz(s, key + (len > 4 ? len - 4 : 0));
}

/* Begins to insert the key. The two columns are those that its workspace and its user are selected from. */
static void key_insert(struct sql *s, const struct key_new *k, const char *workspace, const char *user)
{
	sql_add(s,
	    "insert into api_keys (key_hash, workspace_id, id, kind, user_id, name, last4, read_only, expires_at, "
	    "scopes, group_ids, parent_id, replaces_id) select ");
	key_add_text(s, k->key);
	sql_addf(s, ", %s, ", workspace);
	sql_uuid(s, &k->id);
	sql_add_textz(s, ", ", key_kind_names[key_kind_of(k->scopes)]);
	sql_addf(s, ", %s, ", user);
}

void key_create(struct sql *s, struct arena *a, const struct key_new *k)
{
	sql_begin_system(s, a, NULL);
	key_insert(s, k, "u.workspace_id", "u.id");
	sql_textz(s, k->name);
	sql_add(s, ", ");
	key_add_last4(s, k->key);
	sql_add(s, ", ");
	sql_bool(s, k->scopes == SCOPE_READ);
	sql_add(s, ", ");
	sql_add(s, "now() + interval '1 millisecond' * nullif(");
	sql_int8(s, k->lasts_ms);
	sql_add(s, ", 0)");
	sql_add(s, ", ");
	key_scopes_sql(s, k->scopes);
	sql_add_uuid_array(s, ", ", k->groups, k->n_groups);
	sql_add_uuid(s, ", null, null from users u where u.id = ", &k->user);
	sql_add(s,
	    " and (select count(*) from groups g where g.workspace_id = u.workspace_id and g.removed_at is null and "
	    "g.id = any (");
	sql_uuid_array(s, k->groups, k->n_groups);
	sql_add_int8(s, ")) = ", (int64_t)k->n_groups);
	sql_add(s, " returning workspace_id, expires_at");
}

void key_rotate(struct sql *s, struct arena *a, const struct key_new *k, const struct uuid *old, int64_t valid_ms)
{
	sql_begin_system(s, a, NULL);
	sql_add(s,
	    "with before as (select o.*, n.id as next_id, n.expires_at - n.created_at as next_life from api_keys o "
	    "left "
	    "join lateral (select * from api_keys n where n.workspace_id = o.workspace_id and n.replaces_id = o.id "
	    "order by n.id desc limit 1) n on true where o.kind = 'key' and o.revoked_at is null and (o.rotated_at "
	    "is null or (n.id is not null and o.expires_at > now())) and o.id = ");
	sql_uuid(s, old);
	sql_add(s, " for update of o), previous as (update api_keys p set rotated_at = coalesce(p.rotated_at, now()), "
	           "expires_at = least(p.expires_at, now() + interval '1 millisecond' * ");
	sql_int8(s, valid_ms);
	sql_add(s, ") from before b where p.key_hash = b.key_hash returning p.expires_at), made as (");
	key_insert(s, k, "b.workspace_id", "b.user_id");
	sql_add(s, "b.name, ");
	key_add_last4(s, k->key);
	sql_add(s,
	    ", b.read_only, now() + case when b.rotated_at is null then b.expires_at - b.created_at else b.next_life "
	    "end, b.scopes, b.group_ids, b.parent_id, b.id from before b returning expires_at) select m.expires_at, "
	    "p.expires_at from made m, previous p");
}

void key_list(struct sql *s, struct arena *a, const struct uuid *workspace)
{
	sql_begin(s, a, NULL, workspace);
	sql_add(s,
	    "select id, user_id, name, last4, kith_scopes(scopes, read_only), group_ids, created_at, expires_at, "
	    "revoked_at, last_used_at, rotated_at, kind from api_keys where workspace_id = $1 order by id");
}

void key_end(struct sql *s, const struct uuid *id)
{
	sql_add(s, "update api_keys set revoked_at = now() where workspace_id = $1 and revoked_at is null and (id = ");
	sql_uuid(s, id);
	sql_add(s, " or parent_id = ");
	sql_again(s, 2);
	sql_add(s, ")");
}

void key_revoke(struct sql *s, struct arena *a, const struct uuid *id)
{
	sql_begin_system(s, a, NULL);
	sql_add_uuid(s, "with ended as (update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ", id);
	sql_add(s,
	    " returning workspace_id, id, revoked_at), sessions as (update api_keys a set revoked_at = now() from "
	    "ended e where a.workspace_id = e.workspace_id and a.parent_id = e.id and a.revoked_at is null) select "
	    "workspace_id, revoked_at from ended");
}
