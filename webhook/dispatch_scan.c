/* Finds the webhooks that had work already when this process began to send: asks, in steps, for all active webhooks
 * whether there are events after their position or deliveries to repeat, and when the first delivery is due. A scan
 * begins when the first poll has determined from where on new events are seen. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { MISSED_MS = 10000 }; /* delay of a scan for webhooks that found no room */

enum { COL_WORKSPACE, COL_ID, COL_VERSION, COL_EVENTS, COL_WAIT };

static void scan_statement(struct dispatcher *d)
{
	struct sql *s = db_ask_add(&d->scan_ask);

	sql_begin_system(s, &d->scan_ask.arena, "dispatch_scan");
	sql_add(s, "select w.workspace_id, w.id, w.version, e.there is not null or exists ("
	           "select from webhook_repeats r where r.workspace_id = w.workspace_id and r.webhook_id = w.id), "
	           "ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint from (select "
	           "v.* from webhooks v where v.status = 'active' and (v.workspace_id, v.id) > (");
	sql_uuid(s, &d->scan_workspace);
	sql_add(s, ", ");
	sql_uuid(s, &d->scan_id);
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
	bool events = db_bool(x, 1, row, COL_EVENTS), due = !db_null(x, 1, row, COL_WAIT);
	struct hook *h;

	d->scan_workspace = db_uuid(x, 1, row, COL_WORKSPACE);
	d->scan_id = db_uuid(x, 1, row, COL_ID);
	if (!events && !due)
		return;
	h = hook_add(d, &d->scan_workspace, &d->scan_id, db_int(x, 1, row, COL_VERSION));
	if (!h || h->ending)
		return;
	h->has_events = h->has_events || events;
	h->events_reported = h->events_reported || events;
	if (due && !h->loaded && now_ms + db_int(x, 1, row, COL_WAIT) < h->due_ms)
		h->due_ms = now_ms + db_int(x, 1, row, COL_WAIT);
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

void dispatch_scan_restart(struct dispatcher *d)
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
