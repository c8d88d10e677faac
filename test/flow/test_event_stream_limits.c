/* Streams of events: what they may cost, and the line in the log. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/clock.h"
#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/sse.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum {
	SOON_MS = 60000,
	STREAMS_OF_USER = 20,
	STREAMS = 100,
	BYTES_A_STREAM = 96 << 10, /* with the sanitizers' share */
	OLD_EVENTS = 4000,
	OLD_BYTES = 5000, /* of each */
	BYTES_BEHIND = 6 << 20,
	BYTES_UNSENT = 512 << 10, /* usually less than a tenth of it; 3.8 MB without a limit */
	FULL_MS = 1000,           /* that long nothing more is taken */
	STOPS_MS = 20000          /* 25 s if the server waits for the reader */
};

static const char stream[] = "/v1/events/stream";
static char slow_target[1024]; /* far behind */

RIG("streams", .servers = 2, .keep_little = true);

BEFORE_ALL()
{
	caller_turn(&ada, servers[1]->base);
}

/* --- without events ------------------------------------------------------------------------- */

/* They are opened first and looked at last, as both take a quarter of a minute. */
static struct sse quiet, ended;
static char quiet_id[SSE_TEXT_MAX];

TEST(test_quiet_begins)
{
	struct test_user stranger = rig_stranger(&rig, "quiet"), other = rig_stranger(&rig, "ended");
	struct sse *both[] = {&quiet, &ended};
	struct arena a;
	const char *out;

	arena_init(&a);
	for (int i = 0; i < 2; i++) {
		sse_init(both[i]);
		assert_int_equal(sse_open(both[i], servers[0]->base, i ? other.key : stranger.key, stream), 200);
		assert_int_equal(sse_next(both[i], SOON_MS), SSE_FRAME);
	}
	snprintf(quiet_id, sizeof quiet_id, "%s", quiet.last_id);
	assert_int_equal(
	    command_run(rig.program, &a, (const char *const[]){"key", "revoke", other.key_id, NULL}, &out), 0);
	arena_free(&a);
}

/* --- limits --------------------------------------------------------------------------------- */

/* Streams and waiting requests share the places. */
TEST(test_cap)
{
	struct sse all[STREAMS_OF_USER], more;
	struct feed_page page;

	for (int i = 0; i < STREAMS_OF_USER; i++)
		sse_begin(&all[i], &ada, servers[1]->base, rig.ada.key, stream);
	sse_init(&more);
	assert_int_equal(sse_open(&more, servers[1]->base, rig.ada.key, stream), 503);
	assert_string_equal(sse_header(&more, "Retry-After"), "1");
	page = feed_get(&ada, all[0].last_id, -1, 1);
	assert_int_equal(page.answer.status, 503);
	assert_int_equal(sse_open(&more, servers[1]->base, rig.ben.key, stream), 200);
	sse_close(&all[3]);
	*more.last_id = '\0';
	int64_t until_us = patience_ms(SOON_MS);
	do {
		sse_open(&more, servers[1]->base, rig.ada.key, stream);
	} while (more.status == 503 && patience_pause(until_us));
	assert_int_equal(more.status, 200);
	for (int i = 0; i < STREAMS_OF_USER; i++)
		sse_free(&all[i]);
	sse_free(&more);
}

/* A stream is one request of its user, whatever it sends; refusals come before it begins. */
TEST(test_rate)
{
	static const char *const few[] = {"rate_default=3/60", NULL};
	struct server_process *limited = rig_serve(&rig, false, few);
	struct sse s;

	sse_init(&s);
	sse_to_end(&s, &ada);
	assert_int_equal(sse_open(&s, limited->base, rig.ben.key, stream), 200);
	for (int i = 0; i < 6; i++)
		sse_expect(&s, "person.created", feed_create_person(&ada, "Unlimited"));
	assert_non_null(sse_header(&s, "X-RateLimit-Remaining"));
	for (int status = 200; status != 429;) {
		status = sse_open(&s, limited->base, rig.ben.key, stream);
		assert_true(status == 200 || status == 429);
	}
	assert_non_null(sse_header(&s, "Retry-After"));
	sse_free(&s);
	assert_true(server_stop(limited));
}

/* Without news a stream holds no connection of the database, and little memory. */
TEST(test_idle)
{
	enum { USERS = STREAMS / STREAMS_OF_USER };
	struct sse all[STREAMS];
	struct arena arena;
	int64_t before;

	arena_init(&arena);
	caller_good(SEND("GET", NULL, "/v1/users"));
	before = server_resident(servers[0]);
	for (int i = 0; i < STREAMS; i++) {
		static struct test_user user;
		if (i % STREAMS_OF_USER == 0)
			user = user_create(rig.program, &arena, &rig.workspace, "s", "S",
			    arena_printf(&arena, "s%d@example.org", i), "member");
		sse_begin(&all[i], &ada, servers[0]->base, user.key, stream);
	}
	int64_t each = (server_resident(servers[0]) - before) / STREAMS;
	print_message("a stream: %lld bytes\n", (long long)each);
	assert_true(each < BYTES_A_STREAM);
	assert_true(
	    rows_count("pg_stat_activity where datname = current_database() and application_name = 'kith' and state "
	               "<> 'idle' and backend_type = 'client backend'") <= 1);
	const char *id = feed_create_person(&ada, "For all");
	for (int i = 0; i < STREAMS; i++) {
		sse_expect(&all[i], "person.created", id);
		sse_free(&all[i]);
	}
	arena_free(&arena);
}

static int port_of(int fd, int (*name)(int, struct sockaddr *, socklen_t *))
{
	struct sockaddr_in at;
	socklen_t len = sizeof at;

	assert_int_equal(name(fd, (struct sockaddr *)&at, &len), 0);
	return ntohs(at.sin_port);
}

/* The number of bytes that the server has sent to this client and that the kernel still keeps. */
static int64_t unsent_bytes(int fd)
{
	char line[256], want[64];
	FILE *f = fopen("/proc/net/tcp", "r");

	assert_non_null(f);
	snprintf(want, sizeof want, "0100007F:%04X 0100007F:%04X 01 ", (unsigned)port_of(fd, getpeername),
	    (unsigned)port_of(fd, getsockname));
	while (fgets(line, sizeof line, f)) {
		const char *at = strstr(line, want);
		if (!at)
			continue;
		fclose(f);
		return strtol(at + strlen(want), NULL, 16);
	}
	fail_msg("the connection is not in /proc/net/tcp");
	return 0;
}

/* A client that is far behind and does not read costs a page, not what is before it, and little of the kernel; it gets
 * all of it when it does. */
TEST(test_slow_reader)
{
	struct sse s;
	int64_t before, until_us, total = 0;
	int n = 0;

	sse_begin(&s, &ada, servers[0]->base, rig.ada.key, stream);
	snprintf(slow_target, sizeof slow_target, "%s?after=%s", stream, s.last_id);
	rows_make_events(OLD_EVENTS, OLD_BYTES);
	*s.last_id = '\0';
	before = server_resident(servers[0]);
	assert_int_equal(sse_open_as(&s, servers[0]->base, rig.ada.key, "GET", slow_target, "1.1", true), 200);
	until_us = patience_ms(2000); /* in which it would read far ahead */
	while (patience_pause(until_us))
		assert_true(server_resident(servers[0]) - before < BYTES_BEHIND);
	assert_in_range(unsent_bytes(s.fd), 1, BYTES_UNSENT);
	assert_int_equal(sse_next(&s, SOON_MS), SSE_FRAME);
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_EVENT);
	n++;
	assert_int_equal(sse_open(&s, servers[1]->base, rig.ada.key, slow_target), 200);
	while (n < OLD_EVENTS && sse_next_event(&s, SOON_MS) == SSE_EVENT) {
		n++;
		total += (int64_t)s.data.len;
	}
	assert_int_equal(n, OLD_EVENTS);
	assert_true(total > (int64_t)(OLD_EVENTS - 1) * OLD_BYTES);
	sse_free(&s);
}

/* The end of a server waits for them for seconds, not until its own limit. */
TEST(test_slow_stop)
{
	struct server_process *third = rig_serve(&rig, false, NULL);
	int64_t until_us = patience_ms(SOON_MS);
	struct sse s;

	sse_init(&s);
	assert_int_equal(sse_open_as(&s, third->base, rig.ada.key, "GET", slow_target, "1.1", true), 200);
	for (int64_t full_us = patience_ms(FULL_MS), unsent = 0; unsent < OLD_BYTES || clock_mono_us() < full_us;) {
		assert_true(patience_pause(until_us));
		if (unsent_bytes(s.fd) != unsent)
			full_us = patience_ms(FULL_MS);
		unsent = unsent_bytes(s.fd);
	}
	until_us = patience_ms(STOPS_MS);
	assert_true(server_stop(third));
	assert_true(patience_pause(until_us));
	sse_free(&s);
}

/* --- the log --------------------------------------------------------------------------------- */

/* A stream has one line in the log, written at its end, with its duration and the bytes that it sent. */
TEST(test_log)
{
	struct server_process *third = rig_serve(&rig, false, NULL);
	char line[4096], want[64];
	struct sse s;
	int lines = 0;

	sse_init(&s);
	assert_int_equal(sse_open(&s, third->base, rig.ben.key, "/v1/events/stream?wait=1"), 200);
	while (sse_next(&s, SOON_MS) != SSE_END)
		;
	snprintf(want, sizeof want, "\"requestId\":\"%s\"", sse_header(&s, "X-Request-Id"));
	sse_free(&s);
	char *log = strdup(third->log);
	FILE *f = fopen(log, "r");
	assert_non_null(f);
	assert_true(server_stop(third));
	while (fgets(line, sizeof line, f)) {
		if (!strstr(line, "/v1/events/stream"))
			continue;
		lines++;
		assert_non_null(strstr(line, want));
		assert_non_null(strstr(line, "\"status\":200"));
		assert_non_null(strstr(line, rig.ben.id));
		const char *took = strstr(line, "\"durationMs\":");
		assert_non_null(took);
		assert_true(strtod(took + strlen("\"durationMs\":"), NULL) >= 900);
	}
	fclose(f);
	free(log);
	assert_int_equal(lines, 1);
}

/* A comment and the cursor, which has moved on with the other workspaces' events; the end of a key without any event.
 */
TEST(test_quiet_ends)
{
	assert_int_equal(sse_next(&quiet, SOON_MS), SSE_FRAME);
	assert_int_equal(quiet.comments, 1);
	assert_string_not_equal(quiet.last_id, quiet_id);
	assert_int_equal(sse_next(&ended, SOON_MS), SSE_END);
	sse_free(&quiet);
	sse_free(&ended);
}
