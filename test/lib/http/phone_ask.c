/* See phone_ask.h. */
#include "test/lib/http/phone_ask.h"

#include <string.h>

#include "server/base/apikey.h"

struct phone phone_open(struct caller *owner, const char *user, const char *scopes)
{
	struct caller_answer a =
	    caller_good(caller_sendf(owner, "POST", "/v1/keys", NULL, "{\"name\":\"phone\",\"scopes\":[%s]}", scopes));
	const char *key = strstr(a.reply.body, "\"key\":\"kith_");
	struct phone p;

	assert_non_null(key);
	phone_init(&p, server->base, user, TEXT("%.*s", APIKEY_LEN, key + strlen("\"key\":\"")));
	return p;
}

struct client_reply phone_ask(
    struct phone *p, const char *method, const char *depth, const char *body, const char *target)
{
	struct client_header more[2] = {{depth ? "Depth" : NULL, depth}};

	return phone_send(p, method, target, body, more);
}

int phone_times(const struct client_reply *a, const char *text)
{
	size_t len = strlen(text);
	int n = 0;

	/* The sanitizer's strstr() would look at the rest of a long answer for each hit. */
	for (const char *at = a->body, *end = at + a->body_len; at + len <= end; at++)
		n += *at == *text && memcmp(at, text, len) == 0;
	return n;
}

bool phone_has(const struct client_reply *a, const char *text)
{
	return phone_times(a, text) > 0;
}

const char *phone_book(const struct phone *p, const char *book)
{
	return TEXT("%s%s/", p->home, book);
}

const char *phone_card(const struct phone *p, const char *book, const char *name)
{
	return TEXT("%s%s/%s", p->home, book, name);
}
