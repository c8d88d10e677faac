/* Refusing a body before reading it: the answer is the same as after reading. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/apikey.h"
#include "test/lib/flow.h"
#include "test/lib/http/edge.h"
#include "test/lib/http/raw.h"

enum { LARGE = 900000, SMALL = 3000 };

static char body[LARGE];

/* The answer to a POST that announces len bytes of body and sends fewer. */
static const char *judged_ask(const char *target, const char *headers, size_t len, size_t sent, char *out, size_t cap)
{
	char head[600];
	int fd = raw_open(server->base);

	snprintf(head, sizeof(head),
	    "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%sContent-Length: %zu\r\n\r\n", target, headers, len);
	edge_puts(fd, head);
	edge_put(fd, body, sent);
	edge_get_until(fd, out, cap, NULL);
	close(fd);
	return out;
}

/* The status, the headers with advice, and the error's code and message. */
static const char *answer_gist(const char *answer, char out[400])
{
	static const char *const kept[] = {"HTTP/1.1 ", "\r\nWWW-Authenticate: ", "\r\nAllow: ", "\"code\":\"",
	    "\"message\":\"", "\r\nX-API-Version: ", "\r\nContent-Type: "};

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const char *at = strstr(answer, kept[i]);
		size_t have = strlen(out);
		if (at != NULL)
			snprintf(out + have, 400 - have, "%.*s;",
			    (int)strcspn(at + strlen(kept[i]), "\r\"") + (int)strlen(kept[i]), at);
	}
	return out;
}

TEST(test_same_answer)
{
	static const struct {
		const char *target, *headers;
		const char *status;
	} asked[] = {
	    {"/v1/people", "", "HTTP/1.1 401 "},
	    {"/v1/people", "Authorization: Bearer kith_000000000000000000000000000000000000\r\n", "HTTP/1.1 401 "},
	    {"/v1/people", "Authorization: Basic YTpi\r\n", "HTTP/1.1 401 "},
	    {"/v1/people", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", "HTTP/1.1 401 "},
	    {"/v1/nothing", "", "HTTP/1.1 404 "},
	    {"/v1/peple", "", "HTTP/1.1 404 "},
	    {"/nothing", "", "HTTP/1.1 404 "},
	    {"/", "", "HTTP/1.1 405 "},
	    {"/v1/usage", "", "HTTP/1.1 405 "},
	    {"/v1/usage?a=b", "", "HTTP/1.1 405 "},
	};
	static char early[65536], late[65536];
	char a[400], b[400];

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		answer_gist(judged_ask(asked[i].target, asked[i].headers, LARGE, 0, early, sizeof(early)), a);
		answer_gist(judged_ask(asked[i].target, asked[i].headers, SMALL, SMALL, late, sizeof(late)), b);
		if (strncmp(a, asked[i].status, strlen(asked[i].status)) != 0 || strcmp(a, b) != 0)
			fail_msg("%s %s\nearly: %s\nlate: %s", asked[i].target, asked[i].headers, a, b);
	}
}

/* With a well-formed key the body is read and answered as usual. */
TEST(test_read)
{
	static char out[65536];
	char key[APIKEY_SIZE], header[200];

	apikey_new(key);
	snprintf(header, sizeof(header), "Authorization: bearer  %s \r\n", key);
	assert_memory_equal(judged_ask("/v1/people", header, LARGE, LARGE, out, sizeof(out)), "HTTP/1.1 401 ", 13);
	snprintf(header, sizeof(header), "authorization:Bearer %s\r\n", rig.ada.key);
	/* Its first large body counts as a stranger's, the second as that of a known key. */
	for (int i = 0; i < 2; i++)
		assert_memory_equal(
		    judged_ask("/v1/people", header, LARGE, LARGE, out, sizeof(out)), "HTTP/1.1 400 ", 13);
	assert_memory_equal(judged_ask("/livez", "", LARGE, LARGE, out, sizeof(out)), "HTTP/1.1 405 ", 13);
}

/* The whole head comes at once, so the refusal comes before evhttp is to see another method. */
TEST(methods_of_webdav)
{
	static const struct {
		const char *line, *status;
	} asked[] = {
	    {"REPORT /dav/books/a/people/", "HTTP/1.1 401 "},
	    {"PROPFIND /dav/", "HTTP/1.1 401 "},
	    {"PROPFIND /v1/people", "HTTP/1.1 405 "},
	    {"REPORT /nothing", "HTTP/1.1 404 "},
	    {"ACL /v1/people", "HTTP/1.1 405 "},
	};
	static char out[65536];

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		int fd = raw_open(server->base);
		assert_true(fd >= 0);
		edge_puts(fd, TEXT("%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n",
		                  asked[i].line, LARGE));
		edge_get_until(fd, out, sizeof(out), NULL);
		close(fd);
		if (strncmp(out, asked[i].status, strlen(asked[i].status)) != 0)
			fail_msg("%s: %.100s", asked[i].line, out);
	}
}

RIG("judged");

BEFORE_ALL()
{
	signal(SIGPIPE, SIG_IGN);
	memset(body, 'x', sizeof(body));
}
