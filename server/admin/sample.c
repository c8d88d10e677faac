/* Asks the database every few seconds for what only it knows: how far the feed is behind, what holds it back, and how
 * far the webhooks with work are. It also measures how late the loop is. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/admin/admin_private.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/loop.h"

enum {
	SAMPLE_MS = 5000,  /* shorter under clock_scale */
	TIMEOUT_MS = 2000, /* for its statements */
	OLD = 4,           /* periods after which a sample is too old to use */
	HOLDS_MS = 5000,   /* under clock_scale: an open transaction is reported after this time */
	DUE_MAX = 1000,    /* at most this many deliveries of a webhook are counted */
	TICK_MS = 100,
	WORDS_MAX = 60
};

enum { AT_FEED = 1, AT_HOOKS, AT_HOLDER = AT_HOOKS + 2 };
enum { COL_XMIN, COL_PID, COL_PREPARED, COL_DATABASE, COL_AGE_US, COL_QUERY };

/* --- statements -------------------------------------------------------------------------------- */

static struct sql *sample_sql(struct admin *a)
{
	struct sql *s = db_ask_add(&a->ask);

	sql_begin_system(s, &a->ask.arena, NULL);
	return s;
}

/* The oldest event that readers may not see yet. */
static void sample_feed(struct admin *a)
{
	sql_add(sample_sql(a),
	    "select (extract(epoch from clock_timestamp() - e.created_at) * 1000000)::bigint from events e where "
	    "(e.generation, e.xid) >= (kith_generation(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint) and "
	    "e.created_at >= now() - interval '30 days' and e.created_at < now() + interval '1 day' "
	    "order by e.generation, e.xid limit 1");
}

/* Has the same meaning as in GET /v1/webhooks/health (server/resource/webhook_health.c). */
static void sample_hooks(struct admin *a)
{
	struct uuid workspaces[DISPATCH_BEHIND], ids[DISPATCH_BEHIND];
	size_t n = (size_t)(a->asked.n_named < DISPATCH_BEHIND ? a->asked.n_named : DISPATCH_BEHIND);
	struct sql *s = sample_sql(a);

	for (size_t i = 0; i < n; i++) {
		workspaces[i] = a->asked.behind[i].workspace;
		ids[i] = a->asked.behind[i].id;
	}
	sql_addf(s,
	    "select (extract(epoch from clock_timestamp() - least((select d.created_at from deliveries d where "
	    "d.state = 'pending' and d.workspace_id = w.workspace_id and d.webhook_id = w.id order by d.id limit 1), "
	    "(select e.created_at from events e where e.workspace_id = w.workspace_id and e.webhook_id is null and "
	    "(e.generation, e.xid, e.seq) > (w.position_generation, w.position_xid, w.position_seq) and "
	    "e.created_at >= w.position_at - interval '1 day' order by e.generation, e.xid, e.seq limit 1))) * "
	    "1000000)::bigint, (select count(*) from (select from deliveries d where d.state = 'pending' and "
	    "d.workspace_id = w.workspace_id and d.webhook_id = w.id limit %d) p) from unnest(",
	    DUE_MAX);
	sql_uuid_array(s, workspaces, n);
	sql_add_uuid_array(s, "::uuid[], ", ids, n);
	sql_add(s, "::uuid[]) with ordinality as o(workspace_id, id, n) left join webhooks w on "
	           "w.workspace_id = o.workspace_id and w.id = o.id order by o.n");
}

/* The oldest transaction with a number, in any database. PostgreSQL shows the queries of other logins only to those who
 * may see them. The sample reads nothing of kith's own data. */
static void sample_holder(struct admin *a)
{
	sql_add(sample_sql(a), "select set_config('role', 'none', true)");
	sql_add(sample_sql(a),
	    "select s.x::text::bigint, l.pid::bigint, p.gid, coalesce(p.database, a.datname)::text, (extract(epoch "
	    "from clock_timestamp() - coalesce(p.prepared, a.xact_start)) * 1000000)::bigint, left(a.query, 200) from "
	    "(select pg_snapshot_xmin(pg_current_snapshot()) x) s left join pg_locks l on l.locktype = 'transactionid' "
	    "and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = s.x::xid left join pg_stat_activity a on "
	    "a.pid = l.pid left join pg_prepared_xacts p on p.transaction = s.x::xid limit 1");
}

/* --- results ----------------------------------------------------------------------------------- */

/* Copies the words before the first value or comment, because values and comments may be personal data. */
static void query_words(char out[64], const char *query)
{
	size_t n = 0;

	for (; *query && n < WORDS_MAX && (isalpha((unsigned char)*query) || strchr("_ .,*()=<>\t\n", *query)); query++)
		if (!isspace((unsigned char)*query))
			out[n++] = *query;
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static void take_holder(struct admin *a, const struct db_exchange *x, struct sample *s)
{
	int64_t now_us = clock_mono_us(), xmin = db_int(x, AT_HOLDER, 0, COL_XMIN);
	struct sample_holder *h = &s->holder;

	if (xmin != a->xmin) {
		a->xmin = xmin;
		a->xmin_us = now_us;
	}
	if (db_null(x, AT_HOLDER, 0, COL_PID) && db_null(x, AT_HOLDER, 0, COL_PREPARED))
		return;
	/* For sessions of other logins only the locks are visible. */
	s->feed_held_us =
	    db_null(x, AT_HOLDER, 0, COL_AGE_US) ? now_us - a->xmin_us : db_int(x, AT_HOLDER, 0, COL_AGE_US);
	if (s->feed_held_us < config_scaled_ms(a->server->config, HOLDS_MS) * 1000)
		return;
	h->any = true;
	h->pid = db_null(x, AT_HOLDER, 0, COL_PID) ? 0 : db_int(x, AT_HOLDER, 0, COL_PID);
	if (!db_null(x, AT_HOLDER, 0, COL_DATABASE))
		snprintf(h->database, sizeof h->database, "%s", db_text(x, AT_HOLDER, 0, COL_DATABASE, NULL));
	if (h->pid == 0)
		snprintf(h->query, sizeof h->query, "PREPARE TRANSACTION");
	else if (!db_null(x, AT_HOLDER, 0, COL_QUERY))
		query_words(h->query, db_text(x, AT_HOLDER, 0, COL_QUERY, NULL));
}

static void take_hooks(const struct admin *a, const struct db_exchange *x, struct sample *s)
{
	for (int row = 0; row < db_rows(x, AT_HOOKS); row++)
		s->hooks[s->n_hooks++] = (struct sample_hook){.behind = a->asked.behind[row],
		    .lag_us = db_null(x, AT_HOOKS, row, 0) ? 0 : db_int(x, AT_HOOKS, row, 0),
		    .due = db_int(x, AT_HOOKS, row, 1)};
}

static void sample_begin(void *ctx);

static void sample_done(struct db_exchange *x)
{
	struct admin *a = x->owner;
	struct sample s = {.at_us = clock_mono_us()};

	if (x->status == DB_OK) {
		s.feed_lag_us = db_rows(x, AT_FEED) ? db_int(x, AT_FEED, 0, 0) : 0;
		take_hooks(a, x, &s);
		take_holder(a, x, &s);
		a->sample = s;
	} else if (x->status == DB_FAILED) {
		log_warn("admin", "sampling: %s %s", x->sqlstate, x->message);
	}
	db_ask_end(&a->ask);
	if (!a->server->closing)
		loop_after(a->server->loop, (int)config_scaled_ms(a->server->config, SAMPLE_MS), sample_begin, a);
}

static void sample_begin(void *ctx)
{
	struct admin *a = ctx;

	db_ask_begin(&a->ask);
	sql_addf(sample_sql(a), "select set_config('statement_timeout', '%d', true)", TIMEOUT_MS);
	sample_feed(a);
	dispatch_stats_get(a->server->dispatcher, &a->asked);
	sample_hooks(a);
	sample_holder(a);
	a->ask.x.work = DB_WORK_DUE; /* none of these statements waits for locks */
	db_ask_send(&a->ask, a->server->db, DB_WORK, sample_done, a);
}

const struct sample *admin_sample(const struct admin *a)
{
	int64_t period_us = config_scaled_ms(a->server->config, SAMPLE_MS) * 1000;

	return a->sample.at_us && clock_mono_us() - a->sample.at_us < OLD * period_us + TIMEOUT_MS * INT64_C(1000)
	           ? &a->sample
	           : NULL;
}

/* --- the loop ------------------------------------------------------------------------------------ */

static void loop_tick(void *ctx)
{
	struct admin *a = ctx;
	int64_t now_us = clock_mono_us();

	if (a->tick_us)
		histogram_add(&a->loop_delays, now_us - a->tick_us);
	a->tick_us = now_us + TICK_MS * 1000;
	loop_after(a->server->loop, TICK_MS, loop_tick, a);
}

void admin_sample_start(struct admin *a)
{
	loop_tick(a);
	loop_after(a->server->loop, 1, sample_begin, a);
}
