/* Tokens, links and rows of invitations; see invitations.h. */
#include "store/invitations.h"

#include <stdio.h>
#include <string.h>

#include "server/base/text.h"

enum { TOKEN_BYTES = 32 };

static const char marker[] = "#invitation=";

void invitation_token(char out[INVITATION_SIZE])
{
	unsigned char bytes[TOKEN_BYTES];
	struct buf text;

	random_bytes(bytes, sizeof bytes);
	buf_init(&text, 100);
	text_base64url(&text, bytes, sizeof bytes);
	snprintf(out, INVITATION_SIZE, "%.*s", (int)text.len, text.data);
	buf_free(&text);
	crypto_wipe(bytes, sizeof bytes);
}

void invitation_digest(const char *text, size_t len, unsigned char out[SHA256_SIZE])
{
	size_t behind = strlen(marker);
	const char *at = memmem(text, len, marker, behind);

	if (at) {
		len -= (size_t)(at - text) + behind;
		text = at + behind;
	}
	sha256_digest(text, len, out);
}

const char *invitation_link(struct arena *a, const char *base, const char *token)
{
	return arena_printf(a, "%s/console%s%s", base, marker, token);
}

static void insert_rows(struct sql *s, const struct invitation_new *i, const char *within)
{
	unsigned char digest[SHA256_SIZE];
	struct uuid id = id_new();

	invitation_digest(i->token, INVITATION_SIZE - 1, digest);
	sql_add(s, "with invited as (select u.workspace_id, u.id from users u where u.disabled_at is null and u.id = ");
	sql_uuid(s, &i->user);
	sql_add(s, within);
	sql_add(s,
	    "), replaced as (delete from invitations i using invited u where i.workspace_id = u.workspace_id and "
	    "i.user_id = u.id) insert into invitations (workspace_id, id, user_id, token_hash, signs_in, "
	    "created_by, expires_at) select u.workspace_id, ");
	sql_uuid(s, &id);
	sql_add(s, ", u.id, ");
	sql_bytea(s, digest, sizeof digest);
	sql_add(s, ", ");
	sql_bool(s, i->signs_in);
	sql_add_uuid(s, ", ", i->by);
	sql_add_int8(s, ", now() + interval '1 millisecond' * ", i->lasts_ms);
	sql_add(s, " from invited u");
}

void invitation_insert_any(struct sql *s, const struct invitation_new *i)
{
	insert_rows(s, i, "");
}

void invitation_insert(struct sql *s, const struct invitation_new *i)
{
	insert_rows(s, i, " and u.workspace_id = $1");
}
