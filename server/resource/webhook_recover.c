/* Moves a webhook's position: back, to send undelivered events, or forward, past events that are too old. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/event/feed.h"
#include "server/input/body.h"
#include "server/request/server.h"
#include "server/resource/activity.h"
#include "server/resource/steps.h"
#include "server/resource/webhook.h"
#include "webhook/delivery.h"
#include "webhook/subscription.h"

enum { CHUNK = 500, COUNT_US = 3000 * 1000 };

/* --- positions ------------------------------------------------------------------------- */

/* The next statements in the exchange or transaction must walk the keys. Sorting would read all events since that time,
 * and the planner underestimates the rows that are newer than the last ANALYZE. */
static void recover_along_key(struct req *r)
{
	sql_add(req_sql(r, "no_sort", NULL),
	    "select set_config('enable_sort', 'off', true) from workspaces where workspace_id = $1");
}

/* Moves the position to just before the first event since that time, if the position is later ("<") or earlier (">").
 * Uncommitted events come after the oldest running transaction. */
static void recover_move(struct req *r, const struct record *rec, int64_t since_ms, const char *compare)
{
	struct sql *s;

	recover_along_key(r);
	s = req_sql(r, NULL, NULL);
	sql_add(s,
	    "with first as (select * from ((select e.generation, e.xid, e.seq - 1 as seq, e.created_at from events e "
	    "where e.workspace_id = $1 and e.created_at >= ");
	sql_time(s, since_ms);
	sql_addf(s,
	    " order by e.generation, e.xid, e.seq limit 1) union all select kith_generation(), "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0, "
	    "clock_timestamp()) f order by generation, xid, seq limit 1) update webhooks w set position_generation = "
	    "f.generation, position_xid = f.xid, position_seq = f.seq, position_at = f.created_at, recovered_to = "
	    "greatest(w.recovered_to, array[w.position_generation, w.position_xid, w.position_seq]) from first f "
	    "where w.workspace_id = $1 and (f.generation, f.xid, f.seq) %s "
	    "(w.position_generation, w.position_xid, w.position_seq) and w.id = ",
	    compare);
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
}

/* There may be very many rows, so the sender processes them in batches (kith_deliveries_again()). This order replaces
 * an earlier, unfinished one. */
static void recover_repeat(
    struct req *r, const struct record *rec, const char *kind, const char *since, int64_t since_ms)
{
	struct sql *s = req_sql(r, NULL, NULL);

	sql_addf(
	    s, "insert into webhook_repeats as o (workspace_id, kind, webhook_id, since) values ($1, '%s', ", kind);
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
	sql_add_time(s, ", ", since_ms);
	sql_addf(s,
	    ") on conflict (workspace_id, webhook_id, kind) do update set since = %s, generation = default, "
	    "xid = default, seq = default",
	    since);
}

void webhook_activate(struct req *r, const struct record *rec)
{
	int64_t since_ms = req_now_ms(r) - config_scaled_ms(r->server->config, WEBHOOK_UNDELIVERED_MS);

	recover_move(r, rec, since_ms, ">");
	recover_repeat(r, rec, "resume", "excluded.since", since_ms);
}

/* --- recover ----------------------------------------------------------------------------- */

/* State of the count. The result is in r->n_recovered, which survives a repeated transaction. */
struct recover_counting {
	struct subscriptions subscriptions;
	struct event_listener listener;
	const char *types[SUBSCRIPTIONS_MAX];
	size_t lens[SUBSCRIPTIONS_MAX];
	struct event_position position; /* everything up to here is counted */
	int64_t since_ms, untried_ms;
	int64_t began_us, first_ms; /* start of counting; time of the first event examined */
	const struct uuid *webhook;
};

enum step recover_open(struct req *r)
{
	activity_ask(r, &webhook_resource, NULL, "");
	return req_ask(r, DB_POINT);
}

static void recover_refuse_since(struct req *r, const char *why)
{
	struct path at = PATH_NAME(NULL, "since");

	issue_custom(&r->given.issues, &at, "%s", why);
	reply_issues(r, "Invalid input");
}

/* Events without a delivery count as never tried only from this time on. It is not before the webhook was created, and
 * not before the time when finished deliveries are dropped. */
static int64_t recover_untried_since(struct req *r, const struct record *rec, int64_t since_ms)
{
	int64_t made_ms = rec->values[WEBHOOK_CREATED_AT].number;
	int64_t kept_ms = req_now_ms(r) - config_days_ms(r->server->config, r->server->config->delivery_retention);

	if (since_ms < made_ms)
		since_ms = made_ms;
	return since_ms < kept_ms ? kept_ms : since_ms;
}

/* NULL with a reply set when there is nothing to count. */
static struct recover_counting *recover_begin(struct req *r)
{
	const struct record *rec = webhook_own(r, r->at);
	struct recover_counting *c = arena_alloc(&r->arena, sizeof *c);
	const struct value *events;

	if (!rec || webhook_needs_active(r, rec) != PASS)
		return NULL;
	c->since_ms = r->given.input->values[RECOVER_SINCE].number;
	if (c->since_ms > req_now_ms(r))
		recover_refuse_since(r, "This time is in the future");
	else if (c->since_ms < req_now_ms(r) - config_days_ms(r->server->config, r->server->config->event_retention))
		recover_refuse_since(r, "Events from this time are no longer kept");
	if (r->given.issues.count)
		return NULL;
	events = &rec->values[WEBHOOK_EVENTS];
	subscriptions_read(&c->subscriptions, &r->arena, events->text, events->len);
	for (int i = 0; i < c->subscriptions.count; i++) {
		c->types[i] = event_kinds[c->subscriptions.items[i].type].name;
		c->lens[i] = strlen(c->types[i]);
	}
	c->listener = webhook_listener(r, rec);
	c->position.at_ms = c->since_ms;
	c->untried_ms = recover_untried_since(r, rec, c->since_ms);
	c->webhook = &rec->values[WEBHOOK_ID].id;
	c->began_us = clock_mono_us();
	r->n_recovered = 0;
	return c;
}

/* Reads a fixed number of events of all types, so that no chunk takes long. It reads data only of events that may
 * count. */
static enum step recover_ask_chunk(struct req *r, struct recover_counting *c)
{
	struct sql *s;

	recover_along_key(r);
	s = req_sql(r, NULL, &r->at);
	sql_add(s, "select ");
	event_row_columns(s);
	sql_add(s, ", (select q.state from deliveries q where q.workspace_id = $1 and q.webhook_id = ");
	sql_uuid(s, c->webhook);
	delivery_at(s, "q", "e");
	sql_add(s, ") from (select e.generation, e.xid, e.seq, e.created_at, e.id, e.type, e.record_id, e.group_ids, "
	           "e.named_group_ids, e.within_group_id, e.object_type, e.audience, e.workspace_id, e.actor_via, "
	           "null::uuid as actor_id, null::uuid as actor_key_id, case when e.webhook_id is null "
	           "and e.type = any (");
	sql_text_array(s, c->types, c->lens, (size_t)c->subscriptions.count);
	sql_add(s, ") then e.data end as data from events e where e.workspace_id = $1 and e.created_at >= ");
	sql_time(s, c->since_ms);
	event_row_after(s, &c->position);
	sql_addf(s, " order by %s limit %d) e order by %s", event_row_order, CHUNK, event_row_order);
	r->next--; /* runs this step again */
	return req_ask(r, DB_LIST);
}

/* An undelivered delivery is counted, unless it is a test. An event without a delivery is counted if the webhook
 * subscribes to it. */
static bool recover_counts(
    const struct req *r, const struct recover_counting *c, int row, const struct event_row *e, struct arena *a)
{
	const char *state;

	if (!db_null(r->db.last, r->at, row, EVENT_ROW_COLUMNS)) {
		state = db_text(r->db.last, r->at, row, EVENT_ROW_COLUMNS, NULL);
		return strcmp(state, "delivered") != 0 && e->type != EVENT_WEBHOOK_TEST;
	}
	return e->created_at >= c->untried_ms && subscriptions_match(&c->subscriptions, e, &c->listener, a) &&
	       event_visible(e, &c->listener, a);
}

static void recover_count_chunk(struct req *r, struct recover_counting *c)
{
	struct arena arena;

	arena_init(&arena);
	for (int i = 0; i < db_rows(r->db.last, r->at); i++) {
		struct event_row e = {0};
		event_row_read(r->db.last, r->at, i, &arena, &e);
		c->position = e.position;
		if (!c->first_ms)
			c->first_ms = e.position.at_ms;
		r->n_recovered += recover_counts(r, c, i, &e, &arena);
	}
	arena_free(&arena);
}

/* Estimates the total from the events examined and the time that is left. */
static void recover_estimate(struct req *r, const struct recover_counting *c)
{
	int64_t seen_ms = c->position.at_ms - c->first_ms, all_ms = req_now_ms(r) - c->first_ms;

	r->recovered_estimated = true;
	if (seen_ms > 0 && all_ms > seen_ms)
		r->n_recovered = (int64_t)((double)r->n_recovered * (double)all_ms / (double)seen_ms);
}

/* Counts in chunks, and frees each before the next: there may be millions of events. */
enum step recover_count(struct req *r)
{
	struct recover_counting *c = r->state.recover;
	bool more;

	if (!c) {
		r->state.recover = c = recover_begin(r);
		return c ? recover_ask_chunk(r, c) : DONE;
	}
	recover_count_chunk(r, c);
	more = db_rows(r->db.last, r->at) == CHUNK;
	db_exchange_clear(r->db.last);
	if (more && clock_mono_us() - c->began_us < COUNT_US && !FAULT_ERROR(slow_recover))
		return recover_ask_chunk(r, c);
	if (more)
		recover_estimate(r, c);
	r->tx.open_step = r->next;
	r->state.recover = NULL;
	return PASS;
}

enum step recover_apply(struct req *r)
{
	struct record *rec = webhook_own(r, r->at);
	struct json_out *o;
	int64_t since_ms;

	if (!rec || webhook_needs_active(r, rec) != PASS)
		return DONE;
	since_ms = r->given.input->values[RECOVER_SINCE].number;
	/* Events with a delivery are skipped; others are sent as new. Undelivered deliveries are due now. */
	recover_move(r, rec, recover_untried_since(r, rec, since_ms), "<");
	recover_repeat(r, rec, "again", "least(o.since, excluded.since)", since_ms);
	webhook_touch(r, rec, 0);
	o = reply_begin(r);
	json_begin_object(o);
	json_add_int(o, "count", r->n_recovered);
	if (r->recovered_estimated) {
		json_add_bool(o, "countIsEstimated", true);
	}
	json_end_object(o);
	return reply_end(r);
}
