/* Backups that somebody else made or changed: kith restore refuses files of unknown origin, runs nothing of it with
 * more rights than the database's login has, and says that it is restored only if it is. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/operate/manifest.h"
#include "test/lib/db/cluster.h"
#include "test/lib/db/database.h"
#include "test/lib/server/backed.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"

static struct cluster *cluster;
static struct program source;
static struct arena arena;
static struct backed backed;
static const char *backup;            /* with the key's HMAC */
static char open_dir[DIRECTORY_SIZE]; /* where PostgreSQL's user may write */

#define TEXT(...) arena_printf(&arena, __VA_ARGS__)
#define AT(name) TEXT("%s/%s", backed.dir, name)

static void as_admin(const char *sql)
{
	assert_true(cluster_sql(cluster, sql, NULL, 0));
}

static int restore_from(const struct program *p, const char *from, const char *option, const char *value)
{
	return BACKED(p, "restore", from, option, value);
}

static bool is_empty(const struct program *p)
{
	return database_int(p, "select count(*) from pg_class where relnamespace = 'public'::regnamespace") == 0;
}

BEFORE_ALL()
{
	const char *out;
	struct test_workspace workspace;

	arena_init(&arena);
	backed_open(&backed, &arena);
	backed_write(AT("key"), "a key of files, of 32 characters\n", 33, 0600);
	backed_write(AT("other"), "another key, of 32 characters ..\n", 33, 0600);
	assert_true(directory_make("open", open_dir));
	assert_int_equal(chmod(open_dir, 01777), 0);
	cluster = backed_cluster();
	as_admin(
	    "alter role owner nocreaterole; create role kith_serve; create role kith_system; create role kith_admit; "
	    "create role kith_search; grant kith_serve, kith_system, kith_admit, kith_search to owner");
	source = backed_database(&backed, command_binary(), cluster, "source");
	assert_int_equal(command_run(&source, &arena, (const char *const[]){"migrate", NULL}, &out), 0);
	workspace = workspace_create(&source, &arena, "told");
	(void)user_create(&source, &arena, &workspace, "ada", "Ada L", "ada@example.org", "admin");
	backup = AT("made");
	backed_done(&backed, BACKED(&source, "backup", backup, "--without-secret", "--file-key", AT("key")));
}

AFTER_ALL()
{
	cluster_stop(cluster);
	backed_close(&backed);
	arena_free(&arena);
}

/* A copy with another dump or other rows, in whose manifest everything is right, but for the key that nobody has. */
static const char *forge_backup(const char *name, const char *dump, const char *rows)
{
	struct file_key none = {.len = 0};
	const char *to = AT(name), *bytes;
	struct manifest m;
	size_t len;
	int dir;

	TOOL("cp", "-a", backup, to);
	if (dump)
		TOOL("cp", dump, TEXT("%s/database.dump", to));
	dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(dir >= 0 && manifest_read(dir, &m, &none, &arena));
	bytes = backed_read(&backed, TEXT("%s/database.dump", to), &len);
	backup_sum(bytes, len, m.files[BACKUP_FILE_DUMP].sha256);
	m.files[BACKUP_FILE_DUMP].bytes = (int64_t)len;
	m.rows = rows ? rows : m.rows;
	assert_int_equal(unlinkat(dir, BACKUP_MANIFEST, 0), 0);
	assert_true(manifest_write(dir, &m, &none));
	close(dir);
	return to;
}

/* Without the key, with another one, without an HMAC. */
TEST(test_unauthenticated)
{
	struct program p = backed_database(&backed, source.path, cluster, "stranger");
	const char *from = forge_backup("same", NULL, NULL);

	backed_refused(&backed, restore_from(&p, backup, NULL, NULL), "--trust-file");
	backed_refused(&backed, restore_from(&p, backup, "--file-key", AT("other")), "another key");
	backed_refused(&backed, restore_from(&p, from, "--file-key", AT("key")), "without --file-key");
	assert_true(is_empty(&p));
	backed_done(&backed, restore_from(&p, backup, "--file-key", AT("key")));
	p = backed_database(&backed, source.path, cluster, "trusted");
	backed_done(&backed, restore_from(&p, from, "--trust-file", NULL));
}

/* A login that may run programs, or give itself the right to. */
TEST(test_logins)
{
	static const char *const rights[][2] = {{"alter role owner superuser", "alter role owner nosuperuser"},
	    {"alter role owner createrole", "alter role owner nocreaterole"},
	    {"grant pg_execute_server_program to owner", "revoke pg_execute_server_program from owner"}};
	struct program p = backed_database(&backed, source.path, cluster, "rights");
	const char *from = forge_backup("rights", NULL, NULL);

	for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
		/* From 16 on CREATEROLE gives no rights that its holder lacks. */
		if (i == 1 && database_int(&p, "select current_setting('server_version_num')::int") >= 160000)
			continue;
		as_admin(rights[i][0]);
		backed_refused(
		    &backed, restore_from(&p, from, "--trust-file", NULL), "without SUPERUSER and CREATEROLE");
		as_admin(rights[i][1]);
		assert_true(is_empty(&p));
	}
}

static void dump_of(const struct program *p, const char *to)
{
	assert_true(cluster_program(cluster, (const char *const[]){"pg_dump", "-Fc", "--exclude-schema=kith_search",
	                                         "--no-comments", "-f", to, "-d", p->database_url, NULL}));
}

static void run_sql(const struct program *p, const char *sql)
{
	assert_true(cluster_program(
	    cluster, (const char *const[]){"psql", "-X", "-q", "-d", p->database_url, "-c", sql, NULL}));
}

/* A function that runs a program, for a superuser. The program reads its input, else COPY may fail. */
static const char *program_sql(const char *mark)
{
	return TEXT(
	    "create function run() returns void language plpgsql as $$ begin execute 'copy (select 1) to program "
	    "''touch %s; cat >/dev/null'''; end $$; create function ran(text) returns text language plpgsql immutable "
	    "as $$ begin "
	    "perform public.run(); return $1; end $$",
	    mark);
}

/* A function that an index calls when it is restored; in a private cluster, as it is the one that had a superuser. */
TEST(test_program_is_not_run)
{
	struct program p = {.path = source.path};
	const char *mark = TEXT("%s/mark", open_dir), *dump = TEXT("%s/bad.dump", open_dir), *sql;
	char data[DIRECTORY_SIZE];

	sql = TEXT("%s; create index ran on users (ran(email))", program_sql(mark));
	as_admin("alter role owner superuser");
	run_sql(&source, sql);
	as_admin("alter role owner nosuperuser");
	assert_int_equal(unlink(mark), 0);
	dump_of(&source, dump);
	assert_int_equal(access(mark, F_OK), -1);
	assert_true(directory_make("data", data));
	p.data_dir = data;
	backed_refused(
	    &backed, restore_from(&p, forge_backup("bad", dump, NULL), "--trust-file", NULL), "nothing was restored");
	assert_int_equal(access(mark, F_OK), -1);
	backed_done(&backed, restore_from(&p, backup, "--file-key", AT("key")));
	backed_done(&backed, BACKED(&p, "workspace", "list"));
	assert_non_null(strstr(backed.text, "\"told\""));
	TOOL("rm", "-rf", "--", data);
}

/* The program that is to read the dump replaces it after it was checked: nothing of it runs, not even what
 * comes long before its end. */
TEST(test_changed)
{
	struct program evil = backed_database(&backed, source.path, cluster, "evil"),
	               p = backed_database(&backed, source.path, cluster, "changed");
	int status;
	const char *mark = TEXT("%s/changed", open_dir), *dump = TEXT("%s/evil.dump", open_dir), *from = AT("changing"),
	           *tool = AT("tools/pg_restore"), *real = AT("real/pg_restore"), *text;

	as_admin("alter role owner superuser");
	text = TEXT("%s; create table a (t text check (ran(t) <> '')); insert into a values ('a'); create table z as "
	            "select md5(n::text) from generate_series(1, 60000) n",
	    program_sql(mark));
	run_sql(&evil, text);
	assert_int_equal(unlink(mark), 0);
	dump_of(&evil, dump);
	/* Larger than what is read at a time. */
	run_sql(&source, "create table z as select md5(n::text) from generate_series(1, 60000) n");
	backed_done(&backed, BACKED(&source, "backup", from, "--without-secret", "--file-key", AT("key")));
	run_sql(&source, "drop table z");
	assert_int_equal(mkdir(AT("real"), 0755), 0);
	assert_int_equal(rename(tool, real), 0);
	text = TEXT(
	    "#!/bin/sh\nto=%s/database.dump\ncmp -s %s $to || cp %s $to\nexec %s \"$@\"\n", from, dump, dump, real);
	backed_write(tool, text, strlen(text), 0755);
	status = restore_from(&p, from, "--file-key", AT("key"));
	as_admin("alter role owner nosuperuser");
	assert_int_equal(rename(real, tool), 0);
	assert_int_equal(access(mark, F_OK), -1);
	backed_refused(&backed, status, "was changed after it was checked");
	assert_true(is_empty(&p));
}

/* A dump of nothing, one with other rows, one whose next start would fail. */
TEST(test_not_what_it_says)
{
	struct program empty = backed_database(&backed, source.path, cluster, "empty"),
	               rows = backed_database(&backed, source.path, cluster, "rows"),
	               late = backed_database(&backed, source.path, cluster, "late"),
	               again = backed_database(&backed, source.path, cluster, "again");
	const char *dump = TEXT("%s/other.dump", open_dir);

	dump_of(&empty, dump);
	backed_refused(&backed, restore_from(&empty, forge_backup("empty", dump, "{}"), "--trust-file", NULL),
	    "no tables of kith");
	backed_refused(&backed, restore_from(&rows, forge_backup("rows", NULL, "{\"users\":7}"), "--trust-file", NULL),
	    "table users has 1 rows, and the manifest says 7");
	backed_done(&backed, restore_from(&late, backup, "--file-key", AT("key")));
	run_sql(&late,
	    "alter table event_generation drop constraint event_generation_bounds; update event_generation set "
	    "generation = 9223372036854775807");
	dump_of(&late, dump);
	backed_refused(&backed, restore_from(&again, forge_backup("late", dump, NULL), "--trust-file", NULL),
	    "generation of its events");
}

/* A restore that pg_restore cannot finish leaves nothing. */
TEST(test_restore_fails)
{
	struct program p = backed_database(&backed, source.path, cluster, "fails"), other = p;

	as_admin("create role nobody_else login");
	other.database_url = TEXT("host=%s port=5432 user=nobody_else dbname=fails", cluster_socket_dir(cluster));
	backed_refused(&backed, restore_from(&other, backup, "--file-key", AT("key")), "nothing was restored");
	assert_true(is_empty(&p));
}
