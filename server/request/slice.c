/* Runs requests in slices: see slice.h. */
#include "server/request/slice.h"

#include "server/base/loop.h"
#include "server/request/server.h"

bool slice_over(struct req *r)
{
	return loop_slice_passed(&r->queue.slice_us);
}

/* An answer that is only being compressed, or read, is complete. */
static enum step slice_stopped(struct req *r)
{
	bool complete = r->reply.compressing || (r->inside && r->inside->state != INSIDE_RUNS);

	return complete ? DONE : reply_unavailable(r, ERROR_UNAVAILABLE, reply_stopping);
}

static void slice_go_on(void *ctx)
{
	request_continue(ctx, PASS);
}

void slice_later(struct req *r)
{
	struct server *s = r->server;

	if (s->closing) { /* no further turn will follow */
		request_continue(r, slice_stopped(r));
		return;
	}
	r->waits_for = "slice";
	r->queue.slice = (struct loop_slice){.fn = slice_go_on, .ctx = r};
	if (r->caller.ws)
		r->queue.slice.party = r->caller.ws->id;
	loop_slice_later(s->loop, &r->queue.slice);
}

void slices_stop(struct server *s)
{
	struct loop_slice *slice;

	while ((slice = loop_slice_take(s->loop, slice_go_on)))
		request_continue(slice->ctx, slice_stopped(slice->ctx));
}
