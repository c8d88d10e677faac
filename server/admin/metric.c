/* The table of metrics, and the functions that write their values. */
#include "server/admin/metric.h"

#include <string.h>

#include "server/base/digits.h"

enum { LABELS_MAX = 1024 };

/* The first line of a row has the name, type and labels, because make lint reads it. */
/* clang-format off */
const struct metric_row metric_rows[METRICS] = {
	[METRIC_BUILD_INFO] = {"kith_build_info", METRIC_GAUGE, "version",
		"1, with the version of the program"},
	[METRIC_REQUEST_DURATION] = {"kith_http_request_duration_seconds", METRIC_HISTOGRAM, "route,method,status",
		"Time from the arrival of a request to its answer"},
	[METRIC_REFUSED] = {"kith_http_refused_total", METRIC_COUNTER, "status",
		"Requests answered before they came to a route"},
	[METRIC_REQUESTS_IN_FLIGHT] = {"kith_http_requests_in_flight", METRIC_GAUGE, "",
		"Requests that have arrived and are not answered yet"},
	[METRIC_CONNECTIONS] = {"kith_http_connections", METRIC_GAUGE, "",
		"Open connections of clients"},
	[METRIC_UNREAD] = {"kith_http_unread_bytes", METRIC_GAUGE, "",
		"Bytes of answers that clients have not read yet"},
	[METRIC_UNREAD_CLOSED] = {"kith_http_unread_closed_total", METRIC_COUNTER, "",
		"Connections closed because clients left too much unread"},
	[METRIC_ADMISSIONS] = {"kith_admissions_total", METRIC_COUNTER, "result",
		"Requests by the result of the look-up of their key"},
	[METRIC_RATE_LIMITED] = {"kith_rate_limited_total", METRIC_COUNTER, "policy",
		"Requests refused by a rate limit"},
	[METRIC_REPLAYS] = {"kith_idempotent_replays_total", METRIC_COUNTER, "",
		"Requests answered with the stored answer of an earlier one"},
	[METRIC_KEY_CONFLICTS] = {"kith_idempotency_conflicts_total", METRIC_COUNTER, "reason",
		"Requests refused because of their idempotency key"},
	[METRIC_PASSWORD_HASHES] = {"kith_password_hashes_total", METRIC_COUNTER, "",
		"Passwords that were hashed, to sign in or to be stored"},
	[METRIC_LANE_CONNECTIONS] = {"kith_lane_connections", METRIC_GAUGE, "lane,state",
		"Connections to the database"},
	[METRIC_LANE_WAITING] = {"kith_lane_waiting", METRIC_GAUGE, "lane",
		"Exchanges that wait for a connection"},
	[METRIC_LANE_WAITING_MAX] = {"kith_lane_waiting_limit", METRIC_GAUGE, "lane",
		"Exchanges that may wait; more are refused"},
	[METRIC_LANE_IN_FLIGHT] = {"kith_lane_in_flight", METRIC_GAUGE, "lane",
		"Exchanges sent and not answered"},
	[METRIC_LANE_WAIT] = {"kith_lane_wait_seconds", METRIC_HISTOGRAM, "lane",
		"Time that exchanges waited for a connection"},
	[METRIC_EXCHANGE_DURATION] = {"kith_lane_exchange_seconds", METRIC_HISTOGRAM, "lane",
		"Time of exchanges, waiting included"},
	[METRIC_EXCHANGES] = {"kith_database_exchanges_total", METRIC_COUNTER, "lane,result",
		"Exchanges by how they ended"},
	[METRIC_JOINT_TRANSACTIONS] = {"kith_joint_transactions_total", METRIC_COUNTER, "outcome",
		"Transactions that several writes shared, by how they ended"},
	[METRIC_JOINT_MEMBERS] = {"kith_joint_members_total", METRIC_COUNTER, "",
		"Writes that shared those transactions"},
	[METRIC_REPLICA_READS] = {"kith_replica_reads_total", METRIC_COUNTER, "result",
		"Lists read from the standby, and those that the primary had to answer instead"},
	[METRIC_DATABASE_ERRORS] = {"kith_database_errors_total", METRIC_COUNTER, "class",
		"Failed statements by the class of their SQLSTATE"},
	[METRIC_DATABASE_UP] = {"kith_database_up", METRIC_GAUGE, "",
		"1 while every lane has a connection"},
	[METRIC_WRITES_REFUSED] = {"kith_database_refuses_writes", METRIC_GAUGE, "",
		"1 while the database refuses writes"},
	[METRIC_COMMIT_STALLED] = {"kith_database_commit_stalled_seconds", METRIC_GAUGE, "cause",
		"Time for which a COMMIT has hung, once that is over 4 s"},
	[METRIC_EVENTS] = {"kith_events_total", METRIC_COUNTER, "",
		"Events that became readable, counted by the process that sends to webhooks"},
	[METRIC_FEED_LAG] = {"kith_feed_lag_seconds", METRIC_GAUGE, "",
		"Age of the oldest event that readers may not see yet"},
	[METRIC_FEED_HELD] = {"kith_feed_held_seconds", METRIC_GAUGE, "",
		"Age of the oldest open writing transaction of the cluster"},
	[METRIC_FEED_HOLDER] = {"kith_feed_holder_info", METRIC_GAUGE, "pid,database,query",
		"1, with the transaction that has held back the feed for over 5 s"},
	[METRIC_DISPATCHER] = {"kith_webhooks_sender", METRIC_GAUGE, "",
		"1 when this process sends to webhooks"},
	[METRIC_WEBHOOKS] = {"kith_webhooks", METRIC_GAUGE, "state",
		"Webhooks with work, and webhooks whose last attempt failed"},
	[METRIC_WEBHOOK_LAG] = {"kith_webhook_lag_seconds", METRIC_GAUGE, "workspace,webhook",
		"Age of the oldest event that has not arrived"},
	[METRIC_WEBHOOK_FAILING] = {"kith_webhook_failing_seconds", METRIC_GAUGE, "workspace,webhook",
		"Time since the first failure in a row"},
	[METRIC_WEBHOOK_DUE] = {"kith_webhook_due_deliveries", METRIC_GAUGE, "workspace,webhook",
		"Deliveries that are to be tried again, up to 1,000"},
	[METRIC_WEBHOOK_RETRIES] = {"kith_webhook_retries_total", METRIC_COUNTER, "workspace,webhook",
		"Attempts that were not the first for their event"},
	[METRIC_WEBHOOK_ATTEMPTS] = {"kith_webhook_attempt_seconds", METRIC_HISTOGRAM, "workspace,webhook,outcome",
		"Time of attempts to deliver"},
	[METRIC_WEBHOOK_IN_FLIGHT] = {"kith_webhook_attempts_in_flight", METRIC_GAUGE, "",
		"Attempts in progress"},
	[METRIC_JOB_RUNS] = {"kith_job_runs_total", METRIC_COUNTER, "name,result",
		"Runs of background jobs"},
	[METRIC_JOB_SECONDS] = {"kith_job_seconds_total", METRIC_COUNTER, "name",
		"Time of the runs of background jobs"},
	[METRIC_JOB_SUCCESS] = {"kith_job_last_success_timestamp_seconds", METRIC_GAUGE, "name",
		"When a job last succeeded"},
	[METRIC_CPU] = {"process_cpu_seconds_total", METRIC_COUNTER, "",
		"Processor time"},
	[METRIC_STARTED] = {"process_start_time_seconds", METRIC_GAUGE, "",
		"When the process was started"},
	[METRIC_RESIDENT] = {"process_resident_memory_bytes", METRIC_GAUGE, "",
		"Resident memory"},
	[METRIC_VIRTUAL] = {"process_virtual_memory_bytes", METRIC_GAUGE, "",
		"Virtual memory"},
	[METRIC_HEAP] = {"kith_heap_bytes", METRIC_GAUGE, "state",
		"The heap"},
	[METRIC_OPEN_FDS] = {"process_open_fds", METRIC_GAUGE, "",
		"Open descriptors"},
	[METRIC_MAX_FDS] = {"process_max_fds", METRIC_GAUGE, "",
		"Limit of open descriptors"},
	[METRIC_LOOP_DELAY] = {"kith_loop_delay_seconds", METRIC_HISTOGRAM, "",
		"How late a timer of the event loop was"},
};
/* clang-format on */

void metric_begin(struct metric_out *m, enum metric metric)
{
	static const char *const types[] = {"counter", "gauge", "histogram"};
	const struct metric_row *row = &metric_rows[metric];

	m->metric = metric;
	buf_printf(m->out, "# HELP %s %s\n# TYPE %s %s\n", row->name, row->help, row->name, types[row->type]);
}

static void metric_escape(struct buf *out, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n') {
			buf_addz(out, "\\n");
			continue;
		}
		if (*value == '"' || *value == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *value);
	}
}

/* Writes name="value",… without braces. */
static void metric_labels(struct buf *out, const char *labels, const char *const values[])
{
	for (int i = 0; *labels; i++) {
		size_t len = strcspn(labels, ",");
		if (values[i]) {
			if (out->len)
				buf_addc(out, ',');
			buf_add(out, labels, len);
			buf_addz(out, "=\"");
			metric_escape(out, values[i]);
			buf_addc(out, '"');
		}
		labels += len + (labels[len] == ',');
	}
}

static void add_uint(struct buf *out, uint64_t value)
{
	char *to = buf_room(out, DIGITS_MAX);

	if (to)
		out->len += (size_t)(digits_uint(to, value) - to);
}

static void add_seconds(struct buf *out, uint64_t us)
{
	char *to = buf_room(out, DIGITS_MAX + 7), *end;

	if (!to)
		return;
	end = digits_uint(to, us / 1000000);
	*end++ = '.';
	end = digits_padded(end, (unsigned)(us % 1000000), 6);
	out->len += (size_t)(end - to);
}

/* Writes the line up to the value: name{labels} */
static void metric_line(struct metric_out *m, const char *suffix, const struct buf *labels, const char *more)
{
	buf_addz(m->out, metric_rows[m->metric].name);
	buf_addz(m->out, suffix);
	if (labels->len || *more) {
		buf_addc(m->out, '{');
		buf_add(m->out, labels->data, labels->len);
		if (labels->len && *more)
			buf_addc(m->out, ',');
		buf_addz(m->out, more);
		buf_addc(m->out, '}');
	}
	buf_addc(m->out, ' ');
}

static void sample_begin(struct metric_out *m, const char *const values[])
{
	struct buf labels;

	buf_init(&labels, LABELS_MAX);
	metric_labels(&labels, metric_rows[m->metric].labels, values);
	metric_line(m, "", &labels, "");
	buf_free(&labels);
}

void metric_int(struct metric_out *m, uint64_t value, const char *const values[])
{
	sample_begin(m, values);
	add_uint(m->out, value);
	buf_addc(m->out, '\n');
}

void metric_seconds(struct metric_out *m, int64_t us, const char *const values[])
{
	sample_begin(m, values);
	add_seconds(m->out, us > 0 ? (uint64_t)us : 0);
	buf_addc(m->out, '\n');
}

void metric_histogram(struct metric_out *m, const struct histogram *h, const char *const values[])
{
	static const char *const bounds[HISTOGRAM_BOUNDS + 1] = {"le=\"0.001\"", "le=\"0.0025\"", "le=\"0.005\"",
	    "le=\"0.01\"", "le=\"0.025\"", "le=\"0.05\"", "le=\"0.1\"", "le=\"0.25\"", "le=\"0.5\"", "le=\"1\"",
	    "le=\"2.5\"", "le=\"5\"", "le=\"10\"", "le=\"+Inf\""};
	struct buf labels;
	uint64_t n = 0;

	buf_init(&labels, LABELS_MAX);
	metric_labels(&labels, metric_rows[m->metric].labels, values);
	for (int i = 0; i <= HISTOGRAM_BOUNDS; i++) {
		n += h->counts[i];
		metric_line(m, "_bucket", &labels, bounds[i]);
		add_uint(m->out, n);
		buf_addc(m->out, '\n');
	}
	metric_line(m, "_sum", &labels, "");
	add_seconds(m->out, h->sum_us);
	buf_addc(m->out, '\n');
	metric_line(m, "_count", &labels, "");
	add_uint(m->out, n);
	buf_addc(m->out, '\n');
	buf_free(&labels);
}
