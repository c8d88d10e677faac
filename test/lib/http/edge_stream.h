/* Compares what the edge has sent on a connection byte for byte, to its end. Dates and request ids differ between
 * runs: only their form is checked, and that the id is the same in head and body.
 *
 * Answers are taken from the front of a stream; stream_ends() checks that nothing is left. */
#ifndef KITH_TEST_LIB_HTTP_EDGE_STREAM_H
#define KITH_TEST_LIB_HTTP_EDGE_STREAM_H

#include <stdbool.h>

/* An answer of edge.h's handler. */
struct edge_answer {
	const char *version;    /* NULL: "HTTP/1.1" */
	const char *body;       /* NULL: without body and headers of the handler */
	const char *connection; /* the Connection header; NULL: none */
	bool head;              /* only the length of the body */
};
void stream_takes(const char **stream, struct edge_answer want);

/* A refusal by the edge, which closes the connection. message NULL: any; head: for a HEAD request, whose message
 * must be given. */
void stream_takes_refusal(const char **stream, int status, const char *message, bool head);

/* Exactly these bytes, except for the first Date in them, which is given as "Date: *", and the header that precedes it
 * in every head. */
void stream_takes_bytes(const char **stream, const char *bytes);

/* Any answer: head and a body of the length announced. Not for HEAD. Returns its status. */
int stream_takes_any(const char **stream);

void stream_ends(const char *stream);

/* A stream of a single answer: of the handler with Connection: close, or a refusal. */
void stream_expect_answer(const char *stream, const char *body);
void stream_expect_refusal(const char *stream, int status);

/* Reads one answer of the handler that describes a request without X-Test; the connection goes on, without another
 * byte. */
void stream_answers(int fd, const char *body);

#endif
