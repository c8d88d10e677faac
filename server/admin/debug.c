/* /debug/requests lists the requests in progress, the oldest first. It shows only ids of requests, routes and times: no
 * keys, and nothing that a client sent. */
#include "server/admin/admin_private.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/request/route.h"
#include "store/db.h"

enum { SHOWN_MAX = 1000 };

static void request_show(struct json_out *o, const struct req *r, int64_t now_us)
{
	const char *lane = r->db.asked ? lane_name(r->db.asked->lane) : NULL;

	json_begin_object(o);
	json_add_string(o, "requestId", r->request_id);
	json_add_string(o, "method", r->method_name);
	if (r->route)
		json_add_string(o, "route", r->route->path);
	json_add_int(o, "ageMs", (now_us - r->started_us) / 1000);
	json_add_string(
	    o, "state", lane && db_exchange_waits(r->db.asked) && !joint_is_running(r) ? "queued" : r->waits_for);
	if (lane)
		json_add_string(o, "lane", lane);
	json_end_object(o);
}

void admin_requests(const struct admin *a, struct buf *out)
{
	int64_t now_us = clock_mono_us();
	struct json_out o;
	int64_t n = 0;

	json_out_init(&o, out);
	json_begin_object(&o);
	json_key(&o, "requests");
	json_begin_array(&o);
	list_each(r, &a->server->requests, const struct req, queue.all)
		if (n++ < SHOWN_MAX)
			request_show(&o, r, now_us);
	json_end_array(&o);
	json_add_int(&o, "total", n);
	json_end_object(&o);
	buf_addc(out, '\n');
}
