/* See edge_stream.h. The expected text is written in full, with the dates and ids received, and compared. */
#include "test/lib/http/edge_stream.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/http/http.h"
#include "test/lib/http/edge.h"

/* Precedes the date in every head. */
#define SAFE "X-Content-Type-Options: nosniff\r\n"

enum { EXPECTED_MAX = 1 << 20, DATE_LEN = 29, ID_LEN = 36 };

/* The len characters after the first name in stream; "" when it is absent. */
static const char *value_of(const char *stream, const char *name, size_t len, char out[])
{
	const char *at = strstr(stream, name);

	out[0] = '\0';
	if (at != NULL && strlen(at) >= strlen(name) + len) {
		memcpy(out, at + strlen(name), len);
		out[len] = '\0';
	}
	return out;
}

static const char *date_of(const char *stream)
{
	static const char form[] = "Aaa, 00 Aaa 0000 00:00:00 GMT";
	static char date[DATE_LEN + 1];

	value_of(stream, "\r\nDate: ", DATE_LEN, date);
	for (size_t i = 0; i < DATE_LEN; i++)
		if (form[i] == '0'                    ? !isdigit((unsigned char)date[i])
		    : isalpha((unsigned char)form[i]) ? !isalpha((unsigned char)date[i])
		                                      : date[i] != form[i])
			fail_msg("no date in: %.300s", stream);
	return date;
}

static const char *id_of(const char *stream)
{
	static char id[ID_LEN + 1];

	value_of(stream, "\r\nX-Request-Id: ", ID_LEN, id);
	if (strspn(id, "0123456789abcdef-") != ID_LEN)
		fail_msg("no request id in: %.300s", stream);
	return id;
}

/* Takes from the stream what was written into expected, which is freed. */
static void expect_stream(const char **stream, struct buf *expected)
{
	char want[600] = "";
	size_t same = 0, len = expected->len;

	assert_false(expected->overflow);
	while (same < len && (*stream)[same] == expected->data[same])
		same++;
	snprintf(want, sizeof(want), "%s", expected->data);
	buf_free(expected); /* before anything fails: a server forked by the next test would seem to leak it */
	if (same < len)
		fail_msg("expected: %s\n\ncame: %.600s\n\nthey differ from: %.60s", want, *stream, *stream + same);
	*stream += len;
}

void stream_takes(const char **stream, struct edge_answer want)
{
	struct buf text;

	buf_init(&text, EXPECTED_MAX);
	buf_printf(&text, "%s 200 OK\r\n", want.version != NULL ? want.version : "HTTP/1.1");
	if (want.body != NULL)
		buf_printf(&text, "Content-Type: application/json\r\nX-Request-Id: handler\r\n");
	buf_printf(&text, SAFE "Date: %s\r\nContent-Length: %zu\r\n", date_of(*stream),
	    want.body != NULL ? strlen(want.body) : 0);
	if (want.connection != NULL)
		buf_printf(&text, "Connection: %s\r\n", want.connection);
	buf_printf(&text, "\r\n%s", want.body == NULL || want.head ? "" : want.body);
	expect_stream(stream, &text);
}

void stream_takes_refusal(const char **stream, int status, const char *message, bool head)
{
	static char any[200];
	const char *id = id_of(*stream);
	struct buf text, body;

	if (message == NULL) {
		const char *at = strstr(*stream, "\"message\":\"");
		if (at == NULL)
			fail_msg("no message in: %.300s", *stream);
		at += strlen("\"message\":\"");
		snprintf(any, sizeof(any), "%.*s", (int)strcspn(at, "\""), at);
		message = any;
	}
	buf_init(&text, EXPECTED_MAX);
	buf_init(&body, EXPECTED_MAX);
	buf_printf(&body, "{\"status\":%d,\"requestId\":\"%s\",\"message\":\"%s\"}", status, id, message);
	buf_printf(&text,
	    "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nX-Request-Id: %s\r\n" SAFE "Date: %s\r\n"
	    "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
	    status, http_phrase(status), id, date_of(*stream), body.len, head ? "" : body.data);
	buf_free(&body);
	expect_stream(stream, &text);
}

void stream_takes_bytes(const char **stream, const char *bytes)
{
	const char *star = strstr(bytes, "\r\nDate: *");
	struct buf text;

	buf_init(&text, EXPECTED_MAX);
	if (star != NULL) {
		buf_add(&text, bytes, (size_t)(star - bytes));
		buf_printf(&text, "\r\n" SAFE "Date: %s", date_of(*stream));
		bytes = star + strlen("\r\nDate: *");
	}
	buf_add(&text, bytes, strlen(bytes));
	expect_stream(stream, &text);
}

int stream_takes_any(const char **stream)
{
	const char *end = strstr(*stream, "\r\n\r\n"), *length = strstr(*stream, "\r\nContent-Length: ");
	size_t len;
	int status;

	if (strncmp(*stream, "HTTP/1.", 7) != 0 || end == NULL || length == NULL || length > end)
		fail_msg("not an answer: %.300s", *stream);
	date_of(*stream);
	status = (int)strtol(*stream + strlen("HTTP/1.1 "), NULL, 10);
	len = strtoul(length + strlen("\r\nContent-Length: "), NULL, 10);
	end += 4;
	if (strlen(end) < len)
		fail_msg("a body is cut off: %.300s", *stream);
	*stream = end + len;
	return status;
}

void stream_ends(const char *stream)
{
	if (*stream != '\0')
		fail_msg("%zu bytes after the end: %.300s", strlen(stream), stream);
}

void stream_expect_answer(const char *stream, const char *body)
{
	stream_takes(&stream, (struct edge_answer){.body = body, .connection = "close"});
	stream_ends(stream);
}

void stream_expect_refusal(const char *stream, int status)
{
	stream_takes_refusal(&stream, status, NULL, false);
	stream_ends(stream);
}

void stream_answers(int fd, const char *body)
{
	static char out[1 << 16];
	const char *at = out;

	edge_get_until(fd, out, sizeof out, "n=0");
	stream_takes(&at, (struct edge_answer){.body = body});
	stream_ends(at);
}
