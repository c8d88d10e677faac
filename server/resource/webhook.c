/* Webhooks: reading them, and all changes of their own row. */
#include "server/resource/webhook.h"

#include <string.h>

#include "server/resource/activity.h"
#include "server/base/crypto.h"
#include "server/base/log.h"
#include "server/event/feed.h"
#include "server/input/limits.h"
#include "server/request/route.h"
#include "server/request/server.h"
#include "server/resource/steps.h"
#include "store/record.h"
#include "webhook/vault.h"

enum { SHOWN_FIRST = 6, SHOWN_LAST = 4 };

/* --- secrets -------------------------------------------------------------------------- */

/* Sets the members about the secret: its ends, or all of it with reveal. In a dry run it is an empty text, because
 * nothing will ever be signed with that secret. */
static void webhook_show_secret(struct req *r, struct record *rec, bool reveal)
{
	unsigned char secret[SIGN_SECRET_LEN];
	char text[SIGN_SECRET_TEXT];
	struct value *v = rec->values;
	size_t len;

	if (!vault_unseal(r->server->vault, &v[WEBHOOK_ID].id, v[WEBHOOK_SECRET].text, v[WEBHOOK_SECRET].len, secret)) {
		log_error("webhook", "a secret cannot be decrypted with the key in secret_file");
		memset(secret, 0, sizeof secret);
		reveal = false;
	}
	sign_secret_text(text, secret, sizeof secret);
	len = strlen(text);
	v[WEBHOOK_SIGNING] = (struct value){.null = !reveal, .text = ""};
	if (reveal && !r->given.dry) {
		v[WEBHOOK_SIGNING].text = arena_dup(&r->arena, text, len);
		v[WEBHOOK_SIGNING].len = len;
	}
	memset(text + SHOWN_FIRST, '*', len - SHOWN_FIRST - SHOWN_LAST);
	v[WEBHOOK_REDACTED] = (struct value){.text = arena_dup(&r->arena, text, len), .len = len};
	crypto_wipe(secret, sizeof secret);
	crypto_wipe(text, sizeof text);
}

static void webhook_new_secret(struct req *r, struct record *rec)
{
	unsigned char secret[SIGN_SECRET_LEN], *sealed = arena_alloc(&r->arena, VAULT_SEALED_LEN);

	random_bytes(secret, sizeof secret);
	vault_seal(r->server->vault, &rec->values[WEBHOOK_ID].id, secret, sealed);
	crypto_wipe(secret, sizeof secret);
	rec->values[WEBHOOK_SECRET] = (struct value){.text = (const char *)sealed, .len = VAULT_SEALED_LEN};
}

static enum step webhook_answer(struct req *r, struct record *rec, bool reveal)
{
	webhook_show_secret(r, rec, reveal);
	return reveal ? reply_record_once(r, rec, FIELD_BIT(WEBHOOK_SIGNING)) : reply_record(r, rec);
}

/* --- reading ---------------------------------------------------------------------------- */

enum step webhook_secrets(struct req *r)
{
	for (size_t i = 0; i < r->n_records; i++)
		webhook_show_secret(r, r->records[i], false);
	return PASS;
}

/* --- opening ------------------------------------------------------------------------------ */

/* True for a limited key if the webhook gets events of other groups: a user who sets its address would get those
 * events. */
static bool webhook_exceeds(const struct viewer *v, const struct value *groups)
{
	for (size_t i = 0; v->n_groups && i < groups->n_ids; i++)
		if (!uuid_in(v->groups, v->n_groups, &groups->ids[i]))
			return true;
	return v->n_groups && groups->n_ids == 0;
}

struct event_listener webhook_listener(struct req *r, const struct record *webhook)
{
	const struct value *v = webhook->values;
	const struct user *user = workspace_user(r->caller.ws, &v[WEBHOOK_CREATED_BY].id);
	struct viewer creator = viewer_limited(
	    &v[WEBHOOK_CREATED_BY].id, user && user->admin, v[WEBHOOK_GROUPS].ids, v[WEBHOOK_GROUPS].n_ids);

	return feed_listener(r, &creator);
}

struct record *webhook_own(struct req *r, int at)
{
	struct record *rec;

	if (db_rows(r->db.last, at) == 0) {
		reply_not_found(r);
		return NULL;
	}
	rec = record_load(r->db.last, at, 0, &webhook_resource, &r->arena);
	if (webhook_exceeds(&r->caller.viewer, &rec->values[WEBHOOK_GROUPS])) {
		reply_error(
		    r, ERROR_FORBIDDEN, "The webhook gets events of groups to which this API key is not limited");
		return NULL;
	}
	if (r->caller.viewer.admin || uuid_equal(&rec->values[WEBHOOK_CREATED_BY].id, &r->caller.viewer.user))
		return rec;
	reply_error(r, ERROR_FORBIDDEN, "Only the webhook's creator and admins of the workspace may do this");
	return NULL;
}

enum step webhook_needs_active(struct req *r, const struct record *rec)
{
	struct path at = PATH_NAME(NULL, "webhookId");

	if (strcmp(rec->values[WEBHOOK_STATUS].text, "active") == 0)
		return PASS;
	issue_custom(
	    &r->given.issues, &at, "The webhook is inactive, so nothing is sent to it: set its status to active first");
	return reply_issues(r, "Invalid path parameters");
}

enum step webhook_open(struct req *r)
{
	transaction_begin(r);
	activity_ask(r, &webhook_resource, NULL, " for update of t");
	return transaction_ask(r);
}

/* --- writing ------------------------------------------------------------------------------- */

enum step webhook_create_open(struct req *r)
{
	r->tx.exclusive = true; /* nobody else can add a webhook between the count and COMMIT */
	transaction_begin(r);
	sql_add(req_sql(r, "webhook_count", &r->at), "select count(*) from webhooks where workspace_id = $1");
	return transaction_ask(r);
}

enum step webhook_create(struct req *r)
{
	struct record *rec;
	struct value *v;

	if (!limit_check(&r->given.issues, NULL, LIMIT_WEBHOOKS, db_int(r->db.last, r->at, 0, 0), 1))
		return reply_issues(r, "Invalid input");
	rec = activity_new(r, WEBHOOK_CREATED_BY, WEBHOOK_CREATED_AT);
	v = rec->values;
	v[WEBHOOK_UPDATED_AT] = v[WEBHOOK_CREATED_AT];
	v[WEBHOOK_VERSION] = (struct value){.number = 1};
	v[WEBHOOK_GROUPS].ids = r->caller.ticket.groups;
	v[WEBHOOK_GROUPS].n_ids = r->caller.ticket.n_groups;
	v[WEBHOOK_STATUS] = (struct value){.text = "active", .len = strlen("active")};
	webhook_new_secret(r, rec);
	record_insert(req_sql(r, "webhook_insert", NULL), rec);
	return webhook_answer(r, rec, true);
}

void webhook_touch(struct req *r, struct record *rec, field_set changed)
{
	r->tx.events.any = true; /* notifies the dispatcher after COMMIT */
	rec->values[WEBHOOK_VERSION].number++;
	rec->values[WEBHOOK_UPDATED_AT].number = req_now_ms(r);
	record_update(
	    req_sql(r, NULL, NULL), rec, changed | FIELD_BIT(WEBHOOK_VERSION) | FIELD_BIT(WEBHOOK_UPDATED_AT));
}

enum step webhook_update(struct req *r)
{
	struct record *old = webhook_own(r, r->at), *rec;
	field_set changed;

	if (!old)
		return DONE;
	rec = record_copy(old, &r->arena);
	body_take(rec, r->given.input);
	changed = record_diff(old, rec);
	if (changed & FIELD_BIT(WEBHOOK_STATUS) && strcmp(rec->values[WEBHOOK_STATUS].text, "active") == 0) {
		webhook_activate(r, rec);
		rec->values[WEBHOOK_FAILING_SINCE] = (struct value){.null = true};
		changed |= FIELD_BIT(WEBHOOK_FAILING_SINCE);
	}
	if (changed)
		webhook_touch(r, rec, changed);
	return webhook_answer(r, rec, false);
}

/* The current secret and the old ones that still sign, because a receiver may know any of them. */
static struct value webhook_old_secrets(struct req *r, const struct value *v)
{
	struct value all = v[WEBHOOK_SECRET];
	size_t more = v[WEBHOOK_FORMER].len;
	char *text;

	if (v[WEBHOOK_FORMER].null || v[WEBHOOK_FORMER_UNTIL].null || v[WEBHOOK_FORMER_UNTIL].number <= req_now_ms(r))
		return all;
	if (more > (VAULT_FORMER_MAX - 1) * VAULT_SEALED_LEN)
		more = (VAULT_FORMER_MAX - 1) * VAULT_SEALED_LEN;
	text = arena_alloc(&r->arena, all.len + more);
	memcpy(text, all.text, all.len);
	memcpy(text + all.len, v[WEBHOOK_FORMER].text, more);
	return (struct value){.text = text, .len = all.len + more};
}

enum step webhook_rotate(struct req *r)
{
	struct record *rec = webhook_own(r, r->at);
	struct value *v;

	if (!rec)
		return DONE;
	rec = record_copy(rec, &r->arena);
	rec->resource = &webhook_secret_resource;
	v = rec->values;
	v[WEBHOOK_FORMER] = webhook_old_secrets(r, v);
	v[WEBHOOK_FORMER_UNTIL] =
	    (struct value){.number = req_now_ms(r) + config_scaled_ms(r->server->config, WEBHOOK_FORMER_MS)};
	webhook_new_secret(r, rec);
	webhook_touch(r, rec, FIELD_BIT(WEBHOOK_SECRET) | FIELD_BIT(WEBHOOK_FORMER) | FIELD_BIT(WEBHOOK_FORMER_UNTIL));
	return webhook_answer(r, rec, true);
}

/* Nothing more is sent. server/job/webhooks.c deletes its deliveries later, because there may be many. */
enum step webhook_delete(struct req *r)
{
	const struct record *rec = webhook_own(r, r->at);
	const struct uuid *id;
	struct sql *s;

	if (!rec)
		return DONE;
	id = &rec->values[WEBHOOK_ID].id;
	s = req_sql(r, "webhook_forget", NULL);
	sql_add_uuid(s, "delete from webhook_repeats where workspace_id = $1 and webhook_id = ", id);
	s = req_sql(r, "webhook_gone", NULL);
	sql_add_uuid(s, "insert into webhooks_gone (workspace_id, id) values ($1, ", id);
	sql_add(s, ")");
	s = req_sql(r, "webhook_delete", NULL);
	sql_add_uuid(s, "delete from webhooks where workspace_id = $1 and id = ", id);
	return reply_id(r, ID_WEBHOOK, id);
}
