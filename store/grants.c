/* Grants: the fields of what a user has allowed an application. */
#include "store/keys.h"
#include "store/resources.h"

static const char *const audiences[] = {"mcp", NULL};

enum { SCOPE_NAME_MAX = 8 };

/* clang-format off */
static const struct field fields[GRANT_FIELDS] = {
	[GRANT_ID]           = {"id",         "id",         FIELD_ID,     0, .about = "Id of the grant. Its key has the same id with the prefix `key`."},
	[GRANT_NAME]         = {"name",       "name",       FIELD_TEXT,   0, .about = "What the application calls itself."},
	[GRANT_CLIENT]       = {"clientId",   "client_id",  FIELD_TEXT,   0, .about = "The `client_id` of the application."},
	[GRANT_HOST]         = {"host",       "host",       FIELD_TEXT,   0, .about = "Where the answer of the consent went: a host name, `localhost` for a program on the user's computer, or the scheme of an application on their device."},
	[GRANT_USER]         = {"user",       "user_id",    FIELD_USER,   0, .about = "The user who has allowed it, and as whom the application acts."},
	[GRANT_AUDIENCE]     = {"audience",   "audience",   FIELD_CHOICE, FIELD_NULLABLE, .choices = audiences, .about = "`mcp`: the application may only use `/mcp`. Null: the whole API."},
	[GRANT_SCOPES]       = {"scopes",     "scopes",     FIELD_TEXTS,  0, .max = KEY_SCOPES, .item_max = SCOPE_NAME_MAX, .choices = key_scope_names, .about = "What the application may do, as far as its user may."},
	[GRANT_GROUPS]       = {"groups",     "group_ids",  FIELD_GROUPS, FIELD_NULLABLE, .max = KEY_GROUPS_MAX, .about = "The only groups that it may see, of those that its user may see; null: all of these."},
	[GRANT_CREATED_AT]   = {"createdAt",  "created_at", FIELD_TIME,   0, .about = "When the user has allowed it."},
	[GRANT_EXPIRES_AT]   = {"expiresAt",  "expires_at", FIELD_TIME,   FIELD_NULLABLE, .about = "When it ends unless the application renews it, which it does while it is in use."},
	[GRANT_LAST_USED_AT] = {"lastUsedAt", NULL,         FIELD_TIME,   FIELD_NULLABLE, .about = "When it was last used, to the minute; null: never."},
};
/* clang-format on */

const struct resource grant_resource = {.name = "grant",
    .about = "What a user has allowed an application that connected by OAuth.",
    .table = "oauth_grants",
    .id_kind = ID_GRANT,
    .fields = fields,
    .n_fields = GRANT_FIELDS};
