/* One HTTP request to one target: resolve, check, connect to the checked address, TLS with the target's name, send,
 * read the status line (docs/api.md, "Webhooks"). Everything is bounded: 20 s in total, 8 KiB of response headers,
 * 64 KiB of body, pooled connections. Only deliver*.c use evhttp's client. */
#ifndef KITH_WEBHOOK_DELIVER_H
#define KITH_WEBHOOK_DELIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/loop.h"
#include "webhook/resolve.h"
#include "webhook/target.h"

struct deliverer; /* connections of all targets */

struct deliver_config {
	struct loop *loop;
	const struct target_rules *rules;
	struct resolver *resolver;
	const char *ca_file; /* NULL: the system's certificates; for tests */
	int timeout_ms;      /* 20000 */
	int connections_max; /* in total, idle ones included; the one idle for longest is closed first */
	int idle_ms;         /* idle time after which a connection is closed */
};

/* NULL with a log line when TLS cannot be set up. The config's members must outlive it. */
struct deliverer *deliverer_new(const struct deliver_config *c);
/* Ends calls in progress with DELIVER_STOPPED, calling done. */
void deliverer_free(struct deliverer *d);

enum deliver_error {
	DELIVER_NONE,        /* a 2xx status was received */
	DELIVER_TIMEOUT,     /* "timeout" */
	DELIVER_CONNECTION,  /* "connection": refused, reset, name not found, not HTTP, over a limit before the status
	                        line */
	DELIVER_TLS,         /* "tls" */
	DELIVER_NOT_ALLOWED, /* "not_allowed" */
	DELIVER_HTTP,        /* "http_error": a status that is not 2xx */
	DELIVER_STOPPED      /* the process is stopping: does not count as an attempt */
};
const char *deliver_error_word(enum deliver_error e); /* "" for NONE and STOPPED */

struct deliver_header {
	const char *name, *value;
};

struct deliver_result {
	enum deliver_error error;
	int status; /* 0: none received */
	int duration_ms;
	int64_t retry_after_s; /* from Retry-After in either form, at most 24 h; -1: none */
};

typedef void deliver_fn(void *ctx, const struct deliver_result *result);

/* POSTs body with these headers; all arguments are copied. done is called later, from the loop, exactly once. */
void deliver_start(struct deliverer *d, const struct target *target, const struct deliver_header *headers,
    int n_headers, const char *body, size_t body_len, deliver_fn *done, void *ctx);

#endif
