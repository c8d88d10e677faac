/* A strict parser of HTTP/1.1 framing (RFC 9112). Every byte passes it before evhttp sees it. It changes nothing and
 * stores only counters. It finds the end of a request, or where and why to refuse it. It uses no sockets, no memory and
 * no clock. conn.c attaches it to connections. */
#ifndef KITH_SERVER_HTTP_GATE_H
#define KITH_SERVER_HTTP_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/http/http.h"

enum {
	GATE_TARGET_MAX = 8192,  /* bytes of the request target; more is a 414 */
	GATE_HEADERS_MAX = 100,  /* header lines; more is a 431 */
	GATE_FIELDS_MAX = 16384, /* bytes of all header lines with their line ends; more is a 431 */
	GATE_TRAILER_MAX = 4096, /* the same for the trailer section of a chunked body */
	GATE_HOST_MAX = 255      /* bytes of a host name */
};

struct gate_limits {
	size_t body_max;       /* bytes; more is a 413 */
	size_t body_max_batch; /* the same when the path contains "/batch/", or the method is REPORT */
};

enum gate_verdict { GATE_MORE, GATE_DONE, GATE_REFUSED };

struct gate {
	const struct gate_limits *limits;
	const char *message; /* GATE_REFUSED: the error for the client; static */
	const char *method_name;
	uint64_t body_len;   /* bytes of body announced so far */
	uint64_t left;       /* bytes of the body or chunk still to come */
	uint32_t head_len;   /* bytes of request line and headers, up to the body */
	uint16_t status;     /* GATE_REFUSED: the HTTP status to answer with */
	uint16_t target_len; /* bytes */
	uint16_t fields_len; /* bytes of header or trailer lines */
	uint16_t host_len;
	uint16_t method; /* enum http_method; 0: the method is not known yet */
	uint32_t port;
	uint8_t headers; /* header lines, without trailers */
	uint8_t verdict; /* enum gate_verdict */
	uint8_t phase, field, match, host, minor, digits;
	bool large : 1;                 /* body_max_batch is the limit of its body */
	bool absolute : 1;              /* the target is in absolute form */
	bool close : 1, keep_alive : 1; /* tokens of the Connection header */
	bool chunked : 1, has_length : 1, has_host : 1;
	bool trailer : 1, ended : 1, in_body : 1;
	uint8_t word_len;
	char word[18];
};

/* limits must outlive g. */
void gate_init(struct gate *g, const struct gate_limits *limits);

/* Makes g ready for the next request of the same connection. */
void gate_next(struct gate *g);

/* Parses more bytes. *used is the number accepted. With GATE_MORE these are all bytes; with GATE_DONE those up to the
 * end of the request; with GATE_REFUSED those before the offending byte. The verdict does not depend on how the input
 * is split. After GATE_DONE nothing is used until gate_next(); after GATE_REFUSED nothing is used at all. */
enum gate_verdict gate_feed(struct gate *g, const char *bytes, size_t len, size_t *used);

/* Skips up to len bytes of plain body without looking at them. Returns the number of bytes skipped. The verdict is in
 * g->verdict. */
size_t gate_skip(struct gate *g, size_t len);

/* True when another request may follow on the connection (RFC 9112 section 9.3). */
bool gate_keeps_alive(const struct gate *g);

#endif
