/* deploy/nginx.conf before two servers: links, the log, compressed answers, its own errors, and reads while a server
 * stops. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/phone_ask.h"
#include "test/lib/http/sse.h"
#include "test/lib/patience.h"
#include "test/lib/server/logged.h"
#include "test/lib/server/nginx.h"

enum { WAIT_MS = 60000, READS = 200, PEOPLE = 30, ROLLING = 24, LARGE = 9 << 20 };

/* As deploy/nginx.conf advises. */
static struct nginx nginx;

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
TEST(test_links)
{
	char link[128];
	struct caller_answer a;

	for (int i = 0; i < PEOPLE; i++)
		assert_int_equal(
		    caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"fullName\":\"Person %d\"}", i).status, 200);
	a = SEND("GET", NULL, "/v1/people?limit=1");
	snprintf(link, sizeof(link), "\"nextLink\":\"%s/v1/people?", nginx.base);
	assert_int_equal(a.status, 200);
	if (strstr(a.reply.body, link) == NULL)
		fail_msg("no %s in %s", link, a.reply.body);
}

/* The server's log has the client's address and nginx's request id, whatever the client claims. */
TEST(test_log)
{
	static const struct client_header forged[] = {{"X-Forwarded-For", "203.0.113.7"}, {"X-Request-Id", "forged"},
	    {"Forwarded", "for=203.0.113.7"}, {NULL, NULL}};
	struct caller_answer a = caller_send_with(&ada, "GET", "/v1/users/me", NULL, forged);
	const char *id = client_header(&a.reply, "X-Request-Id"), *theirs;
	const struct json *line = NULL;
	int64_t until_us = patience_ms(WAIT_MS);

	assert_int_equal(a.status, 200);
	for (int i = 0; !line && patience_pause(until_us); i++)
		line = logged_find(&ada.arena, servers[i % 2], "requestId", id);
	assert_non_null(line);
	logged_expect(line, "client", "127.0.0.1");
	theirs = logged_text(line, "client_request_id");
	assert_non_null(theirs);
	assert_int_equal(strlen(theirs), 36);
	assert_string_not_equal(theirs, id);
}

static bool nginx_logged(const char *file, const char *text)
{
	static char log[1 << 20];
	FILE *f = fopen(arena_printf(&ada.arena, "%s/%s", nginx.directory, file), "re");

	assert_non_null(f);
	log[fread(log, 1, sizeof log - 1, f)] = '\0';
	fclose(f);
	return strstr(log, text);
}

/* A token whose # a program has encoded, so that it is sent. */
#define SECRET_43 "a-secret-of-43-letters-as-those-of-link_are"

/* Secrets of addresses are in no log, also when kith does not answer (gone). */
static void expect_no_secrets(bool gone)
{
	static const struct client_header from[] = {{"Referer", "https://id.example/?secret=1"}, {NULL, NULL}};
	static const struct {
		const char *target, *logged; /* what the log has of it */
		int status;
	} asked[] = {
	    {"/calendar/kith_secret.ics", "\"GET /calendar/ HTTP", 404},
	    {"/auth/oidc/callback?code=secret&state=secret", "\"GET /auth/oidc/callback HTTP", 404},
	    {"/oauth/authorize?client_id=secret&state=secret", "\"GET /oauth/authorize HTTP", 400},
	    {"/v1/users/me?x=secret", "\"GET /v1/users/me HTTP", 200},
	    {"/console%23invitation=" SECRET_43, "\"GET /console%23invitation= HTTP", 404},
	};
	size_t of_links = gone ? 3 : 5; /* the error log has other addresses, with their queries */

	for (size_t i = 0; i < of_links; i++) {
		struct caller_answer a = caller_send_with(&ada, "GET", asked[i].target, NULL, from);
		assert_int_equal(a.status, gone ? 502 : asked[i].status);
		/* nginx writes the line after the answer. */
		for (int64_t until_us = patience_ms(WAIT_MS); !nginx_logged("access.log", asked[i].logged);)
			if (!patience_pause(until_us))
				fail_msg("%s is not in the log", asked[i].logged);
	}
	assert_false(nginx_logged("access.log", "secret"));
	assert_false(nginx_logged("error.log", "secret"));
}

TEST(test_secrets_of_addresses)
{
	expect_no_secrets(false);
}

TEST(test_compressed)
{
	struct client_request request = {.method = "GET", .target = "/v1/people?limit=30", .n_headers = 2};
	struct client_reply plain, packed;
	char error[256], bearer[128];

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

/* A tag that came through nginx, with a compressed answer, is valid in If-Match. */
TEST(test_tags)
{
	struct client_request request = {.method = "GET", .n_headers = 2};
	struct client_reply one;
	char error[256], bearer[128], text[2001];
	struct caller_answer a;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	a = caller_good(caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"description\":\"%s\"}", text));
	snprintf(bearer, sizeof(bearer), "Bearer %s", rig.ada.key);
	request.target = TEXT("/v1/people/%s", a.id);
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
TEST(test_stream)
{
	struct sse s;

	sse_init(&s);
	sse_to_end(&s, &ada);
	assert_int_equal(sse_open(&s, nginx.base, rig.ada.key, "/v1/events/stream"), 200);
	assert_int_equal(sse_next(&s, WAIT_MS), SSE_FRAME);
	for (int i = 0; i < 3; i++)
		sse_expect(&s, "person.created", POST("{\"firstName\":\"Now\"}", "/v1/people"));
	sse_free(&s);
}

static int put_card(struct phone *phone, const char *name, const char *condition, const char *tag)
{
	const struct client_header headers[] = {{"Content-Type", "text/vcard"}, {condition, tag}, {NULL, NULL}};
	const char *card = TEXT("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:%s\r\nEND:VCARD\r\n", name);

	return phone_send(phone, "PUT", "people/8C1F2A57.vcf", card, headers).status;
}

/* Methods, passwords, conditions and where devices look first pass through (docs/phones.md). */
TEST(test_address_books)
{
	struct phone phone = phone_open(&ada, rig.ada.id, "\"contacts\"");
	const char *read = TEXT("<c:addressbook-multiget xmlns='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav'><prop>"
	                        "<c:address-data/></prop><href>%speople/8C1F2A57.vcf</href></c:addressbook-multiget>",
	    phone.home);
	struct client_reply a;

	phone_turn(&phone, nginx.base);
	a = phone_ask(&phone, "PROPFIND", "0", NULL, "/.well-known/carddav");
	assert_int_equal(a.status, 301);
	assert_string_equal(client_header(&a, "Location"), "/dav/");
	a = phone_ask(&phone, "PROPFIND", "0", PROPFIND("<current-user-principal/>"), "/dav/");
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, TEXT("/dav/principals/%s/", rig.ada.id)));
	assert_int_equal(put_card(&phone, "By Proxy", "If-None-Match", "*"), 201);
	assert_int_equal(put_card(&phone, "Other", "If-Match", "\"other\""), 412);
	a = phone_ask(&phone, "REPORT", "1", read, phone_book(&phone, "people"));
	assert_int_equal(a.status, 207);
	assert_true(phone_has(&a, "FN:By Proxy"));
	phone.account = "Basic none";
	a = phone_ask(&phone, "PROPFIND", "0", NULL, "/dav/");
	assert_int_equal(a.status, 401);
	assert_non_null(strstr(client_header(&a, "WWW-Authenticate"), "Basic"));
	phone_free(&phone);
}

/* Errors of nginx and of kith have the same shape. */
TEST(test_errors)
{
	char *large = calloc(1, LARGE + 1), *target = calloc(1, 40000);
	struct caller_answer a;

	memset(large, 'x', LARGE);
	a = SEND("POST", large, "/v1/people/batch/create");
	expect_error(&a, 413, "INVALID_REQUEST");
	caller_turn(&ada, nginx.base);
	memset(target, 'x', 39999);
	target[0] = '/';
	a = caller_send(&ada, "GET", target, NULL, NULL);
	expect_error(&a, 414, "INVALID_REQUEST");
	caller_turn(&ada, nginx.base);
	a = SEND("GET", NULL, "/v1/nothing");
	expect_error(&a, 404, "RESOURCE_NOT_FOUND");
	a = SEND("POST", "{", "/v1/people");
	expect_error(&a, 400, "INVALID_REQUEST");
	free(large);
	free(target);
}

static void ask_all(const char *when)
{
	for (int i = 0; i < ROLLING; i++) {
		struct caller_answer a =
		    i % 2 == 0 ? SEND("GET", NULL, "/v1/people?limit=2") : SEND("POST", "{}", "/v1/people");
		if (a.status != 200)
			fail_msg("%s, request %d: %d %s %s", when, i, a.status, a.error, a.reply.body);
	}
}

/* Both servers restart, one right after the other: no read fails, and no write before anything of it was sent. */
TEST(test_rolling)
{
	char listen[80];

	for (int i = 0; i < 2; i++) {
		snprintf(listen, sizeof(listen), "listen=%s", servers[i]->base + strlen("http://"));
		assert_true(server_stop(servers[i]));
		ask_all("one is down");
		servers[i] = rig_serve(&rig, false, (const char *const[]){listen, NULL});
	}
	ask_all("both are back");
}

/* One server dies during reads: none fails. Then the other: the error is the API's, for writes too. */
TEST(test_server_gone)
{
	struct caller_answer a;

	for (int i = 0; i < READS; i++) {
		if (i == READS / 4)
			assert_true(server_kill(servers[0]));
		a = SEND("GET", NULL, "/v1/people?limit=2");
		if (a.status != 200)
			fail_msg("read %d: %d %s %s", i, a.status, a.error, a.reply.body);
	}
	servers[0] = NULL;
	assert_int_equal(SEND("POST", "{}", "/v1/people").status, 200);
	assert_true(server_stop(servers[1]));
	servers[1] = NULL;
	a = SEND("GET", NULL, "/v1/people?limit=2");
	expect_error(&a, 502, "INTERNAL_SERVER_ERROR");
	a = SEND("POST", "{}", "/v1/people");
	expect_error(&a, 502, "INTERNAL_SERVER_ERROR");
	expect_no_secrets(true);
}

RIG("nginx", .servers = 2, .settings = {"gzip=on"});

BEFORE_ALL()
{
	signal(SIGPIPE, SIG_IGN);
	nginx_start(&nginx, servers[0]->base, servers[1]->base);
	caller_turn(&ada, nginx.base);
}

AFTER_ALL()
{
	nginx_stop(&nginx);
}
