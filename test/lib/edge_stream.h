/*
 * What the edge sent on a connection, compared byte for byte up to its end. Dates and request ids differ from run to
 * run: only their form is looked at, and that the id is the same in head and body.
 *
 * A stream is taken off from the front, answer by answer; stream_ends() says that nothing is left.
 */
#ifndef KITH_TEST_EDGE_STREAM_H
#define KITH_TEST_EDGE_STREAM_H

#include <stdbool.h>

/* An answer of edge.h's handler. */
struct edge_answer {
	const char *version;    /* NULL: "HTTP/1.1" */
	const char *body;       /* NULL: the handler gives none, and no headers */
	const char *connection; /* the Connection header; NULL: none */
	bool head;              /* the length of the body alone */
};
void stream_takes(const char **stream, struct edge_answer want);

/* A refusal of the edge, which closes. message NULL: any; head: that of a HEAD request, whose message must be given. */
void stream_takes_refusal(const char **stream, int status, const char *message, bool head);

/* The next bytes are these; the first Date among them, which stands there as "Date: *", is not compared. */
void stream_takes_bytes(const char **stream, const char *bytes);

/* One answer, whatever it says: head and as much of a body as it tells. Not of HEAD. Its status. */
int stream_takes_any(const char **stream);

void stream_ends(const char *stream);

/* A stream of one answer, of the handler with Connection: close, or a refusal. */
void expect_answer(const char *stream, const char *body);
void expect_refusal(const char *stream, int status);

#endif
