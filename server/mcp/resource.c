/* Resources: a record is one, by its URL as events have it. Records are too many to list, so there are templates. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/base/text.h"

enum { URI_MAX = 2048, KEEP_MS = 3600 * 1000 };

#define ALL_KINDS ((1u << MCP_KINDS) - 1)

enum step resource_list(struct req *r)
{
	struct json_out *o = envelope_begin(r);

	json_key(o, "resources");
	json_raw(o, "[]", 2);
	envelope_keep(r, KEEP_MS, false);
	return envelope_end(r);
}

enum step resource_templates(struct req *r)
{
	struct json_out *o = envelope_begin(r);

	json_key(o, "resourceTemplates");
	json_begin_array(o);
	for (int i = 0; i < MCP_KINDS; i++) {
		json_begin_object(o);
		json_add_string(o, "uriTemplate",
		    kinds[i].path
		        ? arena_printf(&r->arena, "%s%s/{id}", req_base_url(r), kinds[i].path)
		        : arena_printf(&r->arena, "%s/v1/groups/{groupId}/{objectType}/{id}", req_base_url(r)));
		json_add_string(o, "name", kinds[i].name);
		json_add_string(o, "description", kinds[i].resource->about);
		json_add_string(o, "mimeType", "application/json");
		json_end_object(o);
	}
	json_end_array(o);
	envelope_keep(r, KEEP_MS, false);
	return envelope_end(r);
}

/* --- reading -------------------------------------------------------------------------------- */

static enum step resource_unknown(struct req *r, const char *uri)
{
	struct json_out o;
	struct buf data;
	enum step step;

	buf_init(&data, 8 * URI_MAX);
	json_out_init(&o, &data);
	json_begin_object(&o);
	json_key(&o, "uri");
	json_string_len(&o, uri, strlen(uri) > URI_MAX ? text_utf8_span(uri, URI_MAX) : strlen(uri));
	json_end_object(&o);
	step = envelope_error(r, call_of(r)->revision->no_resource, ERROR_NOT_FOUND, 200, "Resource not found", &data);
	buf_free(&data);
	return step;
}

/* Returns the id at the end of an address of this server; NULL: it is not the address of a record. */
static const char *resource_id(struct req *r, const struct json *uri)
{
	const char *base = req_base_url(r), *last;
	size_t len = strlen(base);

	if (uri->has_nul || uri->len > URI_MAX || strncmp(uri->text, base, len) != 0 || uri->text[len] != '/')
		return NULL;
	last = strrchr(uri->text, '/') + 1;
	return kind_of_id(last, strlen(last), ALL_KINDS) ? last : NULL;
}

enum step resource_read(struct req *r)
{
	const struct json *uri = json_typed(json_member(r->given.body, "params"), "uri", JSON_STRING);
	struct tool_call *c = call_of(r);
	const char *id;

	if (!uri)
		return envelope_error(
		    r, MESSAGE_BAD_PARAMS, ERROR_UNPROCESSABLE, 200, "params.uri is required, as a string", NULL);
	id = resource_id(r, uri);
	if (!id)
		return resource_unknown(r, uri->text);
	c->uri = uri->text;
	c->carrier.wrap = resource_wrap;
	return call_read(r, id);
}

static void resource_show(struct req *r)
{
	struct result_shown shown;
	struct json_out *o;
	struct buf text;

	buf_init(&text, RESULT_MAX);
	result_compact(r, &text, &shown);
	o = envelope_begin(r);
	json_key(o, "contents");
	json_begin_array(o);
	json_begin_object(o);
	json_add_string(o, "uri", call_of(r)->uri);
	json_add_string(o, "mimeType", "application/json");
	json_key(o, "text");
	json_string_len(o, text.data, text.len);
	json_end_object(o);
	json_end_array(o);
	envelope_keep(r, 0, true);
	envelope_end(r);
	buf_free(&text);
}

void resource_wrap(struct req *r)
{
	const struct json *body, *error;
	int status = r->reply.status;
	const char *why;

	if (call_of(r)->answered)
		return;
	if (status == 200) {
		resource_show(r);
	} else if (status == 404) {
		resource_unknown(r, call_of(r)->uri);
	} else {
		body = json_read(&r->arena, r->reply.out.data, r->reply.out.len, &why);
		error = json_member(body, "error");
		envelope_error(r, call_of(r)->revision->failed, r->reply.error, 200, json_text(error, "message"), NULL);
		r->reply.status = status;
	}
	result_headers(r);
}
