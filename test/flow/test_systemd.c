/* kith under a service manager: its state, the watchdog, sockets that are held while the program is replaced. The
 * manager is test/lib/server/service.c; the package's own test has systemd itself. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "test/lib/await.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"
#include "test/lib/server/nginx.h"
#include "test/lib/server/service.h"

enum { ANSWER_MS = 30000, WATCHDOG_MS = 300, CONNECTIONS = 32 };

/* A free port, as an address to listen on and to ask. */
static void own_address(char listen[64], char base[64])
{
	int port = nginx_free_port();

	snprintf(listen, 64, "--listen=127.0.0.1:%d", port);
	snprintf(base, 64, "http://127.0.0.1:%d", port);
}

/* The status that comes on a connection, -1: it ended without one. */
static int await_status(int fd)
{
	int64_t until_us = patience_ms(ANSWER_MS);
	int status = 0;

	while (status == 0 && patience_pause(until_us))
		status = raw_status(fd);
	close(fd);
	return status;
}

static int ask_ready(int fd)
{
	assert_true(raw_send(fd, "GET", "/readyz", "", NULL, NULL));
	return await_status(fd);
}

/* READY=1 is said when requests are answered, and the watchdog is told again and again. */
TEST(test_told)
{
	char listen[64], base[64];
	struct service s;

	for (int in_namespace = 0; in_namespace < 2; in_namespace++) {
		own_address(listen, base);
		service_open(&s, rig.program, in_namespace, WATCHDOG_MS);
		service_start(&s, (const char *const[]){listen, NULL});
		service_await(&s, "READY=1");
		assert_int_equal(ask_ready(raw_open(base)), 200);
		for (int i = 0; i < 4; i++)
			service_await(&s, "WATCHDOG=1");
		kill(s.pid, SIGTERM);
		service_await(&s, "STOPPING=1");
		assert_int_equal(service_end(&s), 0);
		service_close(&s);
	}
}

/* Clients that come while no process runs are answered by the next one, on both kinds of sockets. */
TEST(test_exchanged)
{
	char listen[64], base[64], directory[DIRECTORY_SIZE], path[DIRECTORY_SIZE + 32];
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int waiting[2];
	struct service s;

	own_address(listen, base);
	assert_true(directory_make("held", directory));
	snprintf(path, sizeof path, "--listen=unix:%s/kith", directory);
	snprintf(at.sun_path, sizeof at.sun_path, "%s/kith", directory);
	service_open(&s, rig.program, false, 0);
	for (int process = 0; process < 3; process++) {
		service_start(&s, (const char *const[]){listen, path, NULL});
		service_await(&s, "READY=1");
		assert_int_equal(s.n_held, 2);
		if (process > 0)
			for (int i = 0; i < 2; i++)
				assert_int_equal(await_status(waiting[i]), 200);
		assert_int_equal(ask_ready(raw_open(base)), 200);
		if (process == 2)
			break;
		if (process == 0)
			assert_int_equal(service_stop(&s), 0);
		else
			kill(s.pid, SIGKILL);
		if (s.pid > 0)
			assert_int_equal(service_end(&s), -1);
		waiting[0] = raw_open(base);
		waiting[1] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		assert_int_equal(connect(waiting[1], (struct sockaddr *)&at, sizeof at), 0);
		for (int i = 0; i < 2; i++)
			assert_true(raw_send(waiting[i], "GET", "/readyz", "", NULL, NULL));
	}
	assert_int_equal(service_stop(&s), 0);
	/* An address that is not in the settings any more is let go. */
	own_address(listen, path);
	service_start(&s, (const char *const[]){listen, NULL});
	service_await(&s, "READY=1");
	assert_int_equal(raw_open(base), -1);
	assert_int_equal(service_stop(&s), 0);
	service_close(&s);
}

/* A socket of a .socket unit serves its address; one of another address is closed. */
TEST(test_passed)
{
	char listen[64], base[64], other[64];
	struct service s;

	service_open(&s, rig.program, false, 0);
	snprintf(other, sizeof other, "http://127.0.0.1:%d", service_add_socket(&s, "other.socket"));
	int port = service_add_socket(&s, "kith.socket");
	snprintf(listen, sizeof listen, "--listen=127.0.0.1:%d", port);
	snprintf(base, sizeof base, "http://127.0.0.1:%d", port);
	int waiting = raw_open(base);
	assert_true(raw_send(waiting, "GET", "/readyz", "", NULL, NULL));
	service_start(&s, (const char *const[]){listen, NULL});
	service_await(&s, "READY=1");
	assert_int_equal(await_status(waiting), 200);
	assert_int_equal(raw_open(other), -1);
	assert_int_equal(service_stop(&s), 0);
	service_close(&s);
}

/* Clients of a socket never get answers from another database than the one for which it was held. */
TEST(test_other_database)
{
	struct program *other = database_create(rig.program->path, "systemd_other");
	char listen[64], base[64], first[SERVICE_NAME_SIZE];
	struct service s;

	own_address(listen, base);
	service_open(&s, rig.program, false, 0);
	service_start(&s, (const char *const[]){listen, NULL});
	service_await(&s, "READY=1");
	assert_int_equal(s.n_held, 1);
	snprintf(first, sizeof first, "%s", s.held[0].name);
	assert_int_equal(service_stop(&s), 0);
	int waiting = raw_open(base);
	assert_true(raw_send(waiting, "GET", "/readyz", "", NULL, NULL));
	s.program = other;
	s.late = true;
	service_start(&s, (const char *const[]){listen, NULL});
	service_await(&s, "READY=1");
	assert_int_equal(await_status(waiting), -1);
	assert_int_equal(s.n_held, 1);
	assert_string_not_equal(s.held[0].name, first);
	assert_int_equal(ask_ready(raw_open(base)), 200);
	assert_int_equal(service_stop(&s), 0);
	service_close(&s);
	database_drop(other);
}

/* When a start fails clients are refused, instead of waiting for as long as the database is down. */
TEST(test_failed_start)
{
	struct program away = *rig.program;
	char listen[64], base[64];
	struct service s;

	own_address(listen, base);
	service_open(&s, rig.program, false, 0);
	service_start(&s, (const char *const[]){listen, NULL});
	service_await(&s, "READY=1");
	assert_int_equal(service_stop(&s), 0);
	assert_int_equal(s.n_held, 1);
	away.database_url = "host=/nowhere dbname=none connect_timeout=1";
	s.program = &away;
	service_start(&s, (const char *const[]){listen, NULL});
	assert_int_equal(service_end(&s), 1);
	assert_int_equal(s.n_held, 0);
	assert_int_equal(raw_open(base), -1);
	service_close(&s);
}

/* --- under load ------------------------------------------------------------------------------- */

/* What wrk has counted in its output: a number after a word, 0 when it is not there. */
static long wrk_count(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtol(at + strlen(word), NULL, 10) : 0;
}

static int64_t n_people(void)
{
	return rows_count("people where %s", rig.own);
}

static void await_writes(int n)
{
	int64_t seen = n_people();

	await_true(n_people() >= seen + n);
}

static pid_t start_wrk(const char *base, int out)
{
	char key[128], *more[] = {key, NULL}, **environment;

	snprintf(key, sizeof key, "EXCHANGE_KEY=%s", rig.ada.key);
	environment = child_environment("EXCHANGE_", more);
	pid_t pid =
	    child_start(&(struct child){.argv = (const char *const[]){"wrk", "-t1", "-c32" /* CONNECTIONS */, "-d",
	                                    "600s", "--timeout", "30s", "-s", "test/flow/exchange.lua", base, NULL},
	        .environment = environment,
	        .out = out,
	        .ends_with_us = true});
	free(environment);
	return pid;
}

/* The program is replaced again and again below nginx while reads and writes without a key go on: none fails, and
 * each write that was answered is there, once. KITH_EXCHANGES: how often. */
TEST(test_under_load)
{
	int exchanges = rig_setting("KITH_EXCHANGES", 2), out[2];
	char listen[64], base[64], text[4096];
	const char *settings[] = {listen, "--rate_default=0", "--rate_burst=0", NULL};
	struct nginx nginx;
	struct service s;
	size_t len = 0;

	own_address(listen, base);
	service_open(&s, rig.program, false, 0);
	service_start(&s, settings);
	service_await(&s, "READY=1");
	nginx_start(&nginx, base, NULL);
	assert_int_equal(pipe(out), 0);
	pid_t wrk = start_wrk(nginx.base, out[1]);
	close(out[1]);
	for (int i = 0; i <= exchanges; i++) {
		await_writes(100);
		if (i == exchanges)
			break;
		assert_int_equal(service_stop(&s), 0);
		service_start(&s, settings);
		service_await(&s, "READY=1");
	}
	kill(wrk, SIGINT); /* it shows its counts, and ends */
	for (ssize_t n; len < sizeof text - 1 && (n = read(out[0], text + len, sizeof text - 1 - len)) > 0;)
		len += (size_t)n;
	text[len] = '\0';
	close(out[0]);
	assert_int_equal(child_wait(wrk), 0);
	nginx_stop(&nginx);
	assert_int_equal(service_stop(&s), 0);
	service_close(&s);
	if (strstr(text, "Socket errors") || strstr(text, "Non-2xx"))
		fail_msg("requests have failed:\n%s", text);
	/* Up to one on each connection was cut off at the end. */
	int64_t made = n_people(), answered = wrk_count(text, "created: ");
	assert_in_range(made, answered, answered + CONNECTIONS);
}

RIG("systemd", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	signal(SIGPIPE, SIG_IGN);
}
