/* See feed_reader.h. */
#include "test/lib/http/feed_reader.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *v = object && object->type == JSON_OBJECT ? json_member(object, key) : NULL;

	return v && v->type == JSON_STRING ? v->text : "";
}

const struct json *feed_data(struct caller *c, const struct caller_answer *a)
{
	const char *error;
	const struct json *body = json_read(&c->arena, a->reply.body, a->reply.body_len, &error);

	return body && body->type == JSON_OBJECT ? json_member(body, "data") : NULL;
}

struct feed_page feed_get(struct caller *c, const char *after, int limit, int wait)
{
	char target[1024] = "/v1/events?", *end = target + strlen(target);

	/* Null when the test that should have read up to there has failed. */
	if (after && *after)
		end += snprintf(end, 600, "after=%s&", after);
	if (limit >= 0)
		end += snprintf(end, 32, "limit=%d&", limit);
	if (wait >= 0)
		snprintf(end, 32, "wait=%d", wait);
	return feed_page_at(c, target);
}

struct feed_page feed_page_at(struct caller *c, const char *target)
{
	struct feed_page page = {.cursor = "", .next = ""};
	const char *link;

	page.answer = caller_send(c, "GET", target, NULL, NULL);
	if (page.answer.status != 200)
		return page;
	const struct json *data = feed_data(c, &page.answer), *items = json_member(data, "items");
	page.cursor = text_of(data, "cursor");
	link = text_of(json_member(data, "pagination"), "nextLink");
	page.more = *link;
	if (page.more)
		page.next = strstr(link, "/v1/");
	page.items = arena_alloc(&c->arena, (items->count + 1) * sizeof *page.items);
	for (const struct json *i = items->first; i; i = i->next) {
		struct feed_event *e = &page.items[page.n++];
		e->id = text_of(i, "id");
		e->type = text_of(i, "type");
		e->data = json_member(i, "data");
		e->record = text_of(e->data, "id");
	}
	return page;
}

const char *feed_cursor_of(const struct caller_answer *list)
{
	return client_header(&list->reply, "X-Events-Cursor");
}

const char *feed_create_person(struct caller *c, const char *name)
{
	return caller_good(caller_sendf(c, "POST", "/v1/people", NULL, "{\"firstName\": \"%s\"}", name)).id;
}
