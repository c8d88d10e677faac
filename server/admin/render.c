/* Collects the values of all metrics from where they are counted. */
#include "server/admin/admin_private.h"
#include "server/admin/metric.h"
#include "server/base/digits.h"
#include "server/request/route.h"
#include "server/request/tally.h"

static void render_row(void *ctx, const struct tally_row *row)
{
	char status[DIGITS_MAX + 1];

	*digits_uint(status, (unsigned)row->status) = '\0';
	metric_histogram(ctx, &row->durations,
	    METRIC_VALUES(row->route ? row->route->path : "unmatched", row->method, row->status ? status : "other"));
}

static void render_requests(struct metric_out *m, const struct server *s)
{
	metric_begin(m, METRIC_REQUEST_DURATION);
	tally_each(s->tally, render_row, m);
	metric_begin(m, METRIC_REQUESTS_IN_FLIGHT);
	metric_int(m, http_in_flight(s->http), NULL);
	metric_begin(m, METRIC_CONNECTIONS);
	metric_int(m, http_connections(s->http), NULL);
}

void admin_metrics(const struct admin *a, struct buf *out)
{
	struct metric_out m = {.out = out};

	metric_begin(&m, METRIC_BUILD_INFO);
	metric_int(&m, 1, METRIC_VALUES(KITH_VERSION));
	render_requests(&m, a->server);
}
