/* Requests of the API that a call makes on its way: runner_inside(). */
#include "server/mcp/refer.h"

#include <string.h>

#include "server/request/reply.h"

enum { PAGE_BYTES_INSIDE = 64 << 10 };

static bool inside_full(const struct req *r)
{
	return r->reply.out.len >= PAGE_BYTES_INSIDE;
}

enum step call_inside(struct req *r, struct inside *inside, enum http_method method, const char *target,
    struct json *body, inside_take_fn *take)
{
	inside->carrier.tool = r->carrier->tool;
	inside->carrier.full = inside_full;
	inside->take = take;
	runner_inside(r, inside, method, target, body);
	return WAIT;
}

enum step call_fails(struct req *outer, const struct req *r)
{
	const char *wait = reply_header_get(&r->reply, "Retry-After");

	if (r->reply.status == 200)
		return reply_error(outer, ERROR_INTERNAL, "An answer could not be read");
	reply_forget(&outer->reply);
	outer->reply.status = r->reply.status;
	outer->reply.error = r->reply.error;
	outer->reply.why = r->reply.why ? arena_dupz(&outer->arena, r->reply.why) : NULL;
	buf_add(&outer->reply.out, r->reply.out.data, r->reply.out.len);
	if (wait)
		reply_header(outer, "Retry-After", wait);
	return DONE;
}
