/* Reads a webhook's due deliveries, and its events from the end of the last read, with the groups hidden from its
 * creator; events it is not to receive are skipped. A read has at most READ_ROWS events and READ_BYTES of their
 * data. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/base/json.h"
#include "server/base/log.h"
#include "webhook/delivery.h"
#include "webhook/dispatch_private.h"

enum { DUE_ROWS = 32, DOUBTS = 64, AT_LOAD = 1 };

struct read {
	struct hook *hook;
	struct db_ask ask;
	int due, events, held, gone; /* index of the statement; -1: none */
	bool load;
	bool whole; /* it reads due rows from the beginning */
	struct window_row doubts[DOUBTS];
	int n_doubts;
};

/* --- queries ------------------------------------------------------------------------------ */

/* Adds the private groups that the creator is not, or was not, a member of, and whether the creator is an admin. Only
 * the first row has the groups, because they are the same for all rows. */
static void read_add_hidden(struct sql *s, const struct hook *h, const char *first)
{
	int creator;

	sql_add(s, ", case when ");
	sql_add(s, first);
	sql_add(s,
	    " then (select array_agg(g.id) from (select p.id, array(select m.user_id from group_members m "
	    "where m.workspace_id = $1 and m.group_id = p.id) as user_ids from groups p where p.workspace_id = $1 "
	    "and p.visibility = 'private' union all select d.id, d.user_ids from groups_gone d "
	    "where d.workspace_id = $1) g where not ");
	sql_uuid(s, &h->row.creator);
	sql_add(s, " = any (g.user_ids) and not exists (select from users u where u.workspace_id = $1 "
	           "and u.role = 'admin' and u.id = ");
	creator = s->n_params;
	sql_again(s, creator);
	sql_addf(s, ")) end, (select u.role = 'admin' from users u where u.workspace_id = $1 and u.id = $%d)", creator);
}

/* " and …": no rows if the webhook was changed since it was loaded. The change may have been committed before an
 * event that this statement sees; a later poll notices it and has the webhook loaded again. */
static void read_add_unchanged(struct sql *s, const struct hook *h)
{
	sql_add_uuid(s, " and (select w.version from webhooks w where w.workspace_id = $1 and w.id = ", &h->id);
	sql_add_int8(s, ") = ", h->version);
}

/* In microseconds, the precision of the partitions' bounds. */
static void read_add_microseconds(struct sql *s, const char *column)
{
	sql_addf(s, ", (extract(epoch from %s) * 1000000)::bigint", column);
}

enum { EVENTS_CREATED_US = EVENT_ROW_COLUMNS, EVENTS_WEBHOOK, EVENTS_TRACE, EVENTS_HIDDEN, EVENTS_ADMIN };

/* A name for each text. */
static const char *events_name(bool known, bool behind)
{
	if (!behind)
		return known ? "dispatch_events_all_known" : "dispatch_events_all";
	return known ? "dispatch_events_known" : "dispatch_events";
}

static void events_statement(struct db_ask *a, struct hook *h)
{
	bool known = event_position_set(&h->row.known) && event_position_compare(&h->window.read, &h->row.known) < 0;
	struct sql *s = db_ask_add(a);

	sql_begin(s, &a->arena, events_name(known, event_position_set(&h->window.read)), &h->workspace);
	sql_add(s, "select ");
	event_row_columns(s);
	read_add_microseconds(s, "e.created_at");
	sql_add(s, ", e.webhook_id, e.trace");
	read_add_hidden(s, h, "e.n = 1");
	sql_add(s, " from (select e.*, row_number() over (order by e.generation, e.xid, e.seq) n, "
	           "sum(e.bytes) over (order by e.generation, e.xid, e.seq) - e.bytes as before from (select e.*, "
	           "coalesce(octet_length(e.data::text), 0) as bytes from events e where e.workspace_id = $1");
	event_row_after(s, &h->window.read);
	read_add_unchanged(s, h);
	sql_add(s, " and e.created_at < now() + interval '1 day'"); /* skips days that have not begun */
	if (known) {
		/* One look-up per event, not a join: the planner expects few events at first. */
		sql_add(s, " and (select true from deliveries q where q.workspace_id = $1 and q.webhook_id = ");
		sql_uuid(s, &h->id);
		delivery_at(s, "q", "e");
		sql_add(s, ") is null");
	}
	sql_addf(s, " order by %s limit %d) e) e where e.before < %d order by %s", event_row_order, READ_ROWS,
	    READ_BYTES, event_row_order);
}

enum {
	DUE_CREATED_US = EVENT_ROW_COLUMNS,
	DUE_THERE,
	DUE_TRACE,
	DUE_HIDDEN,
	DUE_ADMIN,
	DUE_WAIT,
	DUE_AT_US,
	DUE_ATTEMPTS,
	DUE_GENERATION,
	DUE_XID,
	DUE_SEQ,
	DUE_EVENT,
	DUE_RECORD,
	DUE_TYPE,
	DUE_MANUAL
};

/* "offset 0": each event is looked up by its key, however few events there were when this was planned. */
static void due_statement(struct db_ask *a, struct hook *h)
{
	struct sql *s = db_ask_add(a);

	sql_begin(
	    s, &a->arena, event_position_set(&h->due.held_to) ? "dispatch_due_part" : "dispatch_due", &h->workspace);
	sql_add(s, "select ");
	event_row_columns(s);
	read_add_microseconds(s, "q.created_at");
	sql_add(s, ", e.id is not null, e.trace");
	read_add_hidden(s, h, "q.n = 1");
	sql_add(s, ", ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint");
	read_add_microseconds(s, "q.next_attempt_at");
	sql_add(s, ", q.n_attempts, q.generation, q.xid, q.seq, q.event_id, q.record_id, q.event_type, q.manual from "
	           "(select q.*, row_number() over (order by q.next_attempt_at, q.generation, q.xid, q.seq) n from "
	           "(select q.* from deliveries q where q.workspace_id = $1 and q.created_at < now() + interval '1 "
	           "day' and q.state = 'pending' and q.webhook_id = ");
	sql_uuid(s, &h->id);
	read_add_unchanged(s, h);
	sql_add(s, " and (q.next_attempt_at, q.generation, q.xid, q.seq) > (");
	sql_time_us(s, h->due.mark.due_us);
	sql_add_int8(s, ", ", h->due.mark.position.generation);
	sql_add_int8(s, ", ", (int64_t)h->due.mark.position.xid);
	sql_add_int8(s, ", ", h->due.mark.position.seq);
	sql_add(s, ")");
	if (event_position_set(&h->due.held_to)) {
		sql_add(s, " and (q.generation, q.xid, q.seq) <= ");
		event_position_sql(s, &h->due.held_to);
	}
	sql_addf(s,
	    " order by q.next_attempt_at, q.generation, q.xid, q.seq limit %d) q) q left join lateral "
	    "(select * from events v where v.workspace_id = $1 and v.generation = q.generation and v.xid = q.xid and "
	    "v.seq = q.seq and v.created_at = q.created_at offset 0) e on true order by q.next_attempt_at, "
	    "q.generation, q.xid, q.seq",
	    DUE_ROWS);
}

/* --- results ------------------------------------------------------------------------------ */

static struct window_entry *read_entry_new(
    struct hook *h, const struct event_row *e, const struct event_listener *l, struct arena *a)
{
	struct window_entry *entry = mem_zalloc(sizeof *entry);
	struct buf body;

	entry->position = e->position;
	entry->event = e->id;
	entry->record = e->record;
	entry->type = e->type;
	buf_init(&body, DELIVERY_BODY_MAX);
	if (l)
		delivery_body_write(&body, &h->id, e, l, h->d->config.public_url, a);
	entry->body = buf_take(&body, &entry->body_len);
	return entry;
}

static void read_trace(struct window_entry *entry, const struct read *r, int statement, int row, int column)
{
	if (!db_null(&r->ask.x, statement, row, column))
		snprintf(entry->trace, sizeof entry->trace, "%s", db_text(&r->ask.x, statement, row, column, NULL));
}

static void read_listener(struct event_listener *l, struct read *r, int statement, int column)
{
	struct uuid *hidden;

	l->user = r->hook->row.creator;
	l->n_hidden = db_uuid_array(&r->ask.x, statement, 0, column, &r->ask.arena, &hidden);
	l->hidden = hidden;
	l->only = r->hook->row.groups;
	l->n_only = r->hook->row.n_groups;
	l->admin = db_bool(&r->ask.x, statement, 0, column + 1) && l->n_only == 0;
}

/* True when the webhook is to receive the event. Events for a single webhook are sent by their rows instead. */
static bool is_own(
    struct hook *h, const struct event_row *e, bool alone, const struct event_listener *l, struct arena *a)
{
	return !alone && e->type != EVENT_TYPES && subscriptions_match(&h->row.subscriptions, e, l, a) &&
	       event_visible(e, l, a);
}

static void take_events(struct read *r)
{
	struct hook *h = r->hook;
	int rows = db_rows(&r->ask.x, r->events);
	int64_t now_ms = clock_mono_ms();
	struct event_listener l;

	if (h->events != EVENTS_REPORTED)
		h->events = rows > 0 ? EVENTS_MORE : EVENTS_NONE; /* after the limit of bytes the next read tells */
	if (rows == 0)
		return;
	read_listener(&l, r, r->events, EVENTS_HIDDEN);
	for (int row = 0; row < rows; row++) {
		struct event_row e;
		struct event_position before = h->window.read;

		event_row_read(&r->ask.x, r->events, row, &r->ask.arena, &e);
		h->window.read = e.position;
		if (!is_own(h, &e, !db_null(&r->ask.x, r->events, row, EVENTS_WEBHOOK), &l, &r->ask.arena))
			continue;
		struct window_entry *entry = read_entry_new(h, &e, &l, &r->ask.arena);
		entry->created_us = db_int(&r->ask.x, r->events, row, EVENTS_CREATED_US);
		read_trace(entry, r, r->events, row, EVENTS_TRACE);
		entry->before = before;
		entry->manual = event_position_compare(&e.position, &h->row.recovered) <= 0;
		window_add(&h->window, entry, now_ms);
	}
}

static void take_due_row(struct read *r, int row, const struct event_listener *l, int64_t now_ms)
{
	struct hook *h = r->hook;
	struct event_row e = {0};
	bool there = db_bool(&r->ask.x, r->due, row, DUE_THERE), cancelled;
	struct window_entry *entry;
	size_t len;
	const char *type = db_text(&r->ask.x, r->due, row, DUE_TYPE, &len);

	e.type = event_type_parse(type, len);
	if (e.type == EVENT_TYPES)
		return; /* from a newer release, whose processes send it */
	if (there) {
		event_row_read(&r->ask.x, r->due, row, &r->ask.arena, &e);
	} else { /* the event is older than the retention */
		e.id = db_uuid(&r->ask.x, r->due, row, DUE_EVENT);
		e.record = db_uuid(&r->ask.x, r->due, row, DUE_RECORD);
		e.position = event_position_read(&r->ask.x, r->due, row, DUE_GENERATION);
	}
	cancelled = !there || (e.type != EVENT_WEBHOOK_TEST && !event_visible(&e, l, &r->ask.arena));
	entry = read_entry_new(h, &e, cancelled ? NULL : l, &r->ask.arena);
	entry->has_row = true;
	entry->manual = db_bool(&r->ask.x, r->due, row, DUE_MANUAL);
	entry->created_us = db_int(&r->ask.x, r->due, row, DUE_CREATED_US);
	entry->attempts = (int)db_int(&r->ask.x, r->due, row, DUE_ATTEMPTS);
	read_trace(entry, r, r->due, row, DUE_TRACE);
	if (cancelled)
		window_add_cancelled(&h->window, entry);
	else
		window_add(&h->window, entry, now_ms);
}

static void take_due(struct read *r)
{
	struct hook *h = r->hook;
	int rows = db_rows(&r->ask.x, r->due);
	int64_t now_ms = clock_mono_ms();
	struct event_listener l;

	h->due.at_ms = rows == DUE_ROWS ? now_ms : INT64_MAX;
	h->due.more = rows == DUE_ROWS;
	if (rows == 0 && r->whole) /* if the webhook has changed instead, it is loaded again before its next read */
		window_gone_all(&h->window);
	if (rows == 0)
		return;
	read_listener(&l, r, r->due, DUE_HIDDEN);
	for (int row = 0; row < rows; row++) {
		int64_t wait = db_int(&r->ask.x, r->due, row, DUE_WAIT);
		if (wait > 0) {
			h->due.at_ms = now_ms + wait;
			h->due.more = false;
			return;
		}
		h->due.mark.due_us = db_int(&r->ask.x, r->due, row, DUE_AT_US);
		h->due.mark.position = event_position_read(&r->ask.x, r->due, row, DUE_GENERATION);
		take_due_row(r, row, &l, now_ms);
	}
}

static void read_done(struct db_exchange *x)
{
	struct read *r = x->owner;
	struct hook *h = r->hook;
	struct dispatcher *d = h->d;

	d->reads--;
	h->reading = false;
	FAULT_POINT(dispatch_read);
	if (x->status == DB_FAILED)
		log_warn("dispatch", "events cannot be read: %s %s", x->sqlstate, x->message);
	if (x->status != DB_OK) {
		d->read_us = clock_mono_us() + AGAIN_MS * 1000;
	} else if (!hook_is_ending(h) && r->load) {
		if (!dispatch_load_waits(h, x, AT_LOAD) && !dispatch_load_result(h, x, AT_LOAD))
			hook_end(h, true);
	} else if (!hook_is_ending(h)) {
		if (r->held >= 0)
			dispatch_held_result(h, x, r->held);
		if (r->gone >= 0)
			dispatch_gone_result(h, x, r->gone, r->doubts, r->n_doubts);
		if (r->due >= 0)
			take_due(r);
		if (r->events >= 0)
			take_events(r);
	}
	if (h->state == HOOK_LOADED && h->window.n_ended)
		hook_write_by(h, clock_mono_us() + WRITE_MS * 1000);
	db_ask_end(&r->ask);
	free(r);
	hook_go(h);
	dispatch_run(d);
}

/* --- timing ------------------------------------------------------------------------------- */

static bool read_has_room(const struct hook *h)
{
	return h->window.n_live < ROOM_LIVE && h->window.bytes < ROOM_BYTES && h->window.n_ended < ROOM_ENDED;
}

static bool read_due_wanted(const struct hook *h)
{
	return h->due.at_ms <= clock_mono_ms();
}

static bool read_events_wanted(const struct hook *h)
{
	return h->events != EVENTS_NONE && h->window.n_held < WINDOW_HELD_MAX && !event_position_set(&h->due.held_to);
}

/* A failing webhook is not read during its pause. */
static bool is_backing_off(const struct hook *h)
{
	return h->failing.pause_until_us > clock_mono_us();
}

bool dispatch_read_wanted(const struct hook *h)
{
	if (hook_is_ending(h) || h->reading)
		return false;
	if (h->state != HOOK_LOADED)
		return (h->events != EVENTS_NONE || read_due_wanted(h)) && !is_backing_off(h);
	return read_has_room(h) && (read_due_wanted(h) || read_events_wanted(h) || dispatch_held_wanted(h));
}

static void read_start_due(struct read *r)
{
	struct hook *h = r->hook;

	if (dispatch_held_wanted(h)) {
		r->held = r->ask.n;
		dispatch_held_statement(h, &r->ask);
		h->due.mark = (struct due_mark){0}; /* from now on more rows may be read */
		h->due.more = false;
		h->due.at_ms = clock_mono_ms();
		return;
	}
	/* No due rows in the window: read them from the beginning. */
	if (h->window.n_with_row == 0 && !h->due.more)
		h->due.mark = (struct due_mark){0};
	if (!read_due_wanted(h))
		return;
	r->n_doubts = window_doubts(&h->window, r->doubts, h->due.more ? 0 : DOUBTS);
	if (r->n_doubts) {
		r->gone = r->ask.n;
		dispatch_gone_statement(h, &r->ask, r->doubts, r->n_doubts);
	}
	r->whole = h->due.mark.due_us == 0;
	r->due = r->ask.n;
	due_statement(&r->ask, h);
	FAULT_POINT(dispatch_read_due);
}

static void read_start(struct hook *h)
{
	struct read *r = mem_zalloc(sizeof *r);

	db_ask_begin(&r->ask);
	r->hook = h;
	r->due = r->events = r->held = r->gone = -1;
	r->load = h->state != HOOK_LOADED;
	dispatch_plan_once(&r->ask);
	if (r->load) {
		dispatch_load_statements(h, &r->ask);
	} else {
		read_start_due(r);
		if (read_events_wanted(h)) {
			r->events = r->ask.n;
			events_statement(&r->ask, h);
			FAULT_POINT(dispatch_read_events);
		}
	}
	h->reading = true;
	if (h->events == EVENTS_REPORTED)
		h->events = EVENTS_MORE;
	h->d->reads++;
	db_ask_send(&r->ask, h->d->config.db, DB_WORK, read_done, r);
}

void dispatch_read_run(struct dispatcher *d)
{
	struct hook *h;
	int refused = INT_MAX; /* a workspace with this many loaded webhooks gets no room */

	if (d->queues[QUEUE_READ].n_items && clock_mono_us() < d->read_us) {
		dispatch_at(d, d->read_us);
		return;
	}
	for (int left = d->queues[QUEUE_READ].n_tenants;
	     left > 0 && d->reads < READS_MAX && !d->stopping && dispatch_leads(d); left--) {
		h = dispatch_share_next(d, QUEUE_READ);
		if (!h)
			return;
		if (!dispatch_read_wanted(h))
			continue;
		if (h->state == HOOK_LOADED || (h->tenant->n_loaded < refused && hook_room(h))) {
			read_start(h);
			continue;
		}
		if (h->tenant->n_loaded < refused)
			refused = h->tenant->n_loaded;
		dispatch_share_wait(h, QUEUE_READ);
	}
}
