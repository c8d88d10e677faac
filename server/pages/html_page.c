/* Files of the pages, sent from the program's own memory: see server/http/send.c. */
#include "server/pages/html_page.h"

#include <string.h>

#include "server/base/gzip.h"
#include "server/http/http.h"
#include "server/pages/asset.h"
#include "server/request/reply.h"
#include "server/request/route.h"

/* Everything comes from the server itself. No site may embed a page in a frame, and pages embed no plugins. */
#define ONLY_SELF "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/* The style sheet of the reference's library contains its icons. */
static const char reference_policy[] = ONLY_SELF "; img-src 'self' data:";

void page_headers(struct req *r, const char *policy)
{
	reply_header(r, "Content-Security-Policy", policy ? policy : ONLY_SELF);
	reply_header(r, "Referrer-Policy", "no-referrer");
	reply_header(r, "Cross-Origin-Opener-Policy", "same-origin");
}

enum step page_absent(struct req *r, int status)
{
	r->reply.status = status;
	r->reply.error = ERROR_NOT_FOUND;
	page_headers(r, NULL);
	reply_header(r, "Content-Type", "text/html; charset=utf-8");
	reply_header(r, "Cache-Control", "no-cache");
	buf_addz(&r->reply.out,
	    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>kith</title>\n"
	    "<meta name=\"viewport\" content=\"width=device-width\"></head><body>\n"
	    "<h1>kith " KITH_VERSION
	    "</h1>\n<p>A contact and deal management server. It was built without its pages <code>/docs</code> and "
	    "<code>/console</code>: building them takes Node.js 18 or newer, npm and its registry, and no "
	    "<code>--without-console</code>. Everything else is here: "
	    "<a href=\"openapi.json\">openapi.json</a> describes the API, "
	    "<a href=\"docs/errors\">docs/errors</a> its errors.</p>\n</body></html>\n");
	return DONE;
}

enum step page_file(struct req *r, const struct asset *file)
{
	bool gzip = file->gzip && gzip_accepted(req_header_list(r, "Accept-Encoding"));

	page_headers(r, strcmp(file->path, "/docs") == 0 ? reference_policy : NULL);
	if (strcmp(file->path, "/") == 0)
		reply_vary(r, "Accept");
	reply_vary(r, "Accept-Encoding");
	/* Browsers ask again each time, which a 304 makes cheap. So a page never runs with scripts of another build. */
	reply_header(r, "Cache-Control", "no-cache");
	if (reply_is_known(r, gzip ? file->gzip_etag : file->etag))
		return DONE;
	r->reply.status = 200;
	reply_header(r, "Content-Type", file->type);
	if (gzip)
		reply_header(r, "Content-Encoding", "gzip");
	reply_part(&r->reply, gzip ? (struct http_part){file->gzip, file->gzip_len, true}
	                           : (struct http_part){file->data, file->len, true});
	return DONE;
}

enum step page_reply(struct req *r, const char *path, size_t len)
{
	const struct asset *file = asset_find(path, len);

	if (file)
		return page_file(r, file);
	return n_assets == 0 && len == strcspn(path + 1, "/?") + 1 ? page_absent(r, 404) : reply_not_found(r);
}

enum step step_page(struct req *r)
{
	return page_reply(r, r->in->target, strcspn(r->in->target, "?"));
}

/* The address is relative, like the pages' own links, because a proxy may serve them under a path. */
enum step step_page_moved(struct req *r)
{
	const char *path = r->route->path;

	r->reply.status = 308;
	page_headers(r, NULL);
	reply_header(r, "Location", arena_printf(&r->arena, "..%.*s", (int)strlen(path) - 1, path));
	return DONE;
}
