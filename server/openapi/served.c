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
	reply_part(&r->reply, openapi_head.gzip);
	reply_part(&r->reply, (struct http_part){arena_dup(&r->arena, between.data, between.len), between.len, false});
	reply_part(&r->reply, openapi_tail.gzip);
	reply_part(&r->reply, (struct http_part){arena_dup(&r->arena, end, sizeof end), sizeof end, false});
	buf_free(&between);
	reply_header(r, "Content-Encoding", "gzip");
}

static void openapi_plain(struct req *r, const char *text, size_t len)
{
	reply_part(&r->reply, openapi_head.text);
	reply_part(&r->reply, (struct http_part){arena_dup(&r->arena, text, len), len, false});
	reply_part(&r->reply, openapi_tail.text);
}

enum step step_openapi(struct req *r)
{
	bool gzip = gzip_accepted(req_header_list(r, "Accept-Encoding"));
	struct buf address;

	openapi_address(req_base_url(r), &address);
	reply_vary(r, "Accept-Encoding");
	reply_header(r, "Cache-Control", "no-cache");
	if (!reply_is_known(r, arena_printf(&r->arena, "\"%08x%08x%08x%s\"", openapi_head.sum.sum,
	                           gzip_sum(address.data, address.len), openapi_tail.sum.sum, gzip ? "-gzip" : ""))) {
		r->reply.status = 200;
		reply_header(r, "Content-Type", "application/json");
		(gzip ? openapi_gzip : openapi_plain)(r, address.data, address.len);
	}
	buf_free(&address);
	return DONE;
}
