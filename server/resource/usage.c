/* GET /v1/usage: the requests of the workspace that this process has counted. */
#include "server/request/usage_count.h"

#include "server/base/clock.h"
#include "server/request/server.h"
#include "server/resource/steps.h"

enum step usage_show(struct req *r)
{
	struct usage u = usage_of(r->server->usages, &r->caller.ws->id);
	char since[TIME_TEXT_SIZE];
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_add_string(o, "process", r->server->process);
	json_add_string(o, "since", time_format(u.since_ms, since));
	json_add_int(o, "requests", (int64_t)u.requests);
	json_add_int(o, "refused", (int64_t)u.refused);
	json_add_int(o, "limited", (int64_t)u.limited);
	json_add_int(o, "errors", (int64_t)u.errors);
	json_add_int(o, "replayed", (int64_t)u.replayed);
	json_add_int(o, "events", (int64_t)u.events);
	json_add_int(o, "tookMs", (int64_t)(u.took_us / 1000));
	json_end_object(o);
	return reply_end(r);
}
