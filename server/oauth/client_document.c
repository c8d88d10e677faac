/* Clients whose client_id is the URL of a document about them (OAuth Client ID Metadata Document). The document is
 * fetched by the client of webhooks, with its rule for addresses, and kept for a while. Only signed-in users can cause
 * a fetch, and only a few at once. */
#include "server/oauth/client_document.h"
#include "server/oauth/oauth_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/request/server.h"
#include "webhook/fetch.h"

enum {
	DOCUMENTS_MAX = 128,
	FETCHES_OF_USER = 2,  /* at once */
	FETCHES_OF_ALL = 16,  /* at once: others of FETCHES_MAX are for signing in by OpenID Connect */
	KEPT_MAX_S = 60 * 60, /* at most, whatever its server allows */
	KEPT_MIN_S = 60,      /* at least, because the consent page and its form both need it */
	URL_MAX = 500
};

/* A document that was fetched, as its text. */
struct document {
	struct list link; /* oldest first */
	char url[URL_MAX + 1];
	int64_t until_us;
	size_t len;
	char text[];
};

struct client_documents {
	struct list kept;
	int n;
	struct list fetching; /* of requests that wait for a fetch */
};

/* A fetch in progress, which outlives its request if the server stops. */
struct document_fetch {
	struct list link;
	struct req *r;
	struct uuid user;
};

struct client_documents *client_documents_new(void)
{
	struct client_documents *d = mem_zalloc(sizeof *d);

	list_init(&d->kept);
	list_init(&d->fetching);
	return d;
}

static void document_drop(struct client_documents *d, struct document *doc)
{
	list_remove(&doc->link);
	d->n--;
	free(doc);
}

void client_documents_free(struct client_documents *d)
{
	struct list *node;

	if (!d)
		return;
	while ((node = list_take(&d->kept)))
		free(list_item(node, struct document, link));
	free(d);
}

/* --- what is kept ---------------------------------------------------------------------------------- */

static struct document *document_find(struct client_documents *d, const char *url)
{
	list_each(doc, &d->kept, struct document, link)
		if (strcmp(doc->url, url) == 0)
			return doc;
	return NULL;
}

static void document_keep(struct client_documents *d, const char *url, const struct fetch_answer *answer)
{
	int64_t kept_s = answer->max_age_s < KEPT_MIN_S ? KEPT_MIN_S : answer->max_age_s;
	struct document *doc = document_find(d, url);

	if (doc)
		document_drop(d, doc);
	if (d->n == DOCUMENTS_MAX)
		document_drop(d, list_item(d->kept.next, struct document, link));
	doc = mem_alloc(sizeof *doc + answer->len + 1);
	snprintf(doc->url, sizeof doc->url, "%s", url);
	doc->until_us = clock_mono_us() + (kept_s > KEPT_MAX_S ? KEPT_MAX_S : kept_s) * INT64_C(1000000);
	doc->len = answer->len;
	memcpy(doc->text, answer->body, answer->len + 1);
	list_append(&d->kept, &doc->link);
	d->n++;
}

/* --- reading a document ------------------------------------------------------------------------------ */

static const char *document_redirects(struct req *r, const struct json *list, struct oauth_client *c)
{
	if (!list || list->type != JSON_ARRAY || !list->first)
		return "it has no redirect_uris";
	c->redirects = arena_alloc(&r->arena, REDIRECT_URIS_MAX * sizeof *c->redirects);
	json_each(item, list) {
		if (c->n_redirects == REDIRECT_URIS_MAX || item->type != JSON_STRING || item->has_nul ||
		    redirect_uri_wrong(item->text, item->len))
			return "one of its redirect_uris is not valid";
		c->redirects[c->n_redirects++] = item->text;
	}
	return NULL;
}

/* The document must have its own URL as client_id, so nobody can pass it off as another client's. It has no secret. */
static const char *document_read(struct req *r, const char *text, size_t len)
{
	struct oauth_work *w = r->state.oauth;
	struct oauth_client *c = arena_alloc(&r->arena, sizeof *c);
	const char *error, *method, *wrong;
	const struct json *doc = json_read(&r->arena, text, len, &error), *id, *name;

	id = json_typed(doc, "client_id", JSON_STRING);
	if (!id || id->has_nul || strcmp(id->text, w->document) != 0)
		return "its client_id is not its own URL";
	method = json_text(doc, "token_endpoint_auth_method");
	if (*method && strcmp(method, "none") != 0)
		return "its token_endpoint_auth_method is not none";
	name = json_typed(doc, "client_name", JSON_STRING);
	if (name && (name->len == 0 || !oauth_text_plain(name, OAUTH_NAME_MAX)))
		return "its client_name is not a text of 1 to 100 characters";
	wrong = document_redirects(r, json_member(doc, "redirect_uris"), c);
	if (wrong)
		return wrong;
	c->id = w->document;
	c->name = name ? name->text : redirect_uri_host(w->document, &r->arena);
	w->client = c;
	return NULL;
}

static enum step document_refuse(struct req *r, const char *why)
{
	log_info("oauth", "the document of the client %s was refused: %s", r->state.oauth->document, why);
	return consent_refuse(r, "This application could not be read",
	    arena_printf(&r->arena,
	        "The application is described by a document, which kith could not use: %s. Start again in the "
	        "application, and tell its makers if this happens again.",
	        why));
}

static enum step document_take(struct req *r, const char *text, size_t len)
{
	const char *wrong = document_read(r, arena_dup(&r->arena, text, len), len);

	return wrong ? document_refuse(r, wrong) : authorize_redirect(r);
}

/* --- fetching ------------------------------------------------------------------------------------------ */

static void document_fetched(void *ctx, const struct fetch_answer *answer)
{
	struct document_fetch *f = ctx;
	struct req *r = f->r;
	const char *why = answer->error != DELIVER_NONE                   ? answer->why
	                  : strcmp(answer->type, "application/json") == 0 ? NULL
	                                                                  : "it is not of the type application/json";

	list_remove(&f->link);
	free(f);
	if (!why)
		document_keep(r->server->client_documents, r->state.oauth->document, answer);
	request_continue(r, why ? document_refuse(r, why) : document_take(r, answer->body, answer->len));
}

/* A URL with a path and nothing that could be read in two ways. */
static bool document_url_plain(const char *url)
{
	const char *path = strstr(url, "://");

	path = path ? strchr(path + 3, '/') : NULL;
	return path && path[1] && strlen(url) <= URL_MAX && !strpbrk(url, "#@\\ ") && !strstr(path, "/./") &&
	       !strstr(path, "/../");
}

static enum step document_fetch_begin(struct req *r)
{
	const char *url = r->state.oauth->document, *why;
	struct client_documents *d = r->server->client_documents;
	struct document_fetch *f;
	int n = 0, all = 0;

	list_each(other, &d->fetching, struct document_fetch, link) {
		n += uuid_equal(&other->user, &r->caller.viewer.user);
		all++;
	}
	if (n >= FETCHES_OF_USER)
		return document_refuse(r, "you have opened too many such pages at once");
	if (all >= FETCHES_OF_ALL)
		return document_refuse(r, "too many such pages are being opened");
	f = mem_zalloc(sizeof *f);
	f->r = r;
	f->user = r->caller.viewer.user;
	r->waits_for = "document of a client";
	why = fetch_begin(r->server->fetcher, &(struct fetch_request){.url = url}, document_fetched, f);
	if (!why) {
		list_append(&d->fetching, &f->link);
		return WAIT;
	}
	free(f);
	return document_refuse(r, why);
}

enum step client_document_get(struct req *r)
{
	struct client_documents *d = r->server->client_documents;
	struct document *doc;

	if (!document_url_plain(r->state.oauth->document))
		return document_refuse(r, "its URL has no path, or a part that is not allowed, such as a fragment");
	doc = document_find(d, r->state.oauth->document);
	if (doc && doc->until_us > clock_mono_us())
		return document_take(r, doc->text, doc->len);
	return document_fetch_begin(r);
}
