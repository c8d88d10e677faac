/* W3C Trace Context, level 1: reads the header traceparent, and writes it with another parent id. */
#ifndef KITH_SERVER_BASE_TRACE_H
#define KITH_SERVER_BASE_TRACE_H

#include <stdbool.h>

enum {
	TRACE_ID_LEN = 32,
	TRACE_SIZE = TRACE_ID_LEN + 4, /* a trace in memory: its id, '-', the flags, NUL */
	TRACE_PARENT_SIZE = 56
};

/* Reads the value of a traceparent. False: it is invalid, and the request has no trace. From a later version it reads
 * the part that version 00 has. It keeps only the flag "sampled", as the specification demands, because the other flags
 * are not defined. */
bool trace_parse(const char *header, char trace[TRACE_SIZE]);

/* Writes the traceparent of a request that follows from the trace, with a parent id of its own. False when the text is
 * not a trace. */
bool trace_child(const char *trace, char header[TRACE_PARENT_SIZE]);

#endif
