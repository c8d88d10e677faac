/* Lists from a standby: never older than what their workspace has written, whichever process wrote it; a standby that
 * is late, frozen, killed, promoted or another database's is not noticed by clients. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/db/standby.h"
#include "test/lib/http/caller.h"
#include "test/lib/model/follower.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/server/logged.h"
#include "test/lib/server/operated.h"
#include "test/lib/test.h"

enum { SERVERS = 2, WAIT_MS = 60000, WRITERS = 4, ROUNDS = 20, READERS = 3, KILLS = 2, PEOPLE = 20 };

static struct rig rig;
static struct cluster *standby;
static struct program on_standby;
static struct server_process *servers[SERVERS];
static struct operated operated[SERVERS];
static struct caller ada[SERVERS], eve[SERVERS]; /* eve: another workspace */
static struct test_user stranger;
static char faults[160];

/* --- the standby ------------------------------------------------------------------------------ */

static const char *standby_url(const char *database)
{
	return arena_printf(
	    &rig.arena, "host=%s port=5432 user=postgres dbname=%s", cluster_socket_dir(standby), database);
}

static void until_one(const char *sql)
{
	int64_t got;

	assert_true(database_until(&on_standby, sql, 1, WAIT_MS, &got));
}

static void psql_primary(const char *sql)
{
	assert_true(cluster_program(
	    rig.cluster, (const char *const[]){"psql", "-q", "-X", "-d", rig.program->database_url, "-c", sql, NULL}));
}

/* --- what was read where ------------------------------------------------------------------------ */

static int64_t reads_all(const char *result)
{
	int64_t n = 0;

	for (int i = 0; i < SERVERS; i++)
		n += operated_reads(&operated[i], result);
	return n;
}

static struct caller_answer list_of(struct caller *c, const char *query)
{
	return caller_get(c, arena_printf(&c->arena, "/v1/people?%s", query));
}

/* Lists until one was read on the standby, by that server. */
static void until_read(struct caller *c, int server)
{
	int64_t until_us = patience_ms(WAIT_MS), before = operated_reads(&operated[server], "read");

	for (list_of(c, "limit=1"); operated_reads(&operated[server], "read") == before; list_of(c, "limit=1"))
		assert_true(patience_pause(until_us));
}

static bool is_in(const struct caller_answer *a, const char *text)
{
	return strstr(a->reply.body, text) != NULL;
}

/* --- set up ---------------------------------------------------------------------------------------- */

static struct server_process *replica_serve(const char *url, int server)
{
	const char *settings[] = {arena_printf(&rig.arena, "replica_url=%s", url), operated[server].setting, NULL};

	return rig_serve(&rig, false, settings);
}

BEFORE_ALL()
{
	char error[CLUSTER_ERROR_SIZE] = "";
	const char *name;

	rig_open(&rig, "replica", true);
	stranger = rig_stranger(&rig, "eve");
	name = database_text(rig.program, &rig.arena, "select current_database()");
	assert_true(
	    cluster_sql(rig.cluster, arena_printf(&rig.arena, "create database other template %s", name), NULL, 0));
	standby = cluster_standby(rig.cluster, error);
	if (!standby)
		fail_msg("%s", error);
	on_standby = *rig.program;
	on_standby.database_url = standby_url(name);
	snprintf(faults, sizeof faults, "%s/faults", rig.program->data_dir);
	setenv("FAULT_FILE", faults, 1);
	for (int i = 0; i < SERVERS; i++) {
		operated_init(&operated[i]);
		servers[i] = replica_serve(on_standby.database_url, i);
		caller_init(&ada[i], servers[i]->base, rig.ada.key);
		caller_init(&eve[i], servers[i]->base, stranger.key);
	}
	for (int i = 0; i < PEOPLE; i++)
		caller_good(caller_sendf(&ada[0], "POST", "/v1/people", NULL, "{\"firstName\":\"uno %d\"}", i));
	caller_good(caller_send(&eve[0], "POST", "/v1/people", NULL, "{\"firstName\":\"hers\"}"));
}

AFTER_ALL()
{
	bool clean = true;

	for (int i = 0; i < SERVERS; i++) {
		caller_free(&ada[i]);
		caller_free(&eve[i]);
		operated_free(&operated[i]);
		clean = server_stop(servers[i]) && clean;
	}
	cluster_stop(standby);
	rig_close(&rig);
	assert_true(clean);
}

/* --- lists ------------------------------------------------------------------------------------------- */

TEST(test_read_there)
{
	struct caller_answer a;

	for (int i = 0; i < SERVERS; i++) {
		until_read(&ada[i], i);
		until_read(&eve[i], i);
	}
	a = list_of(&eve[0], "limit=100");
	assert_true(is_in(&a, "hers") && !is_in(&a, "uno"));
	a = caller_good(caller_send(&ada[0], "POST", "/v1/people/search", NULL,
	    "{\"filter\":{\"firstName\":{\"like\":\"uno 1\"}},\"limit\":3,\"count\":\"exact\"}"));
	assert_true(is_in(&a, "\"count\":11") && !is_in(&a, "hers"));
	assert_non_null(client_header(&a.reply, "X-Events-Cursor"));
	int64_t before = operated_reads(&operated[0], "read");
	a = caller_good(caller_get(&ada[0], "/v1/search?q=uno"));
	assert_true(is_in(&a, "uno 1") && !is_in(&a, "hers"));
	assert_true(operated_reads(&operated[0], "read") > before);
}

/* One page of ten; returns the target of the next, NULL after the last. */
static const char *one_page(struct caller *c, const char *target, int *people)
{
	struct caller_answer a = caller_get(c, target);
	const char *link = strstr(a.reply.body, "\"nextLink\":\"");

	for (const char *at = a.reply.body; (at = strstr(at, "\"firstName\":\"uno")); at++)
		++*people;
	link = link ? strstr(link, "/v1/") : NULL;
	return link ? arena_printf(&rig.arena, "%.*s", (int)strcspn(link, "\""), link) : NULL;
}

/* The rest of a list that the standby began is read on the primary, and the other way round. */
TEST(test_pages_go_on)
{
	const char *target = "/v1/people?limit=6";
	int people = 0;
	int64_t behind;

	until_read(&ada[0], 0);
	target = one_page(&ada[0], target, &people);
	assert_true(standby_pause(standby));
	caller_good(caller_send(&ada[0], "POST", "/v1/people", NULL, "{\"firstName\":\"later\"}"));
	behind = reads_all("behind");
	target = one_page(&ada[1], target, &people);
	assert_true(reads_all("behind") > behind);
	assert_true(standby_resume(standby, rig.cluster, WAIT_MS));
	until_read(&ada[0], 0);
	while (target)
		target = one_page(&ada[0], target, &people);
	assert_int_equal(people, PEOPLE);
}

/* What a workspace has written is in its lists; the lists of others still come from a standby that is late. */
TEST(test_late)
{
	struct caller_answer a;
	const char *id;
	int64_t read, behind;

	until_read(&eve[1], 1);
	assert_true(standby_pause(standby));
	id = caller_good(caller_send(&ada[0], "POST", "/v1/people", NULL, "{\"firstName\":\"unseen\"}")).id;
	behind = operated_reads(&operated[1], "behind");
	a = list_of(&ada[1], "limit=100");
	assert_true(is_in(&a, id));
	assert_true(operated_reads(&operated[1], "behind") > behind);
	read = operated_reads(&operated[1], "read");
	a = list_of(&eve[1], "limit=100");
	assert_true(is_in(&a, "hers"));
	assert_int_equal(operated_reads(&operated[1], "read"), read + 1);
	/* a change of settings leaves no event of a record */
	a = caller_good(
	    caller_send(&eve[0], "POST", "/v1/groups", NULL, "{\"name\":\"new\",\"visibility\":\"public\"}"));
	behind = operated_reads(&operated[1], "behind");
	list_of(&eve[1], "limit=1");
	assert_true(operated_reads(&operated[1], "behind") > behind);
	assert_true(standby_resume(standby, rig.cluster, WAIT_MS));
	until_read(&ada[1], 1);
	a = list_of(&ada[1], "limit=100");
	assert_true(is_in(&a, id));
}

/* --- under load ---------------------------------------------------------------------------------------- */

static atomic_int n_running, n_stale;
static int64_t n_read_before; /* lists that were read on the standby before the writers began */

/* Each write by one process, the list by the other one. */
static void one_round(struct caller callers[SERVERS], int i, int round)
{
	struct caller *writes = &callers[round % SERVERS], *reads = &callers[1 - round % SERVERS];
	const char *name = arena_printf(&writes->arena, "w%dr%d", i, round);
	struct caller_answer made = caller_good(
	                         caller_sendf(writes, "POST", "/v1/people", NULL, "{\"lastName\":\"%s\"}", name)),
	                     a;
	const char *target = arena_printf(&writes->arena, "/v1/people/%s", made.id);

	a = list_of(reads, arena_printf(&reads->arena, "filter[lastName][eq]=%s", name));
	n_stale += !is_in(&a, made.id);
	caller_good(caller_sendf(writes, "PATCH", target, NULL, "{\"lastName\":\"%s new\"}", name));
	a = list_of(reads, arena_printf(&reads->arena, "filter[lastName][eq]=%s+new", name));
	n_stale += !is_in(&a, made.id);
	caller_good(caller_send(writes, "DELETE", target, NULL, NULL));
	a = list_of(reads, arena_printf(&reads->arena, "filter[lastName][like]=%s", name));
	n_stale += is_in(&a, made.id);
}

/* The first writer goes on until a list was read on the standby, which may be late for long. */
static void own_writes(void *ctx, int i)
{
	struct caller callers[SERVERS];
	int rounds = rig_setting("REPLICA_ROUNDS", ROUNDS);
	int64_t until_us = patience_ms(WAIT_MS);

	(void)ctx;
	if (i == WRITERS) {
		while (n_running > 0) {
			standby_pause(standby);
			patience_chance_us(20000);
			cluster_sql(standby, "select pg_wal_replay_resume()", NULL, 0);
			patience_chance_us(20000);
		}
		return;
	}
	for (int s = 0; s < SERVERS; s++)
		caller_init(&callers[s], servers[s]->base, i % 2 ? stranger.key : rig.ada.key);
	for (int round = 0; round < rounds || (i == 0 && reads_all("read") == n_read_before); round++) {
		assert_true(round < rounds || patience_pause(until_us));
		one_round(callers, i, round);
	}
	for (int s = 0; s < SERVERS; s++)
		caller_free(&callers[s]);
	n_running--;
}

TEST(test_own_writes)
{
	n_read_before = reads_all("read");
	n_running = WRITERS;
	n_stale = 0;
	caller_crowd_run(WRITERS + 1, own_writes, NULL);
	assert_int_equal(n_stale, 0);
	assert_true(standby_resume(standby, rig.cluster, WAIT_MS));
}

/* --- following ------------------------------------------------------------------------------------------ */

static const char *server_base(void *ctx)
{
	return ctx;
}

/* Copies all lists, and again until one was read on the standby, which may be late each time. */
static void copy_there(struct follower *f)
{
	int64_t read = operated_reads(&operated[0], "read"), until_us = patience_ms(WAIT_MS);

	for (;;) {
		follower_init(f, rig.ada.key, server_base, servers[0]->base);
		assert_true(follower_copy(f, until_us));
		if (operated_reads(&operated[0], "read") > read)
			return;
		follower_free(f);
		assert_true(patience_pause(until_us));
	}
}

static void copy_or_write(void *ctx, int i)
{
	struct caller c;

	if (i == WRITERS) {
		copy_there(ctx);
		n_running = 0;
		return;
	}
	caller_init(&c, servers[i % SERVERS]->base, rig.ada.key);
	while (n_running > 0) {
		caller_good(caller_sendf(&c, "POST", "/v1/people", NULL, "{\"firstName\":\"while copied %d\"}", i));
		patience_chance_us(20000);
	}
	caller_free(&c);
}

/* Who copies lists of the standby while others write, and follows from their cursor, has what the database has. */
TEST(test_followed)
{
	struct follower during, after;

	follower_init(&after, rig.ada.key, server_base, servers[1]->base);
	until_read(&ada[0], 0);
	n_running = 1;
	caller_crowd_run(WRITERS + 1, copy_or_write, &during);
	while (follower_step(&during, 1) != 0)
		;
	assert_true(follower_copy(&after, patience_ms(WAIT_MS)));
	assert_int_equal(follower_differences(&during, &after, true), 0);
	follower_free(&during);
	follower_free(&after);
}

/* --- a standby that fails --------------------------------------------------------------------------------- */

static void list_while(void *ctx, int i)
{
	struct caller c;

	if (i == READERS) {
		((void (*)(void))ctx)();
		n_running = 0;
		return;
	}
	caller_init(&c, servers[i % SERVERS]->base, i == 0 ? stranger.key : rig.ada.key);
	while (n_running > 0)
		caller_get(&c, "/v1/people?limit=10&count=exact");
	caller_free(&c);
}

static void list_during(void (*fault)(void))
{
	n_running = 1;
	caller_crowd_run(READERS + 1, list_while, (void *)fault);
	for (int i = 0; i < SERVERS; i++)
		until_read(&ada[i], i);
}

static void kill_standby(void)
{
	for (int i = 0; i < KILLS; i++) {
		standby_cut_off(standby);
		patience_chance_us(50000);
		cluster_go(standby);
		patience_chance_us(50000);
	}
}

/* No request fails, and the standby is used again. */
TEST(test_killed)
{
	list_during(kill_standby);
}

static void freeze_standby(void)
{
	int64_t failed = reads_all("failed");

	standby_freeze(standby);
	for (int64_t until_us = patience_ms(WAIT_MS); reads_all("failed") == failed && patience_pause(until_us);)
		;
	standby_thaw(standby);
}

TEST(test_frozen)
{
	int64_t failed = reads_all("failed");

	list_during(freeze_standby);
	assert_true(reads_all("failed") > failed);
}

static void count_slowly(void *ctx, int i)
{
	struct caller_answer *a = ctx;

	if (i == 0) {
		*a = caller_get(&ada[0], "/v1/people?limit=1&count=exact");
		return;
	}
	until_one("select count(*) from pg_stat_activity where query ~ 'pg_sleep.30' and state = 'active' and pid <> "
	          "pg_backend_pid()");
	rig_int(&rig, "with u as (update people set updated_at = updated_at returning 1) select count(*) from u");
	psql_primary("vacuum people");
}

/* What recovery cancels is read on the primary. */
TEST(test_cancelled)
{
	int64_t failed = operated_reads(&operated[0], "failed");
	struct caller_answer a;

	assert_true(cluster_set(standby, "max_standby_streaming_delay", "0"));
	until_read(&ada[0], 0);
	rig_write(faults, "slow_count 1 error\n");
	caller_crowd_run(2, count_slowly, &a);
	assert_true(is_in(&a, "\"countIsEstimated\":true")); /* it is slow there, too */
	assert_true(operated_reads(&operated[0], "failed") > failed);
}

/* Recovery that is late takes the locks of transactions at once, and keeps them until it replays their end. What they
 * lock is read on the primary, with the same result. */
TEST(test_locked)
{
	struct caller_answer a;
	int64_t failed;

	until_read(&ada[0], 0);
	failed = operated_reads(&operated[0], "failed");
	assert_true(cluster_set(standby, "recovery_min_apply_delay", "1h"));
	psql_primary("begin; lock table people; commit");
	until_one("select count(*) from pg_locks where relation = 'people'::regclass and mode = 'AccessExclusiveLock'");
	a = list_of(&ada[0], "limit=1&count=exact");
	assert_false(is_in(&a, "\"countIsEstimated\":true"));
	assert_true(operated_reads(&operated[0], "failed") > failed);
	assert_true(cluster_set(standby, "recovery_min_apply_delay", "0"));
	until_read(&ada[0], 0);
}

/* --- another server ------------------------------------------------------------------------------------------ */

/* A copy of the database in the same cluster: it says so, and does without. */
TEST(test_other_database)
{
	struct operated o = operated[0];
	struct server_process *s;
	struct caller c;

	operated_init(&operated[0]);
	s = replica_serve(standby_url("other"), 0);
	logged_with(&rig.arena, s, "message",
	    "replica_url does not name a standby of the server and database in database_url; the replica is not used");
	caller_init(&c, s->base, rig.ada.key);
	list_of(&c, "limit=10");
	assert_int_equal(operated_reads(&operated[0], "read"), 0);
	assert_int_equal(operated_reads(&operated[0], "absent"), 1);
	caller_free(&c);
	assert_true(server_stop(s));
	operated_free(&operated[0]);
	operated[0] = o;
}

/* From then on it is another database, and lists are not read there. */
TEST(test_promoted)
{
	struct caller_answer a;

	until_read(&eve[0], 0);
	assert_true(cluster_promote(standby));
	database_int(&on_standby, "with d as (delete from people returning 1) select count(*) from d");
	for (int i = 0; i < SERVERS * 4; i++) {
		a = list_of(&eve[i % SERVERS], "limit=100");
		assert_true(is_in(&a, "hers"));
	}
	for (int64_t until_us = patience_ms(WAIT_MS);
	     operated_value(&operated[0], "kith_lane_connections{lane=\"replica\",state=\"connected\"}") > 0;) {
		list_of(&eve[0], "limit=100");
		assert_true(patience_pause(until_us));
	}
}
