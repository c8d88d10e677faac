/* The only file of the tests that includes libcurl. */
#include "test/lib/http/client.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/buf.h"

enum { BODY_MAX = 64 << 20, TIMEOUT_S = 30 };

struct client {
	CURL *curl;
	char *base;
	int timeout_s;
};

struct receiving {
	struct arena *arena;
	struct client_reply *reply;
	struct buf body;
};

struct client *client_new(const char *base)
{
	struct client *c = mem_zalloc(sizeof(*c));

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || (c->curl = curl_easy_init()) == NULL) {
		fprintf(stderr, "libcurl does not start\n");
		exit(1);
	}
	c->base = mem_dupz(base);
	c->timeout_s = TIMEOUT_S;
	return c;
}

void client_timeout(struct client *c, int seconds)
{
	c->timeout_s = seconds;
}

void client_free(struct client *c)
{
	curl_easy_cleanup(c->curl);
	free(c->base);
	free(c);
}

static size_t on_body(char *data, size_t size, size_t n, void *ctx)
{
	struct receiving *in = ctx;

	buf_add(&in->body, data, size * n);
	return in->body.overflow ? 0 : size * n;
}

static size_t on_header(char *data, size_t size, size_t n, void *ctx)
{
	struct receiving *in = ctx;
	size_t len = size * n;
	const char *colon = memchr(data, ':', len);
	const char *end = data + len;

	if (len >= 5 && memcmp(data, "HTTP/", 5) == 0) {
		in->reply->n_headers = 0; /* a final answer after an interim one */
		return len;
	}
	if (!colon || in->reply->n_headers == CLIENT_HEADERS_MAX)
		return len;
	const char *value = colon + 1;
	while (value < end && (*value == ' ' || *value == '\t'))
		value++;
	while (end > value && strchr(" \t\r\n", end[-1]))
		end--;
	struct client_header *h = &in->reply->headers[in->reply->n_headers++];
	h->name = arena_dup(in->arena, data, (size_t)(colon - data));
	h->value = arena_dup(in->arena, value, (size_t)(end - value));
	return len;
}

static struct curl_slist *header_lines(struct arena *a, const struct client_request *request)
{
	struct curl_slist *lines = NULL;
	bool has_type = false;

	for (size_t i = 0; i < request->n_headers; i++) {
		const struct client_header *h = &request->headers[i];
		has_type = has_type || strcasecmp(h->name, "Content-Type") == 0;
		/* libcurl's way to send a header without a value is a semicolon */
		lines = curl_slist_append(lines, arena_printf(a, *h->value ? "%s: %s" : "%s;", h->name, h->value));
	}
	lines = curl_slist_append(lines, "Expect:");
	if (!has_type)
		lines = curl_slist_append(lines, "Content-Type:");
	return lines;
}

static void set_options(
    CURL *curl, struct client *c, const struct client_request *request, struct receiving *in, struct curl_slist *lines)
{
	curl_easy_reset(curl); /* options only; the connection is kept */
	curl_easy_setopt(curl, CURLOPT_URL, c->base);
	curl_easy_setopt(curl, CURLOPT_REQUEST_TARGET, request->target);
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)c->timeout_s);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, in);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, in);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
	if (request->body) {
		curl_easy_setopt(curl, CURLOPT_POST, 1L);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_len);
	}
	if (strcmp(request->method, "HEAD") == 0)
		curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
	else
		curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
}

bool client_send(struct client *c, struct arena *a, const struct client_request *request, struct client_reply *reply,
    char error[256])
{
	struct receiving in = {.arena = a, .reply = reply};
	long status = 0;

	memset(reply, 0, sizeof(*reply));
	buf_init(&in.body, BODY_MAX);
	struct curl_slist *lines = header_lines(a, request);
	set_options(c->curl, c, request, &in, lines);
	CURLcode rc = curl_easy_perform(c->curl);
	curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_slist_free_all(lines);
	reply->status = (int)status;
	reply->body = in.body.len ? arena_dup(a, in.body.data, in.body.len) : "";
	reply->body_len = in.body.len;
	buf_free(&in.body);
	/* a server that refuses a large body may stop reading it: its answer is the result */
	if (rc == CURLE_OK || (rc == CURLE_SEND_ERROR && status >= 400))
		return true;
	snprintf(error, 256, "%s", curl_easy_strerror(rc));
	return false;
}

const char *client_header(const struct client_reply *reply, const char *name)
{
	for (size_t i = 0; i < reply->n_headers; i++)
		if (strcasecmp(reply->headers[i].name, name) == 0)
			return reply->headers[i].value;
	return NULL;
}

size_t client_header_count(const struct client_reply *reply, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < reply->n_headers; i++)
		n += strcasecmp(reply->headers[i].name, name) == 0;
	return n;
}
