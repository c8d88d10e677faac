/*
 * Between the files of deliver: deliver.c has the calls (deadlines, verdicts, whom to
 * tell), deliver_conn.c the connections (evhttp's client and its callbacks, the pool
 * of idle ones), deliver_tls.c what TLS needs. No other file includes this one.
 *
 * A connection is freed by deliver.c alone, from settle() and sweep(), which run from events
 * of their own, and from deliver(): never within a callback of evhttp. Those write down what
 * happened.
 */
#ifndef KITH_WEBHOOK_DELIVER_PARTS_H
#define KITH_WEBHOOK_DELIVER_PARTS_H

#include <event2/util.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "server/base/list.h"
#include "webhook/deliver.h"

struct bufferevent;
struct event;
struct evhttp_connection;
struct ssl_st; /* OpenSSL's SSL and SSL_CTX */
struct ssl_ctx_st;

enum {
	CALL_ADDRESSES_MAX = 4,
	POOL_BUCKETS = 256,
	HEADERS_MAX = 8 << 10,
	BODY_MAX = 64 << 10,
	WRITE_MAX = 1 << 20,
	RECORD_MAX = 4 << 10, /* of TLS, sent: its buffer is of that size */
	CHAIN_MAX = 20 << 10, /* bytes of certificates of a receiver */
	INPUT_MAX = 12 << 10, /* bytes read ahead of what evhttp has taken */
	STATUS_MAX = 999,     /* evhttp takes any number */
	INTERIM_MAX = 16,     /* answers of 1xx before the one that counts */
	DRAIN_MS = 5000       /* for the body behind a verdict */
};

struct deliverer {
	struct deliver_config config;
	struct event_base *base;
	struct ssl_ctx_st *tls;
	struct event *settle, *sweep;
	struct list waiting;            /* calls without a place among connections_max */
	struct list running;            /* calls, by the time of their start */
	struct list decided;            /* calls with a verdict */
	struct list touched;            /* connections that something happened to */
	struct list idle;               /* connections without a call, by the time since */
	struct list draining;           /* connections whose call has its verdict, by the time since */
	struct list pool[POOL_BUCKETS]; /* the idle ones by target, the last used first */
	int n_connections;              /* of any kind */
	int n_resolving;                /* calls that will need one */
	bool stopping;
};

/* One deliver(). */
struct call {
	struct list link; /* waiting, running or decided */
	struct deliverer *deliverer;
	struct target *target; /* as much of it as is used */
	unsigned bucket;
	char *text; /* names and values of headers, each with its NUL; then the body */
	int n_headers;
	const char *body;
	size_t body_len;
	deliver_fn *done;
	void *ctx;
	int64_t started_us;
	struct resolution *resolution; /* NULL: none under way */
	struct sockaddr_storage addresses[CALL_ADDRESSES_MAX];
	int n_addresses, next_address;
	struct connection *connection;
	bool tried_again; /* an idle connection had been closed by the receiver */
	struct deliver_result result;
};

struct connection {
	struct list link;    /* idle or draining, else on none */
	struct list touched; /* on deliverer.touched or on none */
	struct list bucket;
	struct deliverer *deliverer;
	struct evhttp_connection *http;
	struct bufferevent *buffer; /* the http's */
	struct ssl_st *ssl;         /* the buffer's; NULL: plain */
	bool tls;
	uint16_t port;
	char host[TARGET_HOST_MAX + 1];
	unsigned in_bucket;
	struct call *call; /* NULL: idle or draining */
	int64_t since_us;  /* opened, idle or draining since */
	size_t received;   /* bytes since the request */
	int interim;       /* answers of 1xx to the request */
	bool made;         /* it was, the handshake included */
	bool used;         /* a request was answered here before */
	bool writes;       /* evhttp has begun to write the request */
	bool continues;    /* an answer of 1xx came, and evhttp has to read on */
	bool over;         /* evhttp is done with the request */
	bool failed;       /* and not well, or the connection is closed */
	bool keep;         /* the answer leaves the connection good for another request */
};

/* --- deliver.c, for the callbacks of connections ---------------------------------- */

/* The call has its verdict; done is called from settle(). error and status as in deliver.h. */
void call_decide(struct call *c, enum deliver_error error, int status, int64_t retry_after_s);
/* Something happened that settle() has to look at. */
void connection_touch(struct connection *n);

/* --- deliver_conn.c --------------------------------------------------------------- */

/* Which bucket of the pool a target's connections are in. */
unsigned connection_bucket(const struct target *t);
/* An idle connection to the call's target that looks alive, or NULL. */
struct connection *connection_reuse(struct call *c);
/* Begins to connect to the address; NULL when that cannot even be begun. */
struct connection *connection_open(struct call *c, const struct sockaddr *address);
/* Sends the call's request over a connection that has none, and makes it the call's. */
void connection_send(struct connection *n, struct call *c);
/* Nothing is read while a request is being written: evhttp turns reading on again. */
void connection_written_first(struct connection *n);
/* Behind an answer of 1xx. Not from within a callback of evhttp. */
void connection_continue(struct connection *n);
/* True when the connection was made, handshake aside. */
bool connection_made(const struct connection *n);
/* True when the failure was one of TLS. */
bool connection_tls_failed(const struct connection *n);
/* Idle from now on, and to be found by connection_reuse(). */
void connection_rest(struct connection *n);
/* Not from within a callback of evhttp. */
void connection_free(struct connection *n);

/* --- deliver_tls.c ---------------------------------------------------------------- */

/* NULL when it cannot be made. ca_file NULL: the system's authorities. */
struct ssl_ctx_st *tls_new(const char *ca_file);
void tls_free(struct ssl_ctx_st *tls);
/* One for a connection to the host, which the certificate must name. literal: the host is an address. */
struct ssl_st *tls_connection(struct ssl_ctx_st *tls, const char *host, bool literal);
/* A buffer that is not connected yet; it owns ssl. */
struct bufferevent *tls_buffer(struct event_base *base, struct ssl_st *ssl);
/* True when bytes were read from the socket that nobody has taken yet. */
bool tls_holds_bytes(const struct ssl_st *ssl);
/* True when what ended the connection was an error of TLS or of its certificate. */
bool tls_failed(struct bufferevent *buffer, struct ssl_st *ssl);

#endif
