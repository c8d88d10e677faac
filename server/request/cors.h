/* Requests from pages of other origins (the setting cors_origins), by the CORS protocol of the Fetch standard. Programs
 * send keys in a header; the browser never adds them by itself, so there are no credentials to allow. Without the
 * setting no answer has any of these headers. */
#ifndef KITH_SERVER_REQUEST_CORS_H
#define KITH_SERVER_REQUEST_CORS_H

#include <stdbool.h>

#include "server/config/config.h"

struct http_verdict;

struct cors {
	char *text;
	const char *origins[CONFIG_ORIGINS_MAX];
	int n;
	bool any; /* "*" */
};

/* origins: the value of the setting; NULL: no origins. */
void cors_init(struct cors *c, const char *origins);
void cors_free(struct cors *c);

/* The origin to name in an answer to a page of that origin; NULL: it is not allowed. The argument is NULL for a request
 * that no page made. The result is valid as long as c. */
const char *cors_allowed(const struct cors *c, const char *origin);

/* The values of Access-Control-Allow-Headers, -Expose-Headers and -Max-Age. */
extern const char cors_sent[], cors_shown[], cors_kept[];

/* Sets the headers of an answer that is sent before the request is complete. */
void cors_judge(const struct cors *c, const char *origin, struct http_verdict *v);

#endif
