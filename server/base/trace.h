/* W3C Trace Context, level 1: the header traceparent in, and out again with another parent id. */
#ifndef KITH_SERVER_BASE_TRACE_H
#define KITH_SERVER_BASE_TRACE_H

#include <stdbool.h>

enum {
	TRACE_ID_LEN = 32,
	TRACE_SIZE = TRACE_ID_LEN + 4, /* a trace as it is kept: its id, '-', the flags, NUL */
	TRACE_PARENT_SIZE = 56
};

/* Reads the value of a traceparent. False: it is invalid, and the request has no trace. Of a later version what
 * version 00 has is read. Of the flags "sampled" is kept, as the specification asks for: others are not defined. */
bool trace_parse(const char *header, char trace[TRACE_SIZE]);

/* The traceparent of a request that follows from the trace, with a parent id of its own. False when the text is no
 * trace. */
bool trace_child(const char *trace, char header[TRACE_PARENT_SIZE]);

#endif
