/* The description as it is served: compiled in, around the server's address. */
#include "server/openapi/document.h"
#include "server/base/json.h"
#include "server/request/reply.h"

void openapi_write(const char *base, struct buf *out)
{
	struct json_out address;

	buf_add(out, openapi_head, openapi_head_len);
	json_out_init(&address, out);
	json_string(&address, base);
	buf_add(out, openapi_tail, openapi_tail_len);
}

enum step step_openapi(struct req *r)
{
	r->status = 200;
	openapi_write(req_base_url(r), &r->out);
	reply_header(r, "Content-Type", "application/json");
	reply_header(r, "Cache-Control", "no-cache");
	return DONE;
}
