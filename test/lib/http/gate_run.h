/* Feeds the gate in different ways, for its unit tests. */
#ifndef KITH_TEST_LIB_HTTP_GATE_RUN_H
#define KITH_TEST_LIB_HTTP_GATE_RUN_H

#include <stddef.h>

#include "server/http/gate.h"

/* Body limits of 1000 and 5000 bytes. */
extern const struct gate_limits gate_run_limits;

struct result {
	enum gate_verdict verdict;
	int status; /* of a refusal, else 0 */
	size_t used;
	struct gate gate;
};

enum gate_cut { WHOLE, BYTEWISE, RANDOM };

/* Reads to the end of one request. */
struct result gate_run(const char *bytes, size_t len, enum gate_cut cut);

/* In one piece, byte by byte and in random pieces; fails the test when the results differ. */
struct result gate_run_all_ways(const char *name, const char *bytes, size_t len);

/* Requests as text. */
#define HEAD(line) line "\r\nHost: a\r\n"
#define GET(headers) "GET / HTTP/1.1\r\nHost: a\r\n" headers "\r\n"
#define POST(headers, body) "POST / HTTP/1.1\r\nHost: a\r\n" headers "\r\n" body
#define CHUNKED(body) POST("Transfer-Encoding: chunked\r\n", body)

#endif
