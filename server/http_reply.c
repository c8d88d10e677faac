/* Answers: those of the handler through evhttp, and those made before or instead of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/base/arena.h"
#include "server/base/fatal.h"
#include "server/base/id.h"
#include "server/base/log.h"
#include "server/http_conn.h"

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

/* --- without a handler -------------------------------------------------------------- */

void http_error_body(struct http_server *s, struct buf *body, int status, const char *message, char request_id[37])
{
	struct uuid id = id_random();

	uuid_format(&id, request_id);
	buf_init(body, ERROR_BODY_MAX);
	s->config.error_writer(body, status, request_id, message, s->config.ctx);
}

void http_error_bytes(struct http_server *s, struct evbuffer *out, int status, const char *message, bool head_only)
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
	        "Date: %s\r\n"
	        "Content-Length: %zu\r\n"
	        "Connection: close\r\n\r\n",
	        status, http_phrase(status), request_id, extra->name ? extra->name : "", extra->name ? ": " : "",
	        extra->name ? extra->value : "", extra->name ? "\r\n" : "", http_date(s), body.len) < 0 ||
	    (!head_only && evbuffer_add(out, body.data, body.len) != 0))
		fatal("no memory for an answer");
	buf_free(&body);
}

/* --- the handler's ------------------------------------------------------------------ */

static void body_free(const void *data, size_t len, void *unused)
{
	(void)len;
	(void)unused;
	free((void *)(uintptr_t)data);
}

static void add_header(struct evkeyvalq *out, const char *name, const char *value)
{
	if (evhttp_add_header(out, name, value) != 0)
		log_error("http", "an answer's header %s was left out: its value is not one line", name);
}

static void add_headers(
    struct http_call *call, int status, const struct http_header *headers, size_t n, size_t body_len)
{
	struct evkeyvalq *out = evhttp_request_get_output_headers(call->request);
	char length[24];

	for (size_t i = 0; i < n; i++)
		add_header(out, headers[i].name, headers[i].value);
	add_header(out, "Date", http_date(call->server));
	if (status >= 200 && status != 204 && status != 304) {
		snprintf(length, sizeof(length), "%zu", body_len);
		add_header(out, "Content-Length", length);
	}
	if (call->conn->last)
		add_header(out, "Connection", "close");
}

static void add_body(struct http_call *call, int status, struct buf *body)
{
	size_t len;
	char *data;

	if (body->len == 0 || call->conn->gate.head || status < 200 || status == 204 || status == 304)
		return;
	data = buf_take(body, &len);
	if (evbuffer_add_reference(evhttp_request_get_output_buffer(call->request), data, len, body_free, NULL) != 0)
		fatal("no memory for an answer");
}

static void on_sent(struct evhttp_request *request, void *arg)
{
	(void)request;
	conn_answered(arg);
}

static void send_answer(
    struct http_call *call, int status, const struct http_header *headers, size_t n, struct buf *body)
{
	struct http_conn *c = call->conn;

	c->last |= call->server->stopping;
	add_headers(call, status, headers, n, body == NULL ? 0 : body->len);
	if (body != NULL)
		add_body(call, status, body);
	evhttp_request_set_on_complete_cb(call->request, on_sent, c);
	conn_set_state(c, CONN_REPLY);
	c->call = NULL;
	c->replying = true;
	evhttp_send_reply(call->request, status, http_phrase(status), NULL);
	c->replying = false;
	/*
	 * evhttp reads on while it writes, without limit, and takes a client that has
	 * ended its sending side for one that is gone. It turns reading on
	 * again itself for the next request.
	 */
	bufferevent_disable(c->bev, EV_READ);
	conn_write_soon(c);
}

void http_reply(
    struct http_call *call, int status, const struct http_header *headers, size_t n_headers, struct buf *body)
{
	if (call->conn != NULL)
		send_answer(call, status, headers, n_headers, body);
	else
		evhttp_request_free(call->request);
	if (body != NULL)
		buf_free(body);
	call->server->n_calls--;
	free(call->text);
	free(call);
}
