/* Messages of commands on wrong usage or without a database: what is wrong and what to do. */
#include <fcntl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/db/database.h"
#include "test/lib/server/child.h"
#include "test/lib/server/command.h"
#include "test/lib/test.h"

#define WORKSPACE "wsp_01234567-89ab-7cde-8f01-23456789abcd"
#define USER "usr_01234567-89ab-7cde-8f01-23456789abcd"

static const char *url = "host=/nonexistent dbname=x";

/* Returns the exit status; text gets everything written to stdout and stderr. */
static int run_cli(const char *const argv[], char *text, size_t size)
{
	struct program p = {.path = command_binary(), .database_url = url, .data_dir = "/tmp"};
	size_t len = 0;
	int ends[2];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = command_start(&p, argv, ends[1], ends[1]);
	close(ends[1]);
	for (ssize_t n; len < size - 1 && (n = read(ends[0], text + len, size - 1 - len)) > 0;)
		len += (size_t)n;
	text[len] = '\0';
	close(ends[0]);
	return child_wait(pid);
}

static void expect_cli(const char *const argv[], int status, const char *says)
{
	char text[1 << 16];
	int got = run_cli(argv, text, sizeof text);
	if (got != status || !strstr(text, says))
		fail_msg("kith %s %s: %d, not \"%s\": %s", argv[0], argv[1] ? argv[1] : "", got, says, text);
}

#define SAYS(status, says, ...) expect_cli((const char *const[]){__VA_ARGS__, NULL}, status, says)

TEST(test_mistyped)
{
	SAYS(2, "did you mean \"serve\"?", "sevre");
	SAYS(2, "there is no command \"xyzzy\"", "xyzzy");
	SAYS(2, "no option --emial; did you mean --email?", "user", "create", "--workspace", WORKSPACE, "--emial",
	    "a@b.c", "--name", "A");
	SAYS(2, "no option --read-onlly; did you mean --read-only?", "key", "create", "--user", USER, "--read-onlly");
	SAYS(2, "did you mean --plan?", "migrate", "--paln");
	SAYS(2, "did you mean --database_url?", "serve", "--databse_url=x");
	SAYS(2, "did you mean --forward?", "listen", "--froward", "http://localhost", "--key", "k");
	SAYS(2, "--workspace needs a value", "user", "list", "--workspace");
	SAYS(2, "--plan takes no value", "migrate", "--plan=no");
	SAYS(2, "--workspace is given twice", "user", "list", "--workspace", WORKSPACE, "--workspace", WORKSPACE);
	SAYS(2, "usage: kith workspace", "workspace", "make");
	SAYS(2, "usage: kith key", "key", "create", "--name", "a");
	SAYS(2, "usage: kith key", "key", "list", "--workspace", WORKSPACE, "--read-only");
	SAYS(2, "usage: kith explain", "explain", "x", "--workspace", WORKSPACE, "--group", "g");
	SAYS(2, "does not take \"crate\"", "workspace", "crate");
	SAYS(2, "does not take \"b\"", "workspace", "create", "--name", "a", "b");
	SAYS(2, "does not take \"extra\"", "serve", "extra");
	SAYS(2, "does not take \"more\"", "user", "list", "--workspace", WORKSPACE, "more");
	SAYS(2, "does not take \"second\"", "trigger", "person.created", "second", "--forward", "http://localhost");
	SAYS(2, "has no option --hepl", "explain", "x", "--hepl");
}

/* Numbers of seconds, in every command that takes some. */
TEST(test_seconds)
{
	static const char *const wrong[] = {"0", "-1", "1.5", "5s", "", "86401", "4294967297", "99999999999999999999"};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		SAYS(2, "--max-seconds must be a whole number of seconds from 1 to 86400", "erase", "--verify",
		    "--max-seconds", wrong[i]);
		SAYS(2, "--hold must be a whole number of seconds from 1 to 600", "workspace", "move", WORKSPACE,
		    "--to", "postgresql://other/kith", "--to-secret-file", "/nowhere", "--address",
		    "https://other.example.org", "--hold", wrong[i]);
	}
}

/* A word that looks like an option is a value after an option that takes one. */
TEST(test_no_database)
{
	static const char away[] = "the database does not answer: check database_url";
	char text[1 << 16];

	SAYS(1, away, "serve");
	SAYS(1, away, "demo");
	SAYS(1, away, "workspace", "create", "--name", "--x");
	SAYS(1, away, "user", "list", "--workspace", WORKSPACE);
	SAYS(1, away, "explain", "limit=1", "--workspace", WORKSPACE);
	assert_int_equal(run_cli((const char *const[]){"migrate", NULL}, text, sizeof text), 1);
	assert_non_null(strstr(text, away));
	assert_null(strstr(text, "another kith migrate"));
	/* The package's login is known by its user's name: root is told. */
	assert_int_equal(strstr(text, "runuser -u kith -- kith") != NULL, geteuid() == 0);
}

/* What another attempt cannot change is said at once, and why, in one line for people. */
TEST(test_refused)
{
	static const char refused[] = "the database refuses the login: check user, password and dbname in database_url";
	const char *away = url;
	struct program *p = database_create_empty(command_binary(), "refused");
	char text[1 << 16], absent[512];

	snprintf(absent, sizeof absent, "%s&user=nobody_there", p->database_url);
	url = absent;
	SAYS(1, refused, "serve", "--listen", "127.0.0.1:0");
	SAYS(1, refused, "migrate");
	assert_int_equal(run_cli((const char *const[]){"doctor", NULL}, text, sizeof text), 1);
	assert_non_null(strstr(text, "role \"nobody_there\" does not exist\n"));
	assert_null(strstr(text, "{\"time\""));
	url = away;
	assert_int_equal(run_cli((const char *const[]){"workspace", "list", NULL}, text, sizeof text), 1);
	assert_non_null(strstr(text, "No such file or directory"));
	assert_null(strstr(text, "{\"time\""));
	database_drop(p);
}

/* After a restore without grants: the level is right, and the server says what to do. */
TEST(test_not_migrated)
{
	const char *away = url;
	struct program *p = database_create(command_binary(), "restored");
	PGconn *db = PQconnectdb(p->database_url);

	PQclear(PQexec(db, "revoke all on server_secrets from kith_serve, kith_system"));
	PQfinish(db);
	url = p->database_url;
	SAYS(1, "permission denied", "serve", "--listen", "127.0.0.1:0");
	SAYS(1, "needs \"kith migrate\" first", "serve", "--listen", "127.0.0.1:0");
	SAYS(0, "{\"name\":\"rights\",\"state\":\"planned\",\"roles\":\"\",\"objects\":1}", "migrate", "--plan");
	url = away;
	database_drop(p);
}

/* A database of a level from before the first release is refused, with advice. */
TEST(test_unreleased)
{
	static const char says[] = "from before release 0.2.0 (level 34), and cannot be migrated: export its "
	                           "records with the program that made it, and import them into a new database";
	static const char made[] =
	    "create table kith_migrations (level int primary key, name text not null, checksum text not null, "
	    "applied_at "
	    "timestamptz not null default clock_timestamp()); insert into kith_migrations select n, case n when 1 then "
	    "'init' else 'later' end, md5(n::text) from generate_series(1, 34) n";
	const char *away = url;
	struct program *p = database_create_empty(command_binary(), "unreleased");
	PGconn *db = PQconnectdb(p->database_url);

	PQclear(PQexec(db, made));
	url = p->database_url;
	SAYS(1, says, "migrate");
	SAYS(1, says, "migrate", "--plan");
	SAYS(1, says, "serve", "--listen", "127.0.0.1:0");
	SAYS(1, says, "user", "list", "--workspace", WORKSPACE);
	url = away;
	PQfinish(db);
	assert_int_equal(
	    database_int(
	        p, "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"),
	    1);
	assert_int_equal(database_int(p, "select count(*) from kith_migrations"), 34);
	database_drop(p);
}

/* A mistake in an address is reported once. */
TEST(test_listen)
{
	const char *away = url;
	struct program *p = database_create(command_binary(), "listening");
	char text[1 << 16];

	url = p->database_url;
	assert_int_equal(
	    run_cli((const char *const[]){"serve", "--listen", "unix:/nowhere/at/all", NULL}, text, sizeof text), 1);
	const char *first = strstr(text, "cannot listen on unix:/nowhere");
	assert_non_null(first);
	assert_null(strstr(first + 1, "cannot listen on"));
	url = away;
	database_drop(p);
}

/* The demo is made once, with a key that may do everything, and printed each time. */
TEST(test_demo)
{
	const char *out;
	struct program *p = database_create(command_binary(), "demo");
	struct arena a;

	arena_init(&a);
	assert_int_equal(command_run(p, &a, (const char *const[]){"demo", NULL}, &out), 0);
	assert_int_equal(database_int(p, "select count(*) from api_keys where not read_only"), 1);
	assert_true(database_int(p, "select count(*) from people") > 100);
	assert_true(
	    database_int(p, "select count(*) from tasks where due_at < current_date and completed_at is null") > 0);
	assert_true(database_int(p, "select count(*) from events") > 0); /* so that no page of the console is empty */
	assert_true(database_int(p, "select count(*) from reminders where next_trigger_at > now()") > 0);
	assert_int_equal(
	    database_int(p, "select count(*) from reminders where next_trigger_at < now() + interval '1 hour'"), 1);
	assert_int_equal(database_int(p, "select count(distinct phones[1]) from people"), 300);
	assert_int_equal(
	    database_int(p, "select count(*) from field_values"), 4 * database_int(p, "select count(*) from objects"));
	assert_int_equal(command_run(p, &a, (const char *const[]){"demo", NULL}, &out), 0);
	assert_int_equal(database_int(p, "select count(*) from api_keys"), 1);
	arena_free(&a);
	database_drop(p);
}

/* The line of a device's password has the address to enter on the device; other keys have none. */
TEST(test_device_keys)
{
	struct program *p = database_create(command_binary(), "devices");
	const char *out, *user;
	struct json *made;
	struct arena a;

#define MAKE(...) command_json(p, &a, (const char *const[]){"key", "create", "--user", user, __VA_ARGS__, NULL})
	arena_init(&a);
	assert_int_equal(command_run(p, &a, (const char *const[]){"demo", NULL}, &out), 0);
	user = arena_printf(&a, "usr_%s", database_text(p, &a, "select id::text from users limit 1"));
	made = MAKE("--scope", "contacts,delete", "--public_url", "https://crm.example.com");
	assert_string_equal(command_text(made, "url"), "https://crm.example.com/dav/");
	made = MAKE("--scope", "calendar", "--public_url", "https://example.com/crm/");
	assert_string_equal(command_text(made, "url"),
	    arena_printf(&a, "https://example.com/crm/calendar/%s.ics", command_text(made, "key")));
	made = MAKE("--scope", "contacts,read", "--listen", "0.0.0.0:8080");
	assert_string_equal(command_text(made, "url"), "http://127.0.0.1:8080/dav/");
	assert_null(json_member(MAKE("--scope", "read"), "url"));
#undef MAKE
	arena_free(&a);
	database_drop(p);
}

/* Each command's line in the list is a sentence, and its own help begins with its usage. */
TEST(test_help)
{
	char text[1 << 16], own[1 << 16], name[16];
	int n = 0;

	assert_int_equal(run_cli((const char *const[]){"--help", NULL}, text, sizeof text), 0);
	for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (strncmp(line, "  ", 2) != 0 || line[2] == '-' || line[2] == ' ')
			continue;
		assert_int_equal(end[-1], '.');
		snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 2, " "), line + 2);
		assert_int_equal(run_cli((const char *const[]){name, "--help", NULL}, own, sizeof own), 0);
		assert_int_equal(strncmp(own, "Usage: kith ", 12), 0);
		n++;
	}
	assert_true(n >= 10);
}
