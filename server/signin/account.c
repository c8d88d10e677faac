/* Users, for admins of the workspace: creating, changing, disabling and inviting them. Everybody can change their own
 * name and time zone.
 *
 * Each change locks the workspace's settings (step_config_open), as the command line does. So of two changes at once,
 * in whatever processes, the second one sees which admins the first one left. */
#include "server/signin/account.h"

#include <string.h>

#include "server/event/diff.h"
#include "server/input/limits.h"
#include "server/recurrence/zone.h"
#include "server/request/admit.h"
#include "server/request/coalesce.h"
#include "server/request/outbox.h"
#include "server/request/public_url.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/resource/activity.h"
#include "server/signin/user_event.h"
#include "store/invitations.h"
#include "store/record.h"

/* --- rights ----------------------------------------------------------------------------------- */

static enum step account_refuse(struct req *r)
{
	return reply_error(r, ERROR_FORBIDDEN, "Only admins of the workspace may do this");
}

static bool is_own(const struct req *r)
{
	return uuid_equal(&r->given.path[0].id, &r->caller.viewer.user);
}

enum step account_admin(struct req *r)
{
	return r->caller.viewer.admin ? PASS : account_refuse(r);
}

enum step account_get(struct req *r)
{
	if (!r->caller.viewer.admin && !is_own(r))
		return account_refuse(r);
	return coalesce_get(r, &r->given.path[0].id);
}

/* What only admins may change. */
static enum step account_change_of_others(struct req *r)
{
	if (!r->caller.viewer.admin)
		return account_refuse(r);
	return r->caller.ticket.scopes & SCOPE_ADMIN ? PASS : admit_refuse(r, SCOPE_ADMIN);
}

enum step account_change_allowed(struct req *r)
{
	return is_own(r) ? PASS : account_change_of_others(r);
}

static enum step refuse_at(struct req *r, const char *name, const char *why)
{
	struct path at = PATH_NAME(NULL, name);

	issue_custom(&r->given.issues, &at, "%s", why);
	return reply_issues(r, "Invalid input");
}

/* --- links ------------------------------------------------------------------------------------ */

/* Adds a column: whether the caller has an end, its own or that of the key from which its session was made. */
static void add_caller_ends(struct req *r, struct sql *s)
{
	sql_add(s,
	    ", exists (select from api_keys a left join api_keys p on p.workspace_id = $1 and p.id = a.parent_id "
	    "where a.workspace_id = $1 and (case a.kind when 'session' then p.expires_at else a.expires_at end) is "
	    "not null and a.id = ");
	sql_uuid(s, &r->caller.ticket.key);
	sql_add(s, ")");
}

/* NULL: the caller may make a link, and somebody could sign in with it. Anyone who follows it has all rights of
 * the user permanently. So a caller whose key has fewer rights, or expires, cannot make one. ends: what
 * add_caller_ends() found. */
static const char *link_hindrance(struct req *r, bool ends)
{
	if (!r->server->config->password_sign_in)
		return "This server does not let people sign in with a password (password_sign_in)";
	if (!req_issuer(r))
		return "Signing in needs HTTPS: serve kith behind TLS and set public_url to its https:// address";
	if (ends || SCOPE_ALL & ~r->caller.ticket.scopes)
		return "Only people who are signed in, and keys with all scopes and without an end, make links";
	return NULL;
}

static bool is_admin(const struct record *rec)
{
	return strcmp(rec->values[ACCOUNT_ROLE].text, "admin") == 0 && rec->values[ACCOUNT_DISABLED_AT].null;
}

/* An admin has all rights permanently, and gets in with a password or through a provider. So a caller that has less, or
 * an end, makes no admin. ends: what add_caller_ends() found. Returns PASS, or DONE with the reply. */
static enum step account_makes_admin(struct req *r, const char *name, bool ends)
{
	unsigned lacks = SCOPE_ALL & ~r->caller.ticket.scopes;

	if (lacks)
		return admit_refuse(r, lacks);
	return ends ? refuse_at(r, name, "A key that expires cannot make an admin, whose rights do not expire") : PASS;
}

/* Makes a link for the user of the record, which replaces an earlier one. */
static enum step account_reply_invited(struct req *r, struct record *rec, const char *hindrance)
{
	struct value *link = &rec->values[ACCOUNT_LINK];
	char token[INVITATION_SIZE];

	*link = (struct value){.null = true, .text = ""};
	if (hindrance || r->given.dry)
		return reply_record(r, rec);
	invitation_token(token);
	invitation_insert(
	    req_sql(r, "invitation_insert", NULL), &(struct invitation_new){.token = token,
	                                               .user = rec->values[ACCOUNT_ID].id,
	                                               .by = &r->caller.viewer.user,
	                                               .lasts_ms = config_days_ms(r->server->config, INVITATION_DAYS)});
	link->null = false;
	link->text = invitation_link(&r->arena, req_base_url(r), token);
	link->len = strlen(link->text);
	return reply_record_once(r, rec, FIELD_BIT(ACCOUNT_LINK));
}

/* --- creating --------------------------------------------------------------------------------- */

enum step account_count(struct req *r)
{
	const struct value *email = &r->given.input->values[ACCOUNT_EMAIL];
	struct sql *s = req_sql(r, "account_count", &r->at);

	sql_add(s, "select count(*), coalesce(bool_or(lower(email) = lower(");
	sql_text(s, email->text, email->len);
	sql_add(s, ")), false)");
	add_caller_ends(r, s);
	sql_add(s, " from users where workspace_id = $1");
	return transaction_ask(r);
}

/* Something before and behind one '@', without blanks and control characters. */
static bool is_email(const struct value *v)
{
	const char *at = memchr(v->text, '@', v->len);

	for (size_t i = 0; i < v->len; i++)
		if ((unsigned char)v->text[i] <= ' ' || v->text[i] == 0x7f)
			return false;
	return at && at > v->text && at + 1 < v->text + v->len &&
	       !memchr(at + 1, '@', v->len - (size_t)(at + 1 - v->text));
}

static bool account_zone_valid(struct req *r, const struct record *rec)
{
	const struct value *zone = &rec->values[ACCOUNT_TIME_ZONE];
	struct path at = PATH_NAME(NULL, "timeZone");

	if (zone->null || zone_find(zone->text, zone->len))
		return true;
	issue_custom(&r->given.issues, &at, "There is no time zone of this name");
	issue_hint(&r->given.issues, "a name of the IANA database, such as Europe/Berlin");
	return false;
}

static bool account_valid(struct req *r, const struct record *rec)
{
	struct path at = PATH_NAME(NULL, "email");

	if (!is_email(&rec->values[ACCOUNT_EMAIL]))
		issue_string(&r->given.issues, &at, "email");
	else if (db_bool(r->db.last, r->at, 0, 1))
		issue_custom(&r->given.issues, &at, "The workspace already has a user with this e-mail address");
	account_zone_valid(r, rec);
	if (r->given.issues.count == 0)
		limit_check(&r->given.issues, NULL, LIMIT_USERS, db_int(r->db.last, r->at, 0, 0), 1);
	return r->given.issues.count == 0;
}

enum step account_create(struct req *r)
{
	struct record *rec = record_new(&account_invited_resource, &r->arena);
	struct value *v = rec->values;
	bool ends = db_bool(r->db.last, r->at, 0, 2);

	body_take(rec, r->given.input);
	if (!account_valid(r, rec))
		return reply_issues(r, "Invalid input");
	if (!activity_gives(r, ACCOUNT_FULL_NAME))
		v[ACCOUNT_FULL_NAME] = v[ACCOUNT_EMAIL];
	if (!activity_gives(r, ACCOUNT_ROLE))
		v[ACCOUNT_ROLE] = (struct value){.text = "member", .len = strlen("member")};
	if (is_admin(rec) && account_makes_admin(r, "role", ends) != PASS)
		return DONE;
	v[ACCOUNT_ID] = (struct value){.id = id_new()};
	v[ACCOUNT_CREATED_AT] = (struct value){.number = req_now_ms(r)};
	record_touch(rec, req_now_ms(r));
	record_insert(req_sql(r, "account_insert", NULL), rec);
	user_event(r, EVENT_USER_CREATED, &v[ACCOUNT_ID].id);
	return account_reply_invited(r, rec, link_hindrance(r, ends));
}

/* --- changing --------------------------------------------------------------------------------- */

/* The user, and the number of admins beside them, with whether the caller has an end. */
enum step account_lock(struct req *r)
{
	struct sql *s = req_sql(r, req_lock_name(r, "account_lock"), &r->at);

	record_select(s, &account_invited_resource);
	sql_add_uuid(s, " and t.id = ", &r->given.path[0].id);
	sql_add(s, req_lock(r, " for update of t"));
	s = req_sql(r, "account_others", NULL);
	sql_add(s, "select count(*)");
	add_caller_ends(r, s);
	sql_add(s, " from users where workspace_id = $1 and role = 'admin' and disabled_at is null and id <> ");
	sql_uuid(s, &r->given.path[0].id);
	return transaction_ask(r);
}

static bool account_caller_ends(const struct req *r)
{
	return db_bool(r->db.last, r->at + 1, 0, 1);
}

/* NULL with a reply: a 404 or 412. */
static struct record *account_locked(struct req *r)
{
	struct record *rec;

	if (db_rows(r->db.last, r->at) == 0) {
		reply_not_found(r);
		return NULL;
	}
	rec = record_load(r->db.last, r->at, 0, r->route->resource, &r->arena);
	if (request_matches(&r->given, rec))
		return rec;
	reply_unmatched(r, rec);
	return NULL;
}

/* A workspace always keeps an admin who is not disabled. */
static bool is_last_admin(const struct req *r, const struct record *rec)
{
	return is_admin(rec) && db_int(r->db.last, r->at + 1, 0, 0) == 0;
}

static enum step account_save(struct req *r, struct record *rec, field_set changed)
{
	if (changed)
		record_update(req_sql(r, NULL, NULL), rec, changed | record_touch(rec, req_now_ms(r)));
	return reply_record(r, rec);
}

enum step account_update(struct req *r)
{
	struct record *old = account_locked(r), *rec;
	struct changes c;

	if (!old)
		return DONE;
	rec = record_copy(old, &r->arena);
	body_take(rec, r->given.input);
	/* An account that was read can be sent back with the role that it has. */
	if (record_diff(old, rec) & FIELD_BIT(ACCOUNT_ROLE) && account_change_of_others(r) != PASS)
		return DONE;
	if (!account_zone_valid(r, rec))
		return reply_issues(r, "Invalid input");
	if (is_last_admin(r, old) && !is_admin(rec))
		return refuse_at(
		    r, "role", "This is the last admin of the workspace: make another user an admin first");
	if (is_admin(rec) && !is_admin(old) && account_makes_admin(r, "role", account_caller_ends(r)) != PASS)
		return DONE;
	changes_init(&c, &r->arena);
	changes_record(&c, old, rec, 0);
	if (c.count)
		user_event_changes(r, EVENT_USER_UPDATED, &rec->values[ACCOUNT_ID].id, &c);
	changes_free(&c);
	return account_save(r, rec, record_diff(old, rec));
}

/* --- disabling -------------------------------------------------------------------------------- */

/* A webhook sends what its creator may see to an address that its creator chose. A trigger ends the user's sessions,
 * applications and links (migrations/0020_sessions.sql). */
static void account_stop_webhooks(struct req *r, const struct uuid *user)
{
	struct sql *s = req_sql(r, "account_stop_webhooks", NULL);

	sql_add(s, "update webhooks t set status = 'inactive', version = t.version + 1, ");
	record_touch_sql(s, req_now_ms(r));
	sql_add_uuid(s, " where t.workspace_id = $1 and t.status = 'active' and t.created_by = ", user);
}

enum step account_disable(struct req *r)
{
	struct record *rec = account_locked(r);
	struct value *at;

	if (!rec)
		return DONE;
	at = &rec->values[ACCOUNT_DISABLED_AT];
	if (is_own(r))
		return refuse_at(r, "userId", "Nobody can disable themselves");
	if (is_last_admin(r, rec))
		return refuse_at(
		    r, "userId", "This is the last admin of the workspace: make another user an admin first");
	if (!at->null)
		return reply_record(r, rec);
	*at = (struct value){.number = req_now_ms(r)};
	account_stop_webhooks(r, &rec->values[ACCOUNT_ID].id);
	user_event(r, EVENT_USER_DISABLED, &rec->values[ACCOUNT_ID].id);
	return account_save(r, rec, FIELD_BIT(ACCOUNT_DISABLED_AT));
}

enum step account_enable(struct req *r)
{
	struct record *rec = account_locked(r);

	if (!rec)
		return DONE;
	if (rec->values[ACCOUNT_DISABLED_AT].null)
		return reply_record(r, rec);
	rec->values[ACCOUNT_DISABLED_AT] = (struct value){.null = true};
	if (is_admin(rec) && account_makes_admin(r, "userId", account_caller_ends(r)) != PASS)
		return DONE;
	user_event(r, EVENT_USER_ENABLED, &rec->values[ACCOUNT_ID].id);
	return account_save(r, rec, FIELD_BIT(ACCOUNT_DISABLED_AT));
}

enum step account_invite(struct req *r)
{
	struct record *rec = account_locked(r);
	const char *hindrance;

	if (!rec)
		return DONE;
	hindrance = link_hindrance(r, account_caller_ends(r));
	if (!rec->values[ACCOUNT_DISABLED_AT].null)
		return refuse_at(r, "userId", "This user is disabled: enable the user first");
	if (hindrance)
		return refuse_at(r, "userId", hindrance);
	user_event(r, EVENT_USER_INVITED, &rec->values[ACCOUNT_ID].id);
	return account_reply_invited(r, rec, hindrance);
}
