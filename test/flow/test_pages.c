/* The pages as they are served: all files of the table, with their headers, compressed and not, as HEAD, and to those
 * who have them already; what is not there; and that slow readers cost no memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "server/pages/asset.h"
#include "test/lib/flow.h"
#include "test/lib/http/client.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"

enum { SLOW = 100, SLOW_KB = 8 << 10, PATIENCE_MS = 60000 };

static struct client *client;

RIG("pages");

BEFORE_ALL()
{
	client = client_new(server->base);
}

AFTER_ALL()
{
	client_free(client);
}

/* A request with at most one header; name NULL: none. */
static struct client_reply page_ask(const char *method, const char *target, const char *name, const char *value)
{
	struct client_request request = {.method = method, .target = target};
	struct client_reply reply;
	char error[256];

	if (name)
		request.headers[request.n_headers++] = (struct client_header){name, value};
	if (!client_send(client, &rig.arena, &request, &reply, error))
		fail_msg("%s %s: %s", method, target, error);
	return reply;
}

static void expect_header(const struct client_reply *reply, const char *target, const char *name, const char *value)
{
	const char *have = client_header(reply, name);

	if (!have || strcmp(have, value) != 0 || client_header_count(reply, name) != 1)
		fail_msg("%s: %s is '%s', not '%s'", target, name, have ? have : "(absent)", value);
}

/* Nothing from elsewhere, no script in the page itself. */
static void expect_safe(const struct client_reply *reply, const char *target)
{
	const char *policy = client_header(reply, "Content-Security-Policy");
	static const char *const parts[] = {
	    "default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"};

	assert_non_null(policy);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strstr(policy, parts[i]))
			fail_msg("%s: the policy lacks %s: %s", target, parts[i], policy);
	if (strstr(policy, "script-src") || strstr(policy, "http") || strstr(policy, "unsafe"))
		fail_msg("%s: the policy allows more than this server's own: %s", target, policy);
	if (strstr(policy, "data:") && strcmp(target, "/docs") != 0)
		fail_msg("%s: the policy allows what only the reference needs: %s", target, policy);
	expect_header(reply, target, "X-Content-Type-Options", "nosniff");
	expect_header(reply, target, "Referrer-Policy", "no-referrer");
}

static void expect_unpacked(const struct asset *file, const struct client_reply *reply)
{
	unsigned char *out = malloc(file->len + 1);
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)reply->body,
	    .avail_in = (unsigned)reply->body_len,
	    .next_out = out,
	    .avail_out = (unsigned)file->len + 1};

	assert_non_null(out);
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, file->len);
	assert_memory_equal(out, file->data, file->len);
	inflateEnd(&z);
	free(out);
}

/* The front page is asked for as a browser does. */
static const char *file_accept(const struct asset *file)
{
	return strcmp(file->path, "/") == 0 ? "text/html" : NULL;
}

static struct client_reply ask_file(const struct asset *file, const char *method, const char *name, const char *value)
{
	struct client_request request = {.method = method, .target = file->path};
	struct client_reply reply;
	char error[256];

	if (file_accept(file))
		request.headers[request.n_headers++] = (struct client_header){"Accept", file_accept(file)};
	if (name)
		request.headers[request.n_headers++] = (struct client_header){name, value};
	if (!client_send(client, &rig.arena, &request, &reply, error))
		fail_msg("%s %s: %s", method, file->path, error);
	return reply;
}

TEST(test_files)
{
	assert_true(n_assets > 10);
	for (size_t i = 0; i < n_assets; i++) {
		const struct asset *f = &assets[i];
		struct client_reply reply = ask_file(f, "GET", NULL, NULL);
		assert_int_equal(reply.status, 200);
		assert_int_equal(reply.body_len, f->len);
		assert_memory_equal(reply.body, f->data, f->len);
		expect_safe(&reply, f->path);
		expect_header(&reply, f->path, "Content-Type", f->type);
		expect_header(&reply, f->path, "ETag", f->etag);
		expect_header(&reply, f->path, "Cache-Control", "no-cache");
		expect_header(&reply, f->path, "Vary", file_accept(f) ? "Accept, Accept-Encoding" : "Accept-Encoding");
		assert_null(client_header(&reply, "Content-Encoding"));
		reply = ask_file(f, "HEAD", NULL, NULL);
		assert_int_equal(reply.status, 200);
		assert_int_equal(reply.body_len, 0);
		assert_int_equal(strtoull(client_header(&reply, "Content-Length"), NULL, 10), f->len);
		expect_header(&reply, f->path, "ETag", f->etag);
	}
}

TEST(test_compressed)
{
	size_t n = 0;

	for (size_t i = 0; i < n_assets; i++) {
		const struct asset *f = &assets[i];
		struct client_reply reply = ask_file(f, "GET", "Accept-Encoding", "br, gzip");
		assert_int_equal(reply.status, 200);
		expect_header(&reply, f->path, "ETag", f->gzip ? f->gzip_etag : f->etag);
		assert_string_not_equal(f->etag, f->gzip_etag);
		n += f->gzip != NULL;
		if (f->gzip) {
			expect_header(&reply, f->path, "Content-Encoding", "gzip");
			expect_unpacked(f, &reply);
		}
		reply = ask_file(f, "GET", "Accept-Encoding", "gzip;q=0, br");
		expect_header(&reply, f->path, "ETag", f->etag);
		assert_int_equal(reply.body_len, f->len);
	}
	assert_true(n > 5);
}

TEST(test_known)
{
	static const char *const before[] = {"", "W/", "\"other\", ", "*"};

	for (size_t i = 0; i < n_assets; i++) {
		const struct asset *f = &assets[i];
		struct client_reply reply;
		for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
			const char *value = k == 3 ? "*" : arena_printf(&rig.arena, "%s%s", before[k], f->etag);
			reply = ask_file(f, k % 2 ? "HEAD" : "GET", "If-None-Match", value);
			assert_int_equal(reply.status, 304);
			assert_int_equal(reply.body_len, 0);
			expect_header(&reply, f->path, "ETag", f->etag);
			expect_safe(&reply, f->path);
		}
		/* Of another form of the file, of another file. */
		reply = ask_file(f, "GET", "If-None-Match", f->gzip_etag);
		assert_int_equal(reply.status, 200);
		reply = ask_file(f, "GET", "If-None-Match", assets[(i + 1) % n_assets].etag);
		assert_int_equal(reply.status, 200);
	}
}

/* A header that is a list may be sent in several lines. */
TEST(test_lines)
{
	struct client_request request = {.method = "GET", .target = "/", .n_headers = 3};
	struct client_reply reply;
	char error[256];

	request.headers[0] = (struct client_header){"Accept", "application/json;q=0.1"};
	request.headers[1] = (struct client_header){"Accept", "text/html"};
	request.headers[2] = (struct client_header){"Accept-Encoding", "br"};
	assert_true(client_send(client, &rig.arena, &request, &reply, error));
	expect_header(&reply, "/", "Content-Type", "text/html; charset=utf-8");
	request.target = "/console/app.js";
	request.headers[1] = (struct client_header){"Accept-Encoding", "gzip"};
	assert_true(client_send(client, &rig.arena, &request, &reply, error));
	expect_header(&reply, request.target, "Content-Encoding", "gzip");
	request.headers[0] = (struct client_header){"If-None-Match", "\"other\""};
	request.headers[1] = (struct client_header){"If-None-Match", client_header(&reply, "ETag")};
	request.headers[2] = (struct client_header){"Accept-Encoding", "gzip"};
	assert_true(client_send(client, &rig.arena, &request, &reply, error));
	assert_int_equal(reply.status, 304);
}

TEST(test_front)
{
	struct client_reply reply = page_ask("GET", "/", NULL, NULL);

	assert_int_equal(reply.status, 200);
	expect_header(&reply, "/", "Content-Type", "application/json");
	expect_header(&reply, "/", "Vary", "Accept");
	assert_non_null(strstr(reply.body, "\"version\":\"" KITH_VERSION "\""));
	for (const char *const *p =
	         (const char *const[]){"/docs", "/console", "/docs/errors", "/openapi.json", "/mcp", NULL};
	     *p; p++)
		if (!strstr(reply.body, arena_printf(&rig.arena, "%s%s\"", server->base, *p)))
			fail_msg("no link to %s: %s", *p, reply.body);
	reply = page_ask("GET", "/", "Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
	expect_header(&reply, "/", "Content-Type", "text/html; charset=utf-8");
	assert_non_null(strstr(reply.body, "kith " KITH_VERSION));
	reply = page_ask("HEAD", "/", NULL, NULL);
	assert_int_equal(reply.status, 200);
	assert_int_equal(reply.body_len, 0);
	reply = page_ask("GET", "/docs/errors", NULL, NULL);
	expect_safe(&reply, "/docs/errors");
	assert_null(strstr(reply.body, "<style"));
	/* The description is only about the API. */
	reply = page_ask("GET", "/openapi.json", NULL, NULL);
	assert_non_null(strstr(reply.body, "\"/docs/errors\":{"));
	assert_null(strstr(reply.body, "\"/\":{"));
	assert_null(strstr(reply.body, "\"/docs\":{"));
}

/* Asked for again, the description is a 304 until it changes, as with the address that is asked. */
TEST(test_description_known)
{
	struct client_reply reply = page_ask("GET", "/openapi.json", NULL, NULL);
	const char *plain = client_header(&reply, "ETag"), *packed;

	assert_non_null(plain);
	assert_int_equal(page_ask("GET", "/openapi.json", "If-None-Match", plain).status, 304);
	reply = page_ask("GET", "/openapi.json", "Accept-Encoding", "gzip");
	packed = client_header(&reply, "ETag");
	assert_string_not_equal(packed, plain);
	assert_int_equal(page_ask("GET", "/openapi.json", "If-None-Match", packed).status, 200);
	reply = page_ask("GET", "/openapi.json", "Host", "elsewhere.example");
	assert_string_not_equal(client_header(&reply, "ETag"), plain);
}

TEST(test_methods)
{
	static const char *const paths[] = {"/", "/docs", "/docs/feed", "/console", "/console/app.js"};
	static const char *const methods[] = {"POST", "PUT", "PATCH", "DELETE"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct client_reply reply;
		for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
			reply = page_ask(methods[k], paths[i], NULL, NULL);
			assert_int_equal(reply.status, 405);
			expect_header(&reply, paths[i], "Allow",
			    i == 0 ? "GET, HEAD, OPTIONS, PROPFIND" : "GET, HEAD, OPTIONS"); /* phones ask "/" */
		}
		reply = page_ask("OPTIONS", paths[i], NULL, NULL);
		assert_int_equal(reply.status, 204);
	}
}

TEST(test_absent)
{
	static const char *const paths[] = {"/docs/../console", "/docs/%2e%2e/console", "/console/../../etc/passwd",
	    "/console/..%2f..%2fetc%2fpasswd", "/docs//feed", "/console/app.jsx", "/console/app.js/", "/docs/feed.md",
	    "/docs/%66eed", "/Docs", "/console/nothing", "/docs/app.js", "//", "/index.html"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct client_reply reply = page_ask("GET", paths[i], "Accept", "text/html");
		if (reply.status != 404)
			fail_msg("%s: %d", paths[i], reply.status);
		expect_header(&reply, paths[i], "Content-Type", "application/json");
	}
	assert_int_equal(page_ask("GET", "/docs/feed?x=../y", NULL, NULL).status, 200);
}

/* A slash too many is led to the page, also behind a proxy that serves it under a path. */
TEST(test_slash)
{
	struct client_reply reply = page_ask("GET", "/docs/", NULL, NULL);

	assert_int_equal(reply.status, 308);
	expect_header(&reply, "/docs/", "Location", "../docs");
	reply = page_ask("GET", "/console/?a=b", NULL, NULL);
	assert_int_equal(reply.status, 308);
	expect_header(&reply, "/console/", "Location", "../console");
}

/* The server's memory of its own, in kB: without the pages of files that it has mapped. */
static long own_kb(void)
{
	char path[64], line[256];
	long kb = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", (int)server->pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (strncmp(line, "RssAnon:", 8) == 0)
			kb = strtol(line + 8, NULL, 10);
	fclose(f);
	assert_true(kb > 0);
	return kb;
}

/* A hundred that ask for the largest file and read nothing of it: copies of it would be over a hundred megabytes. */
TEST(test_slow)
{
	const struct asset *largest = &assets[0];
	int fds[SLOW];
	long before, after;

	for (size_t i = 0; i < n_assets; i++)
		if (assets[i].len > largest->len)
			largest = &assets[i];
	assert_true(largest->len > 1 << 20);
	before = own_kb();
	for (int i = 0; i < SLOW; i++) {
		fds[i] = raw_open(server->base);
		assert_true(fds[i] >= 0 && raw_send(fds[i], "GET", largest->path, NULL, NULL, NULL));
	}
	/* The answers' beginnings are there, so their ends wait in the server. */
	for (int i = 0; i < SLOW; i++) {
		int64_t until = patience_ms(PATIENCE_MS);
		int status;
		while ((status = raw_status(fds[i])) == 0 && patience_pause(until))
			;
		assert_int_equal(status, 200);
	}
	after = own_kb();
	for (int i = 0; i < SLOW; i++)
		close(fds[i]);
	if (after - before > SLOW_KB)
		fail_msg("%d slow readers take %ld kB", SLOW, after - before);
}
