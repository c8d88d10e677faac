/* See rig.h. */
#include "test/lib/rig.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/id.h"
#include "server/base/text.h"
#include "server/request/locks.h"
#include "store/idempotency.h"
#include "test/lib/patience.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/neighbour.h"

enum { HOLD_MS = 30000 };

static void use_own_cluster(struct rig *r)
{
	char error[CLUSTER_ERROR_SIZE] = "";

	r->cluster = cluster_start(error);
	if (!r->cluster) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	setenv("KITH_TEST_DATABASE_URL", cluster_url(r->cluster), 1);
}

/* From "host=DIR port=...". */
static void find_socket_dir(struct rig *r)
{
	const char *url = getenv("KITH_TEST_DATABASE_URL"), *host = url ? strstr(url, "host=") : NULL;

	if (!host) {
		fprintf(stderr, "KITH_TEST_DATABASE_URL names no socket directory\n");
		exit(1);
	}
	host += strlen("host=");
	snprintf(r->socket_dir, sizeof r->socket_dir, "%.*s", (int)strcspn(host, " &"), host);
}

void rig_open(struct rig *r, const char *name, bool own)
{
	memset(r, 0, sizeof *r);
	if (own || !getenv("KITH_TEST_DATABASE_URL"))
		use_own_cluster(r);
	find_socket_dir(r);
	arena_init(&r->arena);
	r->program = database_create(command_binary(), name);
	snprintf(r->orders, sizeof r->orders, "%s/orders", r->program->data_dir);
	r->workspace = workspace_create(r->program, &r->arena, name);
	snprintf(r->own, sizeof r->own, "workspace_id = '%s'", r->workspace.id + strlen("wsp_"));
	r->ada = user_create(r->program, &r->arena, &r->workspace, "ada", "Ada L", "ada@example.org", "admin");
	r->ben = user_create(r->program, &r->arena, &r->workspace, "ben", "Ben M", "ben@example.org", "member");
	if (!directory_make("proxy", r->proxy_dir)) {
		fprintf(stderr, "no directory for the proxy\n");
		exit(1);
	}
	r->proxy = proxy_start(r->proxy_dir, r->socket_dir);
	r->via = *r->program;
	r->via.database_url = proxy_url(r->program->database_url, r->socket_dir, r->proxy_dir);
}

void rig_close(struct rig *r)
{
	rig_neighbour_end(r);
	proxy_stop(r->proxy);
	rmdir(r->proxy_dir);
	free((char *)r->via.database_url);
	database_drop(r->program);
	arena_free(&r->arena);
	cluster_stop(r->cluster);
}

void rig_keep_little(void)
{
	const char *options = getenv("ASAN_OPTIONS");
	char more[1024];

	snprintf(more, sizeof more, "%s%squarantine_size_mb=4", options ? options : "", options ? ":" : "");
	setenv("ASAN_OPTIONS", more, 1);
}

struct test_user rig_stranger(struct rig *r, const char *name)
{
	struct test_workspace w = workspace_create(r->program, &r->arena, name);

	return user_create(
	    r->program, &r->arena, &w, name, name, arena_printf(&r->arena, "%s@example.org", name), "admin");
}

const char *rig_session(struct rig *r, const char *user_id)
{
	const char *id, *key = api_key_create(r->program, &r->arena, user_id, false, &id);

	rig_sql(r,
	    "update api_keys set kind = 'session', scopes = '{read,write,delete,admin,contacts,calendar}' where %s and "
	    "id = '%s'",
	    r->own, id + strlen("key_"));
	return key;
}

/* --- the neighbour ---------------------------------------------------------------------------------- */

/* The latest running server; NULL: none. */
static struct server_process *rig_newest(struct rig *r)
{
	for (int i = RIG_SERVERS_MAX - 1; i >= 0; i--)
		if (r->servers[i] && server_alive(r->servers[i]))
			return r->servers[i];
	return NULL;
}

static void go_on(struct rig *r)
{
	if (r->neighbour && !r->neighbour_rests && rig_newest(r))
		neighbour_go(r->neighbour, rig_newest(r));
}

void rig_neighbour(struct rig *r)
{
	setenv("FAULT_ALWAYS", "jobs_often", 1); /* for later servers */
	r->neighbour = neighbour_new(r);
	go_on(r);
}

static bool server_ends(void *ctx, struct server_process *s, bool killed)
{
	struct rig *r = ctx;
	bool last;

	for (int i = 0; i < RIG_SERVERS_MAX; i++)
		if (r->servers[i] == s)
			r->servers[i] = NULL;
	last = !rig_newest(r);
	go_on(r);
	return !last || killed || !r->neighbour || neighbour_rest(r->neighbour);
}

static void add_server(struct rig *r, struct server_process *s)
{
	int i = 0;

	while (i < RIG_SERVERS_MAX - 1 && r->servers[i])
		i++;
	r->servers[i] = s;
	s->ends = server_ends;
	s->ctx = r;
	go_on(r);
}

bool rig_neighbour_rest(struct rig *r)
{
	r->neighbour_rests = true;
	return neighbour_rest(r->neighbour);
}

void rig_neighbour_go(struct rig *r)
{
	r->neighbour_rests = false;
	go_on(r);
}

void rig_neighbour_end(struct rig *r)
{
	neighbour_free(r->neighbour);
	r->neighbour = NULL;
}

struct server_process *rig_serve(struct rig *r, bool behind_proxy, const char *const more[])
{
	const char *settings[RIG_SETTINGS_MAX + 5] = {"rate_default=0", "rate_burst=0"};
	bool targets = false;
	int n = 2;

	for (int i = 0; more && more[i] && i < RIG_SETTINGS_MAX; i++) {
		targets = targets || strncmp(more[i], "webhook_allow_targets=", strlen("webhook_allow_targets=")) == 0;
		settings[n++] = more[i];
	}
	if (!targets)
		settings[n++] = "webhook_allow_targets=127.0.0.0/8";
	struct server_process *s = server_start(behind_proxy ? &r->via : r->program, settings);
	if (!behind_proxy)
		add_server(r, s);
	return s;
}

struct server_process *rig_serve_faulty(struct rig *r, bool behind_proxy, const char *const more[])
{
	setenv("FAULT_FILE", r->orders, 1);
	struct server_process *s = rig_serve(r, behind_proxy, more);
	unsetenv("FAULT_FILE"); /* this process has no faults */
	return s;
}

bool rig_stop(struct rig *r)
{
	bool clean = true;

	for (int i = 0; i < RIG_SERVERS_MAX; i++)
		if (r->servers[i])
			clean = server_stop(r->servers[i]) && clean;
	return clean;
}

int64_t rig_int(const struct rig *r, const char *format, ...)
{
	char sql[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(sql, sizeof sql, format, args);
	va_end(args);
	return database_int(r->program, sql);
}

void rig_sql(const struct rig *r, const char *format, ...)
{
	char sql[4096], error[256];
	int64_t ignored;
	va_list args;

	va_start(args, format);
	vsnprintf(sql, sizeof sql, format, args);
	va_end(args);
	if (!database_try(r->program, sql, &ignored, error)) {
		fprintf(stderr, "%s: %s\n", sql, error);
		exit(1);
	}
}

bool rig_removed(const struct rig *r, int64_t ms)
{
	static const char left[] =
	    "select (select count(*) from groups where removed_at is not null) + (select count(*) from object_types "
	    "where removed_at is not null) + (select count(*) from custom_fields where removed_at is not null or "
	    "options_removed_at is not null) + (select count(*) from contacts_gone)";

	int64_t got;

	return database_until(r->program, left, 0, ms, &got);
}

/* What the lock is on is held once the process sleeps. */
static pid_t rig_hold_by(const struct rig *r, const char *lock)
{
	int64_t until_us = patience_ms(HOLD_MS);
	char statements[256];
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC); /* it is killed in the end */

	snprintf(statements, sizeof statements, "begin; %s; select pg_sleep(60)", lock);
	pid_t pid = child_start(&(struct child){
	    .argv = (const char *const[]){"psql", "-X", "-q", "-d", r->program->database_url, "-c", statements, NULL},
	    .err = null,
	    .ends_with_us = true});
	close(null);
	while (rig_int(r, "select count(*) from pg_stat_activity where application_name = 'psql' and datname = "
	                  "current_database() and wait_event = 'PgSleep'") != 1) {
		if (!patience_pause(until_us)) {
			fprintf(stderr, "psql does not get the lock\n");
			exit(1);
		}
	}
	return pid;
}

pid_t rig_hold(const struct rig *r, const char *table)
{
	char lock[160];

	snprintf(lock, sizeof lock, "lock table %s", table);
	return rig_hold_by(r, lock);
}

pid_t rig_hold_row(const struct rig *r, const char *table, const char *where)
{
	char lock[160];

	snprintf(lock, sizeof lock, "select from %s where %s for key share", table, where);
	return rig_hold_by(r, lock);
}

pid_t rig_hold_workspace(const struct rig *r)
{
	struct uuid id;
	char lock[160];

	if (!id_parse(ID_WORKSPACE, r->workspace.id, strlen(r->workspace.id), &id))
		return -1;
	snprintf(lock, sizeof lock, "select pg_advisory_xact_lock_shared(%lld)", (long long)lock_workspace_number(&id));
	return rig_hold_by(r, lock);
}

void rig_release(const struct rig *r, pid_t holder)
{
	rig_int(r, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'psql' "
	           "and datname = current_database()");
	child_wait(holder);
}

int64_t rig_stored(const struct rig *r, const char *once)
{
	struct idempotency_claim claim;
	struct uuid workspace, user;
	char hex[2 * sizeof claim.hash + 1];

	if (!id_parse(ID_WORKSPACE, r->workspace.id, strlen(r->workspace.id), &workspace) ||
	    !id_parse(ID_USER, r->ada.id, strlen(r->ada.id), &user))
		return -1;
	idempotency_claim_init(&claim, &workspace, &user, once);
	text_hex(hex, claim.hash, sizeof claim.hash);
	return rig_int(r, "select count(*) from idempotency_keys where key_hash = '\\x%s'", hex);
}

void rig_write(const char *path, const char *text)
{
	char temporary[256];

	snprintf(temporary, sizeof temporary, "%s.new", path);
	FILE *f = fopen(temporary, "w");
	bool ok = f && fputs(text, f) >= 0;
	if (!f || fclose(f) != 0 || !ok || rename(temporary, path) != 0) {
		fprintf(stderr, "cannot write %s\n", path);
		exit(1);
	}
}

int rig_setting(const char *name, int otherwise)
{
	const char *text = getenv(name);
	char *end;
	long value;

	if (!text)
		return otherwise;
	value = strtol(text, &end, 10);
	if (*end || end == text || value < 1 || value > 100000000) {
		fprintf(stderr, "%s=%s is not a number from 1 to 100,000,000\n", name, text);
		exit(2);
	}
	return (int)value;
}
