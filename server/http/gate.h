/*
 * The strict reader of HTTP/1.1 framing (RFC 9112) that every byte passes
 * before evhttp may see it. It changes nothing and keeps nothing but counters;
 * it says where a request ends, or where and why it is refused. Pure: no
 * sockets, no memory, no clock. Hanging it on a connection is conn.c's job.
 */
#ifndef KITH_SERVER_HTTP_GATE_H
#define KITH_SERVER_HTTP_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	GATE_TARGET_MAX = 8192,  /* bytes of the request target; over it 414 */
	GATE_HEADERS_MAX = 100,  /* header lines; over it 431 */
	GATE_FIELDS_MAX = 16384, /* bytes of all header lines with their line ends; over it 431 */
	GATE_TRAILER_MAX = 4096, /* the same for a chunked body's trailer section */
	GATE_HOST_MAX = 255      /* bytes of a host name */
};

struct gate_limits {
	size_t body_max;       /* bytes; over it 413 */
	size_t body_max_batch; /* the same when the path holds "/batch/" */
};

enum gate_verdict { GATE_MORE, GATE_DONE, GATE_REFUSED };

struct gate {
	const struct gate_limits *limits;
	const char *message; /* GATE_REFUSED: what is wrong, for the client; static */
	uint64_t body_len;   /* bytes of body announced so far */
	uint64_t left;       /* bytes of the body or chunk still to come */
	uint32_t head_len;   /* bytes of request line and headers, up to the body */
	uint16_t status;     /* GATE_REFUSED: the HTTP status to answer with */
	uint16_t target_len; /* bytes */
	uint16_t fields_len; /* bytes of header or trailer lines */
	uint16_t host_len;
	uint32_t port;
	uint8_t headers; /* header lines; trailers are not counted */
	uint8_t verdict; /* enum gate_verdict */
	uint8_t phase, field, match, host, minor, digits;
	bool head : 1, options : 1;     /* the method */
	bool batch : 1;                 /* the path holds "/batch/" */
	bool absolute : 1;              /* the target is in absolute form */
	bool close : 1, keep_alive : 1; /* tokens of Connection */
	bool chunked : 1, has_length : 1, has_host : 1;
	bool trailer : 1, ended : 1, in_body : 1;
	uint8_t word_len;
	char word[18];
};

/* limits must outlive g. */
void gate_init(struct gate *g, const struct gate_limits *limits);

/* Makes g ready for the next request of the same connection. */
void gate_next(struct gate *g);

/*
 * Reads on. *used is the number of bytes that are in order: with GATE_MORE all of
 * them, with GATE_DONE up to the end of the request, with GATE_REFUSED up to the
 * byte that was refused. The verdict does not depend on how the bytes are cut.
 * After GATE_DONE nothing is used until gate_next(), after GATE_REFUSED ever.
 */
enum gate_verdict gate_feed(struct gate *g, const char *bytes, size_t len, size_t *used);

/* Passes over up to len bytes that are plain body, without looking at them.
 * Answers how many they are; the verdict is then in g->verdict. */
size_t gate_skip(struct gate *g, size_t len);

/* True when the connection may carry another request after this one (RFC 9112 section 9.3). */
bool gate_keeps_alive(const struct gate *g);

#endif
