#include "test/lib/model/grant_made.h"

#include <string.h>

const char *grant_made(const struct program *p, struct arena *a, const char *user_id, const char *name)
{
	return database_text(p, a,
	    arena_printf(a,
	        "with k as (insert into api_keys (key_hash, workspace_id, id, user_id, name, last4, kind) select "
	        "sha256(gen_random_uuid()::text::bytea), workspace_id, gen_random_uuid(), id, '%s', 'abcd', 'grant' "
	        "from "
	        "users where id = '%s' returning *), g as (insert into oauth_grants (workspace_id, id, user_id, "
	        "client_id, "
	        "name, host, scopes, redirect_uri, code_hash, code_challenge, code_expires_at, code_used_at, "
	        "refresh_hash, "
	        "expires_at) select workspace_id, id, user_id, '%s', '%s', '%s', scopes, 'https://a.example', "
	        "key_hash, "
	        "repeat('a', 43), now(), now(), key_hash, now() + interval '1 day' from k returning id) select 'gnt_' "
	        "|| id "
	        "from g",
	        name, strchr(user_id, '_') + 1, name, name, name));
}
