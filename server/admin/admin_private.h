/* Shared by the files of the listener for operators. Only server/admin/ includes it. */
#ifndef KITH_SERVER_ADMIN_ADMIN_PRIVATE_H
#define KITH_SERVER_ADMIN_ADMIN_PRIVATE_H

#include "server/base/buf.h"
#include "server/request/server.h"
#include "store/db_ask.h"
#include "webhook/dispatch.h"

struct metric_out;

/* The transaction that holds back the feed: the oldest writing one, if it has been open for a while. */
struct sample_holder {
	bool any;
	int64_t pid;                  /* 0: a prepared transaction */
	char database[64], query[64]; /* the first words of the query, without values; "": not visible */
};

/* A webhook with work. */
struct sample_hook {
	struct dispatch_behind behind;
	int64_t lag_us, due; /* age of the oldest event that has not arrived; deliveries that will be retried */
};

/* What the database reports every few seconds. */
struct sample {
	int64_t at_us; /* 0: none yet */
	int64_t feed_lag_us, feed_held_us;
	struct sample_holder holder;
	struct sample_hook hooks[DISPATCH_BEHIND];
	int n_hooks;
};

struct admin {
	struct server *server;
	struct http_server *http;
	struct sample sample;        /* the last one */
	struct db_ask ask;           /* the next one, in progress */
	struct dispatch_stats asked; /* the webhooks that the query asks about */
	int64_t xmin, xmin_us;       /* the oldest transaction, and when it first became the oldest */
	int64_t started_ms;
	struct histogram loop_delays;
	int64_t tick_us; /* when the loop's delay is measured next */
	http_error_writer *error_writer;
};

/* sample.c: asks the database repeatedly. */
void admin_sample_start(struct admin *a);
/* Returns the last sample; NULL while there is no recent one. */
const struct sample *admin_sample(const struct admin *a);

/* ready.c: tells whether the process can serve, and why not, with one line for each check. */
bool admin_ready(const struct admin *a, struct buf *out);

/* collect.c: all metrics in the text format. */
void admin_metrics(const struct admin *a, struct buf *out);
/* process.c: the part of them about the process. */
void admin_process(const struct admin *a, struct metric_out *m);
/* debug.c: the requests in progress, as JSON. */
void admin_requests(const struct admin *a, struct buf *out);

#endif
