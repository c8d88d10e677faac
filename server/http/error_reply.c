/* Answers made before or instead of the handler. */
#include <stdio.h>
#include <stdlib.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/fatal.h"
#include "server/base/id.h"
#include "server/http/conn.h"

enum { ERROR_BODY_MAX = 8192 };

const char *http_phrase(int status)
{
	static const struct {
		int status;
		const char *phrase;
	} phrases[] = {{200, "OK"}, {201, "Created"}, {202, "Accepted"}, {204, "No Content"},
	    {301, "Moved Permanently"}, {302, "Found"}, {303, "See Other"}, {304, "Not Modified"},
	    {307, "Temporary Redirect"}, {308, "Permanent Redirect"}, {400, "Bad Request"}, {401, "Unauthorized"},
	    {402, "Payment Required"}, {403, "Forbidden"}, {404, "Not Found"}, {405, "Method Not Allowed"},
	    {406, "Not Acceptable"}, {408, "Request Timeout"}, {409, "Conflict"}, {410, "Gone"},
	    {411, "Length Required"}, {412, "Precondition Failed"}, {413, "Content Too Large"}, {414, "URI Too Long"},
	    {415, "Unsupported Media Type"}, {417, "Expectation Failed"}, {421, "Misdirected Request"},
	    {422, "Unprocessable Content"}, {423, "Locked"}, {425, "Too Early"}, {426, "Upgrade Required"},
	    {428, "Precondition Required"}, {429, "Too Many Requests"}, {431, "Request Header Fields Too Large"},
	    {500, "Internal Server Error"}, {501, "Not Implemented"}, {502, "Bad Gateway"},
	    {503, "Service Unavailable"}, {504, "Gateway Timeout"}, {505, "HTTP Version Not Supported"}};

	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
		if (phrases[i].status == status)
			return phrases[i].phrase;
	return "Unknown";
}

const char *http_date(struct http_server *s)
{
	int64_t now = clock_now_ms() / 1000;

	if (now != s->date_second) {
		s->date_second = now;
		http_date_format(now, s->date);
	}
	return s->date;
}

void http_error_body(struct http_server *s, struct buf *body, int status, const char *message, char request_id[37])
{
	struct uuid id = id_random();

	uuid_format(&id, request_id);
	buf_init(body, ERROR_BODY_MAX);
	s->config.error_writer(body, status, request_id, message, s->config.ctx);
}

void http_error_bytes(struct http_server *s, struct evbuffer *out, int status, const char *message,
    const struct http_header *more, bool head_only)
{
	const struct http_header *extra = &s->config.error_header;
	struct buf body;
	char request_id[37];

	http_error_body(s, &body, status, message, request_id);
	if (evbuffer_add_printf(out,
	        "HTTP/1.1 %d %s\r\n"
	        "Content-Type: application/json\r\n"
	        "X-Request-Id: %s\r\n"
	        "%s%s%s%s"
	        "%s%s%s%s"
	        "Date: %s\r\n"
	        "Content-Length: %zu\r\n"
	        "Connection: close\r\n\r\n",
	        status, http_phrase(status), request_id, extra->name ? extra->name : "", extra->name ? ": " : "",
	        extra->name ? extra->value : "", extra->name ? "\r\n" : "", more ? more->name : "", more ? ": " : "",
	        more ? more->value : "", more ? "\r\n" : "", http_date(s), body.len) < 0 ||
	    (!head_only && evbuffer_add(out, body.data, body.len) != 0))
		fatal_abort("no memory for an answer");
	buf_free(&body);
}
