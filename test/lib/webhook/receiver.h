/* A receiver of webhooks for tests, well-behaved or hostile: HTTP or HTTPS on a loopback address, in threads of this
 * process, one per connection. It keeps every complete request with time, headers and body. */
#ifndef KITH_TEST_LIB_WEBHOOK_RECEIVER_H
#define KITH_TEST_LIB_WEBHOOK_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct receiver;

enum receiver_tls {
	RECEIVER_PLAIN,
	RECEIVER_TLS,         /* a certificate for names, signed by the test authority (receiver_ca_file()) */
	RECEIVER_TLS_SELF,    /* self-signed */
	RECEIVER_TLS_EXPIRED, /* expired yesterday */
	RECEIVER_TLS_OLD,     /* valid, but TLS 1.1 at most */
	RECEIVER_TLS_SILENT   /* accepts the connection and sends nothing */
};

enum receiver_mode {
	RECEIVER_ANSWER,          /* status, extra headers and body, as a good receiver does */
	RECEIVER_NEVER,           /* reads the request and sends nothing */
	RECEIVER_DRIP,            /* a good answer, one byte every pace_ms */
	RECEIVER_DRIP_BODY,       /* status and headers at once, then the body like that */
	RECEIVER_ENDLESS_HEADER,  /* one endless header line */
	RECEIVER_ENDLESS_HEADERS, /* endless headers */
	RECEIVER_ENDLESS_BODY,    /* status, no length, endless body */
	RECEIVER_ENDLESS_CHUNKS,  /* the same in chunks */
	RECEIVER_ENDLESS_CHUNK,   /* one endless chunk */
	RECEIVER_HUGE_LENGTH,     /* a Content-Length of terabytes and an endless body */
	RECEIVER_ENDLESS_100,     /* 100 Continue repeatedly */
	RECEIVER_ENDLESS_100_BIG, /* with 4 KiB of headers each */
	RECEIVER_INTERIM,         /* 100, 102 and 103, then a good answer */
	RECEIVER_SWITCH,          /* 101 Switching Protocols, then nothing */
	RECEIVER_RESET,           /* reads the request, then resets the connection */
	RECEIVER_RESET_EARLY,     /* resets without reading */
	RECEIVER_CLOSE,           /* reads the request, then closes */
	RECEIVER_HALF_HEAD,       /* closes in the middle of the headers */
	RECEIVER_HALF_BODY,       /* closes in the middle of a body of known length */
	RECEIVER_GARBAGE,         /* not HTTP */
	RECEIVER_FLOOD,           /* endless bytes before the request is read */
	RECEIVER_EARLY,           /* answers before reading the request, reads nothing, resets pace_ms later */
	RECEIVER_EARLY_END,       /* the same, but after pace_ms shuts down writing and then reads */
	RECEIVER_NO_LENGTH,       /* a good answer whose body ends with the connection */
	RECEIVER_CHUNKED,         /* a good answer in chunks */
	RECEIVER_RAW,  /* the bytes of body, in two parts pace_ms apart if set; then closes if close_after is set */
	RECEIVER_TWICE /* a good answer, and a second one that was not requested */
};

struct receiver_behaviour {
	enum receiver_mode mode;
	int status;          /* 0: 200 */
	const char *headers; /* extra ones, each with \r\n; NULL: none */
	const char *body;    /* NULL: "ok" */
	int delay_ms;        /* before the answer */
	int pace_ms;         /* interval of drips; 0: 10 */
	int close_after;     /* number of requests on a connection before it is closed silently; 0: unlimited */
	bool say_close;      /* "Connection: close" */
};

struct receiver_request {
	int64_t at_us;  /* clock_mono_us() when it was complete */
	int connection; /* from 0, in order of acceptance */
	int open;       /* connections open at that time */
	char *method, *path;
	char *headers; /* as received, "Name: value\r\n" each */
	char *body;    /* NUL terminated */
	size_t body_len;
	int status; /* sent; 0: none */
};

/* Decides for each request, instead of one behaviour for all; called from the connection's thread, one call at a
 * time. */
typedef struct receiver_behaviour receiver_decide_fn(void *ctx, const struct receiver_request *request);

struct receiver_config {
	enum receiver_tls tls;
	const char *names;   /* in the certificate; NULL: "DNS:hooks.test,IP:127.0.0.1" */
	const char *address; /* NULL: "127.0.0.1"; may be "::1" */
	int port;            /* 0: any */
	struct receiver_behaviour behaviour;
	receiver_decide_fn *decide; /* NULL: behaviour */
	void *ctx;
	int fail_percent;  /* percentage answered with 500 instead, at random */
	bool forget;       /* only counts requests */
	bool of_neighbour; /* may get the neighbour's data, which end the test elsewhere */
};

struct receiver *receiver_start(const struct receiver_config *c);
/* Closes all connections and frees everything. */
void receiver_stop(struct receiver *r);

int receiver_port(const struct receiver *r);
/* "http://127.0.0.1:PORT" and path; with TLS and a name "https://hooks.test:PORT". Valid until the next call. */
const char *receiver_url(struct receiver *r, const char *path);
/* A PEM file with the authority of the test's receivers, in KITH_TEST_DIR or /tmp; removed by receiver_stop(). */
const char *receiver_ca_file(const struct receiver *r);

void receiver_behave(struct receiver *r, struct receiver_behaviour b);
void receiver_fail(struct receiver *r, int percent);
/* Until it is called with false, requests are received and not answered; then those that wait are. */
void receiver_hold(struct receiver *r, bool hold);

/* Complete requests; accepted connections; open connections. */
int receiver_count(struct receiver *r);
int receiver_connections(struct receiver *r);
int receiver_open(struct receiver *r);
/* Waits for that many requests in total; false when the time is over. */
bool receiver_wait(struct receiver *r, int count, int ms);
/* Request i; valid until receiver_stop() or receiver_clear(). */
const struct receiver_request *receiver_request(struct receiver *r, int i);
void receiver_clear(struct receiver *r);
/* The value of a request's header, in any case; NULL when absent. To be freed. */
char *receiver_header(const struct receiver_request *q, const char *name);

#endif
