/* Besides store/db*.c the only user of libpq: tests create databases before any server runs. */
#include "test/lib/db/database.h"

#include <errno.h>
#include <ftw.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/apikey.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/text.h"
#include "store/db.h"
#include "store/invitations.h"
#include "store/keys.h"
#include "test/lib/patience.h"
#include "test/lib/server/directory.h"

enum { URL_MAX = 4096, FILE_MAX = 1 << 20, PARAMS_MAX = 16 };

static void fail_with(const char *what, const char *why)
{
	fprintf(stderr, "test database: %s: %s\n", what, why);
	exit(1);
}

static const char *cluster_url(void)
{
	const char *url = getenv("KITH_TEST_DATABASE_URL");

	if (!url || !*url)
		fail_with("KITH_TEST_DATABASE_URL is not set", "it names the cluster to test in (test/run sets it)");
	return url;
}

/* before, the database's name, after */
static void run_sql(const char *before, const char *database, const char *after)
{
	char sql[256];
	PGconn *db = PQconnectdb(cluster_url());

	if (PQstatus(db) != CONNECTION_OK)
		fail_with("cannot connect", PQerrorMessage(db));
	snprintf(sql, sizeof(sql), "%s %s %s", before, database, after);
	PGresult *result = PQexec(db, sql);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail_with(sql, PQerrorMessage(db));
	PQclear(result);
	PQfinish(db);
}

/* The cluster's URL with another database: all its parameters go into the query part. */
static char *url_of(const char *database)
{
	char *error = NULL;
	PQconninfoOption *options = PQconninfoParse(cluster_url(), &error);
	struct buf out;
	char separator = '?';

	if (!options)
		fail_with("KITH_TEST_DATABASE_URL", error ? error : "no memory");
	buf_init(&out, URL_MAX);
	buf_printf(&out, "postgresql:///%s", database);
	for (PQconninfoOption *o = options; o->keyword; o++) {
		if (!o->val || !*o->val || strcmp(o->keyword, "dbname") == 0)
			continue;
		buf_printf(&out, "%c%s=", separator, o->keyword);
		text_percent_encode(&out, o->val, strlen(o->val));
		separator = '&';
	}
	PQconninfoFree(options);
	return buf_take(&out, NULL);
}

/* template: of what "create database" makes a copy. */
static struct program *create_from(const char *template, const char *program_path, const char *name)
{
	struct program *p = mem_zalloc(sizeof(*p));
	char database[64], options[128], dir[DIRECTORY_SIZE];

	snprintf(database, sizeof(database), "kith_%s_%ld_%lld", name, (long)getpid(),
	    (long long)(clock_now_ms() % 1000000));
	snprintf(options, sizeof(options), "template %s encoding 'UTF8'", template);
	run_sql("create database", database, options);
	if (!directory_make("data", dir))
		fail_with("no directory for data", strerror(errno));
	p->path = mem_dupz(program_path);
	p->database_url = url_of(database);
	p->data_dir = mem_dupz(dir);
	return p;
}

struct program *database_create_empty(const char *program_path, const char *name)
{
	return create_from("template0", program_path, name);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st, (void)kind, (void)ftw;
	return remove(path);
}

static void database_name(const struct program *p, char name[64])
{
	const char *start = p->database_url + strlen("postgresql:///");

	snprintf(name, 64, "%.*s", (int)strcspn(start, "?"), start);
}

static void program_free(struct program *p)
{
	nftw(p->data_dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free((char *)p->path);
	free((char *)p->database_url);
	free((char *)p->data_dir);
	free(p);
}

void database_drop(struct program *p)
{
	char database[64];

	database_name(p, database);
	run_sql("drop database if exists", database, "with (force)");
	program_free(p);
}

void database_run_file(const struct program *p, const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = mem_zalloc(FILE_MAX + 2);
	size_t n = f ? fread(text, 1, FILE_MAX + 1, f) : 0;

	if (n == 0 || n > FILE_MAX)
		fail_with(path, "cannot be read, is empty or too long");
	fclose(f);
	PGconn *db = PQconnectdb(p->database_url);
	PGresult *result = PQexec(db, text);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail_with(path, PQerrorMessage(db));
	PQclear(result);
	PQfinish(db);
	free(text);
}

static int64_t number_of(const PGresult *result)
{
	bool none = PQntuples(result) == 0 || PQgetisnull(result, 0, 0);

	return none ? -1 : strtoll(PQgetvalue(result, 0, 0), NULL, 10);
}

static int64_t int_of(PGconn *db, const char *sql)
{
	PGresult *result = PQexec(db, sql);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		fail_with(sql, PQerrorMessage(db));
	int64_t value = number_of(result);
	PQclear(result);
	return value;
}

int64_t database_int(const struct program *p, const char *sql)
{
	PGconn *db = PQconnectdb(p->database_url);
	int64_t value = int_of(db, sql);

	PQfinish(db);
	return value;
}

static void migrate_or_fail(struct program *p)
{
	const char *out;
	struct arena a;

	arena_init(&a);
	if (command_run(p, &a, (const char *const[]){"migrate", NULL}, &out) != 0) {
		database_drop(p);
		fail_with("kith migrate", "it failed; its messages are above");
	}
	arena_free(&a);
}

/* The name of a database of this cluster that "kith migrate" of this program has made. It is made when it is missing,
 * and gets its name when it is complete. */
static void template_find(const char *program_path, char template[64])
{
	const struct program cluster = {.database_url = cluster_url()};
	struct program *p;
	struct stat st;
	char database[64], sql[128];

	if (stat(program_path, &st) != 0)
		fail_with(program_path, strerror(errno));
	snprintf(template, 64, "kith_made_%llx_%llx", (unsigned long long)st.st_ino,
	    (unsigned long long)st.st_mtim.tv_sec * 1000000000 + (unsigned long long)st.st_mtim.tv_nsec);
	snprintf(sql, sizeof(sql), "select count(*) from pg_database where datname = '%s'", template);
	if (database_int(&cluster, sql) > 0)
		return;
	p = database_create_empty(program_path, "template");
	migrate_or_fail(p);
	database_name(p, database);
	snprintf(sql, sizeof(sql), "rename to %s", template);
	run_sql("alter database", database, sql);
	program_free(p);
}

/* In a cluster that many programs share, the database is a copy: that takes a fifth of the time of "kith migrate". */
struct program *database_create(const char *program_path, const char *name)
{
	const char *shared = getenv("KITH_TEST_SHARED_URL");
	struct program *p;
	char template[64];

	if (!shared || strcmp(shared, cluster_url()) != 0) {
		p = database_create_empty(program_path, name);
		migrate_or_fail(p);
		return p;
	}
	template_find(program_path, template);
	p = create_from(template, program_path, name);
	/* This value was drawn at random. */
	database_int(p, "with drawn as (update server_secrets set value = sha256(uuid_send(gen_random_uuid())) "
	                "where name = 'cursor' returning 1) select count(*) from drawn");
	return p;
}

/* A connection for each look would keep a processor busy that the servers need. */
bool database_until(const struct program *p, const char *sql, int64_t number, int64_t ms, int64_t *got)
{
	PGconn *db = PQconnectdb(p->database_url);
	int64_t until_us = patience_ms(ms);

	while ((*got = int_of(db, sql)) != number && patience_pause(until_us))
		;
	PQfinish(db);
	return *got == number;
}

bool database_try(const struct program *p, const char *sql, int64_t *value, char error[256])
{
	PGconn *db = PQconnectdb(p->database_url);
	PGresult *result = PQexec(db, sql);
	ExecStatusType status = PQresultStatus(result);

	*value = status == PGRES_TUPLES_OK ? number_of(result) : -1;
	snprintf(error, 256, "%s", PQerrorMessage(db));
	PQclear(result);
	PQfinish(db);
	return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

const char *database_text(const struct program *p, struct arena *a, const char *sql)
{
	PGconn *db = PQconnectdb(p->database_url);
	PGresult *result = PQexec(db, sql);
	const char *text = NULL;

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		fail_with(sql, PQerrorMessage(db));
	if (PQntuples(result) > 0 && !PQgetisnull(result, 0, 0))
		text = arena_dupz(a, PQgetvalue(result, 0, 0));
	PQclear(result);
	PQfinish(db);
	return text;
}

void database_execute(struct pg_conn *pg, const char *sql)
{
	PGresult *r = PQexec(pg, sql);

	if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK) {
		fprintf(stderr, "%s: %s\n", sql, PQerrorMessage(pg));
		exit(1);
	}
	PQclear(r);
}

/* --- workspaces, users, keys --------------------------------------------------------- */

/* In one transaction. What a server has read of the workspaces is read again. */
static void run_statements(const struct program *p, struct sql *const *list, int n)
{
	PGconn *db = PQconnectdb(p->database_url);

	if (PQstatus(db) != CONNECTION_OK)
		fail_with("cannot connect", PQerrorMessage(db));
	database_execute(db, "begin");
	for (int i = 0; i < n; i++) {
		const struct sql *s = list[i];
		Oid types[PARAMS_MAX];
		const char *values[PARAMS_MAX];
		int lens[PARAMS_MAX], formats[PARAMS_MAX];

		if (s->n_params > PARAMS_MAX)
			fail_with(s->text, "too many parameters");
		for (int j = 0; j < s->n_params; j++) {
			types[j] = s->params[j].type;
			values[j] = s->params[j].value;
			lens[j] = s->params[j].len;
			formats[j] = s->params[j].format;
		}
		PGresult *result = PQexecParams(db, s->text, s->n_params, types, values, lens, formats, 0);
		if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
			fail_with(s->text, PQerrorMessage(db));
		PQclear(result);
	}
	database_execute(db, "notify " DB_CHANNEL "; commit");
	PQfinish(db);
}

static struct uuid uuid_of(enum id_kind kind, const char *text)
{
	struct uuid id;

	if (!id_parse(kind, text, strlen(text), &id))
		fail_with(text, "it is no such id");
	return id;
}

static const char *id_text(struct arena *a, enum id_kind kind, const struct uuid *id)
{
	char text[ID_SIZE];

	id_format(kind, id, text);
	return arena_dupz(a, text);
}

struct test_workspace workspace_create(const struct program *p, struct arena *a, const char *name)
{
	struct uuid id = id_new();
	struct sql s;

	if (!p->database_url) {
		struct json *made =
		    command_json(p, a, (const char *const[]){"workspace", "create", "--name", name, NULL});
		return (struct test_workspace){.id = command_text(made, "id"), .name = name};
	}
	sql_begin(&s, a, NULL, &id);
	sql_add_textz(&s, "insert into workspaces (workspace_id, name) values ($1, ", name);
	sql_add(&s, ")");
	run_statements(p, (struct sql *[]){&s}, 1);
	return (struct test_workspace){.id = id_text(a, ID_WORKSPACE, &id), .name = name};
}

/* Statements as those of "kith user create". */
static const char *user_insert(const struct program *p, struct arena *a, const struct test_workspace *w,
    const struct test_user *u, const char *role)
{
	struct uuid workspace = uuid_of(ID_WORKSPACE, w->id), id = id_new();
	char token[INVITATION_SIZE];
	struct sql user, invitation;

	sql_begin(&user, a, NULL, &workspace);
	sql_add(&user,
	    "with w as (update workspaces set version = version + 1 where workspace_id = $1 returning workspace_id) "
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, ");
	sql_uuid(&user, &id);
	sql_add_textz(&user, ", ", u->email);
	sql_add_textz(&user, ", ", u->full_name);
	sql_add_textz(&user, ", ", role);
	sql_add(&user, " from w, kith_partitions()");
	invitation_token(token);
	sql_begin(&invitation, a, NULL, &workspace);
	invitation_insert(&invitation,
	    &(struct invitation_new){.token = token, .user = id, .lasts_ms = INVITATION_DAYS * INT64_C(86400000)});
	run_statements(p, (struct sql *[]){&user, &invitation}, 2);
	return id_text(a, ID_USER, &id);
}

struct test_user user_create(const struct program *p, struct arena *a, const struct test_workspace *w, const char *name,
    const char *full_name, const char *email, const char *role)
{
	struct test_user u = {.name = name, .full_name = full_name, .email = email};

	if (p->database_url)
		u.id = user_insert(p, a, w, &u, role);
	else
		u.id = command_text(command_json(p, a,
		                        (const char *const[]){"user", "create", "--workspace", w->id, "--email", email,
		                            "--name", full_name, "--role", role, NULL}),
		    "id");
	u.key = api_key_create(p, a, u.id, false, &u.key_id);
	return u;
}

const char *api_key_create(
    const struct program *p, struct arena *a, const char *user_id, bool read_only, const char **key_id)
{
	char text[APIKEY_SIZE];
	struct key_new k = {.id = id_new(), .key = text, .name = "test", .scopes = read_only ? SCOPE_READ : SCOPE_ALL};
	struct sql s;

	if (!p->database_url) {
		struct json *made = command_json(p, a,
		    (const char *const[]){
		        "key", "create", "--user", user_id, "--name", "test", read_only ? "--read-only" : NULL, NULL});
		*key_id = command_text(made, "id");
		return command_text(made, "key");
	}
	k.user = uuid_of(ID_USER, user_id);
	apikey_new(text);
	key_create(&s, a, &k);
	run_statements(p, (struct sql *[]){&s}, 1);
	*key_id = id_text(a, ID_KEY, &k.id);
	return arena_dupz(a, text);
}
