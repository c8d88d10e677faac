/* Isolation: nothing crosses workspaces, nor the border of a private group. Two workspaces are mirror images, and in
 * the first one a user has private things of all kinds, which a second user must not be able to tell from nothing.
 * All routes of the program's own table are requested with every kind of id; see test/lib/model/isolation.h.
 *
 * Run once as the program is, and once with row-level security and its views removed from the database: then only
 * the builder of statements separates them. */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "store/db.h"
#include "test/lib/model/grant_made.h"
#include "test/lib/model/isolation.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"

/* Limits that are never reached: their table has rows. */
static const char *const high_limits[] = {
    "rate_default=1000000/60", "rate_burst=0", "webhook_allow_targets=127.0.0.1:9", NULL};

/* --- the database, bypassing the server ----------------------------------------------- */

/* Runs a statement as the owner (workspace NULL) or under the serving roles on a request lane. */
static char *run_sql(const struct program *p, struct arena *a, const struct uuid *workspace, const char *text)
{
	struct event_base *base = event_base_new();
	struct sql s, *list[] = {&s};
	struct db_exchange x = {.lane = workspace ? DB_POINT : DB_WORK, .statements = list, .n_statements = 1};
	struct db_config config;
	struct buf out;

	db_config_default(&config, p->database_url, 1);
	for (int lane = 0; lane < DB_LANES; lane++)
		config.lane_size[lane] = lane == (int)x.lane;
	if (workspace)
		db_config_roles(&config);
	struct db *db = db_open(base, &config);
	if (workspace)
		sql_begin(&s, a, NULL, workspace);
	else
		sql_begin_system(&s, a, NULL);
	sql_add(&s, text);
	if (db_run(db, &x) != DB_OK)
		fail_msg("%s: %s", text, x.message);
	buf_init(&out, 1 << 20);
	for (int i = 0; i < db_rows(&x, 0); i++)
		buf_printf(&out, "%s%s", i ? " " : "", db_text(&x, 0, i, 0, NULL));
	char *made = out.len ? arena_dup(a, out.data, out.len) : arena_dup(a, "", 0);
	buf_free(&out);
	db_exchange_clear(&x);
	db_close(db);
	event_base_free(base);
	return made;
}

#define TENANT_TABLES                                                                                                  \
	"from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = "                 \
	"'public'::regnamespace and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = "      \
	"'workspace_id' and not a.attisdropped) and not exists (select from pg_attribute a where a.attrelid = c.oid "  \
	"and a.attname = 'only_row')"

static void remove_second_wall(const struct program *p, struct arena *a)
{
	run_sql(p, a, NULL,
	    "do $$ declare t regclass; begin for t in select c.oid::regclass " TENANT_TABLES " loop "
	    "execute format('alter table %s disable row level security', t); "
	    "execute format('create or replace view kith_search.%s as select * from public.%s', t, t); "
	    "end loop; end $$");
}

/* Every table has rows of both, and a statement for another workspace's rows finds none. */
static void check_tables(struct suite *s, const struct program *p, const char *workspace, const char *other)
{
	struct uuid ids[2];
	assert_true(id_parse(ID_WORKSPACE, workspace, strlen(workspace), &ids[0]));
	assert_true(id_parse(ID_WORKSPACE, other, strlen(other), &ids[1]));
	/* Rows that jobs delete within a second, or a minute. */
	run_sql(p, &s->arena, NULL,
	    "insert into webhooks_gone (workspace_id, id) select workspace_id, gen_random_uuid() from workspaces");
	run_sql(p, &s->arena, NULL,
	    "insert into contacts_gone (workspace_id, id, kind) select workspace_id, gen_random_uuid(), 'person' from "
	    "workspaces");
	run_sql(p, &s->arena, NULL,
	    "insert into contacts_merged (workspace_id, id, kind, merged_into) select workspace_id, gen_random_uuid(), "
	    "'person', gen_random_uuid() from workspaces");
	run_sql(p, &s->arena, NULL,
	    "insert into erasures (workspace_id, id, reason, erased_by) select workspace_id, gen_random_uuid(), 'r', "
	    "'b' from workspaces");
	/* Rows that the dispatcher processes at once. */
	run_sql(p, &s->arena, NULL,
	    "insert into webhook_repeats (workspace_id, webhook_id, kind, since) select workspace_id, "
	    "gen_random_uuid(), 'again', now() from workspaces");
	/* Rows that no request of this test makes. */
	run_sql(p, &s->arena, NULL,
	    "insert into invitations (workspace_id, id, user_id, token_hash, expires_at) select workspace_id, "
	    "gen_random_uuid(), id, sha256(uuid_send(id)), now() from users");
	run_sql(p, &s->arena, NULL,
	    "insert into oidc_links (workspace_id, issuer, subject, user_id) select workspace_id, "
	    "'https://id.example', id, id from users");
	run_sql(p, &s->arena, NULL,
	    "insert into contact_cards (workspace_id, record_id, company, version) select workspace_id, id, false, 1 "
	    "from people");
	run_sql(p, &s->arena, NULL,
	    "insert into card_names (workspace_id, user_id, book, name, record_id) select workspace_id, created_by, "
	    "'people', id || '.vcf', id from people on conflict do nothing");
	run_sql(p, &s->arena, NULL,
	    "insert into address_books (workspace_id, user_id, book) select workspace_id, id, 'people' from users on "
	    "conflict do nothing");
	/* Rows that need addresses. */
	run_sql(p, &s->arena, NULL, "update people set urls = array_append(urls, 'https://canary.example')");
	run_sql(p, &s->arena, NULL, "update companies set urls = array_append(urls, 'https://canary.example')");
	char *tables = run_sql(p, &s->arena, NULL, "select c.relname::text " TENANT_TABLES);
	for (char *table = tables, *end; *table; table = end + (*end == ' ')) {
		end = table + strcspn(table, " ");
		const char *name = arena_dup(&s->arena, table, (size_t)(end - table));
		for (int i = 0; i < 2; i++) {
			const char *text = arena_printf(&s->arena,
			    "select count(*) filter (where workspace_id = $1)::text || '/' || count(*) filter (where "
			    "workspace_id <> $1) from %s",
			    name);
			const char *counts = run_sql(p, &s->arena, &ids[i], text);
			if (counts[0] == '0' || strcmp(strchr(counts, '/'), "/0") != 0)
				suite_fail(s, "table %s: rows seen, own/foreign: %s", name, counts);
		}
	}
}

/* --- the whole ------------------------------------------------------------------------ */

/* The line of a 404 has the path as it was asked for. */
static void forget_paths(char *log)
{
	static const char member[] = "\"path\":\"";

	while ((log = strstr(log, member)) != NULL)
		for (log += sizeof member - 1; *log && *log != '"'; log++)
			*log = '-';
}

static char *read_log(const struct server_process *server)
{
	struct buf text;
	FILE *f = fopen(server->log, "r");
	buf_init(&text, 64 << 20);
	buf_add(&text, "", 0);
	for (int c; f && (c = getc(f)) != EOF;)
		buf_addc(&text, (char)c);
	if (f)
		fclose(f);
	char *out = buf_take(&text, NULL);
	assert_non_null(out);
	forget_paths(out);
	return out;
}

enum { ALMA, BEN, ALMA_PRIVATE, OTHER, WORLDS };

static void make_worlds(struct suite *s, const struct program *p, struct world worlds[WORLDS], const char *ids[2])
{
	struct test_workspace first = workspace_create(p, &s->arena, "Mirror"),
	                      second = workspace_create(p, &s->arena, "Mirror");
	const char *mail = "alma.canary0123456789abcdef@example.com";
	struct test_user alma = user_create(p, &s->arena, &first, "alma", "Alma", mail, "admin");
	struct test_user ben =
	    user_create(p, &s->arena, &first, "ben", "Ben", "ben.canary0123456789abcdee@example.com", "member");
	struct test_user other =
	    user_create(p, &s->arena, &second, "other", "Alma", "other.canary0123456789abcded@example.com", "admin");

	const struct test_user *const users[WORLDS] = {
	    [ALMA] = &alma, [BEN] = &ben, [ALMA_PRIVATE] = &alma, [OTHER] = &other};

	ids[0] = first.id;
	ids[1] = second.id;
	world_init(s, &worlds[ALMA], "alma", &alma, false);
	world_init(s, &worlds[BEN], "ben", &ben, false);
	world_init(s, &worlds[ALMA_PRIVATE], "alma, private", &alma, true);
	world_init(s, &worlds[OTHER], "other", &other, false);
	for (int i = 0; i < WORLDS; i++) {
		worlds[i].admin = i != BEN;
		world_seed(s, &worlds[i]);
		world_set(&worlds[i], "grant", grant_made(p, &s->arena, users[i]->id, worlds[i].canary), true);
	}
}

/* The first line that differs, before and after. */
static const char *first_difference(struct suite *s, const char *before, const char *after)
{
	size_t same = 0, line;

	while (before[same] && before[same] == after[same])
		same++;
	for (line = same; line > 0 && before[line - 1] != '\n'; line--)
		;
	return arena_printf(&s->arena, "%.*s\n%.*s", (int)strcspn(before + line, "\n"), before + line,
	    (int)strcspn(after + line, "\n"), after + line);
}

static void check_all(struct suite *s, struct world worlds[WORLDS])
{
	static const struct {
		int asks, hidden;
	} pairs[] = {{ALMA, OTHER}, {OTHER, ALMA}, {OTHER, ALMA_PRIVATE}, {BEN, ALMA_PRIVATE}, {ALMA_PRIVATE, OTHER}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct world *w = &worlds[pairs[i].asks], *hidden = &worlds[pairs[i].hidden];
		isolation_check_own(s, w, hidden);
		const char *before = world_snapshot(s, hidden), *after;
		isolation_check_foreign(s, w, hidden);
		isolation_check_cursors(s, w, hidden);
		if (pairs[i].asks == BEN) /* in one workspace they change the same lists */
			continue;
		after = world_snapshot(s, hidden);
		if (strcmp(before, after) != 0)
			suite_fail(s, "requests of world %s have changed world %s:\n%s", w->label, hidden->label,
			    first_difference(s, before, after));
	}
	isolation_check_idempotency(s, &worlds[ALMA], &worlds[OTHER]);
	isolation_check_idempotency(s, &worlds[ALMA_PRIVATE], &worlds[BEN]);
}

static void run_suite(bool second_wall)
{
	struct program *p = database_create(command_binary(), "isolation");
	struct suite s = {0};
	struct world worlds[WORLDS];
	const char *ids[2];

	arena_init(&s.arena);
	endpoints_read();
	if (!second_wall)
		remove_second_wall(p, &s.arena);
	struct server_process *server = server_start(p, high_limits);
	s.client = client_new(server->base);
	isolation_check_coverage(&s);
	make_worlds(&s, p, worlds, ids);
	check_all(&s, worlds);
	char *log = read_log(server);
	for (int i = 0; i < WORLDS; i++)
		if (strstr(log, worlds[i].canary) || strstr(log, world_get(&worlds[i], "open")))
			suite_fail(&s, "the server's log holds the canary of world %s", worlds[i].label);
	free(log);
	client_free(s.client);
	assert_true(server_stop(server));
	if (second_wall)
		check_tables(&s, p, ids[0], ids[1]);
	print_message("%d requests\n", s.requests);
	arena_free(&s.arena);
	database_drop(p);
	assert_int_equal(s.failures, 0);
}

BEFORE_ALL()
{
	log_set_level(LOG_ERROR);
}

TEST(test_both_walls)
{
	run_suite(true);
}

TEST(test_first_wall_alone)
{
	run_suite(false);
}
