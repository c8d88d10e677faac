/* Cursors of the event feed. */
#include "server/request/event_cursor.h"

#include <endian.h>
#include <string.h>

#include "server/request/route.h"
#include "server/request/server.h"

/* record: the id in a history's path; NULL: the cursor is for the feed. */
static void cursor_seal_context(struct req *r, const struct param_value *record, unsigned char out[CURSOR_CONTEXT_SIZE])
{
	struct cursor_context x;

	cursor_context_begin(&x, &r->arena, &r->caller.ws->id, "/v1/events");
	if (record)
		cursor_context_add(&x, "record", 6, record->text, record->len);
	cursor_context_end(&x, out);
}

/* Returns NULL when the request does not read a history. */
static const struct param_value *history_record(const struct req *r)
{
	const struct param_value *record = req_param(r, "record");

	return record->given ? record : NULL;
}

/* Two of the numbers take the place of an id. */
char *event_cursor_seal(struct req *r, const struct event_position *p, char out[CURSOR_SIZE])
{
	struct cursor c = {
	    .has_id = true, .has_value = true, .value = p->at_ms, .has_page = true, .page = p->generation};
	uint64_t numbers[2] = {htobe64(p->xid), htobe64((uint64_t)p->seq)};
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];

	memcpy(c.id.b, numbers, sizeof numbers);
	cursor_seal_context(r, history_record(r), sealed_for);
	return req_cursor_seal(r, out, sealed_for, &c);
}

bool event_cursor_open(struct req *r, struct event_position *p, const char *text, size_t len)
{
	const struct param_value *record = history_record(r);
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];
	uint64_t numbers[2];
	struct cursor c;
	bool opened;

	cursor_seal_context(r, record, sealed_for);
	opened = req_cursor_open(r, &c, sealed_for, text, len);
	if (!opened && record) {
		cursor_seal_context(r, NULL, sealed_for);
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
		reply_header(r, "X-Events-Cursor", event_cursor_seal(r, &p, text));
}
