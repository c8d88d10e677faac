/* Finds webhooks with work.
 *
 * Polls for new events with one reader for all workspaces. It moves over all events in transaction order, from the
 * last poll's horizon to the current one, so that each event is seen once, for any number of webhooks; the active
 * webhooks of the workspaces concerned are notified. Changed webhooks are found in the same way. The process itself
 * knows when the deliveries that it has written are due again.
 *
 * A scan finds the webhooks that had work already when this process began to send: it asks, in steps, for all active
 * webhooks whether there are events after their position or deliveries to repeat, and when the first delivery is due.
 * It begins when the first poll has determined from where on new events are seen. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { MISSED_MS = 10000 }; /* delay of a scan for webhooks that found no room */

enum { SCAN_WORKSPACE, SCAN_ID, SCAN_VERSION, SCAN_EVENTS, SCAN_WAIT };

/* --- the scan ----------------------------------------------------------------------------- */

static void scan_statement(struct dispatcher *d)
{
	struct sql *s = db_ask_add(&d->scan_ask);

	sql_begin_system(s, &d->scan_ask.arena, "dispatch_scan");
	sql_add(s, "select w.workspace_id, w.id, w.version, e.there is not null or exists ("
	           "select from webhook_repeats r where r.workspace_id = w.workspace_id and r.webhook_id = w.id), "
	           "ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint from (select "
	           "v.* from webhooks v where v.status = 'active' and (v.workspace_id, v.id) > (");
	sql_uuid(s, &d->scan_workspace);
	sql_add_uuid(s, ", ", &d->scan_id);
	sql_addf(s, ") order by v.workspace_id, v.id limit %d) w ", SCAN_ROWS);
	sql_add(s,
	    "left join lateral (select true as there from events e where e.workspace_id = w.workspace_id and "
	    "(e.generation, e.xid, e.seq) > (w.position_generation, w.position_xid, w.position_seq) and "
	    "(e.generation, e.xid) < (kith_generation(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint) and "
	    "e.created_at >= w.position_at - interval '1 day' and e.created_at < now() + interval '1 day' "
	    "order by e.generation, e.xid, e.seq limit 1) e on true "
	    "left join lateral (select q.next_attempt_at from deliveries q where q.workspace_id = w.workspace_id "
	    "and q.webhook_id = w.id and q.state = 'pending' and q.created_at < now() + interval '1 day' "
	    "order by q.next_attempt_at limit 1) q on true order by w.workspace_id, w.id");
}

static void scan_row(struct dispatcher *d, const struct db_exchange *x, int row, int64_t now_ms)
{
	bool events = db_bool(x, 1, row, SCAN_EVENTS), due = !db_null(x, 1, row, SCAN_WAIT);
	struct hook *h;

	d->scan_workspace = db_uuid(x, 1, row, SCAN_WORKSPACE);
	d->scan_id = db_uuid(x, 1, row, SCAN_ID);
	if (!events && !due)
		return;
	h = hook_add(d, &d->scan_workspace, &d->scan_id, db_int(x, 1, row, SCAN_VERSION));
	if (!h || hook_is_ending(h))
		return;
	if (events)
		h->events = EVENTS_REPORTED;
	if (due && h->state != HOOK_LOADED && now_ms + db_int(x, 1, row, SCAN_WAIT) < h->due.at_ms)
		h->due.at_ms = now_ms + db_int(x, 1, row, SCAN_WAIT);
	hook_go(h);
}

static void scan_done(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	int64_t now_us = clock_mono_us(), now_ms = clock_mono_ms();
	int rows = x->status == DB_OK ? db_rows(x, 1) : 0;

	d->scanning = false;
	d->scan_us = now_us + SCAN_SHARE * x->took_us;
	if (x->status == DB_FAILED)
		log_warn("dispatch", "webhooks cannot be read: %s %s", x->sqlstate, x->message);
	if (x->status != DB_OK)
		d->scan_us = now_us + AGAIN_MS * 1000;
	else if (!d->scan_overtaken && dispatch_leads(d) && !d->stopping) {
		for (int row = 0; row < rows; row++)
			scan_row(d, x, row, now_ms);
		d->scan_on = rows == SCAN_ROWS;
	}
	d->scan_overtaken = false;
	db_ask_end(&d->scan_ask);
	dispatch_run(d);
}

static void scan_begin(struct dispatcher *d, int64_t at_us)
{
	d->scan_wanted = false;
	d->scan_on = true;
	d->scan_us = at_us;
	d->scan_workspace = d->scan_id = (struct uuid){{0}};
}

static void scan_restart(struct dispatcher *d)
{
	scan_begin(d, 0);
	d->scan_overtaken = d->scanning;
}

void dispatch_scan_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us();

	if (d->scanning || d->stopping || !dispatch_leads(d) || !event_position_set(&d->seen))
		return;
	if (!d->scan_on && d->scan_wanted)
		scan_begin(d, now_us + MISSED_MS * 1000);
	if (!d->scan_on)
		return;
	if (now_us < d->scan_us) {
		dispatch_at(d, d->scan_us);
		return;
	}
	d->scanning = true;
	db_ask_begin(&d->scan_ask);
	dispatch_plan_once(&d->scan_ask);
	scan_statement(d);
	db_ask_send(&d->scan_ask, d->config.db, DB_WORK, scan_done, d);
}

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

/* The first seven describe the poll itself and are equal in all rows. */
enum {
	POLL_ALL,
	POLL_ABOVE,
	POLL_NOW,
	POLL_GENERATION,
	POLL_XID,
	POLL_WHOLE,
	POLL_EVENTS,
	POLL_WORKSPACE,
	POLL_ID,
	POLL_VERSION
};

/* --- the poll's query --------------------------------------------------------------------- */

/* Rows below the horizon that no poll has seen. */
static void poll_add_unseen(struct dispatcher *d, struct sql *s, const char *alias)
{
	sql_addf(s, "(%s.generation, %s.xid) >= (", alias, alias);
	sql_int8(s, event_position_set(&d->seen) ? d->seen.generation : INT64_MAX);
	sql_add_int8(s, ", ", event_position_set(&d->seen) ? (int64_t)d->seen.xid : INT64_MAX);
	sql_addf(s,
	    ") and (%s.generation, %s.xid) < (kith_generation(), "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint)",
	    alias, alias);
}

/* Limits the days, by a constant, so that earlier partitions are pruned. */
static void poll_add_days(struct dispatcher *d, struct sql *s)
{
	sql_add(s, " and e.created_at >= ");
	sql_time(s, (event_position_set(&d->seen) ? d->seen.at_ms : clock_now_ms()) - MS_PER_DAY);
	sql_add(s, " and e.created_at < now() + interval '1 day'");
}

/* Deleted and inactive webhooks have no version. */
static void poll_statement(struct dispatcher *d)
{
	struct sql *s = db_ask_add(&d->poll_ask);

	sql_begin_system(s, &d->poll_ask.arena, "dispatch_poll");
	sql_add(s, "with fresh as materialized (select e.generation, e.xid, e.workspace_id from events e where ");
	poll_add_unseen(d, s, "e");
	poll_add_days(d, s);
	sql_addf(s, " order by e.generation, e.xid fetch first %d rows with ties), ", POLL_ROWS);
	sql_add(
	    s, "changed as materialized (select distinct c.workspace_id, c.webhook_id from webhook_changes c where ");
	poll_add_unseen(d, s, "c");
	/* "order by … limit 1" instead of "exists", which would allow any index, even one in which all rows must be
	 * read. */
	sql_add(s, "), about as (select current_setting('kith.workspace', true) = 'all', (select true from events e "
	           "where (e.generation, e.xid) >= (kith_generation(), "
	           "pg_snapshot_xmin(pg_current_snapshot())::text::bigint)");
	poll_add_days(d, s);
	sql_addf(s,
	    " order by e.generation, e.xid limit 1) is not null, clock_timestamp(), f.generation, f.xid, f.whole, "
	    "(select count(*) from fresh) from "
	    "(select kith_generation() as generation, "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid, true as whole where "
	    "(select count(*) from fresh) < %d union all (select generation, xid + 1, false from fresh where "
	    "(select count(*) from fresh) >= %d order by generation desc, xid desc limit 1)) f)",
	    POLL_ROWS, POLL_ROWS);
	/* "offset 0": webhooks are looked up by workspace, not joined. */
	sql_add(s,
	    " select a.*, t.* from about a left join (select w.workspace_id, w.id, w.version from "
	    "(select distinct workspace_id from fresh) f cross join lateral (select v.workspace_id, v.id, v.version "
	    "from webhooks v where v.workspace_id = f.workspace_id and v.status = 'active' offset 0) w union all "
	    "select c.workspace_id, c.webhook_id, w.version from changed c left join lateral (select v.version from "
	    "webhooks v where v.workspace_id = c.workspace_id and v.id = c.webhook_id and v.status = 'active' "
	    "offset 0) w on true) t on true");
}

/* --- its result --------------------------------------------------------------------------- */

static void poll_row(struct dispatcher *d, const struct db_exchange *x, int row)
{
	struct uuid workspace = db_uuid(x, 1, row, POLL_WORKSPACE), id = db_uuid(x, 1, row, POLL_ID);
	struct hook *h;

	if (db_null(x, 1, row, POLL_VERSION)) {
		h = hook_find(d, &id);
		if (h)
			hook_end(h, false);
		if (h)
			h->add_again = false;
		return;
	}
	h = hook_add(d, &workspace, &id, db_int(x, 1, row, POLL_VERSION));
	if (!h)
		return;
	h->events = EVENTS_REPORTED;
	hook_go(h);
}

static void poll_take(struct dispatcher *d, const struct db_exchange *x)
{
	bool whole = db_bool(x, 1, 0, POLL_WHOLE);

	if (!db_bool(x, 1, 0, POLL_ALL)) {
		log_error("dispatch", "the database connection cannot read all workspaces; run kith migrate");
		return;
	}
	d->above_horizon = db_bool(x, 1, 0, POLL_ABOVE);
	d->woken = d->woken || !whole;
	d->n_events += (uint64_t)db_int(x, 1, 0, POLL_EVENTS);
	d->seen.generation = db_int(x, 1, 0, POLL_GENERATION);
	d->seen.xid = (uint64_t)db_int(x, 1, 0, POLL_XID);
	if (whole)
		d->seen.at_ms = db_time_ms(x, 1, 0, POLL_NOW);
	for (int row = 0; row < db_rows(x, 1); row++)
		if (!db_null(x, 1, row, POLL_ID))
			poll_row(d, x, row);
}

static void poll_done(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	int64_t now_us = clock_mono_us(), took_us = now_us - d->polled_us;

	d->polling = false;
	d->poll_us =
	    now_us + (took_us * POLL_SHARE > POLL_PAUSE_MS * 1000 ? took_us * POLL_SHARE : POLL_PAUSE_MS * 1000);
	if (d->poll_overtaken)
		d->woken = true;
	else if (x->status == DB_OK && dispatch_leads(d) && !d->stopping)
		poll_take(d, x);
	else if (x->status == DB_FAILED)
		log_warn("dispatch", "new events cannot be read: %s %s", x->sqlstate, x->message);
	d->poll_overtaken = false;
	db_ask_end(&d->poll_ask);
	d->poll_again_ms = !d->above_horizon ? 0 : d->poll_again_ms ? d->poll_again_ms * 2 : POLL_AGAIN_MS;
	if (d->poll_again_ms > POLL_MS)
		d->poll_again_ms = POLL_MS;
	dispatch_run(d);
}

/* --- its timing --------------------------------------------------------------------------- */

void dispatch_poll_restart(struct dispatcher *d)
{
	d->seen = (struct event_position){0};
	d->poll_overtaken = d->polling;
	d->woken = true;
	scan_restart(d);
}

static int64_t next_poll_us(const struct dispatcher *d, int64_t now_us)
{
	int64_t at = d->polled_us + POLL_MS * 1000;

	if (d->woken)
		at = now_us;
	else if (d->above_horizon && d->polled_us + d->poll_again_ms * 1000 < at)
		at = d->polled_us + d->poll_again_ms * 1000;
	return at > d->poll_us ? at : d->poll_us;
}

void dispatch_poll_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us(), at;

	if (d->polling || d->stopping || !dispatch_leads(d))
		return;
	at = next_poll_us(d, now_us);
	if (at > now_us) {
		dispatch_at(d, at);
		return;
	}
	if (d->woken)
		d->poll_again_ms = 0;
	d->woken = false;
	d->polling = true;
	d->polled_us = now_us;
	db_ask_begin(&d->poll_ask);
	dispatch_plan_once(&d->poll_ask);
	poll_statement(d);
	db_ask_send(&d->poll_ask, d->config.db, DB_WORK, poll_done, d);
}
