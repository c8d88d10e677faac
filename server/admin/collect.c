/* Collects the values of all metrics from the places that count them. */
#include <stdio.h>

#include "server/admin/admin_private.h"
#include "server/admin/metric.h"
#include "server/base/digits.h"
#include "server/job/jobs.h"
#include "server/request/replica.h"
#include "server/request/route.h"
#include "server/request/tally.h"

/* --- requests ---------------------------------------------------------------------------------- */

static const char *render_number(unsigned number, char out[DIGITS_MAX + 1])
{
	*digits_uint(out, number) = '\0';
	return out;
}

static void render_row(void *ctx, const struct tally_row *row)
{
	char status[DIGITS_MAX + 1];

	metric_histogram(ctx, &row->durations,
	    METRIC_VALUES(row->route ? row->route->path : "unmatched", row->method,
	        row->status ? render_number((unsigned)row->status, status) : "other"));
}

static void render_http(struct metric_out *m, const struct server *s)
{
	char status[DIGITS_MAX + 1];

	metric_begin(m, METRIC_REQUEST_DURATION);
	tally_each(s->tally, render_row, m);
	metric_begin(m, METRIC_REFUSED);
	for (int i = HTTP_REFUSED_FROM; i <= HTTP_REFUSED_TO; i++)
		if (http_refused(s->http, i))
			metric_int(m, http_refused(s->http, i), METRIC_VALUES(render_number((unsigned)i, status)));
	metric_begin(m, METRIC_REQUESTS_IN_FLIGHT);
	metric_int(m, http_in_flight(s->http), NULL);
	metric_begin(m, METRIC_CONNECTIONS);
	metric_int(m, http_connections(s->http), NULL);
	metric_begin(m, METRIC_UNREAD);
	metric_int(m, http_unread(s->http), NULL);
	metric_begin(m, METRIC_UNREAD_CLOSED);
	metric_int(m, http_cut(s->http), NULL);
	metric_begin(m, METRIC_PASSWORD_HASHES);
	metric_int(m, s->passwords_hashed, NULL);
}

static void render_counts(struct metric_out *m, const struct tally_counts *c)
{
	static const char *const results[] = {[ADMISSION_ADMITTED] = "admitted",
	    [ADMISSION_NO_KEY] = "no_key",
	    [ADMISSION_LIMITED] = "limited",
	    [ADMISSION_UNAVAILABLE] = "unavailable",
	    [ADMISSION_BUSY] = "busy"};

	metric_begin(m, METRIC_ADMISSIONS);
	for (int i = 0; i <= ADMISSION_BUSY; i++)
		metric_int(m, c->admissions[i], METRIC_VALUES(results[i]));
	metric_begin(m, METRIC_RATE_LIMITED);
	for (enum admission_policy i = 0; i < ADMISSION_POLICIES; i++)
		metric_int(m, c->limited[i], METRIC_VALUES(admission_policy_name(i)));
	metric_begin(m, METRIC_REPLAYS);
	metric_int(m, c->replayed, NULL);
	metric_begin(m, METRIC_KEY_CONFLICTS);
	metric_int(m, c->in_progress, METRIC_VALUES("in_progress"));
	metric_int(m, c->reused, METRIC_VALUES("reused"));
	metric_int(m, c->not_stored, METRIC_VALUES("not_stored"));
	metric_int(m, c->key_unavailable, METRIC_VALUES("unavailable"));
}

/* --- the database ------------------------------------------------------------------------------- */

/* Writes the metrics that have one number for each lane. */
static void render_lane_numbers(struct metric_out *m, const struct lane_stats lanes[DB_LANES])
{
	metric_begin(m, METRIC_LANE_CONNECTIONS);
	for (enum db_lane l = 0; l < DB_LANES; l++) {
		metric_int(m, (uint64_t)lanes[l].connected, METRIC_VALUES(lane_name(l), "connected"));
		metric_int(m, (uint64_t)lanes[l].connections, METRIC_VALUES(lane_name(l), "wanted"));
	}
	metric_begin(m, METRIC_LANE_WAITING);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		metric_int(m, (uint64_t)lanes[l].waiting, METRIC_VALUES(lane_name(l)));
	metric_begin(m, METRIC_LANE_WAITING_MAX);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		metric_int(m, (uint64_t)lanes[l].queue_max, METRIC_VALUES(lane_name(l)));
	metric_begin(m, METRIC_LANE_IN_FLIGHT);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		metric_int(m, (uint64_t)lanes[l].in_flight, METRIC_VALUES(lane_name(l)));
}

static void render_lanes(struct metric_out *m, const struct server *s)
{
	static const char *const results[] = {[DB_OK] = "ok",
	    [DB_FAILED] = "failed",
	    [DB_BUSY] = "busy",
	    [DB_UNAVAILABLE] = "unavailable",
	    [DB_LOST] = "lost"};
	const struct db *replica = replica_db(s);
	struct lane_stats lanes[DB_LANES];

	for (enum db_lane l = 0; l < DB_LANES; l++)
		db_lane_stats(l == DB_REPLICA && replica ? replica : s->db, l, &lanes[l]);
	render_lane_numbers(m, lanes);
	metric_begin(m, METRIC_LANE_WAIT);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		metric_histogram(m, &lanes[l].waits, METRIC_VALUES(lane_name(l)));
	metric_begin(m, METRIC_EXCHANGE_DURATION);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		metric_histogram(m, &lanes[l].durations, METRIC_VALUES(lane_name(l)));
	metric_begin(m, METRIC_EXCHANGES);
	for (enum db_lane l = 0; l < DB_LANES; l++)
		for (int i = 0; i <= DB_LOST; i++)
			metric_int(m, lanes[l].ended[i], METRIC_VALUES(lane_name(l), results[i]));
}

static void render_joints(struct metric_out *m, const struct joint_counts *c)
{
	static const char *const outcomes[] = {
	    [JOINT_COMMITTED] = "committed", [JOINT_SPLIT] = "split", [JOINT_LOST] = "lost"};

	metric_begin(m, METRIC_JOINT_TRANSACTIONS);
	for (enum joint_outcome i = 0; i < JOINT_OUTCOMES; i++)
		metric_int(m, c->transactions[i], METRIC_VALUES(outcomes[i]));
	metric_begin(m, METRIC_JOINT_MEMBERS);
	metric_int(m, c->members, NULL);
}

static void render_stalls(struct metric_out *m, const struct db *db)
{
	int64_t us;
	const struct db_stall_cause *stall = db_stalls(db, &us);

	metric_begin(m, METRIC_COMMIT_STALLED);
	for (int i = 0; i < DB_STALL_CAUSES; i++)
		metric_seconds(m, stall == &db_stall_causes[i] ? us : 0, METRIC_VALUES(db_stall_causes[i].name));
}

static void render_database(struct metric_out *m, const struct server *s)
{
	const struct db *db = s->db;
	const uint64_t *errors = db_errors(db);

	render_lanes(m, s);
	render_joints(m, &s->joint_counts);
	metric_begin(m, METRIC_REPLICA_READS);
	for (int i = 0; i < REPLICA_RESULTS; i++)
		metric_int(m, replica_count(s, i), METRIC_VALUES(replica_results[i]));
	metric_begin(m, METRIC_DATABASE_ERRORS);
	for (int i = 0; i < DB_ERROR_CLASSES; i++)
		metric_int(m, errors[i], METRIC_VALUES(db_error_classes[i]));
	metric_begin(m, METRIC_DATABASE_UP);
	metric_int(m, db_ready(db), NULL);
	metric_begin(m, METRIC_WRITES_REFUSED);
	metric_int(m, db_refuses(db) != NULL, NULL);
	render_stalls(m, db);
}

/* --- events -------------------------------------------------------------------------------------- */

static void render_feed(struct metric_out *m, const struct sample *s)
{
	char pid[DIGITS_MAX + 1];

	metric_begin(m, METRIC_FEED_LAG);
	metric_seconds(m, s->feed_lag_us, NULL);
	metric_begin(m, METRIC_FEED_HELD);
	metric_seconds(m, s->feed_held_us, NULL);
	if (!s->holder.any)
		return;
	metric_begin(m, METRIC_FEED_HOLDER);
	metric_int(
	    m, 1, METRIC_VALUES(render_number((unsigned)s->holder.pid, pid), s->holder.database, s->holder.query));
}

/* Webhooks without a slot of their own share one, whose id is zero. */
struct hook_names {
	char workspace[ID_SIZE], id[ID_SIZE];
};
static struct hook_names *hook_names(struct hook_names *n, const struct uuid *workspace, const struct uuid *id)
{
	static const struct uuid none;

	if (uuid_equal(id, &none)) {
		snprintf(n->workspace, sizeof n->workspace, "other");
		snprintf(n->id, sizeof n->id, "other");
	} else {
		id_format(ID_WORKSPACE, workspace, n->workspace);
		id_format(ID_WEBHOOK, id, n->id);
	}
	return n;
}

static void render_hooks(struct metric_out *m, const struct sample *s, const struct dispatch_stats *stats)
{
	struct hook_names names[DISPATCH_BEHIND];

	for (int i = 0; i < s->n_hooks; i++)
		hook_names(&names[i], &s->hooks[i].behind.workspace, &s->hooks[i].behind.id);
	metric_begin(m, METRIC_WEBHOOK_LAG);
	for (int i = 0; i < s->n_hooks; i++)
		metric_seconds(m, s->hooks[i].lag_us, METRIC_VALUES(names[i].workspace, names[i].id));
	if (stats->n_named > DISPATCH_BEHIND)
		metric_seconds(m, stats->behind[DISPATCH_BEHIND].behind_ms * 1000, METRIC_VALUES("other", "other"));
	metric_begin(m, METRIC_WEBHOOK_FAILING);
	for (int i = 0; i < s->n_hooks; i++)
		if (s->hooks[i].behind.failing_ms >= 0)
			metric_seconds(
			    m, s->hooks[i].behind.failing_ms * 1000, METRIC_VALUES(names[i].workspace, names[i].id));
	metric_begin(m, METRIC_WEBHOOK_DUE);
	for (int i = 0; i < s->n_hooks; i++)
		metric_int(m, (uint64_t)s->hooks[i].due, METRIC_VALUES(names[i].workspace, names[i].id));
}

static bool count_used(const struct dispatch_count *c)
{
	return c->used_us != 0;
}

static void render_attempts(struct metric_out *m, const struct dispatch_stats *stats)
{
	struct hook_names n;

	metric_begin(m, METRIC_WEBHOOK_RETRIES);
	for (const struct dispatch_count *c = stats->counts; c < stats->counts + stats->n_counts; c++)
		if (count_used(c) && hook_names(&n, &c->workspace, &c->id))
			metric_int(m, c->retries, METRIC_VALUES(n.workspace, n.id));
	metric_begin(m, METRIC_WEBHOOK_ATTEMPTS);
	for (const struct dispatch_count *c = stats->counts; c < stats->counts + stats->n_counts; c++)
		if (count_used(c) && hook_names(&n, &c->workspace, &c->id)) {
			metric_histogram(m, &c->delivered, METRIC_VALUES(n.workspace, n.id, "delivered"));
			metric_histogram(m, &c->failed, METRIC_VALUES(n.workspace, n.id, "failed"));
		}
	metric_begin(m, METRIC_WEBHOOK_IN_FLIGHT);
	metric_int(m, (uint64_t)stats->n_in_flight, NULL);
}

static void render_events(struct metric_out *m, const struct admin *a)
{
	const struct sample *s = admin_sample(a);
	struct dispatch_stats stats;

	dispatch_stats_get(a->server->dispatcher, &stats);
	metric_begin(m, METRIC_EVENTS);
	metric_int(m, stats.events, NULL);
	metric_begin(m, METRIC_DISPATCHER);
	metric_int(m, stats.leads, NULL);
	render_attempts(m, &stats);
	if (s)
		render_feed(m, s);
	if (!stats.leads)
		return;
	metric_begin(m, METRIC_WEBHOOKS);
	metric_int(m, (uint64_t)stats.n_behind, METRIC_VALUES("behind"));
	metric_int(m, (uint64_t)stats.n_failing, METRIC_VALUES("failing"));
	if (s)
		render_hooks(m, s, &stats);
}

/* --- the process ----------------------------------------------------------------------------------- */

static void render_jobs(struct metric_out *m, const struct scheduler *c)
{
	metric_begin(m, METRIC_JOB_RUNS);
	for (size_t i = 0; i < n_job_rows; i++) {
		const struct job_run *run = scheduler_run(c, i);
		metric_int(m, run->n_good, METRIC_VALUES(job_table[i].name, "ok"));
		metric_int(m, run->n_failed, METRIC_VALUES(job_table[i].name, "failed"));
	}
	metric_begin(m, METRIC_JOB_SECONDS);
	for (size_t i = 0; i < n_job_rows; i++)
		metric_seconds(m, scheduler_run(c, i)->busy_us, METRIC_VALUES(job_table[i].name));
	metric_begin(m, METRIC_JOB_SUCCESS);
	for (size_t i = 0; i < n_job_rows; i++)
		if (scheduler_run(c, i)->succeeded_ms)
			metric_seconds(m, scheduler_run(c, i)->succeeded_ms * 1000, METRIC_VALUES(job_table[i].name));
}

void admin_metrics(const struct admin *a, struct buf *out)
{
	struct metric_out m = {.out = out};

	metric_begin(&m, METRIC_BUILD_INFO);
	metric_int(&m, 1, METRIC_VALUES(KITH_VERSION));
	render_http(&m, a->server);
	render_counts(&m, tally_counts(a->server->tally));
	render_database(&m, a->server);
	render_events(&m, a);
	render_jobs(&m, a->server->scheduler);
	admin_process(a, &m);
}
