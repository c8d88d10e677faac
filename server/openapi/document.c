/* The document: info and components. */
#include "server/openapi/document.h"

#include <stdlib.h>
#include <zlib.h>

#include "server/base/fatal.h"
#include "server/openapi/document_private.h"
#include "server/request/reply.h"
#include "server/request/server.h"

enum { DOCUMENT_MAX = 8 << 20 };

/* What holds for all operations. Markdown. */
static const char about[] =
    "A workspace of kith has people, companies, groups and deals, and notes, tasks, reminders and "
    "interactions about them.\n\n"
    "**Keys.** Every request carries `Authorization: Bearer` and a key. A key acts as its user, sees what that user "
    "may "
    "see, and may be limited to reading. What a user may not see is a 404.\n\n"
    "**Bodies.** Requests and answers are JSON. A success is 200 and `{\"data\": …}`, with `warnings` where something "
    "was ignored. A member that is not known is refused with 422; a parameter of a query that is not known is ignored "
    "and named in `warnings`.\n\n"
    "**Errors.** Every error is `{\"error\": {\"code\", \"message\", \"documentationUrl\", \"requestId\", "
    "\"timestamp\", \"details\"?}}`; decide by `code`. A 422 lists all mistakes in `details.issues`, many with a "
    "`hint`. A request that is no proper HTTP is refused before it reaches an operation, in the same form: 400, 405, "
    "408, 413, 414, 417, 431, 501 or 505.\n\n"
    "**Writing.** Every write takes an `Idempotency-Key`, with which a retry runs once, and `dryRun=true`, with which "
    "it "
    "is tried and rolled back. A record's `ETag` in `If-Match` makes a change fail with 412 if the record has changed "
    "since.\n\n"
    "**Limits.** 600 requests a minute and 20 in two seconds for each user, unless the server is set otherwise. After "
    "a 429 or 503 nothing was done: wait as long as `Retry-After` says, and repeat.\n\n"
    "**Changes.** `GET /v1/events` follows the changes of a workspace; webhooks have them posted.";

static void write_info(struct openapi_doc *d)
{
	openapi_put(d,
	    "'info':{'title':'kith','version':'" API_VERSION
	    "','summary':'People, companies, groups and deals of a workspace','license':{'name':'ISC',"
	    "'identifier':'ISC'},'contact':{'name':'The kith authors'},'x-program-version':'" KITH_VERSION "',");
	openapi_text(d, "description", about);
	openapi_put(d, "},");
}

static void write_components(struct openapi_doc *d)
{
	openapi_put(d,
	    "'components':{'securitySchemes':{'bearer':{'type':'http','scheme':'bearer','description':'A key "
	    "(`kith_…`), created with `kith key create` on the command line of the server or by `createKey`. It can be "
	    "limited to "
	    "reading, expire and be revoked.'}},");
	openapi_parameters(d);
	openapi_components(d);
	openapi_put(d, "'schemas':{");
	openapi_resources(d);
	openapi_searches(d);
	openapi_envelopes(d);
	openapi_event_schemas(d);
	openapi_parts(d); /* last, when all references are known */
	openapi_put(d, "}}");
}

/* --- packing: the document is asked for seldom, and otherwise a large part of an idle server's memory ---- */

static void document_pack(struct openapi_packed *p, const char *text, size_t size)
{
	uLongf len = compressBound(size);

	p->data = mem_alloc(len);
	p->size = size;
	if (compress((Bytef *)p->data, &len, (const Bytef *)text, size) != Z_OK)
		fatal_abort("the API's description cannot be packed");
	p->data = mem_realloc(p->data, len);
	p->len = len;
}

static void document_unpack(const struct openapi_packed *p, struct buf *out)
{
	uLongf size = p->size;
	char *to = buf_room(out, size);

	if (to && uncompress((Bytef *)to, &size, (const Bytef *)p->data, p->len) == Z_OK)
		out->len += size;
}

/* --- the document -------------------------------------------------------------------------------- */

void openapi_make(struct openapi *api)
{
	struct openapi_doc d = {0};
	size_t head;

	buf_init(&d.out, DOCUMENT_MAX);
	arena_init(&d.arena);
	openapi_put(&d, "{'openapi':'3.1.0',");
	write_info(&d);
	openapi_put(&d, "'servers':[{'description':'This server','url':");
	head = d.out.len;
	openapi_put(&d, "}],");
	openapi_tags(&d);
	openapi_paths(&d);
	openapi_webhooks(&d);
	write_components(&d);
	openapi_put(&d, "}");
	document_pack(&api->head, d.out.data, head);
	document_pack(&api->tail, d.out.data + head, d.out.len - head);
	buf_free(&d.out);
	arena_free(&d.arena);
}

void openapi_free(struct openapi *api)
{
	free(api->head.data);
	free(api->tail.data);
}

void openapi_write(const struct openapi *api, const char *base, struct buf *out)
{
	struct json_out address;

	document_unpack(&api->head, out);
	json_out_init(&address, out);
	json_string(&address, base);
	document_unpack(&api->tail, out);
}

enum step step_openapi(struct req *r)
{
	r->status = 200;
	openapi_write(r->server->openapi, req_base_url(r), &r->out);
	reply_header(r, "Content-Type", "application/json");
	reply_header(r, "Cache-Control", "no-cache");
	return DONE;
}
