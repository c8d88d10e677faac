#include "test/api/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/text.h"
#include "test/api/protocol.h"

enum { LINE_MAX_BYTES = 64 << 20, REQUEST_MAX = 1 << 18 };

static void write_member(struct json_out *o, const char *key, const char *text, size_t len)
{
	json_key(o, key);
	if (text && text_utf8_valid(text, len))
		json_string_len(o, text, len);
	else
		json_null(o);
}

static void write_headers(struct json_out *o, const struct client_reply *reply)
{
	json_key(o, "headers");
	json_begin_array(o);
	for (size_t i = 0; i < reply->n_headers; i++) {
		json_begin_array(o);
		json_string(o, reply->headers[i].name);
		json_string(o, reply->headers[i].value);
		json_end_array(o);
	}
	json_end_array(o);
}

void record_exchange(const struct client_request *request, const struct client_reply *reply, bool example)
{
	/* the messages of other protocols have descriptions of their own, which their clients check */
	const char *path = protocol_is_other(request->target) ? NULL : getenv("KITH_TEST_EXCHANGES");
	FILE *f = path ? fopen(path, "a") : NULL;
	struct json_out o;
	struct buf line;

	if (!f) {
		if (path) {
			fprintf(stderr, "%s cannot be written\n", path);
			exit(1);
		}
		return;
	}
	buf_init(&line, LINE_MAX_BYTES);
	json_out_init(&o, &line);
	json_begin_object(&o);
	write_member(&o, "method", request->method, strlen(request->method));
	write_member(&o, "target", request->target, strlen(request->target));
	json_key(&o, "request");
	if (request->body && (request->body_len > REQUEST_MAX || !text_utf8_valid(request->body, request->body_len)))
		json_bool(&o, false);
	else if (request->body)
		json_string_len(&o, request->body, request->body_len);
	else
		json_null(&o);
	json_key(&o, "status");
	json_int(&o, reply->status);
	write_headers(&o, reply);
	write_member(&o, "body", reply->body, reply->body_len);
	if (example) {
		json_key(&o, "example");
		json_bool(&o, true);
	}
	json_end_object(&o);
	buf_addc(&line, '\n');
	fwrite(line.data, 1, line.len, f);
	buf_free(&line);
	fclose(f);
}
