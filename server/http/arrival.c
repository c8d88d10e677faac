/* Runs when the head of a request is complete and its body is still to come. Finds out who sends the body, whether it
 * is wanted, and whether there is room for it.
 *
 * evhttp removes lines from the input as they arrive. So a head that arrives in pieces is copied until it is
 * complete. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/http/conn.h"

enum {
	HEAD_MAX = GATE_TARGET_MAX + GATE_FIELDS_MAX + 64,
	HEADS_MAX = 4 << 20,    /* bytes of incomplete heads of all connections */
	STRANGERS_WAITING = 256 /* connections; each has up to one read of input */
};

static const char busy[] = "The server is busy with other requests";

void arrival_forget(struct http_conn *c)
{
	c->server->head_bytes -= c->head.len;
	buf_free(&c->head);
	buf_init(&c->head, HEAD_MAX);
	free(c->verdict);
	c->verdict = NULL;
}

/* Copies len bytes of the head, from that offset of the input. */
static void arrival_keep_head(struct http_conn *c, size_t from, size_t len)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	struct evbuffer_ptr at;
	char *to = buf_room(&c->head, len);

	if (!to || evbuffer_ptr_set(in, &at, from, EVBUFFER_PTR_SET) != 0 ||
	    evbuffer_copyout_from(in, &at, to, len) != (ev_ssize_t)len)
		fatal_abort("an input buffer is shorter than it says");
	c->head.len += len;
	c->server->head_bytes += len;
}

static void arrival_head_part(struct http_conn *c, size_t from, size_t len)
{
	if (!c->server->config.judge)
		return;
	arrival_keep_head(c, from, len);
	if (c->server->head_bytes > HEADS_MAX)
		conn_refuse(c, 503, busy);
}

/* --- parsing a head that has passed the gate ---------------------------------------- */

/* Accepts "http://host/path" and "/path"; a missing path is "/". */
static void arrival_read_target(struct http_head *head, const char *from, const char *end)
{
	const char *authority = *from == '/' || *from == '*' ? NULL : strstr(from, "://");

	if (authority) {
		from = authority + 3;
		from += strcspn(from, "/? ");
	}
	head->target = *from == '/' || *from == '*' ? from : "/";
	head->target_len = head->target == from ? (size_t)(end - from) : 1;
}

/* The value of a header line that ends at end, without blanks around it. NULL: it is another header. */
static const char *arrival_value(char *line, char *end, const char *name)
{
	char *value = line + strlen(name);

	if (strncasecmp(line, name, strlen(name)) != 0)
		return NULL;
	value += strspn(value, " \t");
	for (*end = '\0'; end > value && (end[-1] == ' ' || end[-1] == '\t');)
		*--end = '\0';
	return value;
}

/* A header that the judge reads. */
static void arrival_read_line(struct http_head *head, char *line, char *end)
{
	const struct {
		const char *name, **value;
	} headers[] = {{"authorization:", &head->authorization}, {"origin:", &head->origin}, {"cookie:", &head->cookie},
	    {"sec-fetch-site:", &head->fetch_site}, {"x-kith-console:", &head->console}};

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		const char *value = arrival_value(line, end, headers[i].name);
		if (!value)
			continue;
		*headers[i].value = value;
		head->n_authorization += headers[i].value == &head->authorization;
		return;
	}
}

static void read_head(char *text, struct http_head *head)
{
	char *target = strchr(text, ' ') + 1, *target_end = strchr(target, ' '), *line, *end;

	line = strchr(target_end, '\n') + 1;
	*target_end = '\0';
	arrival_read_target(head, target, target_end);
	for (; *line != '\r'; line = end + 2) {
		end = strchr(line, '\r');
		arrival_read_line(head, line, end);
	}
}

/* --- the body -------------------------------------------------------------------------- */

/* Asks the configured judge about the head. Its last len bytes are at the offset from. Returns false when there is no
 * judge. */
static bool arrival_judge(struct http_conn *c, size_t from, size_t len)
{
	struct http_server *s = c->server;
	struct http_head head = {.method = (enum http_method)c->gate.method};

	if (!s->config.judge)
		return false;
	arrival_keep_head(c, from, len);
	c->verdict = mem_zalloc(sizeof *c->verdict);
	read_head(c->head.data, &head);
	s->config.judge(&head, c->verdict, s->config.ctx);
	s->head_bytes -= c->head.len;
	buf_free(&c->head);
	return true;
}

/* Call it when the head is complete. Its last len bytes are at the offset from. */
static void body_begins(struct http_conn *c, size_t from, size_t len)
{
	struct http_server *s = c->server;
	struct http_room *room;
	size_t bytes = !c->gate.chunked ? c->gate.body_len
	               : c->gate.large  ? s->config.body_max_batch
	                                : s->config.body_max;

	conn_set_state(c, CONN_BODY);
	if (!arrival_judge(c, from, len))
		return;
	if (c->verdict->status != 0 && c->gate.body_len > HTTP_SMALL) {
		conn_refuse(c, c->verdict->status, c->verdict->message);
		return;
	}
	if (c->verdict->status != 0 && bytes > HTTP_SMALL)
		bytes = HTTP_SMALL;
	room = c->verdict->known ? room_of(s, c->verdict->owner) : room_of_stranger(s, bytes);
	if (room_take_body(c, room, bytes))
		return;
	conn_set_state(c, CONN_WAIT);
	bufferevent_disable(c->bev, EV_READ);
	if (room_is_strangers(s, room) && room->held[HOLD_WAIT] > STRANGERS_WAITING)
		conn_refuse(c, 503, busy);
}

static void body_part(struct http_conn *c)
{
	if (c->verdict && c->verdict->status != 0 && c->gate.body_len > HTTP_SMALL)
		conn_refuse(c, c->verdict->status, c->verdict->message);
	else if (c->state == CONN_WAIT)
		bufferevent_disable(
		    c->bev, EV_READ); /* evhttp turned reading on again for this request, which had begun before */
}

void arrival_advance(struct http_conn *c, size_t from, size_t head)
{
	size_t len = c->gate.head_len - head;

	if (c->gate.verdict == GATE_REFUSED) {
		/* Used for the headers of the answer. */
		if (c->gate.status == 413 && !c->gate.in_body)
			arrival_judge(c, from, len);
		conn_refuse(c, c->gate.status, c->gate.message);
	} else if (c->gate.verdict == GATE_DONE)
		return;
	else if (c->gate.in_body && c->state < CONN_BODY)
		body_begins(c, from, len);
	else if (c->gate.in_body)
		body_part(c);
	else if (len > 0) {
		if (c->state == CONN_IDLE)
			conn_set_state(c, CONN_HEAD);
		arrival_head_part(c, from, len);
	}
}
