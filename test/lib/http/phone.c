/* See phone.h. Prefixes of namespaces are ignored. */
#include "test/lib/http/phone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"

void phone_init(struct phone *p, const char *base, const char *user, const char *key)
{
	struct buf account;

	arena_init(&p->arena);
	p->client = client_new(base);
	p->home = arena_printf(&p->arena, "/dav/books/%s/", user);
	buf_init(&account, 4096);
	buf_addz(&account, "Basic ");
	key = arena_printf(&p->arena, "phone:%s", key);
	text_base64(&account, key, strlen(key));
	p->account = arena_dup(&p->arena, account.data, account.len);
	buf_free(&account);
}

void phone_free(struct phone *p)
{
	client_free(p->client);
	arena_free(&p->arena);
}

void phone_turn(struct phone *p, const char *base)
{
	client_free(p->client);
	p->client = client_new(base);
}

struct client_reply phone_send(
    struct phone *p, const char *method, const char *path, const char *body, const struct client_header *more)
{
	struct client_request request = {.method = method,
	    .target = *path == '/' ? path : arena_printf(&p->arena, "%s%s", p->home, path),
	    .headers = {{"Authorization", p->account}},
	    .n_headers = 1,
	    .body = body,
	    .body_len = body ? strlen(body) : 0};
	bool typed = false;
	struct client_reply reply;
	char error[256];

	for (; more && more->name; more++) {
		typed |= strcmp(more->name, "Content-Type") == 0;
		request.headers[request.n_headers++] = *more;
	}
	if (body && !typed)
		request.headers[request.n_headers++] =
		    (struct client_header){"Content-Type", "application/xml; charset=utf-8"};
	if (!client_send(p->client, &p->arena, &request, &reply, error)) {
		fprintf(stderr, "%s %s: %s\n", method, request.target, error);
		exit(1);
	}
	return reply;
}

/* --- answers -------------------------------------------------------------------------------- */

/* The beginning of the text of the next element of that name. NULL: there is none. */
static const char *element_text(const char *from, const char *name)
{
	const char *local, *colon;
	size_t len;

	for (const char *at = strchr(from, '<'); at; at = strchr(local, '<')) {
		local = at + 1;
		len = strcspn(local, " />");
		colon = memchr(local, ':', len);
		if (colon) {
			len -= (size_t)(colon + 1 - local);
			local = colon + 1;
		}
		at = strchr(local, '>');
		if (at && len == strlen(name) && memcmp(local, name, len) == 0)
			return at + 1;
	}
	return NULL;
}

static const char *text_until_tag(struct arena *a, const char *text)
{
	return text ? arena_dup(a, text, strcspn(text, "<")) : "";
}

const char *phone_text(struct phone *p, const char *body, const char *name)
{
	return text_until_tag(&p->arena, element_text(body, name));
}

static struct phone_card card_of(struct phone *p, const char *href, const char *text)
{
	const char *status = element_text(text, "status"), *propstat = element_text(text, "propstat"),
	           *tag = phone_text(p, text, "getetag"), *slash = strrchr(href, '/');

	if (strncmp(tag, "&quot;", 6) == 0)
		tag = arena_printf(&p->arena, "\"%.*s\"", (int)(strlen(tag) - 12), tag + 6);
	return (struct phone_card){.name = slash ? slash + 1 : href,
	    .tag = tag,
	    .text = text,
	    .status = propstat || !status ? 200 : (int)strtol(status + strlen("HTTP/1.1 "), NULL, 10)};
}

struct phone_cards phone_cards_read(struct phone *p, const struct client_reply *reply)
{
	struct phone_cards out = {.status = reply->status, .body = reply->body};
	size_t room = 0;
	const char *next;

	out.token = phone_text(p, reply->body, "sync-token");
	for (const char *at = element_text(reply->body, "response"); at; at = next) {
		next = element_text(at, "response");
		const char *text = arena_dup(&p->arena, at, next ? (size_t)(next - at) : strlen(at));
		struct phone_card card = card_of(p, phone_text(p, text, "href"), text);
		if (out.n == room) {
			struct phone_card *more = arena_alloc(&p->arena, (room = 2 * room + 64) * sizeof *more);
			if (out.n)
				memcpy(more, out.cards, out.n * sizeof *more);
			out.cards = more;
		}
		if (*card.name)
			out.cards[out.n++] = card;
		else
			out.cut |= card.status == 507;
	}
	return out;
}

const struct phone_card *phone_card_named(const struct phone_cards *cards, const char *name)
{
	for (size_t i = 0; i < cards->n; i++)
		if (strcmp(cards->cards[i].name, name) == 0)
			return &cards->cards[i];
	return NULL;
}

/* --- sync-collection ------------------------------------------------------------------------ */

struct phone_cards phone_sync(struct phone *p, const char *book, const char *token, int limit)
{
	static const struct client_header depth[] = {{"Depth", "0"}, {NULL, NULL}};
	const char *most =
	    limit ? arena_printf(&p->arena, "<d:limit><d:nresults>%d</d:nresults></d:limit>", limit) : "";
	const char *body = arena_printf(&p->arena,
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?><d:sync-collection xmlns:d=\"DAV:\"><d:sync-token>%s"
	    "</d:sync-token><d:sync-level>1</d:sync-level>%s<d:prop><d:getetag/></d:prop></d:sync-collection>",
	    token, most);
	struct client_reply reply = phone_send(p, "REPORT", arena_printf(&p->arena, "%s/", book), body, depth);

	return phone_cards_read(p, &reply);
}
