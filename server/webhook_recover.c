/* Moving a webhook's position: back, so that what was sent is sent again, and on, past what is too old. */
#include <string.h>

#include "server/body.h"
#include "server/server.h"
#include "server/steps.h"
#include "server/webhook.h"
#include "store/record.h"
#include "webhook/subscription.h"

enum { CHUNK = 500, MS_PER_DAY = 24 * 60 * 60 * 1000 };

/* --- positions ------------------------------------------------------------------------- */

/* What follows in the exchange or the transaction walks along keys: sorting would read all events since then, and
 * rows that came since the table was analysed look few. */
static void along_the_key(struct req *r)
{
	sql_add(req_sql(r, "no_sort", NULL),
	    "select set_config('enable_sort', 'off', true) from workspaces where workspace_id = $1");
}

/* Begins a statement with row "first": just before the first event since then. What is not committed
 * yet comes behind the oldest transaction that runs. */
static struct sql *first_since(struct req *r, int64_t since_ms)
{
	struct sql *s;

	along_the_key(r);
	s = req_sql(r, NULL, NULL);
	sql_add(s,
	    "with first as (select * from ((select e.generation, e.xid, e.seq - 1 as seq, e.created_at from events e "
	    "where e.workspace_id = $1 and e.created_at >= ");
	sql_time(s, since_ms);
	sql_add(s, " order by e.generation, e.xid, e.seq limit 1) union all select kith_generation(), "
	           "pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0, "
	           "clock_timestamp()) f order by generation, xid, seq limit 1) update webhooks w set ");
	return s;
}

static void pass_over(struct req *r, const struct record *rec, int64_t since_ms)
{
	struct sql *s = first_since(r, since_ms);

	sql_add(s, "position_generation = f.generation, position_xid = f.xid, position_seq = f.seq, "
	           "position_at = f.created_at from first f "
	           "where w.workspace_id = $1 and (f.generation, f.xid, f.seq) > "
	           "(w.position_generation, w.position_xid, w.position_seq) and w.id = ");
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
}

/* Back, when it stands further on; in any case what was sent already behind it is sent again. */
static void begin_again(struct req *r, const struct record *rec, int64_t since_ms)
{
	struct sql *s = first_since(r, since_ms);

	sql_add(s, "pass = w.pass + 1, position_generation = case when b.back then f.generation else "
	           "w.position_generation end, "
	           "position_xid = case when b.back then f.xid else w.position_xid end, "
	           "position_seq = case when b.back then f.seq else w.position_seq end, "
	           "position_at = case when b.back then f.created_at else w.position_at end from first f, webhooks o, "
	           "lateral (select (f.generation, f.xid, f.seq) < (o.position_generation, o.position_xid, "
	           "o.position_seq) as back) b "
	           "where o.workspace_id = $1 and o.id = w.id and w.workspace_id = $1 and w.id = ");
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
	/* What waits comes with the rest; rows of before that time stay in their queue. */
	s = req_sql(r, "deliveries_again", NULL);
	sql_add(s, "update deliveries set state = 'cancelled', next_attempt_at = null where workspace_id = $1 "
	           "and state = 'pending' and event_type <> 'webhook.test' and webhook_id = ");
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
	sql_add(s, " and created_at >= ");
	sql_time(s, since_ms);
}

void webhook_activate(struct req *r, const struct record *rec)
{
	int64_t since_ms = req_now_ms(r) - server_scaled_ms(r->server, WEBHOOK_UNDELIVERED_MS);
	struct sql *s;

	pass_over(r, rec, since_ms);
	s = req_sql(r, "deliveries_cancel", NULL);
	sql_add(s, "update deliveries set state = 'cancelled', next_attempt_at = null "
	           "where workspace_id = $1 and state = 'pending' and webhook_id = ");
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
	sql_add(s, " and created_at < ");
	sql_time(s, since_ms);
	s = req_sql(r, "deliveries_resume", NULL);
	sql_add(s, "update deliveries set next_attempt_at = clock_timestamp(), n_attempts = 0 "
	           "where workspace_id = $1 and state = 'pending' and webhook_id = ");
	sql_uuid(s, &rec->values[WEBHOOK_ID].id);
}

/* --- recover ----------------------------------------------------------------------------- */

/* What is counted: r->total has the number, as it outlives a transaction that runs again. */
struct counting {
	struct subscriptions subscriptions;
	struct event_listener listener;
	const char *types[SUBSCRIPTIONS_MAX];
	size_t lens[SUBSCRIPTIONS_MAX];
	struct event_position position; /* up to here */
	int64_t since_ms;
};

enum step recover_open(struct req *r)
{
	webhook_ask(r, false, &r->at);
	return ask(r, DB_POINT);
}

static int64_t keep_ms(const struct req *r)
{
	return server_scaled_ms(r->server, (int64_t)r->server->config->event_retention * MS_PER_DAY);
}

static void refuse_since(struct req *r, const char *why)
{
	struct path at = PATH_NAME(NULL, "since");

	issue_custom(&r->issues, &at, "%s", why);
	reply_issues(r, "Invalid input");
}

/* The groups that the webhook's creator may not see. */
static void listen_as(struct req *r, const struct uuid *user, struct event_listener *l)
{
	const struct user *u = workspace_user(r->ws, user);
	struct viewer viewer = {.user = *user, .admin = u && u->admin};
	struct uuid *hidden;

	*l = (struct event_listener){.user = *user};
	l->n_hidden = workspace_hidden(r->ws, &viewer, &r->arena, &hidden);
	l->hidden = hidden;
}

/* NULL with a reply set when there is nothing to count for. */
static struct counting *begin_counting(struct req *r)
{
	const struct record *rec = webhook_own(r, r->at);
	struct counting *c = arena_alloc(&r->arena, sizeof *c);
	const struct value *events;

	if (!rec || webhook_needs_active(r, rec) != PASS)
		return NULL;
	c->since_ms = r->input->values[RECOVER_SINCE].number;
	if (c->since_ms > req_now_ms(r))
		refuse_since(r, "It lies in the future");
	else if (c->since_ms < req_now_ms(r) - keep_ms(r))
		refuse_since(r, "Events from before are not kept any more");
	if (r->issues.count)
		return NULL;
	events = &rec->values[WEBHOOK_EVENTS];
	subscriptions_read(&c->subscriptions, &r->arena, events->text, events->len);
	for (int i = 0; i < c->subscriptions.count; i++) {
		c->types[i] = event_kinds[c->subscriptions.items[i].type].name;
		c->lens[i] = strlen(c->types[i]);
	}
	listen_as(r, &rec->values[WEBHOOK_CREATED_BY].id, &c->listener);
	c->position.at_ms = c->since_ms;
	r->total = 0;
	return c;
}

/* So many events, whatever their types, so that no chunk takes long; the data only of those that may count. */
static enum step ask_chunk(struct req *r, struct counting *c)
{
	struct sql *s;

	along_the_key(r);
	s = req_sql(r, NULL, &r->at);
	sql_add(s, "select ");
	event_row_columns(s);
	sql_add(s, " from (select e.generation, e.xid, e.seq, e.created_at, e.id, e.type, e.record_id, e.group_ids, "
	           "e.named_group_ids, "
	           "e.within_group_id, e.object_type, e.audience, case when e.webhook_id is null and e.type = any (");
	sql_text_array(s, c->types, c->lens, (size_t)c->subscriptions.count);
	sql_add(s, ") then e.data end as data from events e where e.workspace_id = $1 and e.created_at >= ");
	sql_time(s, c->since_ms);
	event_row_after(s, &c->position);
	sql_addf(s, " order by %s limit %d) e order by %s", event_row_order, CHUNK, event_row_order);
	r->next--; /* this step again */
	return ask(r, DB_LIST);
}

static bool subscribes(const struct counting *c, enum event_type type)
{
	for (int i = 0; i < c->subscriptions.count; i++)
		if (c->subscriptions.items[i].type == type)
			return true;
	return false;
}

static void count_chunk(struct req *r, struct counting *c)
{
	struct arena arena;

	arena_init(&arena);
	for (int i = 0; i < db_rows(r->x, r->at); i++) {
		struct event_row e = {0};
		event_row_read(r->x, r->at, i, &arena, &e);
		c->position = e.position;
		if (subscribes(c, e.type) && event_visible(&e, &c->listener, &arena) &&
		    subscriptions_match(&c->subscriptions, &e, &c->listener, &arena))
			r->total++;
	}
	arena_free(&arena);
}

/* Chunk by chunk, each freed before the next: there may be a million events. */
enum step recover_count(struct req *r)
{
	struct counting *c = r->state;
	bool more;

	if (!c) {
		r->state = c = begin_counting(r);
		return c ? ask_chunk(r, c) : DONE;
	}
	count_chunk(r, c);
	more = db_rows(r->x, r->at) == CHUNK;
	db_exchange_clear(r->x);
	if (more)
		return ask_chunk(r, c);
	r->open_step = r->next;
	r->state = NULL;
	return PASS;
}

enum step recover_apply(struct req *r)
{
	struct record *rec = webhook_own(r, r->at);
	struct json_out *o;

	if (!rec || webhook_needs_active(r, rec) != PASS)
		return DONE;
	begin_again(r, rec, r->input->values[RECOVER_SINCE].number);
	webhook_touch(r, rec, 0);
	o = reply_begin(r);
	json_begin_object(o);
	json_key(o, "count");
	json_int(o, r->total);
	json_end_object(o);
	return reply_end(r);
}
