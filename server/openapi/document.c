/* Writes the document: info and components. */
#include "server/openapi/document.h"

#include "server/openapi/document_private.h"
#include "server/request/reply.h"

enum { DOCUMENT_MAX = 8 << 20 };

/* What applies to all operations, in Markdown. */
static const char about[] =
    "A workspace of kith has people, companies, groups and deals, and notes, tasks, reminders and "
    "interactions about them.\n\n"
    "**Keys.** Every request carries `Authorization: Bearer` and a key. A key acts as its user, sees what that user "
    "may see, and may be limited to reading. What a user may not see is a 404.\n\n"
    "**Bodies.** Requests and answers are JSON. A success is 200 and `{\"data\": …}`, with `warnings` where something "
    "was ignored. A member that is not known is refused with 422; a parameter of a query that is not known is ignored "
    "and named in `warnings`.\n\n"
    "**Errors.** Every error is `{\"error\": {\"code\", \"message\", \"documentationUrl\", \"requestId\", "
    "\"timestamp\", \"details\"?}}`; decide by `code`. A 422 lists all mistakes in `details.issues`, many with a "
    "`hint`. A request that is no proper HTTP is refused before it reaches an operation, in the same form: 400, 405, "
    "408, 413, 414, 417, 431, 501 or 505.\n\n"
    "**Writing.** Every write takes an `Idempotency-Key`, with which a retry runs once, and `dryRun=true`, with which "
    "it is tried and rolled back. A record's `ETag` in `If-Match` makes a change fail with 412 if the record has "
    "changed since.\n\n"
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
	    "limited to reading, expire and be revoked.'}},");
	openapi_parameters(d);
	openapi_components(d);
	openapi_put(d, "'schemas':{");
	openapi_resources(d);
	openapi_searches(d);
	openapi_envelopes(d);
	openapi_event_schemas(d);
	openapi_parts(d); /* write them last, when all references are known */
	openapi_put(d, "}}");
}

/* --- the document -------------------------------------------------------------------------------- */

size_t openapi_make(struct buf *out)
{
	struct openapi_doc d = {0};
	size_t address_at;

	buf_init(&d.out, DOCUMENT_MAX);
	arena_init(&d.arena);
	openapi_parts_read(&d);
	openapi_put(&d, "{'openapi':'3.1.0',");
	write_info(&d);
	openapi_put(&d, "'servers':[{'description':'This server','url':");
	address_at = d.out.len;
	openapi_put(&d, "}],");
	openapi_tags(&d);
	openapi_paths(&d);
	openapi_webhooks(&d);
	write_components(&d);
	openapi_put(&d, "}");
	arena_free(&d.arena);
	*out = d.out;
	return address_at;
}
