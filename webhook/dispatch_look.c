/*
 * Which webhooks have something to do. One statement over the active ones tells
 * whether there is an event behind what was read, whether it is below the horizon,
 * and when the next row is due; for those in memory it goes by what is in memory.
 */
#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "webhook/dispatch_private.h"

enum { COL_WORKSPACE, COL_ID, COL_VERSION, COL_KNOWN, COL_ANY, COL_READY, COL_WAIT };

static const int64_t NO_WAIT = INT64_MAX;

/* --- asking ---------------------------------------------------------------------------- */

struct columns {
	size_t n;
	struct uuid *ids;
	int64_t *versions, *generations, *xids, *seqs, *ats, *due_us, *due_generations, *due_xids, *due_seqs;
};

static int64_t *numbers(struct arena *a, int n)
{
	return arena_alloc(a, (size_t)n * sizeof(int64_t));
}

static void columns_of(struct dispatcher *d, struct columns *c)
{
	struct arena *a = &d->look_arena;

	*c = (struct columns){.ids = arena_alloc(a, (size_t)d->n_hooks * sizeof *c->ids),
	    .versions = numbers(a, d->n_hooks),
	    .generations = numbers(a, d->n_hooks),
	    .xids = numbers(a, d->n_hooks),
	    .seqs = numbers(a, d->n_hooks),
	    .ats = numbers(a, d->n_hooks),
	    .due_us = numbers(a, d->n_hooks),
	    .due_generations = numbers(a, d->n_hooks),
	    .due_xids = numbers(a, d->n_hooks),
	    .due_seqs = numbers(a, d->n_hooks)};
	for (struct list *node = d->hooks.next; node != &d->hooks; node = node->next) {
		struct hook *h = list_item(node, struct hook, link);
		if (!h->loaded || h->gone)
			continue;
		h->asked = d->looks;
		c->ids[c->n] = h->id;
		c->versions[c->n] = h->version;
		c->generations[c->n] = h->window.read.generation;
		c->xids[c->n] = (int64_t)h->window.read.xid;
		c->seqs[c->n] = h->window.read.seq;
		c->ats[c->n] = h->window.read.at_ms;
		c->due_us[c->n] = h->mark.due_us == INT64_MIN ? 0 : h->mark.due_us;
		c->due_generations[c->n] = h->mark.generation;
		c->due_xids[c->n] = (int64_t)h->mark.xid;
		c->due_seqs[c->n++] = h->mark.seq;
	}
}

static void statement(struct dispatcher *d, struct sql *s)
{
	struct columns c;

	columns_of(d, &c);
	sql_begin_system(s, &d->look_arena, "dispatch_look");
	sql_add(s, "select w.workspace_id, w.id, w.version, m.id is not null, e.xid is not null, "
	           "coalesce((e.generation, e.xid) < (kith_generation(), "
	           "pg_snapshot_xmin(pg_current_snapshot())::text::bigint), false), "
	           "ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint "
	           "from webhooks w left join unnest(");
	sql_uuid_array(s, c.ids, c.n);
	const int64_t *more[] = {
	    c.versions, c.generations, c.xids, c.seqs, c.ats, c.due_us, c.due_generations, c.due_xids, c.due_seqs};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		sql_add(s, ", ");
		sql_int8_array(s, more[i], c.n);
	}
	sql_add(s,
	    ") m (id, version, generation, xid, seq, at, due, due_generation, due_xid, due_seq) on m.id = w.id and "
	    "m.version = w.version "
	    "left join lateral (select e.generation, e.xid from events e where e.workspace_id = w.workspace_id "
	    "and (e.generation, e.xid, e.seq) > (coalesce(m.generation, w.position_generation), "
	    "coalesce(m.xid, w.position_xid), coalesce(m.seq, w.position_seq)) "
	    "and e.created_at >= coalesce(timestamptz 'epoch' + m.at * interval '1 millisecond', w.position_at) "
	    "- interval '1 day' and e.created_at < now() + interval '1 day' order by e.generation, e.xid, e.seq limit "
	    "1) e on true "
	    "left join lateral (select q.next_attempt_at from deliveries q where q.workspace_id = w.workspace_id "
	    "and q.webhook_id = w.id and q.state = 'pending' and q.created_at < now() + interval '1 day' and "
	    "(q.next_attempt_at, q.generation, q.xid, q.seq) > "
	    "(timestamptz 'epoch' + coalesce(m.due, 0) * interval '1 microsecond', "
	    "coalesce(m.due_generation, 0), coalesce(m.due_xid, 0), coalesce(m.due_seq, 0)) "
	    "order by q.next_attempt_at, q.generation, q.xid, q.seq limit 1) q on true "
	    "where w.status = 'active' and (m.id is not null or e.xid is not null or "
	    "q.next_attempt_at < clock_timestamp() + interval '1 second')");
}

/* --- what it says ------------------------------------------------------------------------- */

static void told(struct dispatcher *d, const struct db_exchange *x, int row, int64_t now_ms)
{
	struct uuid workspace = db_uuid(x, 1, row, COL_WORKSPACE), id = db_uuid(x, 1, row, COL_ID);
	int64_t version = db_int(x, 1, row, COL_VERSION);
	bool any = db_bool(x, 1, row, COL_ANY), ready = db_bool(x, 1, row, COL_READY);
	int64_t wait = db_null(x, 1, row, COL_WAIT) ? NO_WAIT : db_int(x, 1, row, COL_WAIT);
	bool due = wait <= 0;
	struct hook *h = hook_find(d, &id);

	if (any && !ready)
		d->above = true;
	if (!h) {
		if (wait != NO_WAIT && now_ms + wait < d->next_due_ms)
			d->next_due_ms = now_ms + wait;
		if (!ready && !due)
			return;
		h = hook_new(d, &workspace, &id, version);
		if (!h)
			return;
	} else if (h->version != version) {
		hook_end(h, false);
		return;
	}
	h->told = d->looks;
	if (h->gone)
		return;
	h->has_events = h->has_events || ready;
	h->told_meanwhile = h->told_meanwhile || ready;
	h->due_ms = wait == NO_WAIT ? INT64_MAX : now_ms + wait;
	if (h->has_events || due)
		hook_go(h);
}

/* Those that were asked for and not spoken of are inactive or deleted. */
static void end_others(struct dispatcher *d)
{
	struct list *next;

	for (struct list *node = d->hooks.next; node != &d->hooks; node = next) {
		struct hook *h = list_item(node, struct hook, link);
		next = node->next;
		if (h->asked == d->looks && h->told < d->looks && !h->gone)
			hook_end(h, false);
	}
}

static void looked(struct db_exchange *x)
{
	struct dispatcher *d = x->owner;
	int64_t now_us = clock_mono_us(), now_ms = clock_now_ms(), took_us = now_us - d->looked_us;

	d->looking = false;
	d->look_us =
	    now_us + (took_us * LOOK_SHARE > LOOK_PAUSE_MS * 1000 ? took_us * LOOK_SHARE : LOOK_PAUSE_MS * 1000);
	if (x->status == DB_OK && lead_now(d) && !d->stopping) {
		d->above = false;
		d->next_due_ms = INT64_MAX;
		for (int row = 0; row < db_rows(x, 1); row++)
			told(d, x, row, now_ms);
		end_others(d);
	} else if (x->status == DB_FAILED)
		log_warn("dispatch", "looking for events: %s %s", x->sqlstate, x->message);
	db_exchange_clear(x);
	arena_free(&d->look_arena);
	d->look_again_ms = !d->above ? 0 : d->look_again_ms ? d->look_again_ms * 2 : LOOK_AGAIN_MS;
	if (d->look_again_ms > LOOK_MS)
		d->look_again_ms = LOOK_MS;
	dispatch_run(d);
}

/* --- when ------------------------------------------------------------------------------------ */

static int64_t next_look_us(const struct dispatcher *d, int64_t now_us, int64_t now_ms)
{
	int64_t at = d->looked_us + LOOK_MS * 1000;

	if (d->woken)
		at = now_us;
	else if (d->above && d->looked_us + d->look_again_ms * 1000 < at)
		at = d->looked_us + d->look_again_ms * 1000;
	if (d->next_due_ms != INT64_MAX && now_us + (d->next_due_ms - now_ms) * 1000 < at)
		at = now_us + (d->next_due_ms - now_ms) * 1000;
	return at > d->look_us ? at : d->look_us;
}

void look_run(struct dispatcher *d)
{
	int64_t now_us = clock_mono_us(), at;

	if (d->looking || d->stopping || !lead_now(d))
		return;
	at = next_look_us(d, now_us, clock_now_ms());
	if (at > now_us) {
		dispatch_at(d, at);
		return;
	}
	if (d->woken)
		d->look_again_ms = 0;
	d->woken = false;
	d->looking = true;
	d->looked_us = now_us;
	d->looks++;
	arena_init(&d->look_arena);
	statement(d, &d->look_sql);
	d->look_statements[0] = plan_once(&d->look_arena);
	d->look_statements[1] = &d->look_sql;
	d->look_x = (struct db_exchange){
	    .lane = DB_WORK, .statements = d->look_statements, .n_statements = 2, .done = looked, .owner = d};
	db_send(d->config.db, &d->look_x);
}
