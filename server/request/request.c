/* The functions that a request offers to its steps. When a wait ends, they resume the runner of the request. */
#include "server/request/request.h"

#include <string.h>

#include "server/base/clock.h"
#include "server/base/etag.h"
#include "server/request/route.h"
#include "server/request/server.h"

const char request_no_method[] = "This path does not have that method";

int64_t req_now_ms(struct req *r)
{
	if (!r->now_ms)
		r->now_ms = clock_now_ms();
	return r->now_ms;
}

const struct param_value *req_param(const struct req *r, const char *name)
{
	static const struct param_value none;

	for (int i = 0; r->route->params && r->route->params[i]; i++)
		if (strcmp(r->route->params[i]->name, name) == 0)
			return &r->given.params[i];
	return &none;
}

struct event_actor req_actor(const struct req *r)
{
	static const struct uuid none;

	return (struct event_actor){.via = r->carrier && r->caller.via != VIA_CARDDAV ? VIA_MCP : r->caller.via,
	    .has_user = true,
	    .has_key = !uuid_equal(&r->caller.ticket.key, &none), /* a user who signs in has none yet */
	    .user = r->caller.viewer.user,
	    .key = r->caller.ticket.key};
}

const char *req_header_list(struct req *r, const char *name)
{
	const char *list = http_header(r->call, name);

	for (int i = 1, n = http_header_count(r->call, name); i < n; i++)
		list = arena_printf(&r->arena, "%s,%s", list, http_header_at(r->call, name, i));
	return list;
}

char *req_cursor_seal(const struct req *r, char out[CURSOR_SIZE], const unsigned char context[CURSOR_CONTEXT_SIZE],
    const struct cursor *c)
{
	return cursor_seal(out, r->caller.ws->cursor_key, context, c);
}

bool req_cursor_open(const struct req *r, struct cursor *c, const unsigned char context[CURSOR_CONTEXT_SIZE],
    const char *text, size_t len)
{
	return cursor_open(c, r->caller.ws->cursor_key, context, text, len) ||
	       cursor_open(c, r->caller.ws->cursor_key_before ? r->caller.ws->cursor_key_before : r->server->cursor_key,
	           context, text, len);
}

bool request_matches(const struct req_given *given, const struct record *rec)
{
	return !given->if_match ||
	       etag_list_matches(given->if_match, strlen(given->if_match), rec->values[rec->resource->stamp].number);
}

void request_continue(struct req *r, enum step step)
{
	r->runner->go_on(r, step);
}

void request_resume(struct req *r)
{
	r->runner->resume(r);
}
