/*
 * A receiver of webhooks for tests, as friendly or as hostile as is wanted: HTTP or
 * HTTPS on a loopback address, in threads of this process, one a connection. It
 * keeps every request that came whole, with its time, headers and body.
 */
#ifndef KITH_TEST_RECEIVER_H
#define KITH_TEST_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct receiver;

enum receiver_tls {
	RECEIVER_PLAIN,
	RECEIVER_TLS,         /* a certificate for names by the test authority (receiver_ca_file()) */
	RECEIVER_TLS_SELF,    /* one that nobody signed */
	RECEIVER_TLS_EXPIRED, /* one that was good until yesterday */
	RECEIVER_TLS_OLD,     /* a good one, but TLS 1.1 at most */
	RECEIVER_TLS_SILENT   /* accepts the connection and says nothing */
};

enum receiver_mode {
	RECEIVER_ANSWER,          /* status, extra headers and body, as a good receiver does */
	RECEIVER_NEVER,           /* reads the request and says nothing */
	RECEIVER_DRIP,            /* a good answer, one byte every pace_ms */
	RECEIVER_DRIP_BODY,       /* status and headers at once, then the body so */
	RECEIVER_ENDLESS_HEADER,  /* one header line that never ends */
	RECEIVER_ENDLESS_HEADERS, /* headers without end */
	RECEIVER_ENDLESS_BODY,    /* status, no length, and a body without end */
	RECEIVER_ENDLESS_CHUNKS,  /* the same in chunks */
	RECEIVER_ENDLESS_CHUNK,   /* one chunk without end */
	RECEIVER_HUGE_LENGTH,     /* a Content-Length of terabytes, and a body without end */
	RECEIVER_ENDLESS_100,     /* 100 Continue again and again */
	RECEIVER_ENDLESS_100_BIG, /* with 4 KiB of headers each */
	RECEIVER_INTERIM,         /* 100, 102 and 103, then a good answer */
	RECEIVER_SWITCH,          /* 101 Switching Protocols, and silence */
	RECEIVER_RESET,           /* reads the request, then resets the connection */
	RECEIVER_RESET_EARLY,     /* resets without reading */
	RECEIVER_CLOSE,           /* reads the request, then closes */
	RECEIVER_HALF_HEAD,       /* closes within the headers */
	RECEIVER_HALF_BODY,       /* closes within a body of known length */
	RECEIVER_GARBAGE,         /* bytes that are no HTTP */
	RECEIVER_FLOOD,           /* bytes without end before the request is read */
	RECEIVER_EARLY,           /* answers before it has read the request, reads nothing, resets pace_ms later */
	RECEIVER_EARLY_END,       /* the same after pace_ms, ends its side, and then reads */
	RECEIVER_NO_LENGTH,       /* a good answer whose body ends with the connection */
	RECEIVER_CHUNKED,         /* a good answer in chunks */
	RECEIVER_RAW,  /* the bytes of body as they are, in two parts pace_ms apart when that is set; closes if
	                  close_after */
	RECEIVER_TWICE /* a good answer, and one that was not asked for */
};

struct receiver_behaviour {
	enum receiver_mode mode;
	int status;          /* 0: 200 */
	const char *headers; /* more of them, each with \r\n; NULL: none */
	const char *body;    /* NULL: "ok" */
	int delay_ms;        /* before the answer */
	int pace_ms;         /* of drips; 0: 10 */
	int close_after;     /* requests on one connection, then closed without a word; 0: never */
	bool say_close;      /* "Connection: close" */
};

struct receiver_request {
	int64_t at_us;  /* clock_mono_us() when it was whole */
	int connection; /* from 0, in the order they were accepted */
	int open;       /* connections that were open then */
	char *method, *path;
	char *headers; /* as they came, "Name: value\r\n" each */
	char *body;    /* NUL terminated */
	size_t body_len;
	int status; /* that was answered; 0: none */
};

/* Decides on each request, instead of one behaviour for all; called from the connection's thread, one at a time. */
typedef struct receiver_behaviour receiver_decide_fn(void *ctx, const struct receiver_request *request);

struct receiver_config {
	enum receiver_tls tls;
	const char *names;   /* of the certificate; NULL: "DNS:hooks.test,IP:127.0.0.1" */
	const char *address; /* NULL: "127.0.0.1"; "::1" will do */
	int port;            /* 0: any */
	struct receiver_behaviour behaviour;
	receiver_decide_fn *decide; /* NULL: behaviour */
	void *ctx;
	int fail_percent;  /* so many of 100 are answered with 500 instead, by chance */
	bool forget;       /* keeps no requests, only counts them */
	bool of_neighbour; /* that of neighbour.h: what is meant for it ends the test elsewhere */
};

struct receiver *receiver_start(const struct receiver_config *c);
/* Closes all connections and frees all. */
void receiver_stop(struct receiver *r);

int receiver_port(const struct receiver *r);
/* "http://127.0.0.1:PORT" and path; https with a name: "https://hooks.test:PORT". Valid until the next call. */
const char *receiver_url(struct receiver *r, const char *path);
/* A PEM file with the authority of the test's receivers, in KITH_TEST_DIR or /tmp; removed by receiver_stop(). */
const char *receiver_ca_file(const struct receiver *r);

void receiver_behave(struct receiver *r, struct receiver_behaviour b);
void receiver_fail(struct receiver *r, int percent);

/* Requests that came whole; connections that were accepted; those that are open. */
int receiver_count(struct receiver *r);
int receiver_connections(struct receiver *r);
int receiver_open(struct receiver *r);
/* Waits for so many requests in all; false when the time is over. */
bool receiver_wait(struct receiver *r, int count, int ms);
/* Request i of those that came; stays until receiver_stop() or receiver_clear(). */
const struct receiver_request *receiver_request(struct receiver *r, int i);
void receiver_clear(struct receiver *r);
/* The value of a header of a request, in any case; NULL when it has none. To be freed. */
char *receiver_header(const struct receiver_request *q, const char *name);

#endif
