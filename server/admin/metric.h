/* The metrics: one table that decides their names, types, labels and helps; make lint compares it with
 * docs/metrics.md, and a test with the board and the alert rules. Values are written in the text format of Prometheus,
 * version 0.0.4. */
#ifndef KITH_SERVER_ADMIN_METRIC_H
#define KITH_SERVER_ADMIN_METRIC_H

#include <stdint.h>

#include "server/base/buf.h"
#include "server/base/histogram.h"

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

enum metric { METRIC_BUILD_INFO, METRIC_REQUEST_DURATION, METRIC_REQUESTS_IN_FLIGHT, METRIC_CONNECTIONS, METRICS };

struct metric_row {
	const char *name;
	enum metric_type type;
	const char *labels; /* comma-separated; "": none */
	const char *help;
};

extern const struct metric_row metric_rows[METRICS];

/* Begins a metric, whose samples follow, each with its labels' values in the order of the row. Labels that none of a
 * metric's samples has are left out by NULL. */
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
