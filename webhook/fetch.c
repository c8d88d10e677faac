/* Fetches: see fetch.h. */
#include "webhook/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

enum { IDLE_MS = 10000, HEADERS_MAX = 3 };

struct fetcher {
	const struct target_rules *rules;
	struct deliverer *deliverer; /* NULL once stopped */
	int n_running;
};

struct fetch {
	struct fetcher *fetcher;
	fetch_fn *done;
	void *ctx;
};

struct fetcher *fetcher_new(
    struct loop *loop, const struct target_rules *rules, struct resolver *resolver, const char *ca_file)
{
	struct fetcher *f = mem_zalloc(sizeof *f);

	f->rules = rules;
	f->deliverer = deliverer_new(&(struct deliver_config){.loop = loop,
	    .rules = rules,
	    .resolver = resolver,
	    .ca_file = ca_file,
	    .timeout_ms = FETCH_MS,
	    .connections_max = FETCHES_MAX,
	    .idle_ms = IDLE_MS});
	if (f->deliverer)
		return f;
	free(f);
	return NULL;
}

static const char fetch_stopping[] = "the process is stopping";

static const char *fetch_why(const struct deliver_result *result)
{
	switch (result->error) {
	case DELIVER_NONE:
		return "";
	case DELIVER_TIMEOUT:
		return "no complete answer in time";
	case DELIVER_TLS:
		return "TLS failed, or the certificate is not trusted";
	case DELIVER_NOT_ALLOWED:
		return "its name has an address that is not allowed";
	case DELIVER_HTTP:
		return "the status is not 2xx";
	case DELIVER_STOPPED:
		return fetch_stopping;
	case DELIVER_CONNECTION:
		break;
	}
	return "no connection, or not an answer that can be read";
}

static void fetch_answered(void *ctx, const struct deliver_result *result)
{
	struct fetch *x = ctx;
	const struct deliver_answer *kept = result->answer;
	struct fetch_answer answer = {.error = result->error,
	    .status = result->status,
	    .why = fetch_why(result),
	    .type = kept ? kept->type : "",
	    .max_age_s = kept ? kept->max_age_s : -1,
	    .body = kept && kept->body.data ? kept->body.data : "",
	    .len = kept ? kept->body.len : 0};

	x->fetcher->n_running--;
	x->done(x->ctx, &answer);
	free(x);
}

/* NULL: it may be sent. */
static const char *fetch_not_allowed(const struct fetcher *f, const struct fetch_request *q, struct target *target)
{
	const struct target_rules *rules = q->rules ? q->rules : f->rules;

	switch (target_parse(target, rules, q->url, strlen(q->url))) {
	case TARGET_OK:
		break;
	case TARGET_MALFORMED:
		return "it is not an http or https URL";
	case TARGET_FORBIDDEN:
		return "its address is not allowed";
	}
	return target->tls || target_plain_allowed(f->rules, target)
	           ? NULL
	           : "plain http is only allowed on loopback or for a host:port named in webhook_allow_targets";
}

const char *fetch_begin(struct fetcher *f, const struct fetch_request *q, fetch_fn *done, void *ctx)
{
	struct deliver_header headers[HEADERS_MAX] = {{"Accept", "application/json"}};
	int n_headers = 1;
	struct target target;
	const char *why = !f->deliverer                 ? fetch_stopping
	                  : f->n_running == FETCHES_MAX ? "too many fetches are in progress"
	                                                : fetch_not_allowed(f, q, &target);

	if (why)
		return why;
	struct fetch *x = mem_alloc(sizeof *x);
	*x = (struct fetch){.fetcher = f, .done = done, .ctx = ctx};
	if (q->form)
		headers[n_headers++] = (struct deliver_header){"Content-Type", "application/x-www-form-urlencoded"};
	if (q->authorization)
		headers[n_headers++] = (struct deliver_header){"Authorization", q->authorization};
	f->n_running++;
	deliver_start(f->deliverer,
	    &(struct deliver_request){.target = &target,
	        .rules = q->rules,
	        .headers = headers,
	        .n_headers = n_headers,
	        .body = q->form,
	        .body_len = q->form ? strlen(q->form) : 0,
	        .answer_max = FETCH_MAX},
	    fetch_answered, x);
	return NULL;
}

void fetcher_stop(struct fetcher *f)
{
	struct deliverer *d = f ? f->deliverer : NULL;

	if (!d)
		return;
	f->deliverer = NULL;
	deliverer_free(d);
}

void fetcher_free(struct fetcher *f)
{
	free(f);
}
