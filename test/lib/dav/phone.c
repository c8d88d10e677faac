/* See phone.h. */
#include "test/lib/dav/phone.h"

#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/text.h"

static void phone_password(struct phone *p, struct caller *owner, const char *scopes)
{
	struct caller_answer a =
	    caller_good(caller_sendf(owner, "POST", "/v1/keys", NULL, "{\"name\":\"phone\",\"scopes\":[%s]}", scopes));
	const char *key = strstr(a.reply.body, "\"key\":\"kith_");
	char plain[80];
	struct buf encoded;

	assert_non_null(key);
	snprintf(plain, sizeof plain, "anything:%.41s", key + strlen("\"key\":\""));
	buf_init(&encoded, sizeof p->authorization);
	text_base64(&encoded, plain, strlen(plain));
	snprintf(p->authorization, sizeof p->authorization, "Basic %s", encoded.data);
	buf_free(&encoded);
}

struct phone phone_open(struct caller *owner, const char *user, const char *scopes)
{
	struct phone p = {.user = user};

	phone_password(&p, owner, scopes);
	caller_init(&p.caller, server->base, NULL);
	return p;
}

void phone_close(struct phone *p)
{
	caller_free(&p->caller);
}

struct caller_answer phone_send(
    struct phone *p, const char *method, const char *depth, const char *if_match, const char *body, const char *target)
{
	struct client_header headers[4] = {{"Authorization", p->authorization}};
	int n = 1;

	if (depth)
		headers[n++] = (struct client_header){"Depth", depth};
	if (if_match)
		headers[n++] = (struct client_header){"If-Match", if_match};
	return caller_send_with(&p->caller, method, target, body, headers);
}

const char *phone_book(struct phone *p, const char *book)
{
	return arena_printf(&p->caller.arena, "/dav/books/%s/%s/", p->user, book);
}

const char *phone_card(struct phone *p, const char *book, const char *name)
{
	return arena_printf(&p->caller.arena, "/dav/books/%s/%s/%s", p->user, book, name);
}

int phone_count(const struct caller_answer *a, const char *text)
{
	size_t len = strlen(text);
	int n = 0;

	/* The sanitizer's strstr() would look at the rest of a long answer for each hit. */
	for (const char *at = a->reply.body, *end = at + a->reply.body_len; at + len <= end; at++)
		n += *at == *text && memcmp(at, text, len) == 0;
	return n;
}
