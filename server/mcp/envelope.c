/* Reads and writes the JSON-RPC members around every message, in requests and in answers. */
#include "server/mcp/call.h"

#include <string.h>

enum { ID_MAX = 1000, BODY_LATE_MAX = 64 << 10 };

/* --- requests --------------------------------------------------------------------------- */

bool envelope_has(const struct json *object, const char *key, const char *text)
{
	const struct json *value = json_typed(object, key, JSON_STRING);

	return value && strcmp(value->text, text) == 0 && value->len == strlen(text);
}

/* An id is a string or a number. The answer repeats it exactly. */
bool envelope_take_id(struct req *r, const struct json *message)
{
	const struct json *id = json_member(message, "id");

	if (id && (id->type == JSON_STRING || id->type == JSON_NUMBER) && id->len <= ID_MAX)
		call_of(r)->id = id;
	return !id || call_of(r)->id;
}

bool envelope_is_call(struct req *r)
{
	const struct json *message = r->given.body;
	const char *error;

	if (!message && r->in->body_len && r->in->body_len <= BODY_LATE_MAX)
		message = json_read(&r->arena, r->in->body, r->in->body_len, &error);
	return envelope_has(message, "jsonrpc", "2.0") && envelope_take_id(r, message) && call_of(r)->id &&
	       envelope_has(message, "method", "tools/call");
}

/* --- answers ---------------------------------------------------------------------------- */

static void envelope_open(struct req *r)
{
	const struct tool_call *c = call_of(r);

	buf_clear(&r->reply.out);
	json_out_init(&r->reply.json, &r->reply.out);
	json_begin_object(&r->reply.json);
	json_add_string(&r->reply.json, "jsonrpc", "2.0");
	json_key(&r->reply.json, "id");
	if (c->id)
		json_value(&r->reply.json, c->id);
	else
		json_null(&r->reply.json);
}

struct json_out *envelope_begin(struct req *r)
{
	struct json_out *o = &r->reply.json;

	r->reply.status = 200;
	envelope_open(r);
	json_key(o, "result");
	json_begin_object(o);
	if (call_of(r)->revision->stateless)
		json_add_string(o, "resultType", "complete");
	return o;
}

void envelope_keep(struct req *r, int64_t ms, bool own)
{
	if (!call_of(r)->revision->stateless)
		return;
	json_add_int(&r->reply.json, "ttlMs", ms);
	json_add_string(&r->reply.json, "cacheScope", own ? "private" : "public");
}

void envelope_meta(struct req *r)
{
	struct json_out *o = &r->reply.json;

	json_key(o, "_meta");
	json_begin_object(o);
	if (!call_of(r)->revision->stateless)
		return;
	json_key(o, "io.modelcontextprotocol/serverInfo");
	json_begin_object(o);
	json_add_string(o, "name", "kith");
	json_add_string(o, "version", KITH_VERSION);
	json_end_object(o);
}

static enum step envelope_close(struct req *r)
{
	json_end_object(&r->reply.json);
	call_of(r)->answered = true;
	reply_header(r, "Content-Type", "application/json");
	return DONE;
}

enum step envelope_end(struct req *r)
{
	if (call_of(r)->revision->stateless) {
		envelope_meta(r);
		json_end_object(&r->reply.json);
	}
	return envelope_end_meta(r);
}

enum step envelope_end_meta(struct req *r)
{
	json_end_object(&r->reply.json);
	return envelope_close(r);
}

enum step envelope_error(
    struct req *r, int number, enum error_code code, int status, const char *text, const struct buf *data)
{
	struct json_out *o = &r->reply.json;

	r->reply.error = code;
	r->reply.status = error_rows[code].status;
	r->carrier->status = status;
	envelope_open(r);
	json_key(o, "error");
	json_begin_object(o);
	json_add_int(o, "code", number);
	json_add_string(o, "message", text);
	if (data) {
		json_key(o, "data");
		json_raw(o, data->data, data->len);
	}
	json_end_object(o);
	return envelope_close(r);
}
