/* Refuses requests for a workspace that is on another server, and writes while it moves there. */
#include "server/request/workspace_place.h"

#include "server/request/route.h"

enum { DETAILS_MAX = 16 << 10 };

static enum step place_moved(struct req *r)
{
	struct buf details;
	struct json_out o;

	buf_init(&details, DETAILS_MAX);
	json_out_init(&o, &details);
	json_begin_object(&o);
	json_add_string(&o, "address", r->caller.ws->moved_to);
	json_end_object(&o);
	reply_error_details(r, ERROR_MOVED, &details);
	buf_free(&details);
	if (r->caller.ws->moved_to)
		reply_header(r, "Location",
		    arena_printf(&r->arena, "%s%.*s", r->caller.ws->moved_to, (int)r->in->target_len, r->in->target));
	return DONE;
}

bool place_held(const struct req *r)
{
	/* If the move has failed without a word, the hold ends at this time. */
	return r->caller.ws->place == WORKSPACE_HELD && r->caller.ws->held_until_ms > r->caller.ticket.now_ms;
}

enum step place_check(struct req *r)
{
	switch (r->caller.ws->place) {
	case WORKSPACE_HERE:
		break;
	case WORKSPACE_HELD:
		if (route_writes(r->route) && place_held(r))
			return reply_error(r, ERROR_UNAVAILABLE,
			    "The workspace is moving to another server: send the write again in a few seconds");
		break;
	case WORKSPACE_ARRIVES:
		return reply_error(r, ERROR_UNAVAILABLE, "The workspace is still being moved to this server");
	case WORKSPACE_MOVED:
		return place_moved(r);
	}
	return PASS;
}
