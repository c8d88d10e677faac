/* Sends requests to a server with libcurl: a few at a time, as fast as its rate limits allow. While the server does not
 * respond, requests are repeated. */
#ifndef KITH_TRANSFER_REMOTE_H
#define KITH_TRANSFER_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/json.h"

enum {
	REMOTE_SLOTS = 4,    /* requests at once */
	REMOTE_AWAY_S = 300, /* a server that does not answer for this long ends the command */
	REMOTE_KEY_SIZE = 80,
	REMOTE_TAG_SIZE = 64,
	REMOTE_CURSOR_SIZE = 1024
};

struct remote_call {
	const char *method;
	char *path; /* from "/v1" on; freed by remote_call_free() */
	struct buf body;
	char key[REMOTE_KEY_SIZE];      /* Idempotency-Key; "": none */
	char if_match[REMOTE_TAG_SIZE]; /* "": none */
	void *ctx;
	struct remote_call *next; /* remote.c */

	/* the answer */
	long status;
	struct buf answer;
	struct arena arena;
	struct json *json; /* NULL: not JSON */
	char etag[REMOTE_TAG_SIZE];
	char cursor[REMOTE_CURSOR_SIZE]; /* X-Events-Cursor */
	bool dry;                        /* X-Dry-Run */
	int retry_after_s;
	int64_t date_s; /* Date, as Unix time; 0: none */
};

struct remote;

/* no_proxy: as CURLOPT_NOPROXY. tick is called while remote_wait() waits, at least once a second. */
struct remote *remote_new(
    const char *base_url, const char *key, const char *no_proxy, void (*tick)(void *ctx), void *ctx);
void remote_free(struct remote *r);

/* An empty body is not sent. */
struct remote_call *remote_call_new(const char *method, const char *path_format, ...)
    __attribute__((format(printf, 2, 3)));
void remote_call_free(struct remote_call *c);

/* Begins a request; at most REMOTE_SLOTS at a time. */
void remote_start(struct remote *r, struct remote_call *c);
/* The requests that remote_wait() has not returned yet. */
int remote_busy(const struct remote *r);
/* Returns the next answered request, in any order. Its answer is a 2xx, or a 4xx or 500 that another attempt would not
 * change. NULL, with a message on stderr, when the server does not respond. */
struct remote_call *remote_wait(struct remote *r);
/* Takes back a request that has no answer, and whose effect is unknown. NULL: all were answered. */
struct remote_call *remote_cancel(struct remote *r);
/* Sends a request and waits for its answer. Others that are answered meanwhile are left for remote_wait(). Frees the
 * request and returns NULL when the server does not respond. */
struct remote_call *remote_run(struct remote *r, struct remote_call *c);

/* The member "data" of an answer with 200, else NULL. */
struct json *remote_data(const struct remote_call *c);
/* The reason why a request was refused, in one line. */
const char *remote_reason(struct remote_call *c);
/* The path of the next page; NULL after the last one. */
const char *remote_next(struct remote_call *c);

#endif
