/* Cursors of the event feed. */
#include "server/request/event_cursor.h"

#include <endian.h>
#include <string.h>

#include "server/request/route.h"

#define EVENTS_PATH "/v1/events"

static void shape_add(struct cursor_context *x, const struct param *p, const struct param_value *v)
{
	size_t len = strlen(p->name);

	if (p->type != PARAM_EVENTS) {
		cursor_context_add(x, p->name, len, v->text, v->len);
		return;
	}
	for (int i = 0; i < EVENT_TYPES; i++)
		if (v->set >> i & 1)
			cursor_context_add(x, p->name, len, event_kinds[i].name, strlen(event_kinds[i].name));
}

/* shaped: the cursor is only for the history and the filters of the request. */
static void cursor_seal_context(struct req *r, bool shaped, bool newest, unsigned char out[CURSOR_CONTEXT_SIZE])
{
	struct cursor_context x;

	cursor_context_begin(&x, &r->arena, &r->caller.ws->id, EVENTS_PATH);
	for (int i = 0; shaped && r->route->params[i]; i++)
		if (r->route->params[i]->shapes && r->given.params[i].given)
			shape_add(&x, r->route->params[i], &r->given.params[i]);
	if (newest)
		cursor_context_add(&x, "order", 5, "newest", 6);
	cursor_context_end(&x, out);
}

/* False for a list, whose cursor is one of the whole feed. */
static bool is_feed(const struct req *r)
{
	return strncmp(r->route->path, EVENTS_PATH, strlen(EVENTS_PATH)) == 0;
}

/* Two of the numbers take the place of an id. */
char *event_cursor_seal(struct req *r, const struct event_position *p, bool newest, char out[CURSOR_SIZE])
{
	struct cursor c = {
	    .has_id = true, .has_value = true, .value = p->at_ms, .has_page = true, .page = p->generation};
	uint64_t numbers[2] = {htobe64(p->xid), htobe64((uint64_t)p->seq)};
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];

	memcpy(c.id.b, numbers, sizeof numbers);
	cursor_seal_context(r, is_feed(r), newest, sealed_for);
	return req_cursor_seal(r, out, sealed_for, &c);
}

bool event_cursor_open(struct req *r, struct event_position *p, bool newest, const char *text, size_t len)
{
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];
	uint64_t numbers[2];
	struct cursor c;
	bool opened;

	cursor_seal_context(r, true, newest, sealed_for);
	opened = req_cursor_open(r, &c, sealed_for, text, len);
	if (!opened && !newest) {
		cursor_seal_context(r, false, false, sealed_for);
		opened = req_cursor_open(r, &c, sealed_for, text, len);
	}
	if (!opened || !c.has_id || !c.has_value)
		return false;
	p->generation = c.page;
	memcpy(numbers, c.id.b, sizeof numbers);
	p->xid = be64toh(numbers[0]);
	p->seq = (int64_t)be64toh(numbers[1]);
	p->at_ms = c.value;
	return true;
}

void event_cursor_header(struct req *r)
{
	struct event_position p = event_position_horizon(&r->caller.ticket.horizon);
	char text[CURSOR_SIZE];

	if (r->reply.status == 200 && r->route && route_reads_list(r->route) && r->caller.ws && event_position_set(&p))
		reply_header(r, "X-Events-Cursor", event_cursor_seal(r, &p, false, text));
}
