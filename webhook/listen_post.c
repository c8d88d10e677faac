/* Posts events to a receiver under development, one after the other, and prints a line for each. */
#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/base/json.h"
#include "webhook/listen.h"

enum { TIMEOUT_S = 20, BODY_MAX = 64 << 20 };

/* Discards the answer's body. */
static size_t post_pass_over(char *bytes, size_t size, size_t n, void *ctx)
{
	(void)bytes, (void)ctx;
	return size * n;
}

const char *listen_no_proxy(void)
{
	static char all[4096];
	const char *named = getenv("no_proxy");

	if (!named)
		named = getenv("NO_PROXY");
	snprintf(all, sizeof all, "localhost,127.0.0.0/8,::1,%s", named ? named : "");
	/* A variable with only "*" means all hosts; in a list "*" would be a name. */
	return named && strcmp(named, "*") == 0 ? named : all;
}

void *listen_curl_new(int timeout_s)
{
	CURL *curl = curl_easy_init();

	if (!curl)
		fatal_abort("libcurl cannot start");
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "kith/" KITH_VERSION);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)timeout_s);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_NOPROXY, listen_no_proxy());
	return curl;
}

void *listen_post_new(const char *url)
{
	CURL *curl = listen_curl_new(TIMEOUT_S);

	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, post_pass_over);
	return curl;
}

static void post_write_body(struct buf *out, const struct listen_config *c, const struct listen_event *e)
{
	char source[4096];
	struct json_out o;

	snprintf(source, sizeof source, "%s/v1/events", c->base_url);
	json_out_init(&o, out);
	event_begin(&o, e->id, e->type, e->created_at);
	if (e->actor)
		json_value(&o, e->actor);
	else
		json_null(&o);
	event_data_begin(&o, source);
	json_raw(&o, e->data.data, e->data.len);
	json_end_object(&o);
}

static struct curl_slist *post_headers(
    const struct listen_config *c, const struct listen_event *e, const struct buf *body)
{
	int64_t now_s = clock_now_ms() / 1000;
	char line[256], signature[SIGN_SIGNATURE_TEXT];
	struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");

	list = curl_slist_append(list, "Expect:");
	snprintf(line, sizeof line, "webhook-id: %s", e->id);
	list = curl_slist_append(list, line);
	snprintf(line, sizeof line, "webhook-timestamp: %" PRId64, now_s);
	list = curl_slist_append(list, line);
	snprintf(line, sizeof line, "webhook-signature: %s",
	    sign_signature(signature, c->secret, c->secret_len, e->id, now_s, body->data, body->len));
	return curl_slist_append(list, line);
}

void listen_print(struct buf *line)
{
	buf_addc(line, '\n');
	fwrite(line->data, 1, line->len, stdout);
	fflush(stdout);
	buf_free(line);
}

static void print_line(const struct listen_event *e, CURLcode code, long status, int64_t took_ms, const char *cursor)
{
	struct buf line;
	struct json_out o;

	buf_init(&line, 1 << 16);
	json_out_init(&o, &line);
	json_begin_object(&o);
	json_add_string(&o, "id", e->id);
	json_add_string(&o, "type", e->type);
	json_key(&o, code == CURLE_OK ? "status" : "error");
	if (code == CURLE_OK)
		json_int(&o, status);
	else
		json_string(&o, curl_easy_strerror(code));
	json_add_int(&o, "durationMs", took_ms);
	if (cursor) {
		json_add_string(&o, "cursor", cursor);
	}
	json_end_object(&o);
	listen_print(&line);
}

bool listen_post_send(void *curl, const struct listen_config *c, const struct listen_event *e, const char *cursor)
{
	int64_t began_us = clock_mono_us();
	struct curl_slist *headers;
	struct buf body;
	CURLcode code;
	long status = 0;

	buf_init(&body, BODY_MAX);
	post_write_body(&body, c, e);
	headers = post_headers(c, e, &body);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	code = curl_easy_perform(curl);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	print_line(e, code, status, (clock_mono_us() - began_us) / 1000, cursor);
	curl_slist_free_all(headers);
	buf_free(&body);
	return code == CURLE_OK && status >= 200 && status < 300;
}

int listen_trigger(const struct listen_config *c, enum event_type type)
{
	CURL *curl = listen_post_new(c->forward);
	char id[ID_SIZE], time[TIME_TEXT_SIZE];
	struct uuid event = id_new(), record = id_new();
	struct listen_event e = {.id = id_format(ID_EVENT, &event, id),
	    .type = event_kinds[type].name,
	    .created_at = time_format(clock_now_ms(), time)};
	struct arena a;
	const char *error;
	bool good;

	arena_init(&a);
	e.actor = json_read(&a, listen_sample_actor, strlen(listen_sample_actor), &error);
	buf_init(&e.data, 1 << 16);
	listen_sample(&e.data, type, &record, c->base_url);
	good = listen_post_send(curl, c, &e, NULL);
	buf_free(&e.data);
	arena_free(&a);
	curl_easy_cleanup(curl);
	return good ? 0 : 1;
}
