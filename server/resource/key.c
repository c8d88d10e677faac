/* API keys, and what else is a key: sessions, access tokens of applications, passwords of devices. Everybody lists and
 * ends their own and makes passwords for their devices. Admins of the workspace list and end all, and create and rotate
 * keys. A deleted key keeps its row, which the command line lists. Every process refuses the key from the next request
 * on. */
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/input/limits.h"
#include "server/request/admit.h"
#include "server/request/coalesce.h"
#include "server/request/server.h"
#include "server/resource/activity.h"
#include "server/resource/key_ending.h"
#include "server/resource/steps.h"
#include "store/keys.h"
#include "store/record.h"

enum {
	KEY_HASH_LEN = 32,
	KEY_LAST = 4,
	KEY_OLD_MS = 24 * 60 * 60 * 1000 /* time that a rotated key stays valid, unless the request gives another */
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

#define LASTS(key)                                                                                                     \
	"kith_key_lasts(" key ".revoked_at, " key ".expires_at, " key ".idle_s, " key ".created_at, " key              \
	".last_used_at)"

/* Keys that have expired are listed, but not sessions and access tokens, which nobody has to look after. */
static void key_conditions(void *ctx, struct sql *s)
{
	(void)ctx;
	sql_add(s, " and t.revoked_at is null and (t.rotated_at is null or t.expires_at > now()) and (t.kind not in "
	           "('session', 'grant') or " LASTS(
	               "t") ") and (t.parent_id is null or exists (select from api_keys p "
	                    "where p.workspace_id = t.workspace_id and p.id = t.parent_id and " LASTS("p") "))");
}

enum step key_list_begin(struct req *r)
{
	if (!r->caller.viewer.admin) {
		r->list.column = "user_id";
		r->list.id = r->caller.viewer.user;
	}
	r->list.conditions = key_conditions;
	return PASS;
}

/* --- creating ------------------------------------------------------------------------------- */

/* Columns of the result at r->at. */
enum {
	COUNT_KEYS, /* that count against the same limit */
	COUNT_END,  /* when the caller's own key expires */
	COUNT_GRANT /* the grant whose token the caller has, or whose application made the caller's key; or null */
};

/* A session may make keys that outlive it, but not the key that it was made from. */
static void key_count(struct req *r, bool of_devices)
{
	struct sql *s;

	r->tx.exclusive = true; /* nobody else can add a key between the count and COMMIT */
	transaction_begin(r);
	s = req_sql(r, of_devices ? "key_count_devices" : "key_count", &r->at);
	sql_add(s,
	    "select count(k.id), own.ends, own.grant_id from (select least(p.expires_at, case when "
	    "a.kind <> 'session' then a.expires_at end) as ends, case when a.kind = 'grant' then coalesce(a.grant_id, "
	    "a.id) when a.kind <> 'session' then a.parent_id end as grant_id from api_keys a left join api_keys p on "
	    "p.workspace_id = $1 and p.id = a.parent_id where a.workspace_id = $1 and a.id = ");
	sql_uuid(s, &r->caller.ticket.key);
	sql_add(s,
	    ") own left join api_keys k on k.workspace_id = $1 and k.revoked_at is null and (k.expires_at is null "
	    "or k.expires_at > now()) and k.kind ");
	if (of_devices)
		sql_add_uuid(s, "in ('contacts', 'calendar') and k.user_id = ", &r->caller.viewer.user);
	else
		sql_add(s, "= 'key'");
	sql_add(s, " group by own.ends, own.grant_id");
}

/* The key of the request has ended, and its row has gone since. */
static enum step key_ended(struct req *r)
{
	return reply_error(r, ERROR_UNAUTHORIZED, NULL);
}

/* The scopes that a body asks for, by default all of the caller's that programs may have. A key cannot give a scope
 * that it lacks. */
static unsigned key_scopes_asked(const struct req *r)
{
	const struct value *v = r->given.input->values;

	if (activity_gives(r, API_KEY_SCOPES))
		return key_scopes(&v[API_KEY_SCOPES]);
	return v[API_KEY_READ_ONLY].number ? SCOPE_READ : r->caller.ticket.scopes & SCOPE_ALL;
}

/* The scopes that the caller needs to make a key with these. The password of a device writes unless it only reads. */
static unsigned key_scopes_needed(unsigned scopes)
{
	if (key_kind_of(scopes) == KEY_KIND_KEY)
		return scopes | SCOPE_ADMIN;
	return SCOPE_READ | SCOPE_WRITE | (scopes & SCOPE_DELETE);
}

/* Adds issues about scopes that do not go together. */
static void key_check_scopes(struct req *r, unsigned scopes)
{
	struct path at = PATH_NAME(NULL, "scopes"), user = PATH_NAME(NULL, "user");
	const char *wrong = key_scopes_wrong(scopes);
	struct issues *is = &r->given.issues;

	if (r->given.input->values[API_KEY_READ_ONLY].number && scopes != SCOPE_READ)
		wrong = "A read-only key has only the scope `read`";
	if (wrong)
		issue_custom(is, &at, "%s", wrong);
	if (key_kind_of(scopes) != KEY_KIND_KEY && activity_gives(r, API_KEY_USER) &&
	    !uuid_equal(&r->given.input->values[API_KEY_USER].id, &r->caller.viewer.user))
		issue_custom(is, &user, "Everybody makes the passwords of their own devices");
}

enum step key_create_open(struct req *r)
{
	unsigned scopes = key_scopes_asked(r), lacks = key_scopes_needed(scopes) & ~r->caller.ticket.scopes;
	bool of_devices = key_kind_of(scopes) != KEY_KIND_KEY;

	key_check_scopes(r, scopes);
	if (r->given.issues.count)
		return reply_issues(r, "Invalid input");
	if (lacks)
		return admit_refuse(r, lacks);
	if (!of_devices && !r->caller.viewer.admin)
		return key_refuse(r);
	key_count(r, of_devices);
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

/* A calendar is read at an address that has the key in it, because its programs send no headers. */
static void key_set_kind(struct req *r, struct record *rec, enum key_kind kind)
{
	const char *url = "";

	if (kind == KEY_KIND_CALENDAR && !r->given.dry)
		url = arena_printf(&r->arena, "%s/calendar/%s.ics", req_base_url(r), rec->values[API_KEY_TEXT].text);
	rec->values[API_KEY_KIND] = (struct value){.text = key_kind_names[kind], .len = strlen(key_kind_names[kind])};
	rec->values[API_KEY_URL] = (struct value){.null = !*url, .text = url, .len = strlen(url)};
}

/* A complete record, except for what makes it a new one. A key that an application makes ends with the grant. */
static enum step key_made(struct req *r, struct record *rec, enum key_kind kind)
{
	if (!db_null(r->db.last, r->at, 0, COUNT_GRANT))
		rec->values[API_KEY_PARENT] = (struct value){.id = db_uuid(r->db.last, r->at, 0, COUNT_GRANT)};
	rec->values[API_KEY_ID] = (struct value){.id = id_new()};
	rec->values[API_KEY_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	key_make_text(r, rec->values);
	key_set_kind(r, rec, kind);
	record_insert(req_sql(r, "key_insert", NULL), rec);
	key_complete(r, rec);
	return reply_record_once(r, rec, FIELD_BIT(API_KEY_TEXT) | FIELD_BIT(API_KEY_URL));
}

static bool key_ends_later(const struct value *a, const struct value *b)
{
	return !b->null && (a->null || a->number > b->number);
}

/* A time in the result that may be null. */
static struct value key_time_at(const struct req *r, int at, int column)
{
	bool null = db_null(r->db.last, at, 0, column);

	return (struct value){.null = null, .number = null ? 0 : db_time_ms(r->db.last, at, 0, column)};
}

/* Decides when a new key expires; *expires has the default. The time must be in the future, and the new key must not
 * outlive own, the end of the key that creates it. Returns false, with an issue, when the body asks for another time;
 * the default is shortened instead. This is checked here and not with the rest of the body, because a retry must get
 * the same answer after that time, too. */
static bool key_expiry(struct req *r, int field, struct value own, struct value *expires)
{
	struct path at = PATH_NAME(NULL, "expiresAt");
	bool given = activity_gives(r, field);
	char end[TIME_TEXT_SIZE];

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

/* A key that sees only some groups makes no key that sees more. */
static void key_limit_groups(struct req *r, struct value *groups)
{
	struct admission_ticket *t = &r->caller.ticket;

	if (groups->n_ids == 0 && t->n_groups > 0)
		*groups = (struct value){.ids = t->groups, .n_ids = t->n_groups};
}

enum step key_create_apply(struct req *r)
{
	unsigned scopes = key_scopes_asked(r);
	enum key_kind kind = key_kind_of(scopes);
	enum limit_name limit = kind == KEY_KIND_KEY ? LIMIT_KEYS : LIMIT_DEVICES;
	struct record *rec;

	if (db_rows(r->db.last, r->at) == 0)
		return key_ended(r);
	rec = record_new(&api_key_secret_resource, &r->arena);
	rec->values[API_KEY_USER] = (struct value){.id = r->caller.viewer.user};
	body_take(rec, r->given.input);
	if (!key_expiry(r, API_KEY_EXPIRES_AT, key_time_at(r, r->at, COUNT_END), &rec->values[API_KEY_EXPIRES_AT]) ||
	    !limit_check(&r->given.issues, NULL, limit, db_int(r->db.last, r->at, 0, COUNT_KEYS), 1))
		return reply_issues(r, "Invalid input");
	key_limit_groups(r, &rec->values[API_KEY_GROUPS]);
	rec->values[API_KEY_SCOPES] = key_scopes_value(&r->arena, scopes);
	rec->values[API_KEY_READ_ONLY].number = scopes == SCOPE_READ;
	return key_made(r, rec, kind);
}

/* --- rotating --------------------------------------------------------------------------------- */

/* Columns of the last key that has replaced the one in the path. */
enum { NEXT_EXPIRES, NEXT_CREATED, NEXT_LOST };

enum step key_rotate_open(struct req *r)
{
	struct sql *s;

	if (!r->caller.viewer.admin)
		return key_refuse(r);
	key_count(r, false);
	s = req_sql(r, req_lock_name(r, "key_rotate"), NULL);
	record_select(s, &api_key_resource);
	sql_add_uuid(s, " and t.revoked_at is null and t.id = ", &r->given.path[0].id);
	sql_add(s, req_lock(r, " for update of t"));
	s = req_sql(r, "key_next", NULL);
	sql_add(s, "select expires_at, created_at, revoked_at is null and last_used_at is null from api_keys where "
	           "workspace_id = $1 and replaces_id = ");
	sql_uuid(s, &r->given.path[0].id);
	sql_add(s, " order by id desc limit 1");
	return transaction_ask(r);
}

static enum step key_refuse_rotation(struct req *r, const char *text)
{
	struct path at = PATH_NAME(NULL, "keyId");

	issue_custom(&r->given.issues, &at, "%s", text);
	return reply_issues(r, "Invalid path parameters");
}

/* Why the key cannot be replaced; NULL: it can. */
static const char *key_fixed(struct req *r, const struct record *old)
{
	const struct value *v = old->values;

	if (key_kind_parse(v[API_KEY_KIND].text, v[API_KEY_KIND].len) != KEY_KIND_KEY)
		return "Only keys of programs are rotated: end this one, and make another";
	if (v[API_KEY_ROTATED_AT].null)
		return NULL;
	if (db_rows(r->db.last, r->at + 2) == 0 || v[API_KEY_EXPIRES_AT].number <= req_now_ms(r))
		return "This key was already rotated: rotate the key that replaced it";
	return NULL;
}

/* The end of the key of the request, which bounds that of the new key. A key that was replaced ends soon. If it repeats
 * its own rotation, because the answer was lost, the new key may live as long as the lost one. A key that was used is
 * not lost: anyone who has the previous one, perhaps by theft, then gets nothing that lasts longer. */
static struct value key_own_end(const struct req *r, const struct record *old)
{
	bool repeats = !old->values[API_KEY_ROTATED_AT].null &&
	               uuid_equal(&old->values[API_KEY_ID].id, &r->caller.ticket.key) &&
	               db_bool(r->db.last, r->at + 2, 0, NEXT_LOST);

	return repeats ? key_time_at(r, r->at + 2, NEXT_EXPIRES) : key_time_at(r, r->at, COUNT_END);
}

/* A life as long as that of the key that is replaced, or of the one that has replaced it before. */
static struct value key_same_life(struct req *r, const struct record *old)
{
	bool again = !old->values[API_KEY_ROTATED_AT].null;
	struct value end = again ? key_time_at(r, r->at + 2, NEXT_EXPIRES) : old->values[API_KEY_EXPIRES_AT];

	if (!end.null)
		end.number += req_now_ms(r) - (again ? db_time_ms(r->db.last, r->at + 2, 0, NEXT_CREATED)
		                                     : old->values[API_KEY_CREATED_AT].number);
	return end;
}

static void key_end_old(struct req *r, struct record *old)
{
	struct value *v = old->values;
	int64_t until = req_now_ms(r) + config_scaled_ms(r->server->config, KEY_OLD_MS);

	if (activity_gives(r, KEY_ROTATION_FORMER))
		until = r->given.input->values[KEY_ROTATION_FORMER].number;
	if (v[API_KEY_EXPIRES_AT].null || v[API_KEY_EXPIRES_AT].number > until)
		v[API_KEY_EXPIRES_AT] = (struct value){.number = until};
	if (v[API_KEY_ROTATED_AT].null)
		v[API_KEY_ROTATED_AT] = (struct value){.number = req_now_ms(r)};
	record_update(req_sql(r, "key_old", NULL), old, FIELD_BIT(API_KEY_EXPIRES_AT) | FIELD_BIT(API_KEY_ROTATED_AT));
}

/* A key may be replaced again while it is valid, because the answer of the first time, which has the new key, may be
 * lost. */
enum step key_rotate_apply(struct req *r)
{
	struct record *old, *rec;
	struct value *expires;
	const char *fixed;
	unsigned lacks;

	if (db_rows(r->db.last, r->at) == 0)
		return key_ended(r);
	if (db_rows(r->db.last, r->at + 1) == 0)
		return reply_not_found(r);
	old = record_load(r->db.last, r->at + 1, 0, &api_key_secret_resource, &r->arena);
	fixed = key_fixed(r, old);
	if (fixed)
		return key_refuse_rotation(r, fixed);
	lacks = key_scopes_of(old) & ~r->caller.ticket.scopes;
	if (lacks)
		return admit_refuse(r, lacks);
	rec = record_copy(old, &r->arena);
	expires = &rec->values[API_KEY_EXPIRES_AT];
	*expires = key_same_life(r, old);
	if (!key_expiry(r, KEY_ROTATION_EXPIRES_AT, key_own_end(r, old), expires) ||
	    !limit_check(&r->given.issues, NULL, LIMIT_KEYS, db_int(r->db.last, r->at, 0, COUNT_KEYS), 1))
		return reply_issues(r, "Invalid input");
	rec->values[API_KEY_LAST_USED_AT] = rec->values[API_KEY_ROTATED_AT] = (struct value){.null = true};
	rec->values[API_KEY_REPLACES] = (struct value){.id = old->values[API_KEY_ID].id};
	key_end_old(r, old);
	return key_made(r, rec, KEY_KIND_KEY);
}

/* --- deleting --------------------------------------------------------------------------------- */

enum step key_ending_open(struct req *r, bool of_application)
{
	struct sql *s;

	transaction_begin(r);
	s = req_sql(r, r->caller.viewer.admin ? "key_ending" : "key_ending_own", &r->at);
	sql_add_uuid(s, "select user_id = ", &r->caller.viewer.user);
	sql_add(s, " from api_keys where workspace_id = $1 and revoked_at is null and (kind = 'grant' or not ");
	sql_bool(s, of_application);
	sql_add_uuid(s, ") and id = ", &r->given.path[0].id);
	if (!r->caller.viewer.admin) {
		sql_add(s, " and user_id = ");
		sql_again(s, 2);
	}
	sql_add(s, " for update");
	return transaction_ask(r);
}

enum step key_ending_apply(struct req *r, enum id_kind kind)
{
	unsigned scopes = r->caller.ticket.scopes;
	bool own;

	if (db_rows(r->db.last, r->at) == 0)
		return reply_not_found(r);
	own = db_bool(r->db.last, r->at, 0, 0);
	if (!(scopes & SCOPE_ADMIN) && !(own && scopes & SCOPE_DELETE))
		return admit_refuse(r, own ? SCOPE_DELETE : SCOPE_ADMIN);
	key_end(req_sql(r, "key_end", NULL), &r->given.path[0].id);
	r->tx.events.any = true; /* wakes the requests that wait with this key */
	return reply_id(r, kind, &r->given.path[0].id);
}

enum step key_end_open(struct req *r)
{
	return key_ending_open(r, false);
}

enum step key_end_apply(struct req *r)
{
	return key_ending_apply(r, ID_KEY);
}
