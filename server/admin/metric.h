/* The metrics: one table decides their names, types, labels and help texts. `make lint` compares names, types and
 * labels with docs/metrics.md, and the names with the dashboard in deploy/grafana and the alert rules in
 * deploy/prometheus. Values are written in the text format of Prometheus, version 0.0.4. */
#ifndef KITH_SERVER_ADMIN_METRIC_H
#define KITH_SERVER_ADMIN_METRIC_H

#include <stdint.h>

#include "server/base/buf.h"
#include "server/base/histogram.h"

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

enum metric {
	METRIC_BUILD_INFO,
	METRIC_REQUEST_DURATION,
	METRIC_REFUSED,
	METRIC_REQUESTS_IN_FLIGHT,
	METRIC_CONNECTIONS,
	METRIC_UNREAD,
	METRIC_UNREAD_CLOSED,
	METRIC_ADMISSIONS,
	METRIC_RATE_LIMITED,
	METRIC_REPLAYS,
	METRIC_KEY_CONFLICTS,
	METRIC_PASSWORD_HASHES,
	METRIC_LANE_CONNECTIONS,
	METRIC_LANE_WAITING,
	METRIC_LANE_WAITING_MAX,
	METRIC_LANE_IN_FLIGHT,
	METRIC_LANE_WAIT,
	METRIC_EXCHANGE_DURATION,
	METRIC_EXCHANGES,
	METRIC_JOINT_TRANSACTIONS,
	METRIC_JOINT_MEMBERS,
	METRIC_REPLICA_READS,
	METRIC_DATABASE_ERRORS,
	METRIC_DATABASE_UP,
	METRIC_WRITES_REFUSED,
	METRIC_COMMIT_STALLED,
	METRIC_EVENTS,
	METRIC_FEED_LAG,
	METRIC_FEED_HELD,
	METRIC_FEED_HOLDER,
	METRIC_DISPATCHER,
	METRIC_WEBHOOKS,
	METRIC_WEBHOOK_LAG,
	METRIC_WEBHOOK_FAILING,
	METRIC_WEBHOOK_DUE,
	METRIC_WEBHOOK_RETRIES,
	METRIC_WEBHOOK_ATTEMPTS,
	METRIC_WEBHOOK_IN_FLIGHT,
	METRIC_JOB_RUNS,
	METRIC_JOB_SECONDS,
	METRIC_JOB_SUCCESS,
	METRIC_CPU,
	METRIC_STARTED,
	METRIC_RESIDENT,
	METRIC_VIRTUAL,
	METRIC_HEAP,
	METRIC_OPEN_FDS,
	METRIC_MAX_FDS,
	METRIC_LOOP_DELAY,
	METRICS
};

struct metric_row {
	const char *name;
	enum metric_type type;
	const char *labels; /* comma-separated; "": none */
	const char *help;
};

extern const struct metric_row metric_rows[METRICS];

/* Begins a metric. Its samples follow, each with the values of its labels in the order of the row. NULL leaves a label
 * out. */
struct metric_out {
	struct buf *out;
	enum metric metric;
};
void metric_begin(struct metric_out *m, enum metric metric);
void metric_int(struct metric_out *m, uint64_t value, const char *const values[]);
void metric_seconds(struct metric_out *m, int64_t us, const char *const values[]);
void metric_histogram(struct metric_out *m, const struct histogram *h, const char *const values[]);

#define METRIC_VALUES(...) ((const char *const[]){__VA_ARGS__})

#endif
