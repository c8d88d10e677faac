/* Requests of the API that a call makes on its way: runner_inside(). */
#include "server/mcp/refer.h"

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
