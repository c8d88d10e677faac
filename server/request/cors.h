/* Requests from pages of other origins (the setting cors_origins), by the Fetch standard's CORS protocol. Keys are sent
 * in a header, never by the browser itself, so there are no credentials to allow. Without the setting no answer has
 * any of these headers. */
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

/* origins: the setting's value, NULL: none. */
void cors_init(struct cors *c, const char *origins);
void cors_free(struct cors *c);

/* The origin to be named to a page of that origin (NULL: not a page's request); NULL: it is not allowed. Valid as
 * long as c. */
const char *cors_allowed(const struct cors *c, const char *origin);

/* The values of Access-Control-Allow-Headers, -Expose-Headers and -Max-Age. */
extern const char cors_sent[], cors_shown[], cors_kept[];

/* Sets the headers of an answer that is given before the request is complete. */
void cors_judge(const struct cors *c, const char *origin, struct http_verdict *v);

#endif
