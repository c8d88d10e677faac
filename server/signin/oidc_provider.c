/* What the provider publishes: its metadata (OpenID Connect Discovery 1.0) and its keys. Each is fetched once for all
 * requests that wait for it, and kept for some minutes. After a failure it is not fetched again at once. So however
 * many people and attackers sign in, kith asks the provider for them a few times a minute. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/signin/oidc_private.h"

#define MINUTE_US (60 * INT64_C(1000000))

enum {
	FRESH_MINUTES = 10,
	RETRY_US = 3 * 1000 * 1000,
	WAITING_MAX = 1000,
	ANEW_BURST = 4 /* fetches of keys before their time; after these, one a minute */
};

/* --- metadata ----------------------------------------------------------------------- */

/* A URL that browsers or kith can go to. */
static const char *endpoint_of(const struct json *metadata, const char *name)
{
	const struct json *url = json_typed(metadata, name, JSON_STRING);

	if (!url || url->has_nul || url->len > TARGET_URL_MAX ||
	    (strncmp(url->text, "https://", 8) != 0 && strncmp(url->text, "http://", 7) != 0) ||
	    strpbrk(url->text, "\"<>\\#"))
		return NULL;
	for (const char *c = url->text; *c; c++)
		if (*c <= 0x20 || *c > 0x7e)
			return NULL;
	return url->text;
}

static const char *check_metadata(const struct oidc *o, const struct json *metadata)
{
	const char *page = endpoint_of(metadata, "authorization_endpoint");
	struct target t;

	if (strcmp(json_text(metadata, "issuer"), o->issuer) != 0)
		return "its issuer is not exactly the text of the setting oidc_issuer";
	if (!page || !endpoint_of(metadata, "token_endpoint") || !endpoint_of(metadata, "jwks_uri"))
		return "authorization_endpoint, token_endpoint or jwks_uri is missing or not a URL";
	if (target_parse(&t, o->rules, page, strlen(page)) == TARGET_MALFORMED ||
	    (!t.tls && !target_plain_allowed(o->server->target_rules, &t)))
		return "its authorization_endpoint is not an https URL";
	return NULL;
}

static const char *check_keys(const struct oidc *o, const struct json *keys)
{
	(void)o;
	return json_typed(keys, "keys", JSON_ARRAY) ? NULL : "it has no list of keys";
}

static bool lists_text(const struct json *array, const char *text)
{
	json_each(item, array)
		if (item->type == JSON_STRING && strcmp(item->text, text) == 0)
			return true;
	return false;
}

bool oidc_provider_read(struct req *r, struct oidc_endpoints *out)
{
	const struct oidc_document *d = &r->server->oidc->provider;
	const struct json *methods = json_typed(d->json, "token_endpoint_auth_methods_supported", JSON_ARRAY);
	const char *names[] = {"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"};
	const char **texts[] = {&out->authorization, &out->token, &out->keys, &out->userinfo};

	if (!d->json || clock_mono_us() >= d->until_us)
		return false;
	for (int i = 0; i < 4; i++) {
		const char *url = endpoint_of(d->json, names[i]);
		*texts[i] = url ? arena_dupz(&r->arena, url) : NULL;
	}
	out->basic = !methods || lists_text(methods, "client_secret_basic");
	out->says_issuer = json_true(d->json, "authorization_response_iss_parameter_supported");
	return true;
}

/* --- fetching ------------------------------------------------------------------------- */

static void document_keep(struct oidc_document *d, const struct fetch_answer *answer)
{
	struct arena fresh;
	const char *error = "", *why = answer->why;
	const struct json *json = NULL;

	arena_init(&fresh);
	if (answer->error == DELIVER_NONE) {
		json = json_read(&fresh, answer->body, answer->len, &error);
		why = json ? d->check(d->oidc, json) : "it is not JSON";
	}
	if (why && *why) {
		if (answer->error != DELIVER_STOPPED)
			log_warn("signin", "cannot read %s: %s (status %d)", d->what, why, answer->status);
		if (d->n_waiting)
			d->retry_us = clock_mono_us() + RETRY_US;
		arena_free(&fresh);
		return;
	}
	arena_free(&d->arena);
	d->arena = fresh;
	d->json = json;
	d->until_us = clock_mono_us() + FRESH_MINUTES * MINUTE_US;
}

static void document_arrived(void *ctx, const struct fetch_answer *answer)
{
	struct oidc_document *d = ctx;
	struct list waited, *node;

	d->running = false;
	document_keep(d, answer);
	list_init(&waited);
	while ((node = list_take(&d->waiting)))
		list_append(&waited, node);
	d->n_waiting = 0;
	while ((node = list_take(&waited)))
		request_continue(list_item(node, struct oidc_work, link)->r, PASS);
}

/* False: it cannot be fetched now. */
static bool document_fetch(struct oidc_document *d, const char *url)
{
	struct oidc *o = d->oidc;
	const char *why;

	if (d->running)
		return true;
	if (clock_mono_us() < d->retry_us)
		return false;
	why = fetch_begin(
	    o->server->fetcher, &(struct fetch_request){.url = url, .rules = o->rules}, document_arrived, d);
	d->running = !why;
	if (why) {
		log_warn("signin", "cannot read %s: %s", d->what, why);
		d->retry_us = clock_mono_us() + RETRY_US;
	}
	return d->running;
}

static enum step document_ask(struct req *r, struct oidc_document *d, const char *url, bool anew)
{
	struct oidc_work *w = r->state.oidc;

	if (d->json && clock_mono_us() < d->until_us && !anew)
		return PASS;
	if (d->n_waiting == WAITING_MAX || !document_fetch(d, url))
		return PASS;
	d->n_waiting++;
	list_append(&d->waiting, &w->link);
	r->waits_for = "identity provider";
	return WAIT;
}

/* A slash at the end of the issuer is not doubled. */
static const char *metadata_url(struct arena *a, const struct oidc *o)
{
	size_t len = strlen(o->issuer);

	return arena_printf(
	    a, "%.*s/.well-known/openid-configuration", (int)(len - (o->issuer[len - 1] == '/')), o->issuer);
}

enum step oidc_provider_ask(struct req *r)
{
	struct oidc *o = r->server->oidc;

	return document_ask(r, &o->provider, metadata_url(&r->arena, o), false);
}

void oidc_provider_try(struct oidc *o)
{
	struct arena a;

	arena_init(&a);
	document_fetch(&o->provider, metadata_url(&a, o));
	arena_free(&a);
}

/* The keys belong to a URL: the provider may name another one. */
enum step oidc_keys_ask(struct req *r)
{
	struct oidc *o = r->server->oidc;
	const char *url = ((struct oidc_work *)r->state.oidc)->endpoints.keys;

	if (strcmp(o->keys_url, url) != 0) {
		memcpy(o->keys_url, url, strlen(url) + 1); /* at most TARGET_URL_MAX: endpoint_of() */
		o->keys.until_us = o->keys.retry_us = 0;
	}
	return document_ask(r, &o->keys, url, false);
}

bool oidc_keys_anew(struct req *r, enum step *step)
{
	struct oidc *o = r->server->oidc;
	int64_t now = clock_mono_us(), paid = o->anew_us > now ? o->anew_us : now;

	if (paid - now > (ANEW_BURST - 1) * MINUTE_US) {
		log_warn("signin", "the keys of the identity provider are not read again, because that was done too "
		                   "often; it is possible again in a minute");
		return false;
	}
	o->anew_us = paid + MINUTE_US;
	*step = document_ask(r, &o->keys, ((struct oidc_work *)r->state.oidc)->endpoints.keys, true);
	return *step == WAIT;
}

const struct json *oidc_keys_read(const struct req *r)
{
	const struct oidc_document *d = &r->server->oidc->keys;

	return clock_mono_us() < d->until_us ? d->json : NULL;
}

/* --- one request's own ------------------------------------------------------------------ */

static void own_arrived(void *ctx, const struct fetch_answer *answer)
{
	struct req *r = ctx;
	struct oidc_work *w = r->state.oidc;
	const char *error;

	w->answer = (struct oidc_answer){.ok = answer->error == DELIVER_NONE, .why = answer->why};
	/* The texts of the tree are copies. */
	w->answer.json = json_read(&r->arena, answer->body, answer->len, &error);
	if (w->answer.ok && (!w->answer.json || w->answer.json->type != JSON_OBJECT))
		w->answer = (struct oidc_answer){.why = "the answer is not a JSON object"};
	request_continue(r, PASS);
}

enum step oidc_fetch(struct req *r, const struct fetch_request *q)
{
	struct oidc_work *w = r->state.oidc;
	const char *why = fetch_begin(r->server->fetcher, q, own_arrived, r);

	w->answer = (struct oidc_answer){.why = why};
	r->waits_for = "identity provider";
	return why ? PASS : WAIT;
}

void oidc_documents_init(struct oidc *o)
{
	o->provider =
	    (struct oidc_document){.oidc = o, .what = "the metadata of the identity provider", .check = check_metadata};
	o->keys = (struct oidc_document){.oidc = o, .what = "the keys of the identity provider", .check = check_keys};
	list_init(&o->provider.waiting);
	list_init(&o->keys.waiting);
}

void oidc_documents_free(struct oidc *o)
{
	arena_free(&o->provider.arena);
	arena_free(&o->keys.arena);
}
