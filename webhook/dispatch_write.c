/* Writes outcomes in batches: rows of deliveries, positions, webhooks that are given up, in one transaction that fails
 * if another process has become the sender. A failed batch is repeated as it is, which is idempotent. Outcomes of a
 * webhook locked by a request return to it and are written with a later batch: a batch never waits for a request,
 * however long it holds the lock. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/json.h"
#include "server/base/log.h"
#include "webhook/delivery.h"
#include "webhook/dispatch_private.h"

enum { ATTEMPT_TEXT_MAX = 512 };

/* --- the statements ----------------------------------------------------------------------- */

static struct sql *batch_statement(struct dispatcher *d, const char *name)
{
	struct sql *s = db_ask_add(&d->write_ask);

	sql_begin_system(s, &d->write_ask.arena, name);
	return s;
}

/* Fails the transaction when the term is no longer ours; keeps it from being raised until the end. */
static void guard_term(struct dispatcher *d)
{
	struct sql *s = batch_statement(d, "dispatch_guard");

	/* Also fails when not all workspaces are visible: writes would be lost silently. */
	sql_add(s, "select 1 / coalesce((select 1 from dispatcher_term where "
	           "current_setting('kith.workspace', true) = 'all' and term = ");
	sql_int8(s, d->term);
	sql_add(s, " for share), 0)");
}

static void *batch_array(struct dispatcher *d, int n, size_t size)
{
	return arena_alloc(&d->write_ask.arena, (size_t)n * size);
}

/* "unnest(…" with workspaces and ids of the batch's webhooks, to which further arrays may be added. */
static void batch_unnest(struct dispatcher *d, struct sql *s)
{
	int n = d->n_batch_hooks;
	struct uuid *workspaces = batch_array(d, n, sizeof *workspaces), *ids = batch_array(d, n, sizeof *ids);

	for (int i = 0; i < n; i++) {
		workspaces[i] = d->batch_hooks[i]->workspace;
		ids[i] = d->batch_hooks[i]->id;
	}
	sql_add_uuid_array(s, "unnest(", workspaces, (size_t)n);
	sql_add_uuid_array(s, ", ", ids, (size_t)n);
}

/* save_positions() updates the webhooks' rows, which locks them, so that a webhook deleted concurrently gets no
 * deliveries. The statements after it are restricted to the rows it has updated. */
#define LOCKED_HERE "w.xmin = pg_current_xact_id()::xid"

static void save_positions(struct dispatcher *d)
{
	struct sql *s = batch_statement(d, "dispatch_positions");
	int n = d->n_batch_hooks;
	int64_t *numbers[6], now_ms = clock_mono_ms();

	for (int i = 0; i < 6; i++)
		numbers[i] = batch_array(d, n, sizeof **numbers);
	for (int i = 0; i < n; i++) {
		struct hook *h = d->batch_hooks[i];
		h->write.position = *window_position(&h->window);
		numbers[0][i] = h->version;
		numbers[1][i] = h->write.position.generation;
		numbers[2][i] = (int64_t)h->write.position.xid;
		numbers[3][i] = h->write.position.seq;
		numbers[4][i] = h->write.position.at_ms;
		numbers[5][i] = hook_is_failing(h) ? now_ms - h->failing.since_ms : -1;
	}
	sql_add(s, "update webhooks w set position_xid = case when n.same then n.xid else w.position_xid end, "
	           "position_generation = case when n.same then n.generation else w.position_generation end, "
	           "position_seq = case when n.same then n.seq else w.position_seq end, position_at = case when n.same "
	           "then timestamptz 'epoch' + n.at * interval '1 millisecond' else w.position_at end, "
	           "failing_since = case when not n.same then w.failing_since when n.failing >= 0 then "
	           "clock_timestamp() - n.failing * interval '1 millisecond' end from "
	           "(select m.*, o.version = m.version as same from ");
	batch_unnest(d, s);
	for (int i = 0; i < 6; i++) {
		sql_add(s, ", ");
		sql_int8_array(s, numbers[i], (size_t)n);
	}
	sql_add(s, ") m (workspace_id, id, version, generation, xid, seq, at, failing) join webhooks o using "
	           "(workspace_id, id) order by workspace_id, id for update of o skip locked) n "
	           "where w.workspace_id = n.workspace_id and w.id = n.id returning w.id");
}

/* The webhooks that exist, in a later snapshot than the statement before: any other was deleted. */
static void select_existing(struct dispatcher *d)
{
	struct sql *s = batch_statement(d, "dispatch_there");

	sql_add(s, "select w.id from ");
	batch_unnest(d, s);
	sql_add(s, ") m (workspace_id, id) join webhooks w using (workspace_id, id)");
}

static const char *attempts_of(struct dispatcher *d, const struct window_entry *e, size_t *len)
{
	struct buf text;
	struct json_out o;
	char at[TIME_TEXT_SIZE];
	const char *out;

	buf_init(&text, ATTEMPT_TEXT_MAX);
	json_out_init(&o, &text);
	json_begin_array(&o);
	if (e->attempt.at_ms) {
		json_begin_object(&o);
		json_add_string(&o, "at", time_format(e->attempt.at_ms, at));
		json_add_int(&o, "durationMs", e->attempt.duration_ms);
		json_key(&o, "statusCode");
		if (e->attempt.status)
			json_int(&o, e->attempt.status);
		else
			json_null(&o);
		json_add_string(&o, "error", e->end == WINDOW_DELIVERED ? NULL : e->attempt.error);
		json_end_object(&o);
	}
	json_end_array(&o);
	*len = text.len;
	out = arena_dup(&d->write_ask.arena, text.data, text.len);
	buf_free(&text);
	return out;
}

enum { ROW_WORKSPACE, ROW_HOOK, ROW_ID, ROW_EVENT, ROW_RECORD, ROW_IDS };
enum {
	ROW_GENERATION,
	ROW_XID,
	ROW_SEQ,
	ROW_CREATED,
	ROW_WAIT,
	ROW_ATTEMPTS,
	ROW_STATE,
	ROW_TYPE,
	ROW_MANUAL,
	ROW_NUMBERS
};

struct rows {
	struct uuid *ids[ROW_IDS];
	int64_t *numbers[ROW_NUMBERS];
	const char **logs;
	size_t *log_lens;
};

static void rows_put(struct dispatcher *d, struct rows *r, int i, int64_t now_ms)
{
	const struct hook *h = d->batch[i].hook;
	const struct window_entry *e = d->batch[i].entry;
	int64_t wait = e->due_ms > now_ms ? e->due_ms - now_ms : 0;

	r->ids[ROW_WORKSPACE][i] = h->workspace;
	r->ids[ROW_HOOK][i] = h->id;
	r->ids[ROW_ID][i] = delivery_id(&h->id, &e->event);
	r->ids[ROW_EVENT][i] = e->event;
	r->ids[ROW_RECORD][i] = e->record;
	r->numbers[ROW_GENERATION][i] = e->position.generation;
	r->numbers[ROW_XID][i] = (int64_t)e->position.xid;
	r->numbers[ROW_SEQ][i] = e->position.seq;
	r->numbers[ROW_CREATED][i] = e->created_us;
	r->numbers[ROW_WAIT][i] = e->end == WINDOW_RETRY || e->end == WINDOW_DEFERRED ? wait : -1;
	r->numbers[ROW_ATTEMPTS][i] = e->attempts + (e->end == WINDOW_DELIVERED);
	r->numbers[ROW_STATE][i] = (int64_t)e->end + 1;
	r->numbers[ROW_TYPE][i] = (int64_t)e->type + 1;
	r->numbers[ROW_MANUAL][i] = e->manual;
	r->logs[i] = attempts_of(d, e, &r->log_lens[i]);
}

static void rows_take(struct dispatcher *d, struct rows *r)
{
	int64_t now_ms = clock_mono_ms();

	for (int i = 0; i < ROW_IDS; i++)
		r->ids[i] = batch_array(d, d->n_batch, sizeof **r->ids);
	for (int i = 0; i < ROW_NUMBERS; i++)
		r->numbers[i] = batch_array(d, d->n_batch, sizeof **r->numbers);
	r->logs = batch_array(d, d->n_batch, sizeof *r->logs);
	r->log_lens = batch_array(d, d->n_batch, sizeof *r->log_lens);
	for (int i = 0; i < d->n_batch; i++)
		rows_put(d, r, i, now_ms);
}

/* PostgreSQL finds the items of fixed-width arrays in constant time. A single unnest() of many arrays costs several
 * times as much. */
static void rows_columns(struct sql *s, const struct rows *r, size_t n)
{
	static const char *const ids[ROW_IDS] = {"workspace_id", "webhook_id", "id", "event_id", "record_id"},
	                         *const numbers[ROW_NUMBERS] = {"generation", "xid", "seq", "created", "wait",
	                             "n_attempts", "state", "type", "manual"};

	for (int i = 0; i < ROW_IDS; i++) {
		sql_add_uuid_array(s, "(", r->ids[i], n);
		sql_addf(s, ")[l.i::int] as %s, ", ids[i]);
	}
	for (int i = 0; i < ROW_NUMBERS; i++) {
		sql_add(s, "(");
		sql_int8_array(s, r->numbers[i], n);
		sql_addf(s, ")[l.i::int] as %s, ", numbers[i]);
	}
}

/* The words of state and type for their numbers, which are those of enum window_end and enum event_type from 1 on. */
static void rows_words(struct sql *s)
{
	sql_add(s, "('{delivered,pending,pending,failed,cancelled}'::text[])[n.state::int], ('{");
	for (int i = 0; i < EVENT_TYPES; i++)
		sql_addf(s, "%s%s", i ? "," : "", event_kinds[i].name);
	sql_add(s, "}'::text[])[n.type::int], ");
}

static void insert_rows(struct dispatcher *d)
{
	struct sql *s = batch_statement(d, "dispatch_rows");
	struct rows r;

	rows_take(d, &r);
	sql_add(s,
	    "insert into deliveries as q (workspace_id, webhook_id, id, event_id, record_id, generation, xid, seq, "
	    "created_at, next_attempt_at, n_attempts, state, event_type, manual, attempts) select n.workspace_id, "
	    "n.webhook_id, n.id, n.event_id, n.record_id, n.generation, n.xid, n.seq, timestamptz 'epoch' + n.created "
	    "* interval '1 microsecond', case when n.wait >= 0 then clock_timestamp() + n.wait * interval "
	    "'1 millisecond' end, n.n_attempts, ");
	rows_words(s);
	sql_add(s, "n.manual = 1, n.log::json from (select ");
	rows_columns(s, &r, (size_t)d->n_batch);
	sql_add(s, "l.log from unnest(");
	sql_text_array(s, r.logs, r.log_lens, (size_t)d->n_batch);
	/* A batch whose COMMIT was lost is repeated; its attempts may already be in the table. */
	sql_add(s,
	    ") with ordinality l (log, i)) n join webhooks w on w.workspace_id = n.workspace_id and w.id = "
	    "n.webhook_id and " LOCKED_HERE
	    " on conflict (workspace_id, webhook_id, generation, xid, seq, created_at) do update set state = "
	    "excluded.state, next_attempt_at = excluded.next_attempt_at, n_attempts = excluded.n_attempts, "
	    "attempts = case when json_array_length(excluded.attempts) = 0 or (q.attempts->-1->>'at') is not distinct "
	    "from (excluded.attempts->0->>'at') then q.attempts when json_array_length(q.attempts) = 0 then "
	    "excluded.attempts else (left(q.attempts::text, -1) || ',' || substr(excluded.attempts::text, 2))::json "
	    "end");
}

/* One statement for each webhook, because this is rare. */
static void give_up(struct dispatcher *d, const struct hook *h)
{
	struct sql *s = batch_statement(d, "dispatch_give_up");
	struct uuid event = id_new();

	sql_add(s, "with u as (update webhooks w set status = 'inactive', version = w.version + 1, "
	           "updated_at = clock_timestamp() where w.workspace_id = ");
	sql_uuid(s, &h->workspace);
	sql_add_uuid(s, " and w.id = ", &h->id);
	sql_add_int8(s, " and w.version = ", h->version);
	sql_add(s, " and w.status = 'active' and " LOCKED_HERE " returning w.workspace_id, w.id) "
	           "insert into events (workspace_id, id, type, record_id, data, actor_via) select workspace_id, ");
	sql_uuid(s, &event);
	sql_add_textz(s, ", ", event_kinds[EVENT_WEBHOOK_DEACTIVATED].name);
	sql_add_textz(s, ", id, json_build_object('details', json_build_object('reason', ", h->write.give_up);
	sql_add(s, ")), ");
	sql_int4(s, VIA_SYSTEM);
	sql_add(s, " from u");
}

/* Adds to d->write_ask the statements that write the batch: settings, the guard, positions (returns the webhooks
 * written), those that exist, rows if any, then one for each webhook given up. */
static void batch_statements(struct dispatcher *d)
{
	dispatch_plan_once(&d->write_ask);
	guard_term(d);
	save_positions(d);
	select_existing(d);
	if (d->n_batch)
		insert_rows(d);
	for (int i = 0; i < d->n_batch_hooks; i++)
		if (d->batch_hooks[i]->write.give_up)
			give_up(d, d->batch_hooks[i]);
}

enum { AT_POSITIONS = 2, AT_THERE, AT_ROWS };

static const char REFUSED[] = "22012"; /* division by zero: the guard of batch_statements() */

/* --- a batch ------------------------------------------------------------------------------ */

/* When its outcomes are to be written; INT64_MAX: none. */
static int64_t write_due_us(const struct hook *h)
{
	if (h->window.n_ended || h->write.give_up || h->write.failing)
		return h->write.by_us;
	if (event_position_compare(&h->write.saved, window_position(&h->window)) == 0 || hook_is_ending(h))
		return INT64_MAX;
	return h->d->stopping ? 0 : h->write.saved_us + SAVE_MS * 1000;
}

static void batch_take(struct dispatcher *d, struct hook *h)
{
	struct window_entry *e;

	while (d->n_batch < DISPATCH_BATCH_MAX && (e = window_ended(&h->window)))
		d->batch[d->n_batch++] = (struct batch_item){.hook = h, .entry = e};
	d->batch_hooks[d->n_batch_hooks++] = h;
	h->write.batch = BATCH_IN;
	h->write.failing = false;
}

/* Collects the outcomes that are due, and sets the time for the remaining ones. */
static void batch_collect(struct dispatcher *d, int64_t now_us)
{
	d->write_us = INT64_MAX;
	list_each(h, &d->to_write, struct hook, queued.write) {
		int64_t due = write_due_us(h);
		if (due <= now_us && d->n_batch < DISPATCH_BATCH_MAX && d->n_batch_hooks < LOADED_MAX) {
			batch_take(d, h);
			due = write_due_us(h);
		}
		if (due == INT64_MAX || (h->write.batch != BATCH_NONE && !h->window.n_ended))
			list_remove(&h->queued.write);
		else if (due < d->write_us)
			d->write_us = due;
	}
}

static void write_forget_batch(struct dispatcher *d)
{
	for (int i = 0; i < d->n_batch; i++)
		window_entry_free(d->batch[i].entry);
	for (int i = 0; i < d->n_batch_hooks; i++)
		d->batch_hooks[i]->write.batch = BATCH_NONE;
	d->n_batch = d->n_batch_hooks = 0;
}

void dispatch_write_forget(struct dispatcher *d)
{
	d->batch_lost = d->writing;
	if (!d->writing)
		write_forget_batch(d);
}

/* The database counts from its own clock, so the delivery is due later by the time that the batch took. */
static void entry_is_written(struct hook *h, struct window_entry *e, int64_t took_ms)
{
	if ((e->end == WINDOW_RETRY || e->end == WINDOW_DEFERRED) && e->due_ms + took_ms < h->due.at_ms)
		h->due.at_ms = e->due_ms + took_ms;
	window_written(&h->window, e);
}

/* Finishes what was written and returns the rest to the webhooks that were locked, in order. */
static void end_batch(struct dispatcher *d)
{
	bool given_up = false;
	int64_t took_ms = clock_mono_ms() - d->writing_ms;

	for (int i = d->n_batch - 1; i >= 0; i--) {
		struct hook *h = d->batch[i].hook;

		if (h->write.batch == BATCH_LOCKED)
			window_put_back(&h->window, d->batch[i].entry);
		else
			entry_is_written(h, d->batch[i].entry, took_ms);
	}
	d->n_batch = 0;
	for (int i = 0; i < d->n_batch_hooks; i++) {
		struct hook *h = d->batch_hooks[i];
		if (h->write.batch == BATCH_LOCKED) {
			h->write.failing = true; /* it may have been */
			list_remove(&h->queued.write);
			hook_write_by(h, clock_mono_us() + AGAIN_MS * 1000);
			continue;
		}
		window_batch_written(&h->window);
		h->write.saved = h->write.position;
		h->write.saved_us = clock_mono_us();
		given_up = given_up || h->write.give_up;
		h->write.give_up = NULL;
	}
	if (given_up)
		d->config.committed(d->config.ctx);
}

/* True when all rows were written, apart from those of deleted and locked webhooks; otherwise the batch is repeated. */
static bool batch_complete(struct dispatcher *d, const struct db_exchange *x)
{
	int64_t expected = 0, rows = d->n_batch ? db_affected(x, AT_ROWS) : 0;

	for (int i = 0; i < d->n_batch_hooks; i++) {
		struct hook *h = d->batch_hooks[i];
		h->write.batch = BATCH_IN;
		if (db_rows(x, AT_POSITIONS) >= d->n_batch_hooks || db_row_of(x, AT_POSITIONS, &h->id) >= 0)
			continue;
		if (db_row_of(x, AT_THERE, &h->id) >= 0)
			h->write.batch = BATCH_LOCKED;
		else
			hook_end(h, true);
	}
	for (int i = 0; i < d->n_batch; i++)
		expected += d->batch[i].hook->state != HOOK_DISCARDED && d->batch[i].hook->write.batch != BATCH_LOCKED;
	if (rows < expected)
		log_error("dispatch", "only %lld of %lld deliveries were written; they are written again",
		    (long long)rows, (long long)expected);
	return rows >= expected;
}

static void batch_written(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	bool ok = x->status == DB_OK && (d->batch_lost || batch_complete(d, x));
	bool refused = x->status == DB_FAILED && strcmp(x->sqlstate, REFUSED) == 0;
	int n = d->n_batch_hooks;

	if (x->status == DB_FAILED && !refused)
		log_warn("dispatch", "deliveries cannot be written: %s %s", x->sqlstate, x->message);
	db_ask_end(&d->write_ask);
	FAULT_POINT(dispatch_written);
	if (ok && !d->batch_lost)
		end_batch(d);
	if (refused)
		dispatch_lead_lost(d);
	d->writing = false;
	if (ok || d->batch_lost) {
		write_forget_batch(d);
		for (int i = 0; i < n; i++)
			hook_go(d->batch_hooks[i]);
	} else
		d->write_us = clock_mono_us() + AGAIN_MS * 1000;
	dispatch_run(d);
}

static void send_batch(struct dispatcher *d)
{
	db_ask_begin(&d->write_ask);
	batch_statements(d);
	d->writing = true;
	d->writing_ms = clock_mono_ms();
	d->batch_lost = false;
	db_ask_send(&d->write_ask, d->config.db, DB_WORK, batch_written, d);
}

void dispatch_write_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us();

	if (list_empty(&d->to_write) && d->n_batch_hooks == 0)
		d->write_us = INT64_MAX;
	if (d->writing || d->term == 0 || d->write_us == INT64_MAX)
		return;
	if (now_us < d->write_us && !(d->stopping && d->n_batch_hooks == 0)) {
		dispatch_at(d, d->write_us);
		return;
	}
	if (d->n_batch_hooks == 0)
		batch_collect(d, now_us);
	if (d->n_batch_hooks)
		send_batch(d);
	else if (d->write_us != INT64_MAX)
		dispatch_at(d, d->write_us);
}
