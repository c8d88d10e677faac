/* Runs requests in slices: see slice.h. */
#include "server/request/slice.h"

#include "server/base/loop.h"
#include "server/request/reply.h"
#include "server/request/server.h"

bool slice_over(struct req *r)
{
	return loop_slice_passed(&r->slice_us);
}

static void slice_next(void *ctx)
{
	struct server *s = ctx;
	struct list *first = list_take(&s->slices);

	s->slicing = !list_empty(&s->slices);
	if (s->slicing) /* before the first one runs, which may queue itself again */
		loop_after(s->loop, 0, slice_next, s);
	if (first)
		request_run(list_item(first, struct req, slices));
}

void slice_later(struct req *r)
{
	struct server *s = r->server;

	if (s->closing) { /* no turn will follow */
		reply_error(r, ERROR_UNAVAILABLE, NULL);
		request_finish(r);
		return;
	}
	list_append(&s->slices, &r->slices);
	if (s->slicing)
		return;
	s->slicing = true;
	loop_after(s->loop, 0, slice_next, s);
}

void slices_stop(struct server *s)
{
	struct list *node;

	while ((node = list_take(&s->slices))) {
		struct req *r = list_item(node, struct req, slices);
		reply_error(r, ERROR_UNAVAILABLE, NULL);
		request_finish(r);
	}
}
