/* One HTTP request to one target: resolve, check, connect to the checked address, TLS with the target's name, send,
 * read the status line (docs/api.md, "Webhooks"), and for fetch.h also the answer. Everything is bounded: 20 s in
 * total, 8 KiB of response headers, 64 KiB of body, pooled connections. Only deliver*.c use evhttp's client. */
#ifndef KITH_WEBHOOK_DELIVER_H
#define KITH_WEBHOOK_DELIVER_H

#include <stddef.h>
#include <stdint.h>

#include "server/base/buf.h"
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

enum { DELIVER_ANSWER_MAX = 64 << 10, DELIVER_TYPE_MAX = 127 };

/* An answer that was kept. */
struct deliver_answer {
	int status;
	char type[DELIVER_TYPE_MAX + 1]; /* Content-Type without parameters, in lower case; "": none, or too long */
	int64_t max_age_s;               /* from Cache-Control; 0 also for no-store and no-cache; -1: none */
	struct buf body;
};

struct deliver_result {
	enum deliver_error error;
	int status; /* 0: none received */
	int duration_ms;
	int64_t retry_after_s;               /* from Retry-After in either form, at most 24 h; -1: none */
	const struct deliver_answer *answer; /* valid until done returns; NULL: none was kept */
};

typedef void deliver_fn(void *ctx, const struct deliver_result *result);

struct deliver_request {
	const struct target *target;
	const struct target_rules *rules; /* must stay valid until done; NULL: those of the deliverer */
	const struct deliver_header *headers;
	int n_headers;
	const char *body; /* of a POST; NULL: GET */
	size_t body_len;
	/* 0: the status line decides, and the answer's body is skipped. Else the call ends when the whole answer is
	 * there. A body of more than that many bytes, at most DELIVER_ANSWER_MAX, is DELIVER_CONNECTION. */
	size_t answer_max;
	int timeout_ms; /* at most that of the deliverer; 0: the same */
};

/* Sends the request, which is copied. done is called later, from the loop, exactly once. */
void deliver_start(struct deliverer *d, const struct deliver_request *request, deliver_fn *done, void *ctx);

#endif
