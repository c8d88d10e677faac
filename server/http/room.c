/* Limits the memory of bodies that are arriving and of an owner's answers, in total and for each owner (a user); bodies
 * over the limit wait in a queue. cut.c limits the answers of all owners.
 *
 * The whole length of a body is reserved before the rest of it is read, so bodies in progress can always finish. An
 * owner with no body in progress may start one even if it exceeds the total. So no owner waits only because of what
 * others hold. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/http/conn.h"

static struct list *room_bucket(struct http_server *s, const unsigned char owner[HTTP_OWNER_SIZE])
{
	/* The last bytes of a user's id are random. */
	return &s->rooms[owner[HTTP_OWNER_SIZE - 1] % HTTP_ROOM_BUCKETS];
}

static struct http_room *room_find(struct http_server *s, const unsigned char owner[HTTP_OWNER_SIZE])
{
	list_each(room, room_bucket(s, owner), struct http_room, node)
		if (memcmp(room->owner, owner, HTTP_OWNER_SIZE) == 0)
			return room;
	return NULL;
}

struct http_room *room_of(struct http_server *s, const unsigned char owner[HTTP_OWNER_SIZE])
{
	struct http_room *room = room_find(s, owner);

	if (!room) {
		room = mem_zalloc(sizeof *room);
		memcpy(room->owner, owner, HTTP_OWNER_SIZE);
		list_append(room_bucket(s, owner), &room->node);
	}
	return room;
}

struct http_room *room_of_stranger(struct http_server *s, size_t bytes)
{
	return &s->strangers[bytes > HTTP_SMALL];
}

bool room_is_strangers(const struct http_server *s, const struct http_room *room)
{
	return room == &s->strangers[0] || room == &s->strangers[1];
}

void hold_take(struct http_server *s, struct http_hold *h, struct http_room *room, enum hold_kind kind, size_t bytes)
{
	room->holds++; /* before the old hold is released, because it may be the last one */
	hold_end(s, h);
	*h = (struct http_hold){room, kind, 0};
	hold_resize(s, h, bytes);
}

void hold_resize(struct http_server *s, struct http_hold *h, size_t bytes)
{
	for (struct http_room *room = h->room; room; room = room->tenant)
		room->held[h->kind] += bytes - h->bytes;
	s->held[h->kind] += bytes - h->bytes;
	h->bytes = bytes;
}

/* One hold of it less. */
static void room_leave(struct http_server *s, struct http_room *room)
{
	struct http_room *tenant = room->tenant;

	if (--room->holds > 0 || room_is_strangers(s, room))
		return;
	list_remove(&room->node);
	free(room);
	if (tenant)
		room_leave(s, tenant);
}

void hold_end(struct http_server *s, struct http_hold *h)
{
	struct http_room *room = h->room;

	if (!room)
		return;
	hold_resize(s, h, 0);
	room_leave(s, room);
	*h = (struct http_hold){0};
	if (!list_empty(&s->states[CONN_WAIT]))
		event_active(s->room_event, EV_TIMEOUT, 0);
}

static bool has_room(const struct http_server *s, const struct http_room *room, size_t bytes)
{
	size_t held = room->held[HOLD_BODY],
	       owners = s->held[HOLD_BODY] - s->strangers[0].held[HOLD_BODY] - s->strangers[1].held[HOLD_BODY];

	if (room_is_strangers(s, room))
		return held + bytes <= s->config.strangers_max;
	return held == 0 || (held + bytes <= s->config.owner_max && owners + bytes <= s->config.held_max);
}

bool room_take_body(struct http_conn *c, struct http_room *room, size_t bytes)
{
	bool wait = room->held[HOLD_WAIT] > 0 || !has_room(c->server, room, bytes);

	hold_take(c->server, &c->hold, room, wait ? HOLD_WAIT : HOLD_BODY, wait ? 1 : bytes);
	c->wait_bytes = (uint32_t)bytes;
	return !wait;
}

bool room_is_contended(const struct http_conn *c)
{
	return room_is_strangers(c->server, c->hold.room) && c->hold.room->held[HOLD_WAIT] > 0;
}

/* Gives room in order of arrival. When a body has to wait, later bodies of the same owner wait behind it. */
void room_offer(evutil_socket_t fd, short what, void *server)
{
	struct http_server *s = server;

	(void)fd;
	(void)what;
	s->offers++;
	list_each(c, &s->states[CONN_WAIT], struct http_conn, node) {
		struct http_room *room = c->hold.room;

		if (room->passed_over == s->offers)
			continue;
		if (has_room(s, room, c->wait_bytes)) {
			hold_take(s, &c->hold, room, HOLD_BODY, c->wait_bytes);
			conn_read_on(c);
		} else {
			room->passed_over = s->offers;
		}
	}
}

struct http_room *room_of_call(const struct http_call *call)
{
	struct http_room *room = room_of(call->server, call->owner);

	/* A body that was judged before its sender was admitted is held without a tenant. */
	if (call->has_tenant && !room->tenant) {
		room->tenant = room_of(call->server, call->tenant);
		room->tenant->holds++;
		for (int kind = 0; kind < HOLD_KINDS; kind++)
			room->tenant->held[kind] += room->held[kind];
	}
	return room;
}

void http_owner(
    struct http_call *call, const unsigned char owner[HTTP_OWNER_SIZE], const unsigned char tenant[HTTP_OWNER_SIZE])
{
	memcpy(call->owner, owner, HTTP_OWNER_SIZE);
	call->owned = true;
	call->has_tenant = tenant != NULL;
	if (tenant)
		memcpy(call->tenant, tenant, HTTP_OWNER_SIZE);
	if (room_is_strangers(call->server, call->hold.room))
		hold_take(call->server, &call->hold, room_of_call(call), HOLD_BODY, call->hold.bytes);
}

bool http_has_room(const struct http_call *call, size_t bytes)
{
	struct http_server *s = call->server;
	const struct http_room *room = call->owned ? room_find(s, call->owner) : NULL;
	size_t held = room ? room->held[HOLD_ANSWER] : 0;

	return bytes <= HTTP_SMALL || held <= HTTP_SMALL ||
	       (held + bytes <= s->config.owner_max && s->held[HOLD_ANSWER] + bytes <= s->config.unread_max);
}
