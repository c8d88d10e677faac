/* The table of metrics, and how their values are written. */
#include "server/admin/metric.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/digits.h"

enum { LABELS_MAX = 1024 };

/* The name, type and labels of a row stand in its first line, for make lint. */
/* clang-format off */
const struct metric_row metric_rows[METRICS] = {
	[METRIC_BUILD_INFO] = {"kith_build_info", METRIC_GAUGE, "version",
		"1, with the version of the program"},
	[METRIC_REQUEST_DURATION] = {"kith_http_request_duration_seconds", METRIC_HISTOGRAM, "route,method,status",
		"Time from the arrival of a request to its answer"},
	[METRIC_REQUESTS_IN_FLIGHT] = {"kith_http_requests_in_flight", METRIC_GAUGE, "",
		"Requests that have arrived and are not answered yet"},
	[METRIC_CONNECTIONS] = {"kith_http_connections", METRIC_GAUGE, "",
		"Open connections of clients"},
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

/* name="value",… without braces. */
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

/* Up to the value: name{labels} */
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
