/* Warnings in answers: kith accepted the request, but perhaps not as it was meant. Programs read the code, people read
 * the message. */
#ifndef KITH_SERVER_REQUEST_WARNING_H
#define KITH_SERVER_REQUEST_WARNING_H

#include "server/base/buf.h"
#include "server/base/issues.h"

enum warning_code {
	WARNING_UNKNOWN_PARAMETER,
	WARNING_NOT_FOUND,
	WARNING_OUTSIDE_GROUP,
	WARNING_VALUE_NOT_SET,
	WARNING_RECORD_EXISTED,
	WARNING_NO_MATCH_VALUE,
	WARNING_DEPRECATED,
	WARNING_CODES
};

struct warning_row {
	const char *code, *about;
};

extern const struct warning_row warning_rows[WARNING_CODES];

/* Appends {message, path, code}. at NULL: the warning concerns the whole request. */
void warning_write(struct buf *out, enum warning_code code, const struct path *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
