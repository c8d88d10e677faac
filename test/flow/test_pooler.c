/* PgBouncer between the server and its database: everything works in session mode, and in other modes the server
 * does not start. */
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/await.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"
#include "test/lib/server/operated.h"

enum { PATIENCE_MS = 60000, PORT = 6432 };

static char dir[DIRECTORY_SIZE];

/* --- the pooler --------------------------------------------------------------------------- */

/* It refuses to run as root. */
static pid_t run_pooler(const struct passwd *who, const char *file)
{
	const char *program = access("/usr/sbin/pgbouncer", X_OK) == 0 ? "/usr/sbin/pgbouncer" : "pgbouncer";
	char **environment = child_environment("LD_PRELOAD=", NULL);
	pid_t pid = child_start(&(struct child){.argv = (const char *const[]){program, "-q", file, NULL},
	    .environment = environment,
	    .uid = who ? who->pw_uid : 0,
	    .gid = who ? who->pw_gid : 0,
	    .ends_with_us = true});

	free(environment);
	return pid;
}

/* Starts it in a mode before a server; *via is the program whose database_url leads through it. */
static pid_t pooler_start(const struct cluster *primary, const char *mode, struct program *via, char url[256])
{
	const struct passwd *who = geteuid() == 0 ? getpwnam("postgres") : NULL;
	char path[96], text[1024], name[64];
	snprintf(name, sizeof name, "%s", rows_text("select current_database()"));
	snprintf(path, sizeof path, "%s/users", dir);
	rig_write(path, "\"postgres\" \"\"\n");
	snprintf(path, sizeof path, "%s/pgbouncer.ini", dir);
	snprintf(text, sizeof text,
	    "[databases]\n%s = host=%s port=5432 user=postgres\n[pgbouncer]\nunix_socket_dir = %s\nlisten_port = %d\n"
	    "pool_mode = %s\nauth_type = any\nauth_file = %s/users\nlogfile = %s/log\n",
	    name, cluster_socket_dir(primary), dir, PORT, mode, dir, dir);
	rig_write(path, text);
	pid_t pid = run_pooler(who, path);
	*via = *rig.program;
	snprintf(url, 256, "host=%s port=%d user=postgres dbname=%s", dir, PORT, name);
	via->database_url = url;
	snprintf(path, sizeof path, "%s/.s.PGSQL.%d", dir, PORT);
	await_true(access(path, F_OK) == 0);
	return pid;
}

static void pooler_stop(pid_t pid)
{
	char path[96];
	kill(pid, SIGQUIT); /* at once */
	child_wait(pid);
	snprintf(path, sizeof path, "%s/.s.PGSQL.%d", dir, PORT);
	unlink(path);
}

RIG("pooler", .servers = RIG_NO_SERVER, .own_cluster = true);

BEFORE_ALL()
{
	const struct passwd *who = geteuid() == 0 ? getpwnam("postgres") : NULL;

	assert_true(directory_make("pooler", dir) && (!who || chown(dir, who->pw_uid, who->pw_gid) == 0));
}

/* --- cases -------------------------------------------------------------------------------- */

/* Writes, lists, the feed (which uses LISTEN and NOTIFY), and a job over all workspaces. */
TEST(test_session)
{
	struct program via;
	char url[256];
	const char *out;
	pid_t pooler = pooler_start(rig.cluster, "session", &via, url);
	assert_int_equal(command_run(&via, &rig.arena, (const char *const[]){"migrate", NULL}, &out), 0);
	struct server_process *s = server_start(&via, (const char *const[]){"rate_default=0", "rate_burst=0", NULL});
	caller_turn(&ada, s->base);
	struct caller_answer made =
	    SEND("POST", "{\"firstName\":\"Ada\",\"emails\":[\"a@example.com\"]}", "/v1/people");
	assert_int_equal(made.status, 200);
	struct caller_answer list =
	    caller_send(&ada, "GET", "/v1/people?filter%5Bemails%5D%5Blike%5D=example", NULL, NULL);
	assert_int_equal(list.status, 200);
	assert_non_null(strstr(list.reply.body, made.id));
	made = caller_sendf(&ada, "POST", "/v1/reminders", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"name\":\"x\",\"visibility\":\"public\",\"recurrenceRule\":"
	    "\"DTSTART;TZID=Europe/Berlin:20300105T090000\\nRRULE:FREQ=WEEKLY\",\"assignedUsers\":[{\"id\":\"%s\"}]}",
	    made.id, rig.ada.id);
	if (made.status != 200)
		fail_msg("%s", made.reply.body);
	rows_change("update reminders set next_trigger_at = now()");
	await_rows(1, "events where type = 'reminder.triggered'");
	assert_false(server_log_has(s, "\"level\":\"warn\""));
	assert_false(server_log_has(s, "\"level\":\"error\""));
	assert_true(server_stop(s));
	pooler_stop(pooler);
}

/* Commands and the server end with a message and leave nothing behind. */
TEST(test_transaction)
{
	static const char *const commands[][3] = {{"serve", NULL}, {"workspace", "list", NULL}, {"migrate", NULL}};
	struct program via;
	char url[256], text[4096];

	for (int mode = 0; mode < 2; mode++) {
		pid_t pooler = pooler_start(rig.cluster, mode ? "statement" : "transaction", &via, url);
		for (int i = 2 * mode; i < 2 + mode; i++) {
			int ends[2];
			assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
			pid_t pid = command_start(&via, commands[i], -1, ends[1]);
			close(ends[1]);
			size_t len = 0;
			for (ssize_t n; (n = read(ends[0], text + len, sizeof text - 1 - len)) > 0;)
				len += (size_t)n;
			text[len] = '\0';
			close(ends[0]);
			assert_int_equal(child_wait(pid), 1);
			assert_non_null(strstr(text, "pool_mode to session"));
		}
		pooler_stop(pooler);
	}
}

/* Lists come from a standby behind a pooler, too. */
TEST(test_standby)
{
	char error[CLUSTER_ERROR_SIZE], url[256];
	struct cluster *standby = cluster_standby(rig.cluster, error);
	struct operated o;
	struct program via;

	if (!standby)
		fail_msg("%s", error);
	pid_t pooler = pooler_start(standby, "session", &via, url);
	operated_init(&o);
	struct server_process *s =
	    rig_serve(&rig, false, (const char *[]){arena_printf(&rig.arena, "replica_url=%s", url), o.setting, NULL});
	caller_turn(&ada, s->base);
	for (int64_t until_us = patience_ms(PATIENCE_MS); operated_reads(&o, "read") < 1;) {
		assert_int_equal(SEND("GET", NULL, "/v1/people").status, 200);
		assert_true(patience_pause(until_us));
	}
	operated_free(&o);
	assert_true(server_stop(s));
	pooler_stop(pooler);
	cluster_stop(standby);
}
