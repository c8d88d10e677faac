/* The header traceparent: "00-<trace id>-<parent id>-<flags>", in lower-case hexadecimal. */
#include "server/base/trace.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/base/id.h"

enum { AT_ID = 3, AT_PARENT = 36, AT_FLAGS = 53, HEADER_LEN = 55, PARENT_LEN = 16 };

/* True when the text has len hexadecimal digits. zero: all of them may be 0. */
static bool trace_digits(const char *text, size_t len, bool zero)
{
	return strspn(text, "0123456789abcdef") >= len && (zero || strspn(text, "0") < len);
}

bool trace_parse(const char *header, char trace[TRACE_SIZE])
{
	size_t len = strlen(header);
	bool first;

	/* The HTTP parser removes blanks before a value; this removes those after it. */
	while (len > 0 && (header[len - 1] == ' ' || header[len - 1] == '\t'))
		len--;
	if (len < HEADER_LEN || !trace_digits(header, 2, true) || memcmp(header, "ff", 2) == 0)
		return false;
	first = memcmp(header, "00", 2) == 0;
	if (header[AT_ID - 1] != '-' || header[AT_PARENT - 1] != '-' || header[AT_FLAGS - 1] != '-' ||
	    (len > HEADER_LEN && (first || header[HEADER_LEN] != '-')))
		return false;
	if (!trace_digits(header + AT_ID, TRACE_ID_LEN, false) ||
	    !trace_digits(header + AT_PARENT, PARENT_LEN, false) || !trace_digits(header + AT_FLAGS, 2, true))
		return false;
	memcpy(trace, header + AT_ID, TRACE_ID_LEN);
	memcpy(trace + TRACE_ID_LEN, strchr("13579bdf", header[AT_FLAGS + 1]) ? "-01" : "-00", 4);
	return true;
}

bool trace_child(const char *trace, char header[TRACE_PARENT_SIZE])
{
	uint64_t parent;

	if (strlen(trace) != TRACE_SIZE - 1 || !trace_digits(trace, TRACE_ID_LEN, false) ||
	    trace[TRACE_ID_LEN] != '-' || !trace_digits(trace + TRACE_ID_LEN + 1, 2, true))
		return false;
	random_bytes(&parent, sizeof parent);
	parent |= !parent; /* an id of 0 is invalid */
	snprintf(header, TRACE_PARENT_SIZE, "00-%.*s-%016llx-%s", TRACE_ID_LEN, trace, (unsigned long long)parent,
	    trace + TRACE_ID_LEN + 1);
	return true;
}
