/* Answers that the HTTP server makes before or instead of the handler. */
#include "server/base/clock.h"
#include "server/base/id.h"
#include "server/base/log.h"
#include "server/http/conn.h"

enum { ERROR_BODY_MAX = 8192 };

const char *http_phrase(int status)
{
	static const struct {
		int status;
		const char *phrase;
	} phrases[] = {{200, "OK"}, {201, "Created"}, {202, "Accepted"}, {204, "No Content"}, {207, "Multi-Status"},
	    {301, "Moved Permanently"}, {304, "Not Modified"}, {308, "Permanent Redirect"}, {400, "Bad Request"},
	    {401, "Unauthorized"}, {403, "Forbidden"}, {404, "Not Found"}, {405, "Method Not Allowed"},
	    {408, "Request Timeout"}, {409, "Conflict"}, {410, "Gone"}, {412, "Precondition Failed"},
	    {413, "Content Too Large"}, {414, "URI Too Long"}, {415, "Unsupported Media Type"},
	    {417, "Expectation Failed"}, {421, "Misdirected Request"}, {422, "Unprocessable Content"},
	    {429, "Too Many Requests"}, {431, "Request Header Fields Too Large"}, {500, "Internal Server Error"},
	    {501, "Not Implemented"}, {503, "Service Unavailable"}, {505, "HTTP Version Not Supported"},
	    {507, "Insufficient Storage"}};

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
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

void http_error_make(struct http_server *s, struct http_error *e, int status, const char *message)
{
	struct uuid id = id_random();

	uuid_format(&id, e->request_id);
	if (status >= HTTP_REFUSED_FROM && status <= HTTP_REFUSED_TO)
		s->refused[status - HTTP_REFUSED_FROM]++;
	if (status == 503) /* the handler will not write the log line of this request */
		log_access(&(struct log_access){.request_id = e->request_id,
		    .status = status,
		    .error_code = "SERVICE_UNAVAILABLE",
		    .why = message});
	e->headers[0] = (struct http_header){"Content-Type", "application/json"};
	e->headers[1] = (struct http_header){"X-Request-Id", e->request_id};
	e->headers[2] = s->config.error_header;
	e->n_headers = e->headers[2].name ? 3 : 2;
	buf_init(&e->body, ERROR_BODY_MAX);
	s->config.error_writer(&e->body, status, e->request_id, message, s->config.ctx);
}

uint64_t http_refused(const struct http_server *s, int status)
{
	return s->refused[status - HTTP_REFUSED_FROM];
}
