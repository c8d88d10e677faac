/* The front page: what this is, its version and its links. Browsers get a page, all other clients get JSON. */
#include "server/pages/html_page.h"

#include "server/base/accept.h"
#include "server/base/json.h"
#include "server/pages/asset.h"
#include "server/request/reply.h"

static void front_link(struct req *r, struct json_out *o, const char *name, const char *path)
{
	json_add_string(o, name, arena_printf(&r->arena, "%s%s", req_base_url(r), path));
}

static enum step front_json(struct req *r)
{
	struct json_out *o = reply_begin(r);

	json_begin_object(o);
	json_add_string(o, "name", "kith");
	json_add_string(o, "description", "A contact and deal management server");
	json_add_string(o, "version", KITH_VERSION);
	json_add_string(o, "apiVersion", API_VERSION);
	json_key(o, "links");
	json_begin_object(o);
	if (n_assets) {
		front_link(r, o, "docs", "/docs");
		front_link(r, o, "console", "/console");
	}
	front_link(r, o, "errors", "/docs/errors");
	front_link(r, o, "openapi", "/openapi.json");
	front_link(r, o, "assistants", "/mcp");
	front_link(r, o, "ready", "/readyz");
	json_end_object(o);
	json_end_object(o);
	reply_vary(r, "Accept");
	reply_header(r, "Cache-Control", "no-cache");
	return reply_end(r);
}

enum step step_front(struct req *r)
{
	if (!accept_names(req_header_list(r, "Accept"), "text/html"))
		return front_json(r);
	return n_assets ? page_reply(r, "/", 1) : page_absent(r, 200);
}
