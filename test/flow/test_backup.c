/* kith backup and kith restore: a backup made while others write, restored into another cluster by a login that is not
 * a superuser. Followers and webhooks go on there, damaged and foreign backups are refused, and a kill in the middle of
 * either command leaves nothing that could be taken for a result. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/lib/db/cluster.h"
#include "test/lib/db/consistency.h"
#include "test/lib/db/database.h"
#include "test/lib/patience.h"
#include "test/lib/server/backed.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"
#include "test/lib/webhook/told.h"

enum { WAIT_MS = 60000, WRITERS = 2, FILLER_ROWS = 60000 };

/* Neither may be in the arguments of a program or in a message. */
#define PASSPHRASE "correct horse 7f21"
#define FILE_KEY "a key of files, of 32 characters"

static struct cluster *first, *second;
static struct program source, target; /* in the first, in the second */
static struct arena arena;
static struct test_user user, writer;
static struct receiver *failing, *good;
static const char *late_secret, *prompt_secret; /* of the webhooks to failing and good */
static struct backed backed;
static const char *backup; /* made while others wrote */
static const char *old[4], *after_two, *after_four;
static const char *lost, *after_lost; /* made after the backup */

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)
#define AT(name) TEXT("%s/%s", backed.dir, name)

/* --- files -------------------------------------------------------------------------------- */

static bool file_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static int file_mode(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 0777;
}

/* --- commands ----------------------------------------------------------------------------- */

static int run_backup(const char *to, const char *passphrase)
{
	return BACKED(&source, "backup", to, "--passphrase-file", passphrase, "--file-key", AT("file-key"));
}

static int run_restore(const struct program *p, const char *from, const char *passphrase)
{
	return BACKED(p, "restore", from, "--passphrase-file", passphrase, "--file-key", AT("file-key"));
}

/* --- databases ---------------------------------------------------------------------------- */

static bool has_kith(const struct program *p)
{
	return database_int(p, "select count(*) from pg_class where relnamespace = 'public'::regnamespace") > 0;
}

static struct server_process *serve_from(const struct program *p)
{
	static const char *const settings[] = {
	    "rate_default=0", "rate_burst=0", "webhook_allow_targets=127.0.0.0/8", "clock_scale=1000", NULL};

	return server_start(p, settings);
}

/* --- before ------------------------------------------------------------------------------- */

struct backup_crowd {
	const char *base;
	atomic_bool stop;
	atomic_int done;
	int status;
};

/* One makes a backup, the others write until it is made. */
static void make_backup(void *ctx, int i)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct backup_crowd *w = ctx;
	struct caller c;

	if (i == 0) {
		while (w->done < 20 && patience_pause(until_us))
			;
		w->status = run_backup(backup, AT("passphrase"));
		w->stop = true;
		return;
	}
	caller_init(&c, w->base, writer.key);
	for (int n = 0; !w->stop; n++) {
		struct caller_answer made =
		    caller_good(caller_sendf(&c, "POST", "/v1/people", NULL, "{\"firstName\": \"w%d-%d\"}", i, n));
		const char *path = arena_printf(&c.arena, "/v1/people/%s", made.id);
		caller_good(
		    caller_send(&c, n % 3 ? "PATCH" : "DELETE", path, NULL, n % 3 ? "{\"lastName\": \"L\"}" : NULL));
		w->done++;
	}
	caller_free(&c);
}

/* Uses up transaction numbers that the other cluster will not reach. */
static void burn_numbers(struct cluster *c)
{
	assert_true(cluster_sql(
	    c, "do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$", NULL, 0));
}

/* So much that a dump fits no pipe. */
static void make_filler(void)
{
	assert_true(cluster_program(first,
	    (const char *const[]){"psql", "-X", "-q", "-d", source.database_url, "-c",
	        TEXT("create table filler as select md5(random()::text) from generate_series(1, %d)", FILLER_ROWS),
	        NULL}));
}

/* Its secret. */
static const char *make_webhook(struct caller *c, const char *url)
{
	return arena_dupz(&arena, hooked_make(c, url, "[{\"eventType\":\"person.created\",\"filter\":{}}]").secret);
}

static void make_people(void)
{
	struct server_process *server = serve_from(&source);
	struct backup_crowd w = {.base = server->base};
	struct caller ada;

	caller_init(&ada, server->base, user.key);
	late_secret = make_webhook(&ada, receiver_url(failing, "/late"));
	prompt_secret = make_webhook(&ada, receiver_url(good, "/prompt"));
	for (int i = 0; i < 4; i++) {
		old[i] = told_person(&arena, &ada, TEXT("old%d", i));
		if (i == 1)
			after_two = told_expect(&arena, &ada, "", old, 2);
	}
	after_four = told_expect(&arena, &ada, after_two, old + 2, 2);
	backed_until(&source, 4, "select count(*) from deliveries where state = 'delivered'");
	backed_until(&source, 4, "select count(*) from deliveries where state = 'pending'");
	caller_crowd_run(1 + WRITERS, make_backup, &w);
	backed_done(&backed, w.status);
	lost = told_person(&arena, &ada, "lost");
	after_lost = told_expect(&arena, &ada, after_four, &lost, 1);
	caller_free(&ada);
	assert_true(server_stop(server));
}

BEFORE_ALL()
{
	struct test_workspace workspace;
	const char *out;

	arena_init(&arena);
	backed_open(&backed, &arena);
	backup = AT("made");
	backed_write(AT("passphrase"), PASSPHRASE "\n", strlen(PASSPHRASE) + 1, 0600);
	backed_write(AT("file-key"), FILE_KEY "\n", strlen(FILE_KEY) + 1, 0600);
	backed_write(AT("other"), "another one", 11, 0600);
	backed_write(AT("short"), "short\n", 6, 0600);
	source.path = command_binary();
	failing = receiver_start(&(struct receiver_config){.behaviour = {.status = 500}});
	good = receiver_start(&(struct receiver_config){0});
	first = backed_cluster();
	second = backed_cluster();
	burn_numbers(first);
	source = backed_database(&backed, source.path, first, "kith");
	assert_int_equal(command_run(&source, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	make_filler();
	workspace = workspace_create(&source, &arena, "told");
	user = user_create(&source, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
	workspace = workspace_create(&source, &arena, "busy");
	writer = user_create(&source, &arena, &workspace, "ben", "Ben", "ben@example.org", "admin");
	make_people();
}

AFTER_ALL()
{
	cluster_stop(second);
	cluster_stop(first);
	receiver_stop(failing);
	receiver_stop(good);
	backed_close(&backed);
	arena_free(&arena);
}

/* --- a backup under writes ---------------------------------------------------------------- */

TEST(test_files)
{
	const char *key = TEXT("%s/secret", source.data_dir);
	size_t len;

	assert_int_equal(file_mode(backup), 0700);
	assert_int_equal(file_mode(TEXT("%s/database.dump", backup)), 0600);
	assert_int_equal(file_mode(TEXT("%s/secret.sealed", backup)), 0600);
	assert_int_equal(file_mode(TEXT("%s/manifest.json", backup)), 0600);
	key = backed_read(&backed, key, &len);
	assert_false(backed_holds(&backed, TEXT("%s/secret.sealed", backup), TEXT("%.64s", key)));
	assert_true(backed_holds(&backed, TEXT("%s/manifest.json", backup),
	    TEXT("\"level\":%d", (int)database_int(&source, "select max(level) from kith_migrations"))));
	assert_int_equal(database_int(&source, "select count(*) from server_secrets where name = 'vault'"), 1);
	TOOL("sh", "-c", TEXT("test -z \"$(find %s -name '*unfinished*')\"", backed.dir));
}

static void expect_signed(struct receiver *r, const char *id, const char *secret)
{
	for (int i = 0; i < receiver_count(r); i++) {
		const struct receiver_request *q = receiver_request(r, i);
		int right = 0;
		if (strcmp(hooked_event(&arena, q).record, id) != 0)
			continue;
		assert_int_equal(hooked_signatures(q, secret, &right), 1);
		assert_int_equal(right, 1);
	}
}

/* The deliveries that were pending are made with their signature, those made are not repeated. */
static void expect_followed(const struct program *p)
{
	struct server_process *server;
	struct caller ada;
	const char *fresh[2];

	receiver_clear(failing);
	receiver_clear(good);
	receiver_behave(failing, (struct receiver_behaviour){0});
	server = serve_from(p);
	caller_init(&ada, server->base, user.key);
	fresh[0] = told_person(&arena, &ada, "fresh0");
	fresh[1] = told_person(&arena, &ada, "fresh1");
	told_expect(&arena, &ada, after_lost, fresh, 2);
	told_expect(&arena, &ada, after_four, fresh, 2);
	told_expect(&arena, &ada, after_two, (const char *const[]){old[2], old[3], fresh[0], fresh[1]}, 4);
	for (int i = 0; i < 4; i++) {
		told_expect_taken(&arena, failing, old[i]);
		expect_signed(failing, old[i], late_secret);
		assert_int_equal(told_taken(&arena, good, old[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		told_expect_taken(&arena, failing, fresh[i]);
		told_expect_taken(&arena, good, fresh[i]);
		expect_signed(good, fresh[i], prompt_secret);
	}
	caller_free(&ada);
	assert_true(server_stop(server));
}

TEST(test_restored_elsewhere)
{
	target = backed_database(&backed, source.path, second, "kith");
	backed_done(&backed, run_restore(&target, backup, AT("passphrase")));
	assert_non_null(strstr(backed.text, "next:"));
	assert_int_equal(file_mode(TEXT("%s/secret", target.data_dir)), 0600);
	assert_int_equal(consistency_broken(&target), 0);
	assert_int_equal(
	    database_int(&target,
	        "select count(*) from pg_class c where relname = 'people' and relkind = 'r' and reltuples < 0"),
	    0);
	backed_done(&backed, BACKED(&target, "migrate", "--plan"));
	assert_string_equal(backed.text, "");
	expect_followed(&target);
	assert_int_equal(consistency_broken(&target), 0);
}

/* Without a server, every row is the same afterwards. */
TEST(test_all_rows)
{
	struct program again = backed_database(&backed, source.path, second, "again");
	const char *before = backed_rows(&backed, &source), *to = AT("whole");

	backed_done(&backed, run_backup(to, AT("passphrase")));
	backed_done(&backed, run_restore(&again, to, AT("passphrase")));
	assert_non_null(strstr(before, "people "));
	backed_same(before, backed_rows(&backed, &again));
}

TEST(test_embedded)
{
	struct program p = {.path = source.path};
	const char *to = AT("of-embedded");
	char data[DIRECTORY_SIZE];

	assert_true(directory_make("data", data));
	p.data_dir = data;
	backed_done(&backed, run_restore(&p, backup, AT("passphrase")));
	backed_done(&backed, BACKED(&p, "workspace", "list"));
	assert_non_null(strstr(backed.text, "\"busy\""));
	backed_done(&backed, BACKED(&p, "backup", to, "--without-secret", "--file-key", AT("file-key")));
	assert_non_null(strstr(backed.text, "left out"));
	assert_false(file_there(TEXT("%s/secret.sealed", to)));
	backed_refused(&backed, run_restore(&p, to, AT("passphrase")), "has tables of kith");
	TOOL("rm", "-rf", "--", data);
}

/* --- refusals ----------------------------------------------------------------------------- */

static const char *copy_backup(const char *name)
{
	const char *to = AT(name);

	TOOL("cp", "-a", backup, to);
	return to;
}

/* Everything is refused before the database or the secret file is touched. */
static void expect_untouched(const struct program *p, const char *from, const char *passphrase, const char *sentence)
{
	backed_refused(&backed, run_restore(p, from, passphrase), sentence);
	assert_false(has_kith(p));
	assert_false(file_there(TEXT("%s/secret", p->data_dir)));
}

TEST(test_damaged)
{
	static const char *const names[] = {"database.dump", "secret.sealed", "manifest.json"};
	struct program p = backed_database(&backed, source.path, second, "damaged");
	const char *from;
	size_t len;

	expect_untouched(&p, backup, AT("other"), "another passphrase");
	expect_untouched(&p, AT("nowhere"), AT("passphrase"), "No such file");
	for (int i = 0; i < 3; i++) {
		from = copy_backup(TEXT("changed%d", i));
		char *bytes = backed_read(&backed, TEXT("%s/%s", from, names[i]), &len);
		bytes[len / 2] = (char)(bytes[len / 2] ^ 1);
		backed_write(TEXT("%s/%s", from, names[i]), bytes, len, 0600);
		expect_untouched(&p, from, AT("passphrase"), "is damaged");
		backed_write(TEXT("%s/%s", from, names[i]), bytes, len - 1, 0600);
		expect_untouched(&p, from, AT("passphrase"), i < 2 ? "bytes, not the" : "is damaged");
	}
	from = copy_backup("unfinished");
	assert_int_equal(unlink(TEXT("%s/manifest.json", from)), 0);
	expect_untouched(&p, from, AT("passphrase"), "not a finished backup");
}

TEST(test_other_things_there)
{
	struct program p = backed_database(&backed, source.path, second, "filled"),
	               fresh = backed_database(&backed, source.path, second, "fresh");

	assert_true(cluster_program(second,
	    (const char *const[]){"psql", "-X", "-q", "-d", p.database_url, "-c", "create table of_others ()", NULL}));
	backed_refused(&backed, run_restore(&p, backup, AT("passphrase")), "is not empty, it has of_others");
	backed_refused(&backed, run_restore(&target, backup, AT("passphrase")), "has tables of kith");
	backed_write(TEXT("%s/secret", fresh.data_dir),
	    "00000000000000000000000000000000000000000000000000000000000000ff\n", 65, 0600);
	backed_refused(&backed, run_restore(&fresh, backup, AT("passphrase")), "secret file of another database");
	assert_false(has_kith(&fresh));
}

TEST(test_backup_refused)
{
	backed_refused(&backed, run_backup(backup, AT("passphrase")), "is not empty");
	backed_refused(&backed, run_backup(AT("refused"), AT("short")), "at least 8 bytes");
	backed_refused(&backed, BACKED(&source, "backup", AT("refused")), "--without-secret");
	backed_write(TEXT("%s/other-secret", source.data_dir),
	    "00000000000000000000000000000000000000000000000000000000000000ff\n", 65, 0600);
	backed_refused(&backed,
	    BACKED(&source, "backup", AT("refused"), "--passphrase-file", AT("passphrase"), "--secret_file",
	        TEXT("%s/other-secret", source.data_dir)),
	    "is not the secret file of this database");
	assert_false(file_there(AT("refused")));
}

/* --- kills -------------------------------------------------------------------------------- */

static void until_waiting(const struct program *p, const char *program, int n)
{
	backed_until(p, n,
	    TEXT("select count(*) from pg_stat_activity where application_name = '%s' and datname = current_database() "
	         "%s",
	        program, n ? "and wait_event_type = 'Lock'" : ""));
}

static void expect_killed(const char *to, int number)
{
	pid_t holder = backed_hold(&backed, &source, "lock table people"), pid;

	pid = backed_start(
	    &backed, &source, (const char *const[]){"backup", to, "--passphrase-file", AT("passphrase"), NULL});
	until_waiting(&source, "pg_dump", 1);
	kill(pid, number);
	(void)child_wait(pid);
	backed_let_go(&source, holder);
	until_waiting(&source, "pg_dump", 0);
	assert_false(file_there(to));
}

TEST(test_backup_killed)
{
	const char *to = AT("killed");

	/* What can be caught leaves nothing. */
	expect_killed(to, SIGTERM);
	expect_killed(to, SIGINT);
	TOOL("sh", "-c", TEXT("test -z \"$(find %s -name 'killed.unfinished-*')\"", backed.dir));
	expect_killed(to, SIGKILL);
	backed_done(&backed, run_backup(to, AT("passphrase")));
}

/* The pipe's end fails pg_restore, and its transaction is rolled back. */
TEST(test_restore_killed)
{
	struct program p = backed_database(&backed, source.path, second, "killed");
	pid_t holder = backed_hold(&backed, &p, "create table event_generation ()"), pid;

	pid = backed_start(&backed, &p,
	    (const char *const[]){
	        "restore", backup, "--passphrase-file", AT("passphrase"), "--file-key", AT("file-key"), NULL});
	until_waiting(&p, "pg_restore", 1);
	kill(pid, SIGKILL);
	(void)child_wait(pid);
	backed_let_go(&p, holder);
	until_waiting(&p, "pg_restore", 0);
	assert_false(has_kith(&p));
	backed_done(&backed, run_restore(&p, backup, AT("passphrase")));
	assert_int_equal(consistency_broken(&p), 0);
}

/* --- after all ---------------------------------------------------------------------------- */

TEST(test_nothing_told)
{
	size_t len;
	const char *key = backed_read(&backed, TEXT("%s/secret", source.data_dir), &len),
	           *files[] = {backed.argv, backed.said};

	assert_true(backed_holds(&backed, files[0], "--single-transaction"));
	for (int i = 0; i < 2; i++) {
		assert_false(backed_holds(&backed, files[i], BACKED_PASSWORD));
		assert_false(backed_holds(&backed, files[i], PASSPHRASE));
		assert_false(backed_holds(&backed, files[i], FILE_KEY));
		assert_false(backed_holds(&backed, files[i], TEXT("%.64s", key)));
		assert_false(backed_holds(&backed, files[i], late_secret));
	}
}
