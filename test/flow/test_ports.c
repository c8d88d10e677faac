/* Servers share a port if and only if they serve the same database, in whatever order they start and stop. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/lib/http/client.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/test.h"

enum { AT_ONCE = 4, ASKED = 40, PATIENCE_MS = 60000 };

static struct rig rigs[2];

BEFORE_ALL()
{
	rig_open(&rigs[0], "ports0", false);
	rig_open(&rigs[1], "ports1", false);
}

AFTER_ALL()
{
	rig_close(&rigs[0]);
	rig_close(&rigs[1]);
}

/* The database's identity as reported by /livez; "" without a server. */
static void database_at(const char *base, char out[80])
{
	struct client_request request = {.method = "GET", .target = "/livez"};
	struct client_reply reply = {.status = 0};
	char error[256];
	struct arena a;
	struct client *c = client_new(base);
	arena_init(&a);
	const char *text = client_send(c, &a, &request, &reply, error) ? client_header(&reply, "X-Kith-Database") : "";
	snprintf(out, 80, "%s", text ? text : "");
	arena_free(&a);
	client_free(c);
}

/* Starts a process on that address; its output is discarded. */
static pid_t start_process(const struct rig *r, const char *address)
{
	const char *const argv[] = {"serve", "--listen", address, NULL};
	FILE *null = fopen("/dev/null", "w");
	pid_t pid = command_start(r->program, argv, fileno(null), fileno(null));
	fclose(null);
	return pid;
}

/* Its exit status; -1 while it runs. */
static int exit_status(pid_t pid)
{
	int status;
	return waitpid(pid, &status, WNOHANG) == pid ? (WIFEXITED(status) ? WEXITSTATUS(status) : 99) : -1;
}

static void expect_refused(const struct rig *r, const char *address)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	pid_t pid = start_process(r, address);
	int status;
	while ((status = exit_status(pid)) < 0)
		assert_true(patience_pause(until_us));
	assert_int_equal(status, 1);
}

TEST(test_shared_by_one_database)
{
	char first[80], other[80], listen[80];
	struct server_process *a = rig_serve(&rigs[0], false, NULL);
	snprintf(listen, sizeof listen, "listen=%s", a->base + strlen("http://"));
	const char *const same[] = {listen, NULL};
	database_at(a->base, first);
	assert_int_equal(strlen(first), 64);
	struct server_process *b = rig_serve(&rigs[0], false, same);
	expect_refused(&rigs[1], listen + strlen("listen="));
	assert_true(server_stop(a));
	database_at(b->base, other);
	assert_string_equal(other, first);
	expect_refused(&rigs[1], listen + strlen("listen="));
	assert_true(server_stop(b));
	/* All have stopped: the port is free. */
	struct server_process *c = rig_serve(&rigs[1], false, same);
	database_at(c->base, other);
	assert_string_not_equal(other, first);
	assert_true(server_stop(c));
}

/* Of many that start together, those of one database stay. */
TEST(test_at_once)
{
	char base[64], seen[80], now[80];
	pid_t pids[AT_ONCE];
	int64_t until_us = patience_ms(PATIENCE_MS);
	int running[2] = {0, 0}, left = 0;
	struct server_process *s = rig_serve(&rigs[0], false, NULL);
	snprintf(base, sizeof base, "%s", s->base);
	assert_true(server_stop(s));
	for (int i = 0; i < AT_ONCE; i++)
		pids[i] = start_process(&rigs[i % 2], base + strlen("http://"));
	while (left < AT_ONCE / 2) {
		assert_true(patience_pause(until_us));
		for (int i = 0; i < AT_ONCE; i++)
			if (pids[i] && exit_status(pids[i]) == 1) {
				pids[i] = 0;
				left++;
			}
	}
	for (int i = 0; i < AT_ONCE; i++)
		running[i % 2] += pids[i] != 0;
	assert_true((running[0] == 0) != (running[1] == 0));
	database_at(base, seen);
	for (int i = 0; i < ASKED; i++) {
		database_at(base, now);
		assert_string_equal(now, seen);
	}
	for (int i = 0; i < AT_ONCE; i++)
		if (pids[i]) {
			kill(pids[i], SIGTERM);
			waitpid(pids[i], NULL, 0);
		}
}

/* Any user of the machine can hold the turn, which cannot keep a process from a free port. */
TEST(test_turn_kept)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	char listen[80];
	struct server_process *s = rig_serve(&rigs[0], false, NULL);
	const char *port = strrchr(s->base, ':') + 1;
	int len = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "kith-listens-%s", port);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(listen, sizeof listen, "listen=%s", s->base + strlen("http://"));
	assert_int_equal(bind(fd, (const struct sockaddr *)&name,
	                     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)),
	    0);
	assert_true(server_stop(s));
	s = rig_serve(&rigs[0], false, (const char *const[]){listen, NULL});
	assert_true(server_stop(s));
	close(fd);
}
