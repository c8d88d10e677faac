/* API keys, for admins of the workspace: the list, creating and deleting. A deleted key keeps its row, which the
 * command line lists; admission refuses it from the next request on, in every process. */
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/crypto.h"
#include "server/input/limits.h"
#include "server/resource/activity.h"
#include "server/resource/steps.h"
#include "store/record.h"

enum { KEY_HASH_LEN = 32, KEY_LAST = 4 };

static enum step key_refuse(struct req *r)
{
	return reply_error(r, ERROR_FORBIDDEN, "Only admins of the workspace may do this");
}

static void key_show_role(const struct req *r, struct record *rec)
{
	const struct user *u = workspace_user(r->ws, &rec->values[API_KEY_USER].id);
	const char *role = u && u->admin ? "admin" : "member";

	rec->values[API_KEY_ROLE] = (struct value){.text = role, .len = strlen(role)};
}

/* --- the list ------------------------------------------------------------------------------ */

static void key_conditions(void *ctx, struct sql *s)
{
	(void)ctx;
	sql_add(s, " and t.revoked_at is null");
}

enum step key_list_begin(struct req *r)
{
	if (!r->viewer.admin)
		return key_refuse(r);
	r->list.conditions = key_conditions;
	return PASS;
}

enum step key_roles(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++)
		key_show_role(r, r->records[i]);
	return PASS;
}

/* --- creating ------------------------------------------------------------------------------- */

enum step key_create_open(struct req *r)
{
	if (!r->viewer.admin)
		return key_refuse(r);
	r->alone = true; /* nobody else can add one between the count and COMMIT */
	transaction_begin(r);
	sql_add(req_sql(r, "key_count", &r->at),
	    "select count(*) from api_keys where workspace_id = $1 and revoked_at is null");
	return transaction_ask(r);
}

/* Its text is in the answer alone; that of a dry run, which opens nothing, is empty. */
static void key_make_text(struct req *r, struct value *v)
{
	char *text = arena_alloc(&r->arena, APIKEY_SIZE);
	unsigned char *digest = arena_alloc(&r->arena, KEY_HASH_LEN);

	apikey_new(text);
	sha256_digest(text, APIKEY_LEN, digest);
	v[API_KEY_HASH] = (struct value){.text = (const char *)digest, .len = KEY_HASH_LEN};
	v[API_KEY_LAST4] = (struct value){.text = text + APIKEY_LEN - KEY_LAST, .len = KEY_LAST};
	v[API_KEY_TEXT] = (struct value){.text = r->dry ? "" : text, .len = r->dry ? 0 : APIKEY_LEN};
}

/* Here, not with the rest of the body: a retry is answered as before, also when that time has come. */
static bool key_expiry_check(struct req *r)
{
	const struct value *expires = &r->input->values[API_KEY_EXPIRES_AT];
	struct path at = PATH_NAME(NULL, "expiresAt");

	if (!activity_gives(r, API_KEY_EXPIRES_AT) || expires->null || expires->number > req_now_ms(r))
		return true;
	issue_custom(&r->issues, &at, "A key expires in the future");
	return false;
}

enum step key_create_apply(struct req *r)
{
	struct record *rec;

	if (!key_expiry_check(r) || !limit_check(&r->issues, NULL, LIMIT_KEYS, db_int(r->x, r->at, 0, 0), 1))
		return reply_issues(r, "Invalid input");
	rec = record_new(&api_key_secret_resource, &r->arena);
	rec->values[API_KEY_USER] = (struct value){.id = r->viewer.user};
	body_take(rec, r->input);
	rec->values[API_KEY_ID] = (struct value){.id = id_new()};
	rec->values[API_KEY_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	key_make_text(r, rec->values);
	record_insert(req_sql(r, "key_insert", NULL), rec);
	key_show_role(r, rec);
	return reply_record(r, rec);
}

/* --- deleting --------------------------------------------------------------------------------- */

enum step key_end_open(struct req *r)
{
	struct sql *s;

	if (!r->viewer.admin)
		return key_refuse(r);
	transaction_begin(r);
	s = req_sql(r, "key_end", &r->at);
	sql_add(s, "update api_keys set revoked_at = now() where workspace_id = $1 and revoked_at is null and id = ");
	sql_uuid(s, &r->path[0].id);
	sql_add(s, " returning id");
	return transaction_ask(r);
}

enum step key_end_apply(struct req *r)
{
	if (db_rows(r->x, r->at) == 0)
		return reply_not_found(r);
	return reply_id(r, ID_KEY, &r->path[0].id);
}
