/* Follows the feed with an API key. */
#include "webhook/listen.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "server/base/json.h"
#include "server/base/text.h"

enum {
	WAIT_S = 30,
	ANSWER_S = 60, /* of the feed, its wait included */
	PAUSE_FIRST_S = 1,
	PAUSE_MOST_S = 30,
	ANSWER_MAX = 64 << 20
};

struct listening {
	const struct listen_config *config;
	CURL *curl, *post;
	struct curl_slist *headers;
	char cursor[1024];
	int pause_s; /* before the next attempt */

	/* the last answer */
	struct arena arena;
	struct buf body;
	long status;
	char from_list[1024]; /* X-Events-Cursor */
};

/* --- parsing the command line ------------------------------------------------------------ */

size_t listen_secret_parse(unsigned char secret[SIGN_SECRET_MAX], const char *text)
{
	char url[SIGN_SECRET_TEXT];
	size_t len = 0, n;

	if (strncmp(text, "whsec_", 6) != 0)
		return 0;
	for (text += 6; *text && *text != '=' && len < sizeof url - 1; text++)
		url[len++] = (char)(*text == '+' ? '-' : *text == '/' ? '_' : *text);
	bool good = strspn(text, "=") == strlen(text) && text_base64url_decode(url, len, secret, SIGN_SECRET_MAX, &n) &&
	            n >= SIGN_SECRET_MIN;
	return good ? n : 0;
}

bool listen_events_parse(bool only[EVENT_TYPES], const char *text, char wrong[64])
{
	bool all = !text || !*text;

	for (int i = 0; i < EVENT_TYPES; i++)
		only[i] = all;
	while (text && *text) {
		size_t len = strcspn(text, ",");
		enum event_type type = event_type_parse(text, len);
		if (type == EVENT_TYPES) {
			snprintf(wrong, 64, "%.*s", (int)(len < 60 ? len : 60), text);
			return false;
		}
		only[type] = true;
		text += len + (text[len] == ',');
	}
	return true;
}

/* --- requests -------------------------------------------------------------------------------- */

static size_t listen_on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	buf_add(&((struct listening *)ctx)->body, bytes, size * n);
	return size * n;
}

static size_t on_header(char *bytes, size_t size, size_t n, void *ctx)
{
	static const char name[] = "X-Events-Cursor:";
	struct listening *l = ctx;
	size_t len = size * n, at = sizeof name - 1;

	if (len > at && strncasecmp(bytes, name, at) == 0) {
		while (at < len && bytes[at] == ' ')
			at++;
		snprintf(l->from_list, sizeof l->from_list, "%.*s", (int)strcspn(bytes + at, "\r\n"), bytes + at);
	}
	return len;
}

static struct json *listen_get(struct listening *l, const char *target)
{
	const char *error;
	CURLcode code;

	arena_free(&l->arena);
	buf_clear(&l->body);
	l->status = 0;
	curl_easy_setopt(l->curl, CURLOPT_URL, arena_printf(&l->arena, "%s%s", l->config->base_url, target));
	code = curl_easy_perform(l->curl);
	if (code != CURLE_OK) {
		fprintf(stderr, "kith: %s: %s\n", l->config->base_url, curl_easy_strerror(code));
		return NULL;
	}
	curl_easy_getinfo(l->curl, CURLINFO_RESPONSE_CODE, &l->status);
	return l->body.len ? json_read(&l->arena, l->body.data, l->body.len, &error) : NULL;
}

/* Prints the reason and pauses; false when another attempt cannot help. */
static bool listen_try_again(struct listening *l, const struct json *body)
{
	const struct json *error = json_member(body, "error"),
	                  *issue = json_items(json_member(json_member(error, "details"), "issues"));
	struct timespec pause = {.tv_sec = l->pause_s};

	if (l->status)
		fprintf(stderr, "kith: %ld %s\n", l->status, json_text(issue ? issue : error, "message"));
	if (l->status && l->status != 429 && l->status < 500)
		return false;
	fprintf(stderr, "kith: trying again in %d s\n", l->pause_s);
	nanosleep(&pause, NULL);
	l->pause_s = l->pause_s * 2 < PAUSE_MOST_S ? l->pause_s * 2 : PAUSE_MOST_S;
	return true;
}

/* --- following -------------------------------------------------------------------------------- */

static void listen_forward(struct listening *l, const struct json *item, const char *cursor)
{
	const struct json *data = json_member(item, "data");
	const char *type = json_text(item, "type");
	enum event_type kind = event_type_parse(type, strlen(type));
	struct listen_event e = {.id = json_text(item, "id"),
	    .type = type,
	    .created_at = json_text(item, "createdAt"),
	    .actor = json_member(item, "actor")};
	struct json_out o;

	/* The user cannot have asked for a type that this program does not know. */
	if (!data || kind == EVENT_TYPES || !l->config->only[kind])
		return;
	buf_init(&e.data, ANSWER_MAX);
	json_out_init(&o, &e.data);
	json_value(&o, data);
	listen_post_send(l->post, l->config, &e, cursor);
	buf_free(&e.data);
}

/* Gets the feed's current position from a list's header; false on a permanent failure. */
static bool find_now(struct listening *l)
{
	while (!*l->from_list) {
		const struct json *body = listen_get(l, "/v1/users?limit=1");
		if (l->status == 200 && !*l->from_list) {
			fprintf(stderr,
			    "kith: %s has no feed of events; check the address, and the version of that server\n",
			    l->config->base_url);
			return false;
		}
		if (l->status != 200 && !listen_try_again(l, body))
			return false;
	}
	snprintf(l->cursor, sizeof l->cursor, "%s", l->from_list);
	return true;
}

static void print_start(const struct listening *l)
{
	char secret[SIGN_SECRET_TEXT];
	struct json_out o;
	struct buf line;

	buf_init(&line, 1 << 16);
	json_out_init(&o, &line);
	json_begin_object(&o);
	json_add_string(&o, "signingSecret", sign_secret_text(secret, l->config->secret, l->config->secret_len));
	json_add_string(&o, "forward", l->config->forward);
	json_add_string(&o, "cursor", l->cursor);
	json_end_object(&o);
	listen_print(&line);
}

/* Reads a page; false when following cannot continue. */
static bool listen_follow(struct listening *l)
{
	char target[1200];
	const struct json *body, *data, *items;

	snprintf(target, sizeof target, "/v1/events?limit=100&wait=%d&after=%s", WAIT_S, l->cursor);
	body = listen_get(l, target);
	data = json_member(body, "data");
	items = json_member(data, "items");
	if (l->status != 200 || !items || !*json_text(data, "cursor"))
		return listen_try_again(l, body);
	l->pause_s = PAUSE_FIRST_S;
	json_each(i, items)
		listen_forward(l, i, i->next ? NULL : json_text(data, "cursor"));
	snprintf(l->cursor, sizeof l->cursor, "%s", json_text(data, "cursor"));
	return true;
}

int listen_run(const struct listen_config *c)
{
	struct listening l = {.config = c,
	    .curl = listen_curl_new(ANSWER_S),
	    .post = listen_post_new(c->forward),
	    .pause_s = PAUSE_FIRST_S};

	arena_init(&l.arena);
	buf_init(&l.body, ANSWER_MAX);
	l.headers = curl_slist_append(NULL, arena_printf(&l.arena, "Authorization: Bearer %s", c->key));
	curl_easy_setopt(l.curl, CURLOPT_HTTPHEADER, l.headers);
	curl_easy_setopt(l.curl, CURLOPT_WRITEFUNCTION, listen_on_body);
	curl_easy_setopt(l.curl, CURLOPT_WRITEDATA, &l);
	curl_easy_setopt(l.curl, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(l.curl, CURLOPT_HEADERDATA, &l);
	if (c->after)
		snprintf(l.cursor, sizeof l.cursor, "%s", c->after);
	if (c->after || find_now(&l)) {
		print_start(&l);
		while (listen_follow(&l))
			;
	}
	curl_slist_free_all(l.headers);
	curl_easy_cleanup(l.curl);
	curl_easy_cleanup(l.post);
	buf_free(&l.body);
	arena_free(&l.arena);
	return 1;
}
