/* The revisions of the protocol, and what differs between them. A request is of the revision that its header
 * MCP-Protocol-Version names. Since 2026-07-28 each request also repeats it in _meta, and headers repeat parts of the
 * body, so that proxies need not read the body; kith refuses a request whose headers and body differ. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/text.h"

enum { NAME_MAX = 4096, REQUESTED_MAX = 100 };

#define META "io.modelcontextprotocol/"

/* The newest comes first. */
const struct revision revisions[] = {
    {"2026-07-28", .stateless = true, .structured = true, .no_resource = MESSAGE_BAD_PARAMS,
        .failed = MESSAGE_INTERNAL},
    {"2025-11-25", .structured = true, .no_resource = MESSAGE_NO_RESOURCE, .failed = MESSAGE_FAILED},
    {"2025-06-18", .structured = true, .no_resource = MESSAGE_NO_RESOURCE, .failed = MESSAGE_FAILED},
    {"2025-03-26", .no_resource = MESSAGE_NO_RESOURCE, .failed = MESSAGE_FAILED},
};
const int n_revisions = sizeof revisions / sizeof *revisions;

const struct revision *revision_named(const char *text, size_t len)
{
	for (int i = 0; i < n_revisions; i++)
		if (strlen(revisions[i].name) == len && memcmp(revisions[i].name, text, len) == 0)
			return &revisions[i];
	return NULL;
}

const struct revision *revision_of_header(const struct req *r)
{
	const char *header = http_header(r->call, "MCP-Protocol-Version");
	const struct revision *named = header ? revision_named(header, strlen(header)) : NULL;

	return named ? named : &revisions[n_revisions - 1];
}

/* --- refusals ------------------------------------------------------------------------------ */

/* The beginning of a name that may be repeated: a header can have any bytes. */
static size_t revision_span(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && n < REQUESTED_MAX && text[n] >= ' ' && text[n] <= '~')
		n++;
	return n;
}

static enum step revision_unknown(struct req *r, const char *text, size_t len)
{
	struct json_out o;
	struct buf data;
	enum step step;

	buf_init(&data, 4096);
	json_out_init(&o, &data);
	json_begin_object(&o);
	json_key(&o, "supported");
	json_begin_array(&o);
	for (int i = 0; i < n_revisions; i++)
		json_string(&o, revisions[i].name);
	json_end_array(&o);
	json_key(&o, "requested");
	json_string_len(&o, text, revision_span(text, len));
	json_end_object(&o);
	step = envelope_error(r, MESSAGE_NO_VERSION, ERROR_INVALID_REQUEST, 400, "Unsupported protocol version", &data);
	buf_free(&data);
	return step;
}

static enum step revision_differs(struct req *r, const char *text)
{
	return envelope_error(r, MESSAGE_HEADERS, ERROR_INVALID_REQUEST, 400, text, NULL);
}

static enum step revision_lacks(struct req *r, const char *text)
{
	return envelope_error(r, MESSAGE_BAD_PARAMS, ERROR_INVALID_REQUEST, 400, text, NULL);
}

/* --- headers --------------------------------------------------------------------------------- */

/* True if the header is there once and equals the text, as it is or as =?base64?…?=. */
static bool header_repeats(const struct req *r, const char *name, const struct json *text)
{
	const char *value = http_header(r->call, name);
	struct buf encoded;
	bool same;

	if (!value || http_header_count(r->call, name) != 1)
		return false;
	if (strlen(value) == text->len && memcmp(value, text->text, text->len) == 0)
		return true;
	buf_init(&encoded, 2 * NAME_MAX);
	buf_addz(&encoded, "=?base64?");
	text_base64(&encoded, text->text, text->len < NAME_MAX ? text->len : 0);
	buf_addz(&encoded, "?=");
	same = encoded.len == strlen(value) && memcmp(encoded.data, value, encoded.len) == 0;
	buf_free(&encoded);
	return same;
}

static enum step headers_check(struct req *r, const struct json *message, const struct json *params, const char *named)
{
	const struct json *method = json_member(message, "method"), *name;

	if (!header_repeats(r, "Mcp-Method", method))
		return revision_differs(r, "Header mismatch: Mcp-Method must be given and equal to method");
	name = named ? json_typed(params, named, JSON_STRING) : NULL;
	if (name && !header_repeats(r, "Mcp-Name", name))
		return revision_differs(r,
		    arena_printf(&r->arena, "Header mismatch: Mcp-Name must be given and equal to params.%s", named));
	return PASS;
}

/* --- requests ---------------------------------------------------------------------------------- */

/* The revision in _meta must be that of the header. */
static enum step meta_check(struct req *r, const struct json *meta, const struct json *version, bool has_header)
{
	const struct revision *revision = call_of(r)->revision;

	if (version && version->type == JSON_STRING) {
		const struct revision *named = revision_named(version->text, version->len);
		if (!has_header && !named)
			return revision_unknown(r, version->text, version->len);
		if (!has_header && !named->stateless)
			call_of(r)->revision = revision = named;
		if (named != revision)
			return revision_differs(r, "Header mismatch: MCP-Protocol-Version must be given and equal to "
			                           "params._meta." META "protocolVersion");
		return PASS;
	}
	if (version || revision->stateless)
		return revision_lacks(r, meta ? "params._meta." META "protocolVersion is required, as a string"
		                              : "params._meta is required, as an object");
	return PASS;
}

enum step revision_check(struct req *r, const struct json *message, const char *named)
{
	const char *header = http_header(r->call, "MCP-Protocol-Version");
	const struct json *params = json_typed(message, "params", JSON_OBJECT);
	const struct json *meta = json_typed(params, "_meta", JSON_OBJECT);
	const struct json *client;
	enum step step;

	if (header && http_header_count(r->call, "MCP-Protocol-Version") > 1)
		return revision_differs(r, "Header mismatch: MCP-Protocol-Version is given twice");
	if (header && !revision_named(header, strlen(header)))
		return revision_unknown(r, header, strlen(header));
	step = meta_check(r, meta, json_member(meta, META "protocolVersion"), header);
	if (step != PASS || !call_of(r)->revision->stateless)
		return step;
	step = headers_check(r, message, params, named);
	if (step != PASS)
		return step;
	client = json_member(meta, META "clientInfo");
	if (!json_typed(meta, META "clientCapabilities", JSON_OBJECT))
		return revision_lacks(r, "params._meta." META "clientCapabilities is required, as an object");
	if (client && client->type != JSON_OBJECT)
		return revision_lacks(r, "params._meta." META "clientInfo is an object");
	return PASS;
}
