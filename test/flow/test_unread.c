/* Many clients that do not read what they asked for, or read slowly: what the server and its kernel hold of it, and how
 * another workspace fares meanwhile.
 *
 * UNREAD_READERS (250) is the number of clients, at most the limit of files. With UNREAD_P99_MS the time of another
 * workspace's requests is compared with that; it needs a machine with nothing else to do:
 * UNREAD_READERS=1500 UNREAD_P99_MS=25 make test ONLY=test_unread */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/pages/asset.h"
#include "test/lib/http/raw.h"
#include "test/lib/rows.h"

enum {
	LIMIT_KB = 64000, /* of the process and its kernel together */
	KEPT_KB = 20,     /* the process's own memory for a connection, most of it the sanitizer's */
	PEOPLE = 100,
	PERSON_BYTES = 4000, /* so a page has over 400 KB */
	TIMES_MAX = 4000,
	ROUNDS = 40,
	SLOW_BYTES = 2000, /* that a slow reader takes in a round */
	ROUND_MS = 50
};

static struct caller other; /* of another workspace */
static int readers, *fds;

RIG("unread", .settings = {"gzip=on"}, .keep_little = true);

BEFORE_ALL()
{
	readers = rig_setting("UNREAD_READERS", 250);
	fds = calloc((size_t)readers, sizeof *fds);
	caller_init(&other, server->base, rig_stranger(&rig, "eve").key);
	rows_change("insert into people (workspace_id, id, first_name, description, created_by, created_at, "
	            "updated_at) select '%s', gen_random_uuid(), 'P' || n, (select string_agg(md5(n::text || k), '') "
	            "from generate_series(1, %d) k), '%s', now(), now() from generate_series(1, %d) n",
	    rig.workspace.id + 4, PERSON_BYTES / 32, rig.ada.id + 4, PEOPLE);
	assert_true(fds);
}

AFTER_ALL()
{
	caller_free(&other);
	free(fds);
}

/* --- measuring ------------------------------------------------------------------------ */

static long process_kb(void)
{
	return (long)(server_resident(server) / 1024);
}

/* What the server's sockets hold for their clients: tx_queue of /proc/net/tcp. */
static long kernel_kb(void)
{
	/* "  0: 0100007F:1F90 0100007F:D2F0 01 0000A000:…": the number, both addresses, the state, what is unread */
	enum { PORT_AT = 9, UNREAD_AT = 31 };
	unsigned long port = strtoul(strrchr(server->base, ':') + 1, NULL, 10);
	FILE *f = fopen("/proc/net/tcp", "r");
	char line[512];
	long bytes = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		const char *at = strstr(line, ": ");
		if (at && strlen(at) > UNREAD_AT + 8 && strtoul(at + 2 + PORT_AT, NULL, 16) == port)
			bytes += strtol(at + 2 + UNREAD_AT, NULL, 16);
	}
	fclose(f);
	return bytes / 1000;
}

static int64_t times_us[TIMES_MAX];
static int n_times;

static void other_is_served(void)
{
	struct caller_answer a = caller_get(&other, n_times % 2 ? "/v1/users/me" : "/v1/people?limit=5");

	if (n_times < TIMES_MAX)
		times_us[n_times++] = a.took_us;
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* --- readers -------------------------------------------------------------------------- */

/* key NULL: none. */
static void readers_ask(const char *target, const char *key, bool gzip)
{
	char request[512];
	int size = 4096;

	snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n%s%s%s%s\r\n", target,
	    gzip ? "Accept-Encoding: gzip\r\n" : "", key ? "Authorization: Bearer " : "", key ? key : "",
	    key ? "\r\n" : "");
	for (int i = 0; i < readers; i++) {
		fds[i] = raw_open(server->base);
		assert_true(fds[i] >= 0);
		setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
		assert_int_equal(send(fds[i], request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
		if (i % 16 == 0)
			other_is_served();
	}
}

static void readers_read(void)
{
	char drop[SLOW_BYTES];

	for (int i = 0; i < readers; i++)
		if (recv(fds[i], drop, sizeof drop, MSG_DONTWAIT) == 0)
			fail_msg("a reader was cut off");
}

/* Memory while they read nothing, or slowly. */
static void check_readers(const char *target, const char *key, bool gzip, bool slow)
{
	long before_kb = process_kb(), process = 0, kernel = 0;

	n_times = 0;
	readers_ask(target, key, gzip);
	for (int round = 0; round < ROUNDS; round++) {
		long p = process_kb() - before_kb, k = kernel_kb();
		process = p > process ? p : process;
		kernel = k > kernel ? k : kernel;
		if (slow)
			readers_read();
		for (int64_t until_us = clock_mono_us() + ROUND_MS * 1000; clock_mono_us() < until_us;)
			other_is_served();
		if (!slow && round > 4)
			break;
	}
	qsort(times_us, (size_t)n_times, sizeof *times_us, compare_times);
	print_message(
	    "%d %s readers of %s%s%s: process %ld kB, kernel %ld kB; %d other requests, 99 %% within %.1f ms, "
	    "the slowest %.1f ms\n",
	    readers, slow ? "slow" : "silent", target, key ? " with a key" : "", gzip ? ", gzip" : "", process, kernel,
	    n_times, (double)times_us[n_times * 99 / 100] / 1000, (double)times_us[n_times - 1] / 1000);
	if (process + kernel > LIMIT_KB + readers * KEPT_KB)
		fail_msg("%ld kB are too much", process + kernel);
	if (getenv("UNREAD_P99_MS"))
		assert_in_range(times_us[n_times * 99 / 100], 0, rig_setting("UNREAD_P99_MS", 25) * 1000);
	for (int i = 0; i < readers; i++)
		raw_reset(fds[i]);
	caller_free(&other);
	caller_init(&other, server->base, other.key);
}

/* --- cases ---------------------------------------------------------------------------- */

static const char *largest_static(void)
{
	static const struct asset none = {.path = "/openapi.json"};
	const struct asset *largest = &none;

	for (size_t i = 0; i < n_assets; i++)
		if (assets[i].len > largest->len)
			largest = &assets[i];
	return largest->path;
}

TEST(test_description)
{
	check_readers("/openapi.json", NULL, false, false);
	check_readers("/openapi.json", NULL, true, false);
}

TEST(test_largest_static)
{
	check_readers(largest_static(), NULL, false, false);
	check_readers(largest_static(), NULL, false, true);
}

TEST(test_lists)
{
	check_readers("/v1/people?limit=100", rig.ada.key, false, false);
	check_readers("/v1/people?limit=100", rig.ada.key, true, false);
}
