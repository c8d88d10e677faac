/* Polls for new events with one reader for all workspaces. It moves over all events in transaction order, from the
 * last poll's horizon to the present one, so that each event is seen once, for any number of webhooks; the active
 * webhooks of the workspaces concerned are notified. Changed webhooks are found in the same way. Work from before
 * this process began to send is found by the scan (dispatch_scan.c); the process itself knows when the deliveries that
 * it has written are due again. */
#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

/* The first seven describe the poll itself and are equal in all rows. */
enum {
	COL_ALL,
	COL_ABOVE,
	COL_NOW,
	COL_GENERATION,
	COL_XID,
	COL_WHOLE,
	COL_EVENTS,
	COL_WORKSPACE,
	COL_ID,
	COL_VERSION
};

/* --- the query -------------------------------------------------------------------------- */

/* Rows below the horizon that no poll has seen. */
static void poll_add_unseen(struct dispatcher *d, struct sql *s, const char *alias)
{
	sql_addf(s, "(%s.generation, %s.xid) >= (", alias, alias);
	sql_int8(s, event_position_set(&d->seen) ? d->seen.generation : INT64_MAX);
	sql_add(s, ", ");
	sql_int8(s, event_position_set(&d->seen) ? (int64_t)d->seen.xid : INT64_MAX);
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

/* --- the result ---------------------------------------------------------------------------- */

static void poll_row(struct dispatcher *d, const struct db_exchange *x, int row)
{
	struct uuid workspace = db_uuid(x, 1, row, COL_WORKSPACE), id = db_uuid(x, 1, row, COL_ID);
	struct hook *h;

	if (db_null(x, 1, row, COL_VERSION)) {
		h = hook_find(d, &id);
		if (h)
			hook_end(h, false);
		if (h)
			h->add_again = false;
		return;
	}
	h = hook_add(d, &workspace, &id, db_int(x, 1, row, COL_VERSION));
	if (!h)
		return;
	h->has_events = h->events_reported = true;
	hook_go(h);
}

static void poll_take(struct dispatcher *d, const struct db_exchange *x)
{
	bool whole = db_bool(x, 1, 0, COL_WHOLE);

	if (!db_bool(x, 1, 0, COL_ALL)) {
		log_error("dispatch", "the database connection cannot read all workspaces; run kith migrate");
		return;
	}
	d->above_horizon = db_bool(x, 1, 0, COL_ABOVE);
	d->woken = d->woken || !whole;
	d->n_events += (uint64_t)db_int(x, 1, 0, COL_EVENTS);
	d->seen.generation = db_int(x, 1, 0, COL_GENERATION);
	d->seen.xid = (uint64_t)db_int(x, 1, 0, COL_XID);
	if (whole)
		d->seen.at_ms = db_time_ms(x, 1, 0, COL_NOW);
	for (int row = 0; row < db_rows(x, 1); row++)
		if (!db_null(x, 1, row, COL_ID))
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

/* --- timing ----------------------------------------------------------------------------------- */

void dispatch_poll_restart(struct dispatcher *d)
{
	d->seen = (struct event_position){0};
	d->poll_overtaken = d->polling;
	d->woken = true;
	dispatch_scan_restart(d);
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
