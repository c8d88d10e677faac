/* An HTTP client for tests: sends exactly what it is given, keeps the whole answer. */
#ifndef KITH_TEST_LIB_HTTP_CLIENT_H
#define KITH_TEST_LIB_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

enum { CLIENT_HEADERS_MAX = 64 };

struct client; /* one connection, kept alive between requests */

struct client_header {
	const char *name, *value;
};

struct client_request {
	const char *method;
	const char *target; /* sent as it is: "/v1/people?limit=1", "*", an absolute form */
	struct client_header headers[CLIENT_HEADERS_MAX]; /* in order, repeats kept */
	size_t n_headers;
	const char *body; /* NULL: no body and no Content-Length */
	size_t body_len;
};

struct client_reply {
	int status;
	struct client_header headers[CLIENT_HEADERS_MAX];
	size_t n_headers;
	const char *body; /* NUL terminated, "" when there is none */
	size_t body_len;
};

/* base: "http://127.0.0.1:1234". Ends the process when libcurl cannot start. */
struct client *client_new(const char *base);
void client_free(struct client *c);
/* The time limit of client_send(), instead of 30 s. */
void client_timeout(struct client *c, int seconds);

/* Sends and waits, at most 30 s or as set by client_timeout(). The answer is allocated in the arena. False: no
 * answer, with the reason in error. */
bool client_send(struct client *c, struct arena *a, const struct client_request *request, struct client_reply *reply,
    char error[256]);

/* The first header of that name, in any case, NULL when absent; and how often it was sent. */
const char *client_header(const struct client_reply *reply, const char *name);
size_t client_header_count(const struct client_reply *reply, const char *name);

#endif
