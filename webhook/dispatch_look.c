/* Polls for new events with one reader for all workspaces. It moves over all events in transaction order, from the
 * last look's horizon to the present one, so that each event is seen once, whichever webhooks it is for; the active
 * webhooks of the workspaces concerned are told. Changed webhooks are found in the same way. Work from before this
 * process began to send is found by the scan (dispatch_scan.c); deliveries due again are known to whoever wrote
 * them. */
#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { MS_PER_DAY = 24 * 60 * 60 * 1000 };

/* The first six describe the look itself and are equal in all rows. */
enum { COL_ALL, COL_ABOVE, COL_NOW, COL_GENERATION, COL_XID, COL_WHOLE, COL_WORKSPACE, COL_ID, COL_VERSION };

/* --- the query -------------------------------------------------------------------------- */

/* Rows below the horizon that no look has seen. */
static void add_unseen(struct dispatcher *d, struct sql *s, const char *alias)
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
static void add_days(struct dispatcher *d, struct sql *s)
{
	sql_add(s, " and e.created_at >= ");
	sql_time(s, (event_position_set(&d->seen) ? d->seen.at_ms : clock_now_ms()) - MS_PER_DAY);
	sql_add(s, " and e.created_at < now() + interval '1 day'");
}

/* Deleted and inactive webhooks have no version. */
static void statement(struct dispatcher *d)
{
	struct sql *s = db_ask_add(&d->look_ask);

	sql_begin_system(s, &d->look_ask.arena, "dispatch_look");
	sql_add(s, "with fresh as materialized (select e.generation, e.xid, e.workspace_id from events e where ");
	add_unseen(d, s, "e");
	add_days(d, s);
	sql_addf(s, " order by e.generation, e.xid fetch first %d rows with ties), ", LOOK_ROWS);
	sql_add(
	    s, "changed as materialized (select distinct c.workspace_id, c.webhook_id from webhook_changes c where ");
	add_unseen(d, s, "c");
	/* "order by … limit 1" instead of "exists", which would allow any index, even one of which every row is
	 * read. */
	sql_add(s, "), about as (select current_setting('kith.workspace', true) = 'all', (select true from events e "
	           "where (e.generation, e.xid) >= (kith_generation(), "
	           "pg_snapshot_xmin(pg_current_snapshot())::text::bigint)");
	add_days(d, s);
	sql_addf(s,
	    " order by e.generation, e.xid limit 1) is not null, clock_timestamp(), f.generation, f.xid, f.whole from "
	    "(select kith_generation() as generation, "
	    "pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid, true as whole where "
	    "(select count(*) from fresh) < %d union all (select generation, xid + 1, false from fresh where "
	    "(select count(*) from fresh) >= %d order by generation desc, xid desc limit 1)) f)",
	    LOOK_ROWS, LOOK_ROWS);
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

static void told(struct dispatcher *d, const struct db_exchange *x, int row)
{
	struct uuid workspace = db_uuid(x, 1, row, COL_WORKSPACE), id = db_uuid(x, 1, row, COL_ID);
	struct hook *h;

	if (db_null(x, 1, row, COL_VERSION)) {
		h = hook_find(d, &id);
		if (h)
			hook_end(h, false);
		if (h)
			h->again = false;
		return;
	}
	h = hook_known(d, &workspace, &id, db_int(x, 1, row, COL_VERSION));
	if (!h)
		return;
	h->has_events = h->told_meanwhile = true;
	hook_go(h);
}

/* False: ask again. */
static bool take(struct dispatcher *d, const struct db_exchange *x)
{
	bool whole = db_bool(x, 1, 0, COL_WHOLE);

	if (!db_bool(x, 1, 0, COL_ALL)) {
		log_error("dispatch", "the connection does not see all workspaces");
		return false;
	}
	d->above = db_bool(x, 1, 0, COL_ABOVE);
	d->woken = d->woken || !whole;
	d->seen.generation = db_int(x, 1, 0, COL_GENERATION);
	d->seen.xid = (uint64_t)db_int(x, 1, 0, COL_XID);
	if (whole)
		d->seen.at_ms = db_time_ms(x, 1, 0, COL_NOW);
	for (int row = 0; row < db_rows(x, 1); row++)
		if (!db_null(x, 1, row, COL_ID))
			told(d, x, row);
	return true;
}

static void looked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	int64_t now_us = clock_mono_us(), took_us = now_us - d->looked_us;

	d->looking = false;
	d->look_us =
	    now_us + (took_us * LOOK_SHARE > LOOK_PAUSE_MS * 1000 ? took_us * LOOK_SHARE : LOOK_PAUSE_MS * 1000);
	if (d->look_overtaken)
		d->woken = true;
	else if (x->status == DB_OK && lead_now(d) && !d->stopping)
		take(d, x);
	else if (x->status == DB_FAILED)
		log_warn("dispatch", "looking for events: %s %s", x->sqlstate, x->message);
	d->look_overtaken = false;
	db_ask_end(&d->look_ask);
	d->look_again_ms = !d->above ? 0 : d->look_again_ms ? d->look_again_ms * 2 : LOOK_AGAIN_MS;
	if (d->look_again_ms > LOOK_MS)
		d->look_again_ms = LOOK_MS;
	dispatch_run(d);
}

/* --- timing ----------------------------------------------------------------------------------- */

void look_anew(struct dispatcher *d)
{
	d->seen = (struct event_position){0};
	d->look_overtaken = d->looking;
	d->woken = true;
	scan_anew(d);
}

static int64_t next_look_us(const struct dispatcher *d, int64_t now_us)
{
	int64_t at = d->looked_us + LOOK_MS * 1000;

	if (d->woken)
		at = now_us;
	else if (d->above && d->looked_us + d->look_again_ms * 1000 < at)
		at = d->looked_us + d->look_again_ms * 1000;
	return at > d->look_us ? at : d->look_us;
}

void look_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us(), at;

	if (d->looking || d->stopping || !lead_now(d))
		return;
	at = next_look_us(d, now_us);
	if (at > now_us) {
		dispatch_at(d, at);
		return;
	}
	if (d->woken)
		d->look_again_ms = 0;
	d->woken = false;
	d->looking = true;
	d->looked_us = now_us;
	db_ask_begin(&d->look_ask);
	plan_once(&d->look_ask);
	statement(d);
	db_ask_send(&d->look_ask, d->config.db, DB_WORK, looked, d);
}
