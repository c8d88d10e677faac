/* All errors of the API, one row each. The page /docs/errors shows the same rows. */
#ifndef KITH_SERVER_REQUEST_ERRORS_H
#define KITH_SERVER_REQUEST_ERRORS_H

#include "server/base/buf.h"
#include "server/base/json.h"

enum error_code {
	ERROR_INVALID_REQUEST,
	ERROR_KEY_INVALID,
	ERROR_UNAUTHORIZED,
	ERROR_FORBIDDEN,
	ERROR_NOT_FOUND,
	ERROR_KEY_IN_PROGRESS,
	ERROR_SEVERAL_WORKSPACES,
	ERROR_PRECONDITION_FAILED,
	ERROR_MOVED,
	ERROR_UNPROCESSABLE,
	ERROR_AMBIGUOUS,
	ERROR_KEY_REUSED,
	ERROR_KEY_NOT_STORED,
	ERROR_RATE_LIMITED,
	ERROR_INTERNAL,
	ERROR_UNAVAILABLE,
	ERROR_KEY_UNAVAILABLE,
	ERROR_CODES
};

struct error_row {
	const char *code;
	const char *record_code; /* the code in a batch result; NULL: it does not occur there */
	int status;
	const char *anchor;
	const char *message; /* the default message */
	const char *advice;  /* for the page: the meaning of the error and what to do */
};

extern const struct error_row error_rows[ERROR_CODES];

/* The first code that has this status, for refusals of the HTTP server. A status without a code of its own, as 405, 413
 * or 501, gets INVALID_REQUEST. */
enum error_code error_of_status(int status);

/* Writes {"error": {code, message, documentationUrl, requestId, timestamp, details?}}
 * (docs/api.md, "Errors"). base: the public URL; details: complete JSON or NULL. */
void error_body(struct buf *out, enum error_code code, const char *message, const char *base, const char *request_id,
    const struct buf *details);

/* Writes the documentationUrl of a code as a JSON string. */
void error_url(struct json_out *o, enum error_code code, const char *base);

#endif
