/* What else goes on while a joint transaction is open (server/request/joint.h): its workspace moves to another
 * installation, clients read no answers or leave, COMMIT hangs, and the process is stopped for longer than PostgreSQL
 * keeps an idle transaction, or for longer than a COMMIT may take. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "test/lib/await.h"
#include "test/lib/http/members.h"
#include "test/lib/http/raw.h"
#include "test/lib/server/cells.h"
#include "test/lib/server/child.h"

enum { ROUNDS = 3, KEY_MS = 25000, STOPPED_MS = 2500, SILENT = 6, LARGE = 4900, FLOOD_MAX = 8 << 20 };

RIG("joint_crossings", .faults = true, .own_cluster = true);

static pthread_t crowd;

static void *crowd_run(void *ctx)
{
	members_send();
	return ctx;
}

/* Sends all requests in other threads. Returns when the server stands still at that point. */
static void crowd_stop_at(const char *point)
{
	members_order(TEXT("%s 1 stop\n", point));
	pthread_create(&crowd, NULL, crowd_run, NULL);
	await_true(child_stopped(server->pid));
	members_order("");
}

static void crowd_continue(void)
{
	kill(server->pid, SIGCONT);
	pthread_join(crowd, NULL);
}

/* Transactions that hold the workspace's lock and wait for the server. */
static int64_t transactions_open(void)
{
	return rig_int(&rig, "select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid where "
	                     "l.locktype = 'advisory' and l.mode = 'ShareLock' and a.datname = current_database() and "
	                     "a.state = 'idle in transaction'");
}

/* --- a workspace that moves ---------------------------------------------------------------------------- */

static void place_set(const char *set)
{
	rig_sql(&rig, "update workspaces set version = version + 1, %s where %s", set, rig.own);
}

/* The workspace is held, or has moved away, after all were admitted and before their transaction is opened. */
static void refused_by_place(const char *name, const char *set, int status)
{
	members_begin_people(name);
	members_give_keys(name, 2);
	members_order("open 8 stop\n");
	pthread_create(&crowd, NULL, crowd_run, NULL);
	await_true(child_stopped(server->pid));
	members_order("");
	place_set(set);
	crowd_continue();
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, status);
	assert_int_equal(members_people(name), 0);
	place_set("moving = null, moved_to = null, held_until = null");
	await_true(SEND("POST", "{}", "/v1/people").status == 200);
	/* nothing was stored under the keys */
	members_send();
	members_expect_own_answers();
	for (int i = 0; i < MEMBERS; i++)
		assert_false(members[i].answer.replayed);
	members_expect_outcomes(name);
	members_end();
}

TEST(a_workspace_that_left_meanwhile_refuses_all)
{
	refused_by_place("Held", "moving = 'held', held_until = clock_timestamp() + interval '1 minute'", 503);
	refused_by_place("Moved", "moving = 'moved', moved_to = 'http://127.0.0.1:1'", 421);
}

/* --- clients that do not read ------------------------------------------------------------------------- */

/* Sends creates until the server takes no more, and reads nothing. */
static void silent_flood(int fd, int i)
{
	char *large = malloc(LARGE + 1);
	const char *body;
	size_t sent = 0, len;

	memset(large, 'x', LARGE);
	large[LARGE] = '\0';
	body = TEXT("{\"firstName\":\"%d\",\"lastName\":\"Silent\",\"description\":\"%s\"}", i, large);
	body = TEXT("POST /v1/people HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
	    rig.ada.key, strlen(body), body);
	len = strlen(body);
	while (sent < FLOOD_MAX) {
		ssize_t n = send(fd, body + sent % len, len - sent % len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN)
			break;
		assert_true(n > 0);
		sent += (size_t)n;
	}
	free(large);
}

TEST(clients_that_do_not_read_hold_up_nobody)
{
	int fds[SILENT];

	for (int i = 0; i < SILENT; i++) {
		fds[i] = raw_open(server->base);
		silent_flood(fds[i], i);
	}
	for (int round = 0; round < ROUNDS; round++) {
		const char *name = TEXT("Beside-%d", round);
		members_begin_people(name);
		members_give_keys(name, 2);
		members_order("");
		members_send();
		members_expect_own_answers();
		members_expect_outcomes(name);
		members_end();
	}
	/* half of them leave while a transaction is open */
	members_begin_people("Left");
	crowd_stop_at("joint_opening");
	for (int i = 0; i < SILENT / 2; i++)
		raw_reset(fds[i]);
	crowd_continue();
	members_expect_own_answers();
	members_expect_outcomes("Left");
	members_end();
	for (int i = SILENT / 2; i < SILENT; i++)
		raw_reset(fds[i]);
	for (int i = 0; i < SILENT; i++)
		assert_true(
		    rig_int(&rig, "select count(*) from people where %s and last_name = 'Silent' and first_name = '%d'",
		        rig.own, i) > 0);
	await_true(members_events("Silent") == members_people("Silent"));
}

/* --- a process that is stopped ---------------------------------------------------------------------------- */

/* PostgreSQL ends the transaction, and another process serves the keys. */
TEST(a_stop_longer_than_a_transaction_may_idle_runs_nothing_twice)
{
	struct server_process *other = rig_serve(&rig, false, NULL);
	int64_t stopped_us = patience_ms(0);
	struct caller c;
	const char *ids[MEMBERS];

	caller_init(&c, other->base, rig.ben.key);
	members_begin_people("Idle");
	members_give_keys("idle", 2); /* Ben's */
	crowd_stop_at("joint_opening");
	await_true(transactions_open() > 0);
	for (int i = 0; i < MEMBERS; i += 2) {
		struct caller_answer a;
		await_true((a = caller_send(&c, "POST", "/v1/people", members[i].once, members[i].body)).status != 409);
		assert_int_equal(caller_good(a).replayed, false);
		ids[i] = a.id;
	}
	assert_true(patience_ms(0) - stopped_us < KEY_MS * INT64_C(1000));
	crowd_continue();
	for (int i = 0; i < MEMBERS; i++) {
		const struct caller_answer *a = &members[i].answer;
		int64_t n = rig_int(&rig,
		    "select count(*) from people where %s and last_name = 'Idle' and first_name = '%d'", rig.own, i);
		assert_true(a->status == 200 || a->status == 503);
		assert_int_equal(n, i % 2 == 0 || a->status == 200);
		if (i % 2 == 0 && a->status == 200)
			assert_string_equal(a->id, ids[i]);
	}
	assert_int_equal(members_events("Idle"), members_people("Idle"));
	for (int i = 0; i < MEMBERS; i += 2) {
		member_send(NULL, i);
		assert_true(members[i].answer.replayed);
		assert_string_equal(members[i].answer.id, ids[i]);
	}
	members_end();
	caller_free(&c);
	assert_true(server_stop(other));
}

/* The answer to COMMIT has come before the process goes on, and its time limit has passed. */
TEST(a_stop_longer_than_a_commit_may_take_loses_no_answer)
{
	struct server_process *other = rig_serve(&rig, false, NULL);
	int64_t until_us;
	struct caller c;

	caller_init(&c, other->base, rig.ben.key);
	for (int round = 0; round < ROUNDS; round++) {
		const char *name = TEXT("Late-%d", round), *ids[MEMBERS];
		members_begin_people(name);
		members_give_keys(name, 2);
		members_order("commit_soon 1 errors\njoint_ending 1 stop\n");
		pthread_create(&crowd, NULL, crowd_run, NULL);
		await_true(child_stopped(server->pid));
		until_us = patience_ms(STOPPED_MS);
		await_true(members_people(name) > 0);
		for (int i = 0; i < MEMBERS; i += 2)
			ids[i] = TEXT("%s",
			    caller_good(caller_send(&c, "POST", "/v1/people", members[i].once, members[i].body)).id);
		while (patience_pause(until_us))
			;
		crowd_continue();
		members_expect_own_answers();
		members_expect_outcomes(name);
		for (int i = 0; i < MEMBERS; i += 2)
			assert_string_equal(members[i].answer.id, ids[i]);
		members_end();
	}
	caller_free(&c);
	assert_true(server_stop(other));
}

/* --- a COMMIT that hangs ------------------------------------------------------------------------------------ */

/* No standby of that name exists. Members without a key learn that nobody knows, the others that they are in progress.
 */
TEST(a_commit_that_hangs_is_unknown_to_all)
{
	const char *name = "Hanging";

	members_begin_people(name);
	members_give_keys(name, 2);
	members_order("");
	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", "nobody"));
	members_send();
	for (int i = 0; i < MEMBERS; i++) {
		assert_int_equal(members[i].answer.status, i % 2 ? 500 : 409);
		if (i % 2)
			assert_non_null(
			    strstr(members[i].answer.reply.body, "The outcome of this operation is unknown"));
		assert_true(members[i].answer.took_us < KEY_MS * INT64_C(1000));
	}
	assert_int_equal(members_people(name), 0);
	assert_int_equal(SEND("POST", "{\"lastName\":\"Hanging\"}", "/v1/people").status, 503);
	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", ""));
	await_true(SEND("GET", NULL, "/readyz").status == 200);
	for (int i = 0; i < MEMBERS; i += 2) {
		await_true((member_send(NULL, i), members[i].answer.status) != 409);
		assert_true(caller_good(members[i].answer).replayed);
		assert_non_null(strstr(members[i].answer.reply.body, TEXT("\"firstName\":\"%d\"", i)));
	}
	assert_int_equal(members_people(name), MEMBERS);
	assert_int_equal(members_events(name), MEMBERS);
	members_end();
}

/* --- last, as the workspace is then elsewhere ---------------------------------------------------------------- */

static int64_t moves_waiting(void)
{
	return rig_int(&rig, "select count(*) from pg_locks where locktype = 'advisory' and not granted");
}

/* The move waits for the transaction, whose writes then belong to what is moved. */
TEST(a_move_waits_for_the_open_transaction)
{
	struct cell beside = {.cluster = rig.cluster}, there;
	const char *name = "Taken along";
	pid_t move;

	cell_open(&there, &rig.arena, rig.program->path, &beside, "there");
	cell_serve(&there, NULL);
	members_begin_people(name);
	members_give_keys("taken", 2);
	crowd_stop_at("joint_opening");
	await_true(transactions_open() > 0);
	move = command_start(rig.program,
	    (const char *const[]){"workspace", "move", rig.workspace.id, "--to", there.program.database_url,
	        "--address", there.server->base, "--to-secret-file", TEXT("%s/secret", there.program.data_dir),
	        "--clock_scale=100", NULL},
	    -1, -1);
	await_true(moves_waiting() == 1);
	crowd_continue();
	members_expect_own_answers();
	assert_int_equal(child_wait(move), 0);
	assert_int_equal(
	    database_int(&there.program, "select count(*) from people where last_name = 'Taken along'"), MEMBERS);
	assert_int_equal(
	    database_int(&there.program, "select count(*) from events e join people p on p.id = e.record_id where "
	                                 "last_name = 'Taken along'"),
	    MEMBERS);
	for (int i = 0; i < MEMBERS; i += 2) {
		const char *id = members[i].answer.id;
		caller_turn(&members[i].caller, there.server->base);
		member_send(NULL, i);
		assert_true(members[i].answer.replayed);
		assert_string_equal(members[i].answer.id, id);
	}
	assert_int_equal(SEND("POST", "{}", "/v1/people").status, 421);
	members_end();
	assert_true(server_stop(there.server));
}
