/* Fetches small documents from other servers, for OpenID Connect and OAuth. It uses the client of webhooks, with its
 * rules for addresses, its checks of TLS and its limits. Redirects are not followed. */
#ifndef KITH_WEBHOOK_FETCH_H
#define KITH_WEBHOOK_FETCH_H

#include "webhook/deliver.h"

struct fetcher;

/* NULL with a log line when TLS cannot be set up. ca_file NULL: the system's certificates, or those of SSL_CERT_FILE.
 * rules and resolver must outlive it. */
struct fetcher *fetcher_new(
    struct loop *loop, const struct target_rules *rules, struct resolver *resolver, const char *ca_file);
/* Ends fetches in progress with DELIVER_STOPPED, calling done, and refuses later ones. NULL is valid. */
void fetcher_stop(struct fetcher *f);
void fetcher_free(struct fetcher *f);

enum { FETCH_MAX = DELIVER_ANSWER_MAX, FETCH_MS = 5000, FETCHES_MAX = 64 };

struct fetch_request {
	const char *url;                  /* https, or http if target_plain_allowed() by the rules of the fetcher */
	const struct target_rules *rules; /* must stay valid until done; NULL: those of the fetcher */
	const char *form;                 /* POSTed as application/x-www-form-urlencoded; NULL: GET */
	const char *authorization;        /* value of the header; NULL: none */
};

struct fetch_answer {
	enum deliver_error error; /* DELIVER_NONE: a 2xx status was received, and the whole body */
	int status;               /* 0: none */
	const char *why;          /* the error in words, for the log; "" for DELIVER_NONE */
	const char *type;         /* of the body, as "application/json"; "": unknown */
	int64_t max_age_s;        /* from Cache-Control; -1: none */
	const char *body;         /* also of an answer with DELIVER_HTTP; NUL terminated */
	size_t len;               /* at most FETCH_MAX */
};
typedef void fetch_fn(void *ctx, const struct fetch_answer *answer);

/* Starts a fetch of at most FETCH_MS. The arguments are copied. Returns NULL, and done is called later, from the loop,
 * exactly once. Or returns why nothing was sent, a constant text for the log: the URL is not allowed, or FETCHES_MAX
 * are in progress. */
const char *fetch_begin(struct fetcher *f, const struct fetch_request *q, fetch_fn *done, void *ctx);

#endif
