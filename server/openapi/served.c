/* Serves the description. It is compiled in, plain and compressed, in two halves around the server's address. */
#include "server/base/json.h"
#include "server/openapi/document.h"
#include "server/request/reply.h"

enum { ADDRESS_MAX = 60000 };

static void openapi_address(const char *base, struct buf *out)
{
	struct json_out address;

	buf_init(out, ADDRESS_MAX);
	json_out_init(&address, out);
	json_string(&address, base);
}

void openapi_write(const char *base, struct buf *out)
{
	struct buf address;

	openapi_address(base, &address);
	buf_add(out, openapi_head.text.data, openapi_head.text.len);
	buf_add(out, address.data, address.len);
	buf_add(out, openapi_tail.text.data, openapi_tail.text.len);
	buf_free(&address);
}

static void openapi_gzip(struct req *r, const char *text, size_t len)
{
	const struct gzip_sum sums[] = {openapi_head.sum, {gzip_sum(text, len), len}, openapi_tail.sum};
	struct buf between;
	char end[GZIP_END];

	buf_init(&between, ADDRESS_MAX + GZIP_END);
	gzip_between(text, len, &between);
	gzip_end(sums, end);
	reply_part(r, openapi_head.gzip);
	reply_part(r, (struct http_part){arena_dup(&r->arena, between.data, between.len), between.len, false});
	reply_part(r, openapi_tail.gzip);
	reply_part(r, (struct http_part){arena_dup(&r->arena, end, sizeof end), sizeof end, false});
	buf_free(&between);
	reply_header(r, "Content-Encoding", "gzip");
}

enum step step_openapi(struct req *r)
{
	struct buf address;

	r->status = 200;
	openapi_address(req_base_url(r), &address);
	reply_vary(r, "Accept-Encoding");
	if (gzip_accepted(req_header_list(r, "Accept-Encoding"))) {
		openapi_gzip(r, address.data, address.len);
	} else {
		reply_part(r, openapi_head.text);
		reply_part(r, (struct http_part){arena_dup(&r->arena, address.data, address.len), address.len, false});
		reply_part(r, openapi_tail.text);
	}
	buf_free(&address);
	reply_header(r, "Content-Type", "application/json");
	reply_header(r, "Cache-Control", "no-cache");
	return DONE;
}
