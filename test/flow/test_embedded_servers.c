/* Servers on an embedded cluster: one whose cluster is killed, or upgraded under it, several at once, and one that
 * stops during recovery. */

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/embedded/cluster_place.h"
#include "server/embedded/postmaster.h"
#include "test/lib/http/caller.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/server/logged.h"
#include "test/lib/test.h"

enum { DEADLINE_MS = 60000, UPGRADED_S = 3, URL_SIZE = PLACE_PATH_SIZE + 64 };

static char top[64]; /* everything is in it */

BEFORE_ALL()
{
	log_set_level(LOG_WARN);
	snprintf(top, sizeof(top), "/tmp/kith-servers-XXXXXX");
	assert_true(mkdtemp(top) && chmod(top, 0711) == 0);
}

AFTER_ALL()
{
	const struct account self = {.change = false};
	const char *const argv[] = {"/bin/rm", "-rf", "--", top, NULL};
	char out[256];

	run_wait(&self, argv, out, sizeof(out));
}

static const char *data_dir(void)
{
	static char path[80];
	snprintf(path, sizeof(path), "%s/var", top);
	return path;
}

static struct cluster_place place_of(const char *directory)
{
	struct cluster_place p;
	char error[512];
	assert_true(place_open(&p, directory, error));
	if (!place_settle(&p, error))
		fail_msg("%s", error);
	return p;
}

static pid_t postmaster_pid(const char *directory)
{
	struct cluster_place p = place_of(directory);
	return probe_postmaster(&p.account, p.cluster_dir);
}

static int status_of(const struct server_process *s, struct arena *a, const char **body)
{
	struct client_request request = {.method = "GET", .target = "/readyz"};
	struct client_reply reply = {.status = 0};
	char error[256];
	struct client *c = client_new(s->base);
	assert_true(client_send(c, a, &request, &reply, error));
	client_free(c);
	*body = reply.body;
	return reply.status;
}

/* Kills the postmaster; the server reports it, starts it again and works with it. */
static void kill_and_wait(struct server_process *s, struct caller *ada)
{
	int64_t until_us = patience_ms(DEADLINE_MS);
	const char *body;
	pid_t now, first = postmaster_pid(data_dir());
	assert_true(first > 0);
	assert_int_equal(kill(first, SIGKILL), 0);
	while ((now = postmaster_pid(data_dir())) == 0 || now == first || status_of(s, &ada->arena, &body) != 200)
		assert_true(patience_pause(until_us));
	logged_with(&ada->arena, s, "message", "the cluster has ended; it is being restarted");
	logged_with(&ada->arena, s, "message", "the cluster runs again");
	assert_int_equal(caller_send(ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Ada\"}").status, 200);
}

TEST(test_started_again)
{
	struct program p = {.path = command_binary(), .data_dir = data_dir()};
	struct rig rig = {.program = &p};
	struct caller ada;

	arena_init(&rig.arena);
	setenv("FAULT_ALWAYS", "jobs_often", 1); /* as rig_neighbour() does, but it needs the cluster */
	struct server_process *s = rig_serve(&rig, false, NULL);
	rig_neighbour(&rig);
	caller_init(&ada, s->base, rig_stranger(&rig, "ada").key);
	kill_and_wait(s, &ada);
	caller_free(&ada);
	assert_true(server_stop(s));
	rig_neighbour_end(&rig);
	assert_int_equal(postmaster_pid(data_dir()), 0);
	arena_free(&rig.arena);
}

/* --- an upgrade of PostgreSQL --------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static void shell_run(const char *format, ...)
{
	char text[PLACE_PATH_SIZE * 4], out[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	assert_int_equal(run_wait(NULL, (const char *const[]){"/bin/sh", "-ec", text, NULL}, out, sizeof(out)), 0);
}

/* As a package manager: a new file takes the place of the old one, which runs on without a name. */
static void upgrade_program(void)
{
	shell_run("cd %s/programs; cp postgres new; mv new postgres", top);
}

static bool doctor_finds(const struct program *p, struct arena *a)
{
	const char *out, *line;
	command_run(p, a, (const char *const[]){"doctor", NULL}, &out);
	line = strstr(out, "\"check\":\"private cluster\"");
	assert_non_null(line);
	return strncmp(strchr(line, ',') + 1, "\"state\":\"finding\"", 17) == 0;
}

/* PostgreSQL's program is replaced while it runs. The doctor says so; the next command restarts the cluster, and so
 * does a server by itself. */
TEST(test_upgraded)
{
	char directory[80], path[PLACE_PATH_SIZE * 4];
	struct program p = {.path = command_binary(), .data_dir = directory};
	const char *kept = getenv("PATH"), *out, *body;
	int64_t until_us = patience_ms(DEADLINE_MS);
	struct cluster_place place = place_of(data_dir());
	struct arena arena;
	char error[512];
	pid_t first, second;

	arena_init(&arena);
	snprintf(directory, sizeof(directory), "%s/upgraded", top);
	assert_true(place_find_programs(&place, error));
	shell_run("mkdir %1$s/programs; cp %2$s/postgres %2$s/initdb %1$s/programs; cd %1$s/programs; "
	          "printf '#!/bin/sh\necho %1$s/programs\n' >pg_config; chmod 755 . *",
	    top, place.bin_dir);
	snprintf(path, sizeof(path), "%s/programs:%s", top, kept);
	kept = arena_dupz(&arena, kept);
	setenv("PATH", path, 1);
	struct server_process *s = server_start(&p, (const char *const[]){NULL});
	assert_true((first = postmaster_pid(directory)) > 0);
	assert_false(doctor_finds(&p, &arena));
	assert_int_equal(kill(s->pid, SIGSTOP), 0);
	upgrade_program();
	assert_true(doctor_finds(&p, &arena));
	while (!probe_replaced(place_of(directory).cluster_dir, UPGRADED_S)) /* as all other commands restart it then */
		assert_true(patience_pause(until_us));
	assert_true(doctor_finds(&p, &arena));
	assert_int_equal(postmaster_pid(directory), first);
	while ((second = postmaster_pid(directory)) == first) {
		assert_true(patience_pause(until_us));
		assert_int_equal(command_run(&p, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	}
	assert_false(doctor_finds(&p, &arena));
	assert_int_equal(kill(s->pid, SIGCONT), 0);
	upgrade_program();
	while (
	    postmaster_pid(directory) == second || postmaster_pid(directory) == 0 || status_of(s, &arena, &body) != 200)
		assert_true(patience_pause(until_us));
	assert_false(doctor_finds(&p, &arena));
	logged_with(&arena, s, "message", "PostgreSQL was upgraded while the cluster ran: it is being restarted");
	assert_true(server_stop(s));
	assert_int_equal(postmaster_pid(directory), 0);
	setenv("PATH", kept, 1);
	arena_free(&arena);
}

/* Several servers get all the connections that they want, at the maximum setting, and there is room left for psql. */
TEST(test_room_for_several)
{
	enum { SERVERS = 3, WRITING = 40 };
	struct program p = {.path = command_binary(), .data_dir = data_dir()};
	struct server_process *s[SERVERS];
	char url[URL_SIZE];
	struct program psql = {.database_url = url};
	int64_t until_us = patience_ms(DEADLINE_MS);

	snprintf(
	    url, sizeof(url), "host=%s port=%d dbname=kith user=kith", place_of(data_dir()).socket_dir, PLACE_PORT);
	for (int i = 0; i < SERVERS; i++)
		s[i] = server_start(&p, (const char *const[]){"db_connections=40", NULL});
	while (database_int(&psql, "select count(*) from pg_stat_activity where backend_type = 'client backend'") <
	       SERVERS * WRITING)
		assert_true(patience_pause(until_us));
	for (int i = 0; i < SERVERS; i++)
		assert_true(server_stop(s[i]));
}

static void append_file(const char *name, const char *text)
{
	char path[PLACE_PATH_SIZE + 64];
	struct cluster_place p = place_of(data_dir());
	snprintf(path, sizeof(path), "%s/%s", p.cluster_dir, name);
	FILE *file = fopen(path, "ae");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chown(path, p.account.uid, p.account.gid), 0);
}

/* A recovery of the cluster that takes an hour does not keep a server from stopping, and no process is left behind. */
TEST(test_left_while_it_recovers)
{
	struct program p = {.path = command_binary(), .data_dir = data_dir()};
	int64_t until_us = patience_ms(DEADLINE_MS);
	struct server_process *s = server_start(&p, (const char *const[]){NULL});
	pid_t first = postmaster_pid(data_dir());

	append_file("postgresql.auto.conf", "restore_command = 'sleep 3600'\n");
	append_file("recovery.signal", "");
	assert_int_equal(kill(first, SIGKILL), 0);
	for (pid_t now = first; now == 0 || now == first; now = postmaster_pid(data_dir()))
		assert_true(patience_pause(until_us));
	assert_true(server_stop(s));
	for (until_us = patience_ms(DEADLINE_MS); postmaster_pid(data_dir()) != 0;)
		assert_true(patience_pause(until_us));
}
