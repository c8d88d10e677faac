/* The log: format of lines, levels, one write for many lines, dropping when nothing reads it. */
#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/log.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

/* stderr is a pipe during a test; the original is in saved_fd. */
static int saved_fd, reader_fd;

BEFORE_EACH()
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	saved_fd = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	reader_fd = ends[0];
	log_set_level(LOG_INFO);
}

AFTER_EACH()
{
	dup2(saved_fd, STDERR_FILENO);
	close(saved_fd);
	if (reader_fd >= 0)
		close(reader_fd);
	log_set_level(LOG_INFO);
}

/* What has been written by now, NUL terminated. */
static size_t captured_text(char *out, size_t size)
{
	size_t len = 0;
	ssize_t got;
	while (len < size - 1 && (got = read(reader_fd, out + len, size - 1 - len)) > 0)
		len += (size_t)got;
	out[len] = '\0';
	return len;
}

/* The line as JSON, its time checked and left out. */
static void assert_line(char *line, const char *expected)
{
	struct buf b;
	const char *error;
	char time[TIME_TEXT_SIZE];
	int64_t ms;
	buf_init(&b, 10000);
	assert_int_equal(line[strlen(line) - 1], '\n');
	struct json *root = json_read(&a, line, strlen(line), &error);
	assert_non_null(root);
	assert_string_equal(root->first->key, "time");
	assert_true(time_parse(root->first->text, root->first->len, &ms));
	assert_string_equal(time_format(ms, time), root->first->text);
	root->first = root->first->next;
	struct json_out o;
	json_out_init(&o, &b);
	json_value(&o, root);
	assert_string_equal(b.data, expected);
	buf_free(&b);
}

BEFORE_ALL()
{
	signal(SIGPIPE, SIG_IGN);
}

TEST(lines_wait_for_the_flush_and_errors_do_not)
{
	char out[4096];

	log_info("store", "%d rows of \"%s\"\n", 3, "x");
	assert_int_equal(captured_text(out, sizeof(out)), 0);
	log_flush();
	captured_text(out, sizeof(out));
	assert_line(out, "{\"level\":\"info\",\"component\":\"store\",\"message\":\"3 rows of \\\"x\\\"\\n\"}");
	log_flush();
	assert_int_equal(captured_text(out, sizeof(out)), 0);
	log_error("store", "gone");
	captured_text(out, sizeof(out));
	assert_line(out, "{\"level\":\"error\",\"component\":\"store\",\"message\":\"gone\"}");
}

TEST(test_levels)
{
	static const char *const names[] = {"error", "warn", "info", "debug"};
	enum log_level level;
	char out[4096];

	for (int i = 0; i < 4; i++) {
		assert_true(log_level_parse(names[i], &level));
		assert_int_equal(level, i);
		log_set_level(level);
		log_debug("c", "4");
		log_info("c", "3");
		log_access(&(struct log_access){.status = 200});
		log_warn("c", "2");
		log_error("c", "1");
		captured_text(out, sizeof(out));
		size_t lines = 0;
		for (const char *p = out; *p; p++)
			lines += *p == '\n';
		assert_int_equal(lines, i < LOG_INFO ? i + 1 : i + 2);
	}
	assert_false(log_level_parse("INFO", &level));
	assert_false(log_level_parse("", &level));
	assert_false(log_level_parse("warning", &level));
}

TEST(one_write_for_many_lines)
{
	char out[65536];
	int ends[2];

	/* Packets keep the boundaries of writes. */
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
	dup2(ends[1], STDERR_FILENO);
	for (int i = 0; i < 50; i++)
		log_warn("c", "line %d", i);
	log_flush();
	ssize_t got = read(ends[0], out, sizeof(out));
	size_t lines = 0;
	for (ssize_t i = 0; i < got; i++)
		lines += out[i] == '\n';
	assert_int_equal(lines, 50);
	assert_int_equal(read(ends[0], out, sizeof(out)), -1);
	close(ends[0]);
	close(ends[1]);
}

TEST(access_lines)
{
	char out[4096];

	log_access(&(struct log_access){.request_id = "r",
	    .method = "GET",
	    .route = "/v1/people/{personId}",
	    .workspace_id = "wsp_1",
	    .user_id = "usr_1",
	    .error_code = "RESOURCE_NOT_FOUND",
	    .status = 404,
	    .bytes_in = 1,
	    .bytes_out = 200,
	    .duration_us = 12345,
	    .database_us = 7,
	    .exchanges = 3,
	    .replayed = true});
	log_flush();
	captured_text(out, sizeof(out));
	assert_line(out,
	    "{\"level\":\"info\",\"requestId\":\"r\",\"method\":\"GET\",\"route\":\"/v1/people/{personId}\","
	    "\"status\":404,\"workspace\":\"wsp_1\",\"user\":\"usr_1\",\"code\":\"RESOURCE_NOT_FOUND\",\"bytesIn\":1,"
	    "\"bytesOut\":200,\"durationMs\":12.345,\"databaseMs\":0.007,\"exchanges\":3,\"replayed\":true}");
	log_access(&(struct log_access){.status = 200, .duration_us = -5});
	log_flush();
	captured_text(out, sizeof(out));
	assert_line(out, "{\"level\":\"info\",\"status\":200,\"bytesIn\":0,\"bytesOut\":0,\"durationMs\":0.000,"
	                 "\"databaseMs\":0.000,\"exchanges\":0,\"replayed\":false}");
}

TEST(a_message_is_valid_whatever_it_quotes)
{
	char out[16384], text[6001];

	log_error("c", "bad \xff\xc3 byte");
	captured_text(out, sizeof(out));
	assert_line(out, "{\"level\":\"error\",\"component\":\"c\",\"message\":\"bad ?? byte\"}");
	for (int shift = 0; shift < 3; shift++) { /* cut between characters, wherever they fall */
		memset(text, 'x', (size_t)shift);
		for (size_t i = (size_t)shift; i + 3 <= 6000; i += 3)
			memcpy(text + i, "\xe2\x82\xac", 4);
		log_error("c", "%s", text);
		captured_text(out, sizeof(out));
		assert_null(strchr(out, '?'));
		assert_in_range(strlen(out), 2000, 2200);
	}
	memset(text, '\n', 6000);
	text[6000] = '\0';
	log_error("c", "%s", text);
	assert_int_equal(out[captured_text(out, sizeof(out)) - 1], '\n');
}

/* Without a reader memory stays bounded, no call blocks, and the loss is reported once reading resumes. */
TEST(drops_and_counts)
{
	enum { LINES = 20000 };
	static char out[4 << 20];
	size_t len = 0, lines = 0, dropped = 0;

	for (int i = 0; i < LINES; i++) {
		log_warn("c", "%0100d", i);
		if (i % 1000 == 0)
			log_flush();
	}
	for (size_t got = 1; got;) {
		log_flush();
		got = captured_text(out + len, sizeof(out) - len);
		len += got;
	}
	char *line = out;
	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		const char *error;
		struct json *root = json_read(&a, line, (size_t)(end - line), &error);
		assert_non_null(root);
		const char *message = json_member(root, "message")->text;
		if (strncmp(message, "dropped ", 8) == 0) {
			char *rest;
			assert_string_equal(json_member(root, "component")->text, "log");
			dropped += strtoul(message + 8, &rest, 10);
			assert_memory_equal(rest, " lines", 6);
		} else {
			lines++;
		}
	}
	assert_int_equal(line - out, len); /* the last line is whole */
	assert_true(dropped > 0);
	assert_int_equal(lines + dropped, LINES);
	assert_true(len < (1 << 20) + 200000); /* what the pipe took, and 1 MiB */
}

TEST(a_broken_pipe_costs_nothing)
{
	close(reader_fd);
	reader_fd = -1;
	for (int i = 0; i < 100; i++)
		log_error("c", "nobody hears");
	log_flush();
}

/* Every member, and what is cut: between characters, at 200 bytes. */
TEST(a_line_has_what_there_is)
{
	char out[4096], path[400] = "", expected[1000];

	for (int i = 0; i < 67; i++)
		memcpy(path + 3 * i, "\xe2\x82\xac", 4); /* 201 bytes */
	log_access(&(struct log_access){.request_id = "r",
	    .client_request_id = "a\"b",
	    .trace = "0af7651916cd43dd8448eb211c80319c-01",
	    .client = "2001:db8::1",
	    .path = path,
	    .path_len = strlen(path),
	    .tool = "get",
	    .key_id = "key_1",
	    .why = "53100 \"x\"",
	    .status = 404});
	log_flush();
	captured_text(out, sizeof(out));
	path[198] = '\0';
	snprintf(expected, sizeof expected,
	    "{\"level\":\"info\",\"requestId\":\"r\",\"client_request_id\":\"a\\\"b\","
	    "\"trace\":\"0af7651916cd43dd8448eb211c80319c\",\"client\":\"2001:db8::1\",\"path\":\"%s\","
	    "\"tool\":\"get\",\"status\":404,\"key\":\"key_1\",\"why\":\"53100 \\\"x\\\"\",\"bytesIn\":0,"
	    "\"bytesOut\":0,\"durationMs\":0.000,\"databaseMs\":0.000,\"exchanges\":0,\"replayed\":false}",
	    path);
	assert_line(out, expected);
	log_access(&(struct log_access){.trace = "", .path = "/\xff\x01?x", .path_len = 3, .status = 404});
	log_flush();
	captured_text(out, sizeof(out));
	assert_non_null(strstr(out, "\"info\",\"path\":\"/?\\u0001\",\"status\":404"));
}

/* Lines of one second, and the numbers of their counts, told apart by a text that both have. */
static void count_lines(char *out, const char *which, unsigned long *lines, unsigned long *more)
{
	*lines = *more = 0;
	for (char *line = out, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		char *count = strstr(line, "\"message\":\"");
		if (strstr(line, which) != NULL && count != NULL)
			*more += strtoul(count + strlen("\"message\":\""), NULL, 10);
		else
			*lines += strstr(line, which) != NULL;
		*end = '\n';
	}
}

/* Writes and reads everything, which is more than the pipe takes at once. */
static void flush_all(char *out, size_t size)
{
	size_t len = 0, got;

	do {
		log_flush();
		got = captured_text(out + len, size - len);
		len += got;
	} while (got);
}

static void wait_for_the_next_second(void)
{
	int64_t now = clock_mono_us() / 1000000;

	while (clock_mono_us() / 1000000 == now) {
		struct timespec pause = {0, 1000000};
		nanosleep(&pause, NULL);
	}
}

/* Two hundred keys over their limits, and what answers with 503 for two causes: each is counted by itself. More than
 * there is room for are counted together. */
TEST(refusals_are_told_apart)
{
	enum { KEYS = 200, EACH = 25, CAUSES = 3000, TRIES = 50 };
	static char out[2 << 20];
	unsigned long lines, more, all = 0;
	char text[48], which[64];

	int64_t second;
	int tries = 0;
	do { /* until all is logged within one second */
		assert_true(tries++ < TRIES);
		wait_for_the_next_second();
		flush_all(out, sizeof out);
		second = clock_mono_us() / 1000000;
		for (int i = 0; i < KEYS * EACH; i++) {
			snprintf(text, sizeof text, "key_%d_", i % KEYS);
			log_access(&(struct log_access){.user_id = "usr_a", .key_id = text, .status = 429});
		}
		for (int i = 0; i < 100; i++)
			log_access(&(struct log_access){
			    .key_id = "key_503", .why = i % 4 ? "08001 a" : "53100 b", .status = 503});
	} while (clock_mono_us() / 1000000 != second);
	wait_for_the_next_second();
	flush_all(out, sizeof out);
	for (int i = 0; i < KEYS; i++) {
		snprintf(which, sizeof which, "\"key\":\"key_%d_\"", i);
		count_lines(out, which, &lines, &more);
		assert_true(lines <= 10);
		all += lines + more;
	}
	count_lines(out, "\"message\":\"", &lines, &more);
	assert_true(all >= KEYS * EACH * 9 / 10); /* the few without a slot share a count */
	count_lines(out, "\"why\":\"08001 a\"", &lines, &more);
	assert_int_equal(lines, 1);
	assert_int_equal(more, 74);
	count_lines(out, "\"why\":\"53100 b\"", &lines, &more);
	assert_int_equal(lines, 1);
	assert_int_equal(more, 24);
	second = clock_mono_us() / 1000000;
	for (int i = 0; i < CAUSES; i++) {
		snprintf(text, sizeof text, "cause %d", i);
		log_access(&(struct log_access){.why = text, .status = 503});
	}
	int64_t seconds = clock_mono_us() / 1000000 - second + 1;
	wait_for_the_next_second();
	flush_all(out, sizeof out);
	count_lines(out, "\"level\"", &lines, &more);
	assert_true(lines <= (unsigned long)(seconds + 1) * 513);
	assert_int_equal(lines + more, CAUSES);
}

/* A key refused at a high rate costs ten lines a second and a count; others are still logged. */
TEST(refusals_are_counted)
{
	enum { N = 5000 };
	static char out[200000];
	int64_t begin = clock_mono_us();
	unsigned long lines = 0, more = 0, others = 0;

	for (int i = 0; i < N; i++) {
		log_access(&(struct log_access){.request_id = "r", .key_id = "usr_a", .status = 429});
		if (i % 1000 == 0)
			log_access(&(struct log_access){.request_id = "r", .key_id = "usr_b", .status = 429});
		log_access(&(struct log_access){.request_id = "r", .status = 401});
		if (i % 1000 == 0)
			log_access(&(struct log_access){.request_id = "r", .user_id = "usr_a", .status = 422});
	}
	int64_t seconds = (clock_mono_us() - begin) / 1000000 + 2;
	while (clock_mono_us() / 1000000 < begin / 1000000 + seconds) { /* the second must be over */
		struct timespec pause = {0, 10000000};
		nanosleep(&pause, NULL);
	}
	log_flush();
	captured_text(out, sizeof(out));
	for (char *line = out, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		char *count = strstr(line, "\"message\":\"");
		if (count != NULL) {
			assert_non_null(strstr(line, " within a second"));
			more += strtoul(count + strlen("\"message\":\""), NULL, 10);
		} else if (strstr(line, "\"usr_b\"") != NULL || strstr(line, "\"status\":422") != NULL) {
			others++;
		} else {
			lines++;
		}
	}
	assert_int_equal(others, 10);
	assert_int_equal(lines + more, 2 * N);
	assert_true(lines <= (unsigned long)(20 * seconds));
}
