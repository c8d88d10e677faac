/* The deliveries of a webhook: the list, one delivery with what is posted, the retry, and the test event. */
#include <string.h>

#include "server/base/crypto.h"
#include "server/event/feed.h"
#include "server/request/server.h"
#include "server/resource/activity.h"
#include "server/request/route.h"
#include "server/resource/steps.h"
#include "server/resource/webhook.h"
#include "store/record.h"
#include "webhook/delivery.h"
#include "webhook/vault.h"
#include "webhook/window.h"

enum { EXAMINED_MAX = 10000 };

/* --- the list ----------------------------------------------------------------------- */

static void delivery_conditions(void *ctx, struct sql *s)
{
	const struct req *r = ctx;
	const struct param_value *state = req_param(r, "state");

	if (!state->given)
		return;
	sql_add(s, " and t.state = ");
	sql_text(s, state->text, state->len);
}

/* The first result of the exchange is the webhook. */
enum step delivery_list(struct req *r)
{
	activity_ask(r, &webhook_resource, NULL, "");
	r->list.column = "webhook_id";
	r->list.id = r->given.path[0].id;
	r->list.conditions = delivery_conditions;
	return PASS;
}

enum step delivery_list_allowed(struct req *r)
{
	return webhook_own(r, 0) ? PASS : DONE; /* even the times reveal what other users may not see */
}

/* --- one, with what is posted ------------------------------------------------------------ */

/* Selects the row that the path names, as q. */
static void delivery_row_sql(struct sql *s, const struct path_value *path)
{
	sql_add_uuid(s, "(select d.* from deliveries d where d.workspace_id = $1 and d.webhook_id = ", &path[0].id);
	delivery_of_id(s, "d", &path[1].id);
	sql_add(s, ")");
}

/* The results: the webhook, the delivery, the time of its last attempt, its event. */
enum step delivery_get(struct req *r)
{
	struct sql *s;

	activity_ask(r, &webhook_resource, NULL, "");
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select ");
	record_columns(s, &delivery_resource);
	sql_add(s, " from ");
	delivery_row_sql(s, r->given.path);
	sql_add(s, " t");
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select (t.attempts->-1->>'at')::timestamptz from ");
	delivery_row_sql(s, r->given.path);
	sql_add(s, " t");
	s = req_sql(r, NULL, NULL);
	sql_add(s, "select ");
	event_row_columns(s);
	sql_add(s, " from ");
	delivery_row_sql(s, r->given.path);
	sql_add(s, " t cross join lateral (select * from events v where v.workspace_id = $1 and v.generation = "
	           "t.generation and v.xid = t.xid and v.seq = t.seq and v.created_at = t.created_at offset 0) e");
	return req_ask(r, DB_FEED);
}

/* Writes the event as the webhook's creator may see it now. False: the event is no longer kept, or the creator may not
 * see it. */
static bool delivery_body(struct req *r, const struct record *webhook, int statement, struct buf *out)
{
	const struct config *c = r->server->config;
	struct event_listener listener;
	struct event_row e;

	if (db_rows(r->db.last, statement) == 0)
		return false;
	listener = webhook_listener(r, webhook);
	event_row_read(r->db.last, statement, 0, &r->arena, &e);
	if (!event_visible(&e, &listener, &r->arena))
		return false;
	delivery_body_write(out, &r->given.path[0].id, &e, &listener,
	    c->public_url ? c->public_url : r->server->default_url, &r->arena);
	return !out->overflow;
}

/* Writes what an attempt at that time sends with the current secrets, the newest first. */
static const char *delivery_signatures(
    struct req *r, const struct record *webhook, const struct record *rec, int64_t at_ms, const struct buf *body)
{
	const struct value *v = webhook->values, *old = &v[WEBHOOK_FORMER];
	bool signs = !v[WEBHOOK_FORMER_UNTIL].null && v[WEBHOOK_FORMER_UNTIL].number > req_now_ms(r);
	size_t n = signs && !old->null ? old->len / VAULT_SEALED_LEN : 0;
	char id[ID_SIZE], text[SIGN_SIGNATURE_TEXT];
	const char *all = NULL;

	id_format(ID_EVENT, &rec->values[DELIVERY_EVENT_ID].id, id);
	for (size_t i = 0; i <= n && i <= VAULT_FORMER_MAX; i++) {
		const char *sealed = i ? old->text + (i - 1) * VAULT_SEALED_LEN : v[WEBHOOK_SECRET].text;
		unsigned char secret[SIGN_SECRET_LEN];
		if (!vault_unseal(r->server->vault, &v[WEBHOOK_ID].id, sealed, VAULT_SEALED_LEN, secret))
			continue;
		sign_signature(text, secret, sizeof secret, id, at_ms / 1000, body->data, body->len);
		crypto_wipe(secret, sizeof secret);
		all = all ? arena_printf(&r->arena, "%s %s", all, text) : arena_dupz(&r->arena, text);
	}
	return all;
}

static struct value delivery_text(const char *text, size_t len)
{
	return (struct value){.text = text, .len = len};
}

enum step delivery_show(struct req *r)
{
	int at = r->at;
	struct record *webhook = webhook_own(r, at), *rec;
	struct buf body;

	if (!webhook)
		return DONE;
	if (db_rows(r->db.last, at + 1) == 0)
		return reply_not_found(r);
	rec = record_load(r->db.last, at + 1, 0, &delivery_request_resource, &r->arena);
	buf_init(&body, DELIVERY_BODY_MAX);
	if (delivery_body(r, webhook, at + 3, &body)) {
		rec->values[DELIVERY_BODY] = delivery_text(arena_dup(&r->arena, body.data, body.len), body.len);
		if (!db_null(r->db.last, at + 2, 0, 0)) {
			int64_t at_ms = db_time_ms(r->db.last, at + 2, 0, 0);
			const char *time = arena_printf(&r->arena, "%lld", (long long)(at_ms / 1000)),
			           *signatures = delivery_signatures(r, webhook, rec, at_ms, &body);
			rec->values[DELIVERY_TIMESTAMP] = delivery_text(time, strlen(time));
			if (signatures)
				rec->values[DELIVERY_SIGNATURE] = delivery_text(signatures, strlen(signatures));
		}
	}
	buf_free(&body);
	return reply_record(r, rec);
}

/* --- retrying ---------------------------------------------------------------------------- */

enum step delivery_open(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	activity_ask(r, &webhook_resource, NULL, " for update of t");
	s = req_sql(r, NULL, NULL);
	record_select(s, &delivery_resource);
	sql_add_uuid(s, " and t.webhook_id = ", &r->given.path[0].id);
	delivery_of_id(s, "t", &r->given.path[1].id);
	sql_add(s, " for update of t");
	return transaction_ask(r);
}

/* Appends "q is the row", found by its key. */
#define ROW_OF(row)                                                                                                    \
	"q.workspace_id = $1 and q.webhook_id = " row ".webhook_id and q.generation = " row                            \
	".generation and q.xid = " row ".xid and q.seq = " row ".seq and q.created_at = " row                          \
	".created_at and q.id = " row ".id"

/* A delivery that waits for its turn in its record's order is sent after the pending ones before it, which become due
 * now, too. Only a limited number of rows is examined. A row beyond that keeps its time; the order is kept in any
 * case. */
static void delivery_end_waits(struct req *r)
{
	struct sql *s = req_sql(r, "delivery_end_waits", NULL);

	sql_add_time(s, "update deliveries q set next_attempt_at = ", req_now_ms(r));
	sql_add(s, " from ");
	delivery_row_sql(s, r->given.path);
	sql_addf(s,
	    " d cross join lateral (select b.* from deliveries b where b.workspace_id = $1 and b.webhook_id = "
	    "d.webhook_id and b.state = 'pending' and b.n_attempts < %d and (b.generation, b.xid, b.seq) < "
	    "(d.generation, d.xid, d.seq) order by b.generation, b.xid, b.seq limit %d) b where d.state = 'pending' "
	    "and b.record_id = d.record_id and b.manual = d.manual and q.next_attempt_at > ",
	    WINDOW_HOLDING_ATTEMPTS, EXAMINED_MAX);
	sql_time(s, req_now_ms(r));
	sql_add(s, " and " ROW_OF("b"));
}

enum step delivery_retry(struct req *r)
{
	struct record *webhook = webhook_own(r, r->at), *rec;
	struct sql *s;

	if (!webhook)
		return DONE;
	if (db_rows(r->db.last, r->at + 1) == 0)
		return reply_not_found(r);
	if (webhook_needs_active(r, webhook) != PASS)
		return DONE;
	rec = record_load(r->db.last, r->at + 1, 0, &delivery_resource, &r->arena);
	rec->values[DELIVERY_STATE] = (struct value){.text = "pending", .len = strlen("pending")};
	rec->values[DELIVERY_NEXT] = (struct value){.number = req_now_ms(r)};
	delivery_end_waits(r);
	s = req_sql(r, "delivery_retry", NULL);
	sql_add(s,
	    "update deliveries q set state = 'pending', n_attempts = 0, manual = d.manual or d.state <> 'pending', "
	    "next_attempt_at = ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " from ");
	delivery_row_sql(s, r->given.path);
	sql_add(s, " d where " ROW_OF("d"));
	webhook_touch(r, webhook, 0);
	return reply_record(r, rec);
}

/* --- the test event ------------------------------------------------------------------------ */

/* The event is only for this webhook, so it is not part of the feed. It is due at once. */
enum step webhook_test(struct req *r)
{
	struct record *webhook = webhook_own(r, r->at);
	struct uuid event = id_new(), delivery = id_new();
	const struct event_actor actor = req_actor(r);
	struct sql *s;
	int id;

	if (!webhook || webhook_needs_active(r, webhook) != PASS)
		return DONE;
	webhook_touch(r, webhook, 0);
	s = req_sql(r, "webhook_test", &r->at);
	sql_add(s, "with e as (insert into events (workspace_id, id, type, record_id, webhook_id, " EVENT_ACTOR_COLUMNS
	           ") values ($1, ");
	sql_uuid(s, &event);
	sql_add_uuid(s, ", 'webhook.test', ", &r->given.path[0].id);
	id = s->n_params;
	sql_add(s, ", ");
	sql_again(s, id);
	sql_add(s, ", ");
	event_actor_sql(s, &actor);
	sql_add(s, ") returning generation, xid, seq, created_at, id, type, record_id), t as (insert into deliveries "
	           "(workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, event_type, record_id, "
	           "state, next_attempt_at) select $1, ");
	sql_again(s, id);
	sql_add_uuid(s, ", e.generation, e.xid, e.seq, e.created_at, ", &delivery);
	sql_add(s, ", e.id, e.type, e.record_id, 'pending', clock_timestamp() from e returning *) select ");
	record_columns(s, &delivery_resource);
	sql_add(s, " from t");
	return transaction_ask(r);
}

enum step webhook_tested(struct req *r)
{
	return reply_record(r, record_load(r->db.last, r->at, 0, &delivery_resource, &r->arena));
}
