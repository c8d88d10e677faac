/* The lines of requests: who asked, behind proxies that are trusted or not; why a request got a 503, once per second
 * and cause; when the database is back; refusals of two keys. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/flow.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/server/logged.h"

enum { WAIT_MS = 60000 };

static struct server_process *trusting, *strict; /* this machine is a trusted proxy of the first only */

RIG("accesslog", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	static const char *const networks[] = {"trusted_proxies=127.0.0.0/8, 10.0.0.0/8,::1,2001:db8:f::/48", NULL},
	                         *const others[] = {"trusted_proxies=192.0.2.1", NULL};

	trusting = rig_serve(&rig, false, networks);
	strict = rig_serve(&rig, false, others);
	caller_turn(&ada, trusting->base);
	caller_turn(&ben, strict->base);
}

/* --- who asked ---------------------------------------------------------------------------------- */

TEST(test_clients)
{
	static const struct {
		const char *lines[3], *client;
	} cases[] = {
	    {{NULL}, "127.0.0.1"},
	    {{"203.0.113.7"}, "203.0.113.7"},
	    {{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"}, /* what a client adds stands before */
	    {{"198.51.100.1", "203.0.113.7"}, "203.0.113.7"},
	    {{"203.0.113.7, 10.1.2.3 ,10.0.0.1"}, "203.0.113.7"},
	    {{"203.0.113.7,10.1.2.3", "10.0.0.1"}, "203.0.113.7"},
	    {{"10.1.2.3, 10.0.0.1"}, "10.1.2.3"}, /* a client inside */
	    {{"203.0.113.7:4711"}, "203.0.113.7"},
	    {{"\t[2001:DB8::0:1]:4711 "}, "2001:db8::1"},
	    {{"[2001:db8::1]"}, "2001:db8::1"},
	    {{"2001:db8::1, 2001:db8:f::2"}, "2001:db8::1"},
	    {{"fe80::1%eth0"}, "fe80::1"},
	    {{"::ffff:203.0.113.7"}, "203.0.113.7"},
	    {{"203.0.113.7, ::ffff:10.0.0.1"}, "203.0.113.7"},
	    {{"203.0.113.7, unknown, 10.0.0.1"}, "10.0.0.1"}, /* no further than it is known */
	    {{"203.0.113.7, _hidden"}, "127.0.0.1"},
	    {{"203.0.113.7,"}, "127.0.0.1"},
	    {{""}, "127.0.0.1"},
	    {{"203.0.113.7 10.0.0.1"}, "127.0.0.1"},
	    {{"203.0.113.7\xff"}, "127.0.0.1"},
	    {{"[", "203.0.113.300"}, "127.0.0.1"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct client_header headers[4] = {{NULL, NULL}};
		for (int n = 0; n < 3 && cases[i].lines[n]; n++)
			headers[n] = (struct client_header){"X-Forwarded-For", cases[i].lines[n]};
		struct caller_answer a = caller_send_with(&ada, "GET", "/livez", NULL, headers);
		assert_int_equal(a.status, 200);
		logged_expect(logged_of(&rig.arena, trusting, &a), "client", cases[i].client);
		a = caller_send_with(&ben, "GET", "/livez", NULL, headers);
		assert_int_equal(a.status, 200);
		logged_expect(logged_of(&rig.arena, strict, &a), "client", "127.0.0.1");
	}
}

/* A hundred proxies that are all trusted are not followed. */
TEST(test_hops)
{
	char list[100 * 16] = "203.0.113.7";
	struct client_header headers[] = {{"X-Forwarded-For", list}, {NULL, NULL}};
	struct caller_answer a;

	for (int i = 1; i <= 100; i++)
		snprintf(list + strlen(list), sizeof list - strlen(list), ",10.0.0.%d", i);
	a = caller_send_with(&ada, "GET", "/livez", NULL, headers);
	logged_expect(logged_of(&rig.arena, trusting, &a), "client", "10.0.0.69");
}

TEST(test_client_request_id)
{
	char long_one[4000];
	struct client_header one[] = {{"X-Request-Id", "abc-1/2:3"}, {NULL, NULL}},
	                     two[] = {{"X-Request-Id", "a"}, {"x-request-id", "b"}, {NULL, NULL}},
	                     odd[] = {{"X-Request-Id", "a b"}, {NULL, NULL}},
	                     bad[] = {{"X-Request-Id", "a\xc3\xa9"}, {NULL, NULL}},
	                     big[] = {{"X-Request-Id", long_one}, {NULL, NULL}};
	struct caller_answer a;

	memset(long_one, '"', sizeof long_one);
	long_one[sizeof long_one - 1] = '\0';
	a = caller_send_with(&ada, "GET", "/livez", NULL, one);
	logged_expect(logged_of(&rig.arena, trusting, &a), "client_request_id", "abc-1/2:3");
	assert_string_not_equal(client_header(&a.reply, "X-Request-Id"), "abc-1/2:3");
	a = caller_send_with(&ben, "GET", "/livez", NULL, one);
	logged_expect(logged_of(&rig.arena, strict, &a), "client_request_id", NULL);
	a = caller_send_with(&ada, "GET", "/livez", NULL, two);
	logged_expect(logged_of(&rig.arena, trusting, &a), "client_request_id", NULL);
	a = caller_send_with(&ada, "GET", "/livez", NULL, odd);
	logged_expect(logged_of(&rig.arena, trusting, &a), "client_request_id", NULL);
	a = caller_send_with(&ada, "GET", "/livez", NULL, bad);
	logged_expect(logged_of(&rig.arena, trusting, &a), "client_request_id", NULL);
	a = caller_send_with(&ada, "GET", "/livez", NULL, big);
	long_one[200] = '\0';
	logged_expect(logged_of(&rig.arena, trusting, &a), "client_request_id", long_one);
}

TEST(test_keys_and_paths)
{
	char path[600];
	struct caller_answer a, key = caller_get(&ada, "/v1/keys/me");
	const struct json *line;

	line = logged_of(&rig.arena, trusting, &key);
	logged_expect(line, "key", key.id);
	logged_expect(line, "path", NULL);
	a = SEND("GET", NULL, "/v1/peeple?apiKey=secret");
	line = logged_of(&rig.arena, trusting, &a);
	logged_expect(line, "path", "/v1/peeple");
	logged_expect(line, "route", NULL);
	logged_expect(line, "key", NULL); /* nobody asked whose it was */
	a = SEND("GET", NULL, "/v1/people/per_00000000-0000-4000-8000-000000000000?limit=1");
	assert_int_equal(a.status, 404);
	line = logged_of(&rig.arena, trusting, &a);
	logged_expect(line, "path", "/v1/people/per_00000000-0000-4000-8000-000000000000");
	logged_expect(line, "route", "/v1/people/{personId}");
	a = caller_send(&ada, "GET", "/console%23invitation=0123456789-abcdefghijklmnopqrstuvwxyz_ABCDEF", NULL, NULL);
	logged_expect(logged_of(&rig.arena, trusting, &a), "path", "/console%23invitation=");
	a = caller_send(&ada, "GET", "/console/0123456789-abcdefghijklmnopqrstuvwxyz_ABCDEF/kith_x", NULL, NULL);
	logged_expect(logged_of(&rig.arena, trusting, &a), "path", "/console/");
	memset(path, '%', sizeof path);
	path[0] = '/';
	path[sizeof path - 1] = '\0';
	a = caller_send(&ada, "GET", path, NULL, NULL);
	path[200] = '\0';
	logged_expect(logged_of(&rig.arena, trusting, &a), "path", path);
}

/* --- refusals ------------------------------------------------------------------------------------- */

/* Refused by the database: the cause stands there once a second, with the number of the others. */
TEST(test_why)
{
	int64_t began_us = clock_mono_us(), seconds;
	int lines;

	SQL("create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room' "
	    "using errcode = '53100'; end $$; "
	    "create trigger refuse before insert on people for each row execute function refuse()");
	for (int i = 0; i < 60; i++)
		assert_int_equal(SEND("POST", "{\"firstName\":\"X\"}", "/v1/people").status, 503);
	SQL("drop trigger refuse on people; drop function refuse()");
	seconds = (clock_mono_us() - began_us) / 1000000 + 2;
	lines = logged_until(&rig.arena, trusting, "why", "53100 no room", 60);
	assert_true(lines <= seconds);
	assert_int_equal(SEND("POST", "{\"firstName\":\"X\"}", "/v1/people").status, 200);
}

static void ask_away(void *ctx, int i)
{
	struct server_process *s = ctx;
	struct caller c;

	(void)i;
	caller_init(&c, s->base, rig.ada.key);
	if (caller_send(&c, "GET", "/v1/people?limit=1", NULL, NULL).status != 503)
		fprintf(stderr, "not a 503\n");
	caller_free(&c);
}

struct said {
	const char *text;
	int n; /* lines with that message */
};

static bool line_says(void *ctx, const struct json *line)
{
	const char *message = logged_text(line, "message");
	struct said *said = ctx;

	said->n += message && strstr(message, said->text) != NULL;
	return false;
}

/* The number of lines with the message, at least one. */
static int lines_saying(const struct server_process *s, const char *text)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct said said;

	do {
		said = (struct said){text, 0};
		logged_each(&rig.arena, s, line_says, &said);
	} while (said.n == 0 && patience_pause(until_us));
	return said.n;
}

/* Counts the lines of probes. */
static bool line_probes(void *ctx, const struct json *line)
{
	const char *route = logged_text(line, "route");

	*(int *)ctx += route && strcmp(route, "/readyz") == 0;
	return false;
}

/* The database is down: each request's line says so. One line says that it is back, although every lane had lost it. */
TEST(test_database_away)
{
	enum { REQUESTS = 20, PROBES = 10 };
	struct server_process *s = rig_serve(&rig, true, NULL);
	struct caller_answer answer;
	struct caller cleo;
	int probes = 0;
	int64_t until_us = patience_ms(WAIT_MS);

	caller_init(&cleo, s->base, rig.ada.key);
	caller_get(&cleo, "/v1/people?limit=1");
	proxy_stop(rig.proxy);
	caller_crowd_run(REQUESTS, ask_away, s);
	while (caller_send(&cleo, "GET", "/readyz", NULL, NULL).status == 200)
		assert_true(patience_pause(until_us));
	for (int i = 0; i < PROBES; i++)
		caller_send(&cleo, "GET", "/readyz", NULL, NULL);
	assert_true(logged_until(&rig.arena, s, "why", "08", REQUESTS) < REQUESTS);
	rig.proxy = proxy_start(rig.proxy_dir, rig.socket_dir);
	/* It is ready when every lane is. */
	while (caller_send(&cleo, "GET", "/readyz", NULL, NULL).status != 200)
		assert_true(patience_pause(until_us));
	/* A probe has a line only when its answer changes: here twice, or more often if it changed for a moment in
	 * between. */
	answer = caller_get(&cleo, "/v1/people?limit=1");
	logged_of(&rig.arena, s, &answer); /* the lines before are there, too */
	logged_each(&rig.arena, s, line_probes, &probes);
	assert_in_range(probes, 2, PROBES);
	/* not one for every lane; a connection that was being made when the others were lost may be the first */
	assert_in_range(lines_saying(s, "the database answers again"), 1, 2);
	/* Over thirty connections were lost. */
	assert_in_range(lines_saying(s, "lost a connection"), 1, 5);
	assert_in_range(lines_saying(s, "more connections were lost"), 1, 5);
	caller_free(&cleo);
	assert_true(server_stop(s));
}

/* Refused before there is a request: too many heads that do not end. */
TEST(test_busy_edge)
{
	enum { CLIENTS = 300, HEAD = 15 << 10 };
	static const char begin[] = "GET /livez HTTP/1.1\r\nHost: x\r\nA: ";
	static char head[HEAD];
	int fds[CLIENTS], refused = 0;
	int64_t until_us = patience_ms(WAIT_MS);

	memset(head, 'x', sizeof head);
	memcpy(head, begin, sizeof begin - 1);
	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = raw_open(strict->base);
		assert_true(fds[i] >= 0);
		assert_int_equal(write(fds[i], head, sizeof head), sizeof head);
	}
	for (int i = 0; !refused; i = (i + 1) % CLIENTS) {
		char answer[16];
		refused = recv(fds[i], answer, sizeof answer, MSG_DONTWAIT) > 12 && memcmp(answer + 9, "503", 3) == 0;
		assert_true(refused || i || patience_pause(until_us));
	}
	logged_expect(logged_with(&rig.arena, strict, "why", "The server is busy with other requests"), "code",
	    "SERVICE_UNAVAILABLE");
	for (int i = 0; i < CLIENTS; i++)
		raw_reset(fds[i]);
}

/* Of each of two keys ten lines a second, and their counts. */
TEST(test_limited_keys)
{
	static const char *const limits[] = {"rate_default=2/3600", NULL};
	struct server_process *s = rig_serve(&rig, false, limits);
	struct caller callers[2];
	int64_t began_us = clock_mono_us(), seconds;

	caller_init(&callers[0], s->base, rig.ada.key);
	caller_init(&callers[1], s->base, rig.ben.key);
	for (int i = 0; i < 80; i++)
		caller_send(&callers[i % 2], "GET", "/v1/keys/me", NULL, NULL);
	seconds = (clock_mono_us() - began_us) / 1000000 + 2;
	for (int i = 0; i < 2; i++) {
		struct caller_answer key = caller_get(i ? &ben : &ada, "/v1/keys/me");
		int lines = logged_until(&rig.arena, s, "key", key.id, 40);
		assert_true(lines <= 10 * seconds + 2);
		caller_free(&callers[i]);
	}
	assert_true(server_stop(s));
}
