/* Shared by the files of deliver: deliver.c has the calls (deadlines, verdicts, callbacks), deliver_conn.c the
 * connections (evhttp's client and its callbacks, the pool of idle ones), deliver_tls.c the TLS setup. No other file
 * includes this one.
 *
 * Connections are freed by deliver.c only: in deliver_settle() and deliver_sweep(), which run from events of their
 * own, and in deliver_start(); never within a callback of evhttp. Those only record what happened. */
#ifndef KITH_WEBHOOK_DELIVER_PRIVATE_H
#define KITH_WEBHOOK_DELIVER_PRIVATE_H

#include <event2/util.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "server/base/list.h"
#include "webhook/deliver.h"

struct bufferevent;
struct event;
struct evhttp_connection;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX */

enum {
	CALL_ADDRESSES_MAX = 4,
	POOL_BUCKETS = 256,
	HEADERS_MAX = 8 << 10,
	WRITE_MAX = 1 << 20,
	RECORD_MAX = 4 << 10, /* of TLS records sent, hence of the buffer */
	CHAIN_MAX = 20 << 10, /* bytes of a receiver's certificate chain */
	INPUT_MAX = 12 << 10, /* bytes read before evhttp has consumed them */
	/* the same for an answer that is kept: evhttp consumes a chunk only when all of it is there */
	ANSWER_INPUT_MAX = DELIVER_ANSWER_MAX + INPUT_MAX,
	STATUS_MAX = 999, /* evhttp accepts any number */
	INTERIM_MAX = 16, /* 1xx answers before the final one */
	DRAIN_MS = 5000   /* time limit for reading the rest of a body after the verdict */
};

struct deliverer {
	struct deliver_config config;
	struct event_base *base;
	struct ssl_ctx_st *tls;
	struct event *settle, *sweep;
	struct list waiting;            /* calls waiting for a connection within connections_max */
	struct list running;            /* calls, by start time */
	struct list decided;            /* calls with a verdict */
	struct list to_settle;          /* connections with an event to be processed */
	struct list idle;               /* connections without a call, by time */
	struct list draining;           /* connections whose call has its verdict, by time */
	struct list pool[POOL_BUCKETS]; /* idle connections by target, most recently used first */
	int n_connections;              /* in any state */
	int n_resolving;                /* calls that will need a connection */
	bool stopping;
};

/* One call of deliver_start(). */
struct call {
	struct list link; /* waiting, running or decided */
	struct deliverer *deliverer;
	struct target *target; /* allocated up to the end of its path */
	const struct target_rules *rules;
	unsigned bucket;
	char *text; /* names and values of headers, each with its NUL; then the body */
	int n_headers;
	const char *body; /* NULL: GET */
	size_t body_len;
	int64_t timeout_us;
	struct deliver_answer *answer; /* NULL: only the status line matters */
	deliver_fn *done;
	void *ctx;
	int64_t started_us;
	struct resolution *resolution; /* NULL: none in progress */
	struct sockaddr_storage addresses[CALL_ADDRESSES_MAX];
	int n_addresses, next_address;
	struct connection *connection;
	bool retried; /* after the receiver had closed an idle connection */
	struct deliver_result result;
};

struct connection {
	struct list link;      /* idle or draining, else on none */
	struct list to_settle; /* on deliverer.to_settle or on none */
	struct list bucket;
	struct deliverer *deliverer;
	struct evhttp_connection *http;
	struct bufferevent *buffer;       /* owned by http */
	const struct target_rules *rules; /* that allow its address */
	bool tls;
	uint16_t port;
	char host[TARGET_HOST_MAX + 1];
	unsigned in_bucket;
	struct call *call; /* NULL: idle or draining */
	int64_t since_us;  /* since when it is open, idle or draining */
	size_t received;   /* bytes received since the request */
	int n_interim;     /* 1xx answers to the request */
	bool established;  /* the connection was established, handshake included */
	bool used;         /* an earlier request was answered on it */
	bool write_begun;  /* evhttp has begun to write the request */
	bool interim;      /* a 1xx answer was received; evhttp has to read on */
	bool finished;     /* evhttp has finished the request */
	bool complete;     /* with the whole answer, also when the connection was closed after it */
	bool failed;       /* without success, or the connection was closed */
	bool reusable;     /* the answer allows another request on the connection */
};

/* --- deliver.c, called by connections --------------------------------------------- */

/* Sets the call's verdict; done is called from settle(). error and status as in deliver.h. */
void call_decide(struct call *c, enum deliver_error error, int status, int64_t retry_after_s);
/* Schedules settle() for the connection. */
void connection_settle_later(struct connection *n);

/* --- deliver_conn.c --------------------------------------------------------------- */

/* The bucket of the pool for a target's connections. */
unsigned connection_bucket(const struct target *t);
/* An idle connection to the call's target that seems alive, or NULL. */
struct connection *connection_reuse(struct call *c);
/* Starts connecting to the address; NULL when that fails at once. */
struct connection *connection_open(struct call *c, const struct sockaddr *address);
/* Assigns an idle connection to the call and sends its request. */
void connection_send(struct connection *n, struct call *c);
/* Keeps reading off while a request is being written: evhttp turns reading on again. */
void connection_pause_reading(struct connection *n);
/* Continues after a 1xx answer. Not from a callback of evhttp. */
void connection_continue(struct connection *n);
/* True when the TCP connection was established. */
bool connection_established(const struct connection *n);
/* Makes the connection idle, available to connection_reuse(). */
void connection_make_idle(struct connection *n);
/* Not from a callback of evhttp. */
void connection_free(struct connection *n);

/* --- deliver_tls.c ---------------------------------------------------------------- */

/* NULL on failure. ca_file NULL: the system's authorities, in a context that all share. Only for one thread. */
struct ssl_ctx_st *tls_new(const char *ca_file);
/* A buffer for TLS that is not connected yet; the certificate must name host. literal: host is an address. NULL on
 * failure. */
struct bufferevent *tls_buffer_new(struct event_base *base, struct ssl_ctx_st *tls, const char *host, bool literal);
/* True when bytes were read from the socket but not consumed. */
bool tls_holds_bytes(struct bufferevent *buffer);
/* True when the connection ended because of a TLS or certificate error. */
bool tls_failed(struct bufferevent *buffer);

#endif
