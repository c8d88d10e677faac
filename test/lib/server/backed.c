/* See backed.h. */
#include "test/lib/server/backed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/lib/db/database.h"
#include "test/lib/patience.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"

enum { WAIT_MS = 60000 };

char *backed_read(struct backed *b, const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *bytes;
	long size;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	rewind(f);
	bytes = arena_alloc(b->arena, (size_t)size + 1);
	assert_int_equal(fread(bytes, 1, (size_t)size, f), size);
	bytes[size] = '\0';
	fclose(f);
	*len = (size_t)size;
	return bytes;
}

void backed_write(const char *path, const char *bytes, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

bool backed_holds(struct backed *b, const char *path, const char *text)
{
	size_t len;
	const char *all = backed_read(b, path, &len);

	return memmem(all, len, text, strlen(text)) != NULL;
}

void backed_tool(const char *const argv[])
{
	assert_int_equal(child_wait(child_start(&(struct child){.argv = argv})), 0);
}

static void make_tools(struct backed *b)
{
	static const char *const names[] = {"pg_dump", "pg_restore"};
	const char *given = getenv("KITH_PG_BINDIR"), *path = getenv("PATH"), *tools, *text;

	tools = arena_printf(b->arena, "%s/tools", b->dir);
	text = arena_printf(b->arena, "#!/bin/sh\necho %s\n", tools);
	assert_int_equal(mkdir(tools, 0755), 0);
	backed_write(arena_printf(b->arena, "%s/pg_config", tools), text, strlen(text), 0755);
	text = arena_printf(b->arena,
	    "#!/bin/sh\nprintf '%%s\\n' \"$*\" >>%s\nreal=%s\n[ \"$real\" ] || real=$(PATH='%s' pg_config --bindir)\n"
	    "exec \"$real/${0##*/}\" \"$@\"\n",
	    b->argv, given ? given : "", path);
	for (int i = 0; i < 2; i++)
		backed_write(arena_printf(b->arena, "%s/%s", tools, names[i]), text, strlen(text), 0755);
	setenv("PATH", arena_printf(b->arena, "%s:%s", tools, path), 1);
}

void backed_open(struct backed *b, struct arena *a)
{
	char made[DIRECTORY_SIZE];

	assert_true(directory_make("backup", made));
	*b = (struct backed){.arena = a,
	    .dir = arena_dupz(a, made),
	    .said = arena_printf(a, "%s/said", made),
	    .argv = arena_printf(a, "%s/argv", made)};
	make_tools(b);
}

void backed_close(struct backed *b)
{
	backed_tool((const char *const[]){"rm", "-rf", "--", b->dir, NULL});
}

pid_t backed_start(struct backed *b, const struct program *p, const char *const argv[])
{
	int fd = open(b->said, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	pid_t pid = command_start(p, argv, fd, fd);

	close(fd);
	return pid;
}

int backed_run(struct backed *b, const struct program *p, const char *const argv[])
{
	struct stat st = {0};
	size_t len;
	int status;

	(void)stat(b->said, &st);
	status = child_wait(backed_start(b, p, argv));
	b->text = backed_read(b, b->said, &len) + st.st_size;
	return status;
}

/* A report of the sanitizer is not a refusal. */
void backed_refused(struct backed *b, int status, const char *sentence)
{
	if ((status != 1 && status != 2) || !strstr(b->text, sentence))
		fail_msg("status %d, not \"%s\": %s", status, sentence, b->text);
}

void backed_done(struct backed *b, int status)
{
	if (status != 0)
		fail_msg("status %d: %s", status, b->text);
}

/* --- databases -------------------------------------------------------------- */

struct cluster *backed_cluster(void)
{
	char error[CLUSTER_ERROR_SIZE] = "";
	struct cluster *c = cluster_start(error);

	if (!c)
		fail_msg("%s", error);
	assert_true(cluster_sql(c, "create role owner login createrole", NULL, 0));
	return c;
}

/* An empty database, with a data directory of its own. */
struct program backed_database(struct backed *b, const char *path, struct cluster *c, const char *name)
{
	char data[DIRECTORY_SIZE];

	assert_true(directory_make("data", data));
	assert_true(cluster_sql(c, arena_printf(b->arena, "create database %s owner owner", name), NULL, 0));
	return (struct program){.path = path,
	    .data_dir = arena_dupz(b->arena, data),
	    .database_url = arena_printf(b->arena,
	        "host=%s port=5432 user=owner password=" BACKED_PASSWORD " dbname=%s", cluster_socket_dir(c), name)};
}

void backed_until(const struct program *p, int64_t expected, const char *sql)
{
	int64_t until_us = patience_ms(WAIT_MS), got;

	while ((got = database_int(p, sql)) != expected && patience_pause(until_us))
		;
	assert_int_equal(got, expected);
}

/* Every row of every table, but for what a connection of this server has begun, and the place of a job. */
const char *backed_rows(struct backed *b, const struct program *p)
{
	return database_text(p, b->arena,
	    "select string_agg(c.relname || ' ' || (xpath('/table/row/*/text()', query_to_xml(format('select count(*) "
	    "|| '' '' "
	    "|| coalesce(md5(string_agg(t::text, e''\\n'' order by t::text collate \"C\")), '''') as all_rows from %I "
	    "t', "
	    "c.relname), true, false, '')))[1]::text, e'\\n' order by c.relname) from pg_class c where c.relkind = 'r' "
	    "and c.relname not in ('event_generation', 'dispatcher_term', 'index_merges') "
	    "and "
	    "c.relnamespace = 'public'::regnamespace");
}

void backed_same(const char *before, const char *after)
{
	size_t same = 0;

	while (before[same] && before[same] == after[same])
		same++;
	while (same > 0 && before[same - 1] != '\n')
		same--;
	if (strcmp(before + same, after + same) != 0)
		fail_msg("before: %.100s\nafter: %.100s", before + same, after + same);
}

pid_t backed_hold(struct backed *b, const struct program *p, const char *sql)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC); /* it is killed in the end */
	pid_t pid =
	    child_start(&(struct child){.argv = (const char *const[]){"psql", "-X", "-q", "-d", p->database_url, "-c",
	                                    arena_printf(b->arena, "begin; %s; select pg_sleep(60)", sql), NULL},
	        .err = null,
	        .ends_with_us = true});

	close(null);
	backed_until(p, 1,
	    "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = "
	    "current_database()");
	return pid;
}

void backed_let_go(const struct program *p, pid_t pid)
{
	database_int(p,
	    "select count(pg_terminate_backend(pid)) from pg_stat_activity where wait_event = 'PgSleep' and datname "
	    "= current_database()");
	(void)child_wait(pid);
}
