/* A webhook's deliveries: the list, retrying, and the test event. */
#include <string.h>

#include "server/resource/activity.h"
#include "server/request/route.h"
#include "server/resource/steps.h"
#include "server/resource/webhook.h"
#include "store/record.h"
#include "webhook/delivery.h"

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

/* The webhook is the exchange's first result. */
enum step delivery_list(struct req *r)
{
	activity_ask(r, &webhook_resource, NULL, "");
	r->list.column = "webhook_id";
	r->list.id = r->path[0].id;
	r->list.conditions = delivery_conditions;
	return PASS;
}

enum step delivery_list_allowed(struct req *r)
{
	return webhook_own(r, 0) ? PASS : DONE; /* even the times reveal what others may not see */
}

/* --- retrying ---------------------------------------------------------------------------- */

enum step delivery_open(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	activity_ask(r, &webhook_resource, NULL, " for update of t");
	s = req_sql(r, NULL, NULL);
	record_select(s, &delivery_resource);
	sql_add(s, " and t.webhook_id = ");
	sql_uuid(s, &r->path[0].id);
	delivery_of_id(s, "t", &r->path[1].id);
	sql_add(s, " for update of t");
	return transaction_ask(r);
}

enum step delivery_retry(struct req *r)
{
	struct record *webhook = webhook_own(r, r->at), *rec;
	struct sql *s;

	if (!webhook)
		return DONE;
	if (db_rows(r->x, r->at + 1) == 0)
		return reply_not_found(r);
	if (webhook_needs_active(r, webhook) != PASS)
		return DONE;
	rec = record_load(r->x, r->at + 1, 0, &delivery_resource, &r->arena);
	rec->values[DELIVERY_STATE] = (struct value){.text = "pending", .len = strlen("pending")};
	rec->values[DELIVERY_NEXT] = (struct value){.number = req_now_ms(r)};
	s = req_sql(r, "delivery_retry", NULL);
	sql_add(s, "update deliveries q set state = 'pending', n_attempts = 0, next_attempt_at = ");
	sql_time(s, req_now_ms(r));
	sql_add(s, " from (select d.* from deliveries d where d.workspace_id = $1 and d.webhook_id = ");
	sql_uuid(s, &r->path[0].id);
	delivery_of_id(s, "d", &r->path[1].id);
	sql_add(s, ") d where q.workspace_id = $1 and q.webhook_id = d.webhook_id and q.generation = d.generation and "
	           "q.xid = d.xid and q.seq = d.seq and q.created_at = d.created_at and q.id = d.id");
	webhook_touch(r, webhook, 0);
	return reply_record(r, rec);
}

/* --- the test event ------------------------------------------------------------------------ */

/* Only for this webhook, so it is not part of the feed; due at once. */
enum step webhook_test(struct req *r)
{
	struct record *webhook = webhook_own(r, r->at);
	struct uuid event = id_new(), delivery = id_new();
	struct sql *s;
	int id;

	if (!webhook || webhook_needs_active(r, webhook) != PASS)
		return DONE;
	webhook_touch(r, webhook, 0);
	s = req_sql(r, "webhook_test", &r->at);
	sql_add(s, "with e as (insert into events (workspace_id, id, type, record_id, webhook_id) values ($1, ");
	sql_uuid(s, &event);
	sql_add(s, ", 'webhook.test', ");
	sql_uuid(s, &r->path[0].id);
	id = s->n_params;
	sql_add(s, ", ");
	sql_again(s, id);
	sql_add(s, ") returning generation, xid, seq, created_at, id, type, record_id), t as (insert into deliveries "
	           "(workspace_id, "
	           "webhook_id, generation, xid, seq, created_at, id, event_id, event_type, record_id, state, "
	           "next_attempt_at) "
	           "select $1, ");
	sql_again(s, id);
	sql_add(s, ", e.generation, e.xid, e.seq, e.created_at, ");
	sql_uuid(s, &delivery);
	sql_add(s, ", e.id, e.type, e.record_id, 'pending', clock_timestamp() from e returning *) select ");
	record_columns(s, &delivery_resource);
	sql_add(s, " from t");
	return transaction_ask(r);
}

enum step webhook_tested(struct req *r)
{
	return reply_record(r, record_load(r->x, r->at, 0, &delivery_resource, &r->arena));
}
