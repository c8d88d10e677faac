/* An import while importer, server and database are killed at random moments: every record is there once, no batch
 * half. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/server/transferred.h"

RIG("faults", .servers = RIG_NO_SERVER, .own_cluster = true);

static struct transferred t;
static char own_address[32];

/* A port that is free now, for a server that comes back at the same address. */
static void find_address(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof in;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&in, len) == 0 &&
	            getsockname(fd, (struct sockaddr *)&in, &len) == 0);
	close(fd);
	snprintf(own_address, sizeof own_address, "127.0.0.1:%d", ntohs(in.sin_port));
}

static void start_server(void)
{
	const char *more[] = {arena_printf(&rig.arena, "listen=%s", own_address), NULL};

	server = rig_serve(&rig, false, more);
}

static const char *people_file(int n)
{
	struct buf text;
	const char *path;

	buf_init(&text, 64 << 20);
	for (int i = 0; i < n; i++)
		buf_printf(&text,
		    "{\"fullName\":\"P %d\",\"emails\":[\"p%d@people.example\"],\"companies\":[{\"name\":\"C %d\"}]}\n",
		    i, i, i % 5);
	path = transferred_write(&t, "a.ndjson", text.data, text.len);
	buf_free(&text);
	return path;
}

TEST(test_faults)
{
	int people = rig_setting("IMPORT_PEOPLE", 800), faults = rig_setting("IMPORT_FAULTS", 9), kills = 0;
	const char *path;
	pid_t pid;

	find_address();
	start_server();
	transferred_init(&t, &rig, arena_printf(&rig.arena, "http://%s", own_address), rig_stranger(&rig, "mover").key);
	path = people_file(people);
	const char *const line[] = {"import", path, NULL};
	pid = transferred_start(&t, line);
	for (int i = 0; i < faults; i++) {
		patience_chance_us(400 * 1000);
		if (i % 3 == 0) {
			kills += transferred_runs(pid);
			kill(pid, SIGKILL);
			transferred_end(&t, pid);
			pid = transferred_start(&t, line);
		} else if (i % 3 == 1) {
			assert_true(server_kill(server));
			start_server();
		} else {
			assert_true(cluster_restart(rig.cluster, true));
		}
	}
	transferred_end(&t, pid);
	transferred_expect(&t, 0,
	    arena_printf(t.arena, "\"created\":%d,\"updated\":0,\"unchanged\":0,\"existing\":0,\"refused\":0", people),
	    "");
	assert_true(kills > 0);
	assert_int_equal(rig_int(&rig, "select count(*) from people"), people);
	assert_int_equal(rig_int(&rig, "select count(distinct emails) from people"), people);
	assert_int_equal(rig_int(&rig, "select count(*) from companies"), 5);
	TRANSFERRED(&t, "import", "--undo", path);
	transferred_expect(&t, 0,
	    arena_printf(t.arena, "\"deleted\":%d,\"absent\":0,\"left\":0,\"updated\":0,\"companies\":5", people), "");
	assert_int_equal(rig_int(&rig, "select count(*) from people"), 0);
	transferred_free(&t);
}
