/* API keys. Admins of the workspace list, create, rotate and delete them; everybody can read their own key. A deleted
 * key keeps its row, which the command line lists. Every process refuses the key from the next request on. */
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/input/limits.h"
#include "server/request/admit.h"
#include "server/request/coalesce.h"
#include "server/request/server.h"
#include "server/resource/activity.h"
#include "server/resource/steps.h"
#include "store/record.h"

enum {
	KEY_HASH_LEN = 32,
	KEY_LAST = 4,
	KEY_FORMER_MS = 24 * 60 * 60 * 1000 /* time that a rotated key stays valid, unless the request gives another */
};

static enum step key_refuse(struct req *r)
{
	return reply_error(r, ERROR_FORBIDDEN, "Only admins of the workspace may do this");
}

/* --- scopes -------------------------------------------------------------------------------- */

static unsigned key_scopes(const struct value *list)
{
	unsigned scopes = 0;

	for (size_t i = 0; i < list->n_items; i++)
		scopes |= key_scope_parse(list->items[i], list->lens[i]);
	return scopes;
}

static struct value key_scopes_value(struct arena *a, unsigned scopes)
{
	struct value v = {
	    .items = arena_alloc(a, KEY_SCOPES * sizeof *v.items), .lens = arena_alloc(a, KEY_SCOPES * sizeof *v.lens)};

	for (int i = 0; i < KEY_SCOPES; i++)
		if (scopes & 1U << i) {
			v.items[v.n_items] = key_scope_names[i];
			v.lens[v.n_items++] = strlen(key_scope_names[i]);
		}
	return v;
}

/* The scopes in a row. A process of the previous version, which knows no scopes, may have made the row. */
static unsigned key_scopes_of(const struct record *rec)
{
	return rec->values[API_KEY_READ_ONLY].number ? SCOPE_READ : key_scopes(&rec->values[API_KEY_SCOPES]);
}

/* --- showing --------------------------------------------------------------------------------- */

static void key_complete(struct req *r, struct record *rec)
{
	const struct user *u = workspace_user(r->caller.ws, &rec->values[API_KEY_USER].id);
	const char *role = u && u->admin ? "admin" : "member";

	rec->values[API_KEY_ROLE] = (struct value){.text = role, .len = strlen(role)};
	rec->values[API_KEY_SCOPES] = key_scopes_value(&r->arena, key_scopes_of(rec));
	rec->values[API_KEY_GROUPS].null = rec->values[API_KEY_GROUPS].n_ids == 0;
}

enum step key_completed(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++)
		key_complete(r, r->records[i]);
	return PASS;
}

enum step key_own(struct req *r)
{
	return coalesce_get(r, &r->caller.ticket.key);
}

/* --- the list ------------------------------------------------------------------------------ */

static void key_conditions(void *ctx, struct sql *s)
{
	(void)ctx;
	sql_add(s, " and t.revoked_at is null and (t.rotated_at is null or t.expires_at > now())");
}

enum step key_list_begin(struct req *r)
{
	if (!r->caller.viewer.admin)
		return key_refuse(r);
	r->list.conditions = key_conditions;
	return PASS;
}

/* --- creating ------------------------------------------------------------------------------- */

/* The result at r->at is the number of keys, and when the caller's own key expires. */
static void key_count(struct req *r)
{
	struct sql *s;

	r->tx.exclusive = true; /* nobody else can add a key between the count and COMMIT */
	transaction_begin(r);
	s = req_sql(r, "key_count", &r->at);
	sql_add(s, "select count(*), (select expires_at from api_keys where workspace_id = $1 and id = ");
	sql_uuid(s, &r->caller.ticket.key);
	sql_add(s, ") from api_keys where workspace_id = $1 and revoked_at is null and (expires_at is null or "
	           "expires_at > now())");
}

/* The scopes that a body asks for, by default all of the caller's. A key cannot give a scope that it lacks. */
static unsigned key_scopes_asked(const struct req *r)
{
	const struct value *v = r->given.input->values;

	if (activity_gives(r, API_KEY_SCOPES))
		return key_scopes(&v[API_KEY_SCOPES]);
	return v[API_KEY_READ_ONLY].number ? SCOPE_READ : r->caller.ticket.scopes;
}

enum step key_create_open(struct req *r)
{
	unsigned scopes = key_scopes_asked(r);
	struct path at = PATH_NAME(NULL, "scopes");

	if (r->given.input->values[API_KEY_READ_ONLY].number && scopes != SCOPE_READ) {
		issue_custom(&r->given.issues, &at, "A read-only key has only the scope `read`");
		return reply_issues(r, "Invalid input");
	}
	if (!r->caller.viewer.admin)
		return key_refuse(r);
	if (scopes & ~r->caller.ticket.scopes)
		return admit_refuse(r, scopes & ~r->caller.ticket.scopes);
	key_count(r);
	return transaction_ask(r);
}

/* Only this answer has the text of the key. In a dry run, where no key is created, it is empty. */
static void key_make_text(struct req *r, struct value *v)
{
	char *text = arena_alloc(&r->arena, APIKEY_SIZE);
	unsigned char *digest = arena_alloc(&r->arena, KEY_HASH_LEN);

	apikey_new(text);
	sha256_digest(text, APIKEY_LEN, digest);
	v[API_KEY_HASH] = (struct value){.text = (const char *)digest, .len = KEY_HASH_LEN};
	v[API_KEY_LAST4] = (struct value){.text = text + APIKEY_LEN - KEY_LAST, .len = KEY_LAST};
	v[API_KEY_TEXT] = (struct value){.text = r->given.dry ? "" : text, .len = r->given.dry ? 0 : APIKEY_LEN};
}

/* A complete record, except for what makes it a new one. */
static enum step key_made(struct req *r, struct record *rec)
{
	rec->values[API_KEY_ID] = (struct value){.id = id_new()};
	rec->values[API_KEY_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	key_make_text(r, rec->values);
	record_insert(req_sql(r, "key_insert", NULL), rec);
	key_complete(r, rec);
	return reply_record(r, rec);
}

static bool key_ends_later(const struct value *a, const struct value *b)
{
	return !b->null && (a->null || a->number > b->number);
}

/* Decides when a new key expires; *expires has the default. The time must be in the future, and the new key must not
 * outlive the key that creates it. Returns false, with an issue, when the body asks for another time;
 * the default is shortened instead. This is checked here and not with the rest of the body, because a retry must get
 * the same answer after that time, too. */
static bool key_expiry(struct req *r, int field, struct value *expires)
{
	struct value own = {.null = db_null(r->db.last, r->at, 0, 1)};
	struct path at = PATH_NAME(NULL, "expiresAt");
	bool given = activity_gives(r, field);
	char end[TIME_TEXT_SIZE];

	if (!own.null)
		own.number = db_time_ms(r->db.last, r->at, 0, 1);
	if (given)
		*expires = r->given.input->values[field];
	if (given && !expires->null && expires->number <= req_now_ms(r)) {
		issue_custom(&r->given.issues, &at, "The time of expiry must be in the future");
	} else if (given && key_ends_later(expires, &own)) {
		time_format(own.number, end);
		issue_custom(&r->given.issues, &at, "A key cannot create a key that expires later than itself");
		issue_hint(&r->given.issues, "at most %s, when this key expires", end);
	} else if (key_ends_later(expires, &own)) {
		*expires = own;
	}
	return r->given.issues.count == 0;
}

enum step key_create_apply(struct req *r)
{
	unsigned scopes = key_scopes_asked(r);
	struct record *rec;

	rec = record_new(&api_key_secret_resource, &r->arena);
	rec->values[API_KEY_USER] = (struct value){.id = r->caller.viewer.user};
	body_take(rec, r->given.input);
	if (!key_expiry(r, API_KEY_EXPIRES_AT, &rec->values[API_KEY_EXPIRES_AT]) ||
	    !limit_check(&r->given.issues, NULL, LIMIT_KEYS, db_int(r->db.last, r->at, 0, 0), 1))
		return reply_issues(r, "Invalid input");
	rec->values[API_KEY_SCOPES] = key_scopes_value(&r->arena, scopes);
	rec->values[API_KEY_READ_ONLY].number = scopes == SCOPE_READ;
	return key_made(r, rec);
}

/* --- rotating --------------------------------------------------------------------------------- */

enum step key_rotate_open(struct req *r)
{
	struct sql *s;

	if (!r->caller.viewer.admin)
		return key_refuse(r);
	key_count(r);
	s = req_sql(r, req_lock_name(r, "key_rotate"), NULL);
	record_select(s, &api_key_resource);
	sql_add(s, " and t.revoked_at is null and t.id = ");
	sql_uuid(s, &r->given.path[0].id);
	sql_add(s, req_lock(r, " for update of t"));
	return transaction_ask(r);
}

static enum step key_refuse_again(struct req *r)
{
	struct path at = PATH_NAME(NULL, "keyId");

	issue_custom(&r->given.issues, &at, "This key was already rotated: rotate the key that replaced it");
	return reply_issues(r, "Invalid path parameters");
}

static void key_end_former(struct req *r, struct record *former)
{
	struct value *v = former->values;
	int64_t until = req_now_ms(r) + config_scaled_ms(r->server->config, KEY_FORMER_MS);

	if (activity_gives(r, KEY_ROTATION_FORMER))
		until = r->given.input->values[KEY_ROTATION_FORMER].number;
	if (v[API_KEY_EXPIRES_AT].null || v[API_KEY_EXPIRES_AT].number > until)
		v[API_KEY_EXPIRES_AT] = (struct value){.number = until};
	v[API_KEY_ROTATED_AT] = (struct value){.number = req_now_ms(r)};
	record_update(
	    req_sql(r, "key_former", NULL), former, FIELD_BIT(API_KEY_EXPIRES_AT) | FIELD_BIT(API_KEY_ROTATED_AT));
}

enum step key_rotate_apply(struct req *r)
{
	struct record *former, *rec;
	struct value *expires;
	unsigned lacks;

	if (db_rows(r->db.last, r->at + 1) == 0)
		return reply_not_found(r);
	former = record_load(r->db.last, r->at + 1, 0, &api_key_secret_resource, &r->arena);
	if (!former->values[API_KEY_ROTATED_AT].null)
		return key_refuse_again(r);
	lacks = key_scopes_of(former) & ~r->caller.ticket.scopes;
	if (lacks)
		return admit_refuse(r, lacks);
	rec = record_copy(former, &r->arena);
	expires = &rec->values[API_KEY_EXPIRES_AT];
	if (!expires->null)
		expires->number += req_now_ms(r) - former->values[API_KEY_CREATED_AT].number;
	if (!key_expiry(r, KEY_ROTATION_EXPIRES_AT, expires) ||
	    !limit_check(&r->given.issues, NULL, LIMIT_KEYS, db_int(r->db.last, r->at, 0, 0), 1))
		return reply_issues(r, "Invalid input");
	rec->values[API_KEY_LAST_USED_AT] = (struct value){.null = true};
	key_end_former(r, former);
	return key_made(r, rec);
}

/* --- deleting --------------------------------------------------------------------------------- */

enum step key_end_open(struct req *r)
{
	struct sql *s;

	if (!r->caller.viewer.admin)
		return key_refuse(r);
	transaction_begin(r);
	s = req_sql(r, "key_ending", &r->at);
	sql_add(s, "select from api_keys where workspace_id = $1 and revoked_at is null and id = ");
	sql_uuid(s, &r->given.path[0].id);
	sql_add(s, " for update");
	return transaction_ask(r);
}

enum step key_end_apply(struct req *r)
{
	struct sql *s;

	if (db_rows(r->db.last, r->at) == 0)
		return reply_not_found(r);
	s = req_sql(r, "key_end", NULL);
	sql_add(s, "update api_keys set revoked_at = now() where workspace_id = $1 and id = ");
	sql_uuid(s, &r->given.path[0].id);
	return reply_id(r, ID_KEY, &r->given.path[0].id);
}
