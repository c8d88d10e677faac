/* deploy/nginx.conf before two servers: links, compressed answers, its own errors, and reads while a server stops. */
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/base/buf.h"
#include "test/lib/caller.h"
#include "test/lib/child.h"
#include "test/lib/directory.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/sse.h"

enum { WAIT_MS = 10000, READS = 200, PEOPLE = 30, ROLLING = 24, CONF_MAX = 65536, LARGE = 9 << 20 };

/* As deploy/nginx.conf advises. */
static const char *const packing[] = {"gzip=on", NULL};
static struct rig rig;
static struct server_process *servers[2];
static struct caller ada;
static char directory[DIRECTORY_SIZE], base[64];
static pid_t nginx;

/* A port that is free at present. */
static int free_port(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	close(fd);
	return ntohs(at.sin_port);
}

/* Replaces a text of the shipped file, which must occur. */
static void put_text(char *conf, const char *shipped, const char *text)
{
	char *at = strstr(conf, shipped), *end;

	if (at == NULL)
		fail_msg("no \"%s\" in deploy/nginx.conf", shipped);
	end = at + strlen(shipped);
	assert_true(strlen(conf) + strlen(text) < CONF_MAX);
	memmove(at + strlen(text), end, strlen(end) + 1);
	memcpy(at, text, strlen(text));
}

static void write_conf(int port)
{
	static char conf[CONF_MAX];
	char path[128], text[1024];
	FILE *shipped = fopen("deploy/nginx.conf", "r");

	assert_non_null(shipped);
	conf[fread(conf, 1, sizeof(conf) - 1, shipped)] = '\0';
	fclose(shipped);
	put_text(conf, "127.0.0.1:8080", servers[0]->base + strlen("http://"));
	put_text(conf, "# server ", "server ");
	put_text(conf, "127.0.0.1:8081", servers[1]->base + strlen("http://"));
	snprintf(text, sizeof(text), "listen 127.0.0.1:%d;", port);
	put_text(conf, "listen 443 ssl http2;", text);
	put_text(conf, "ssl_certificate ", "# ");
	put_text(conf, "ssl_certificate_key ", "# ");
	snprintf(path, sizeof(path), "%s/site.conf", directory);
	rig_write(path, conf);
	snprintf(text, sizeof(text),
	    "daemon off; master_process off; pid %s/pid; error_log %s/error.log; events {}\n"
	    "http { access_log off; client_body_temp_path %s/body; proxy_temp_path %s/proxy; fastcgi_temp_path %s/f;\n"
	    "uwsgi_temp_path %s/u; scgi_temp_path %s/s; include %s/site.conf; }\n",
	    directory, directory, directory, directory, directory, directory, directory, directory);
	snprintf(path, sizeof(path), "%s/nginx.conf", directory);
	rig_write(path, text);
}

static void start_nginx(void)
{
	const char *program = access("/usr/sbin/nginx", X_OK) == 0 ? "/usr/sbin/nginx" : "nginx";
	int64_t until_us = patience_ms(WAIT_MS);
	int port = free_port();
	char path[128];

	write_conf(port);
	snprintf(path, sizeof(path), "%s/nginx.conf", directory);
	snprintf(base, sizeof(base), "http://127.0.0.1:%d", port);
	nginx = child_start(&(struct child){
	    .argv = (const char *const[]){program, "-p", directory, "-c", path, NULL}, .ends_with_us = true});
	caller_init(&ada, base, rig.ada.key);
	while (caller_send(&ada, "GET", "/readyz", NULL, NULL).status != 200)
		assert_true(patience_pause(until_us));
}

static void expect_error(const struct caller_answer *a, int status, const char *code)
{
	const char *id = client_header(&a->reply, "X-Request-Id"), *type = client_header(&a->reply, "Content-Type");
	char in_body[80];

	assert_int_equal(a->status, status);
	assert_string_equal(a->code, code);
	assert_non_null(type);
	assert_string_equal(type, "application/json");
	assert_non_null(id);
	assert_int_equal(strlen(id), 36);
	snprintf(in_body, sizeof(in_body), "\"requestId\":\"%s\"", id);
	assert_non_null(strstr(a->reply.body, in_body));
	assert_non_null(client_header(&a->reply, "X-API-Version"));
	assert_int_equal(client_header(&a->reply, "Retry-After") != NULL, status >= 502);
}

/* Links have the client's address, with the port. */
static void test_links(void **state)
{
	char link[128];
	struct caller_answer a;

	(void)state;
	for (int i = 0; i < PEOPLE; i++)
		assert_int_equal(
		    caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"fullName\":\"Person %d\"}", i).status, 200);
	a = caller_send(&ada, "GET", "/v1/people?limit=1", NULL, NULL);
	snprintf(link, sizeof(link), "\"nextLink\":\"%s/v1/people?", base);
	assert_int_equal(a.status, 200);
	if (strstr(a.reply.body, link) == NULL)
		fail_msg("no %s in %s", link, a.reply.body);
}

static void test_compressed(void **state)
{
	struct client_request request = {.method = "GET", .target = "/v1/people?limit=30", .n_headers = 2};
	struct client_reply plain, packed;
	char error[256], bearer[128];

	(void)state;
	snprintf(bearer, sizeof(bearer), "Bearer %s", rig.ada.key);
	request.headers[0] = (struct client_header){"Authorization", bearer};
	request.headers[1] = (struct client_header){"X-None", "1"};
	assert_true(client_send(ada.client, &ada.arena, &request, &plain, error));
	request.headers[1] = (struct client_header){"Accept-Encoding", "gzip"};
	assert_true(client_send(ada.client, &ada.arena, &request, &packed, error));
	assert_null(client_header(&plain, "Content-Encoding"));
	assert_non_null(client_header(&packed, "Content-Encoding"));
	assert_string_equal(client_header(&packed, "Content-Encoding"), "gzip");
	assert_true(packed.body_len < plain.body_len / 2);
}

/* A tag that came through nginx, with a packed answer, is good for If-Match. */
static void test_tags(void **state)
{
	struct client_request request = {.method = "GET", .n_headers = 2};
	struct client_reply one;
	char error[256], bearer[128], text[2001];
	struct caller_answer a;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	a = caller_good(caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"description\":\"%s\"}", text));
	snprintf(bearer, sizeof(bearer), "Bearer %s", rig.ada.key);
	request.target = arena_printf(&ada.arena, "/v1/people/%s", a.id);
	request.headers[0] = (struct client_header){"Authorization", bearer};
	request.headers[1] = (struct client_header){"Accept-Encoding", "gzip"};
	assert_true(client_send(ada.client, &ada.arena, &request, &one, error));
	assert_string_equal(client_header(&one, "Content-Encoding"), "gzip");
	ada.if_match = client_header(&one, "ETag");
	caller_good(caller_send(&ada, "PATCH", request.target, NULL, "{\"jobTitle\":\"a\"}"));
	assert_int_equal(caller_send(&ada, "PATCH", request.target, NULL, "{\"jobTitle\":\"b\"}").status, 412);
	ada.if_match = NULL;
}

/* A stream comes through at once, and ends with its client. */
static void test_stream(void **state)
{
	struct sse s;

	(void)state;
	sse_init(&s);
	sse_to_end(&s, &ada);
	assert_int_equal(sse_open(&s, base, rig.ada.key, "/v1/events/stream"), 200);
	assert_int_equal(sse_next(&s, WAIT_MS), SSE_FRAME);
	for (int i = 0; i < 3; i++)
		sse_expect(&s, "person.created",
		    caller_good(caller_send(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Now\"}")).id);
	sse_free(&s);
}

/* Errors of nginx and of kith have the same shape. */
static void test_errors(void **state)
{
	char *large = calloc(1, LARGE + 1), *target = calloc(1, 40000);
	struct caller_answer a;

	(void)state;
	memset(large, 'x', LARGE);
	a = caller_send(&ada, "POST", "/v1/people/batch/create", NULL, large);
	expect_error(&a, 413, "INVALID_REQUEST");
	caller_turn(&ada, base);
	memset(target, 'x', 39999);
	target[0] = '/';
	a = caller_send(&ada, "GET", target, NULL, NULL);
	expect_error(&a, 414, "INVALID_REQUEST");
	caller_turn(&ada, base);
	a = caller_send(&ada, "GET", "/v1/nothing", NULL, NULL);
	expect_error(&a, 404, "RESOURCE_NOT_FOUND");
	a = caller_send(&ada, "POST", "/v1/people", NULL, "{");
	expect_error(&a, 400, "INVALID_REQUEST");
	free(large);
	free(target);
}

static void ask_all(const char *when)
{
	for (int i = 0; i < ROLLING; i++) {
		struct caller_answer a = i % 2 == 0 ? caller_send(&ada, "GET", "/v1/people?limit=2", NULL, NULL)
		                                    : caller_send(&ada, "POST", "/v1/people", NULL, "{}");
		if (a.status != 200)
			fail_msg("%s, request %d: %d %s %s", when, i, a.status, a.error, a.reply.body);
	}
}

/* Both servers restart, one right after the other: no read fails, and no write of which nothing was sent. */
static void test_rolling(void **state)
{
	char listen[80];

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(listen, sizeof(listen), "listen=%s", servers[i]->base + strlen("http://"));
		assert_true(server_stop(servers[i]));
		ask_all("one is away");
		servers[i] = rig_serve(&rig, false, (const char *const[]){listen, NULL});
	}
	ask_all("both are back");
}

/* One server dies during reads: none fails. Then the other: the error is the API's, for writes too. */
static void test_server_gone(void **state)
{
	struct caller_answer a;

	(void)state;
	for (int i = 0; i < READS; i++) {
		if (i == READS / 4)
			assert_true(server_kill(servers[0]));
		a = caller_send(&ada, "GET", "/v1/people?limit=2", NULL, NULL);
		if (a.status != 200)
			fail_msg("read %d: %d %s %s", i, a.status, a.error, a.reply.body);
	}
	servers[0] = NULL;
	assert_int_equal(caller_send(&ada, "POST", "/v1/people", NULL, "{}").status, 200);
	assert_true(server_stop(servers[1]));
	servers[1] = NULL;
	a = caller_send(&ada, "GET", "/v1/people?limit=2", NULL, NULL);
	expect_error(&a, 502, "INTERNAL_SERVER_ERROR");
	a = caller_send(&ada, "POST", "/v1/people", NULL, "{}");
	expect_error(&a, 502, "INTERNAL_SERVER_ERROR");
}

static int group_setup(void **state)
{
	(void)state;
	rig_open(&rig, "nginx", false);
	for (int i = 0; i < 2; i++)
		servers[i] = rig_serve(&rig, false, packing);
	assert_true(directory_make("nginx", directory));
	start_nginx();
	return 0;
}

static int group_teardown(void **state)
{
	(void)state;
	if (nginx > 0) {
		kill(nginx, SIGTERM);
		waitpid(nginx, NULL, 0);
	}
	caller_free(&ada);
	for (int i = 0; i < 2; i++)
		if (servers[i] != NULL)
			server_stop(servers[i]);
	rig_close(&rig);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_links), cmocka_unit_test(test_compressed),
	    cmocka_unit_test(test_tags), cmocka_unit_test(test_stream), cmocka_unit_test(test_errors),
	    cmocka_unit_test(test_rolling), cmocka_unit_test(test_server_gone)};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
