/*
 * The batches of store/admission.c against a throw-away cluster, two processes
 * at once. Exactness under a clock of the test's own: test_admission_exact.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "store/admission.h"
#include "store/keys.h"
#include "store/migrate.h"
#include "test/lib/cluster.h"

enum { SIDES = 2, USERS = 200, LIMIT_SECONDS = 20 };

/* Two processes as the database sees them: each with its own connections. */
struct side {
	struct db *db;
	struct admission *admission;
};

struct ask {
	struct admission_ticket t;
	int done;
};

static struct cluster *cluster;
static struct event_base *base;
static struct side sides[SIDES];
static bool inside; /* admission_ask() is running */
static const struct admission_rate off[ADMISSION_POLICIES];
static const struct admission_rate usual[ADMISSION_POLICIES] = {{600, 60}, {20, 2}};

static void turn(void)
{
	for (int i = 0; i < SIDES; i++) {
		admission_flush(sides[i].admission);
		db_flush(sides[i].db);
	}
	assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
	log_flush();
}

#define UNTIL(condition)                                                                                               \
	for (int64_t end_us = clock_mono_us() + LIMIT_SECONDS * INT64_C(1000000); !(condition); turn())                \
	assert_true(clock_mono_us() < end_us)

static void sql_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A second voice, apart from the lanes under test. */
static void sql_run(const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	assert_true(vasprintf(&text, format, args) >= 0);
	va_end(args);
	if (!cluster_sql(cluster, text, NULL, 0))
		fail_msg("failed: %.300s", text);
	free(text);
}

static long long sql_int(const char *text)
{
	char out[64];
	assert_true(cluster_sql(cluster, text, out, sizeof(out)));
	return strtoll(out, NULL, 10);
}

static void on_done(struct admission_ticket *t)
{
	struct ask *a = t->owner;
	assert_false(inside);
	a->done++;
}

/* Key k of user u is SHA-256 of "u/k". */
static void ask(struct side *s, struct ask *a, int user, const char *key)
{
	char text[64];
	memset(a, 0, sizeof(*a));
	memset(&a->t, 0xee, sizeof(a->t)); /* nothing but the first three is the owner's to set */
	snprintf(text, sizeof(text), "%d/%s", user, key);
	key_digest(text, strlen(text), a->t.key_hash);
	a->t.done = on_done;
	a->t.owner = a;
	inside = true;
	admission_ask(s->admission, &a->t);
	inside = false;
}

static int ended(const struct ask *asks, int n)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += asks[i].done;
	return count;
}

static enum admission_status ask_one(struct side *s, struct ask *a, int user, const char *key)
{
	ask(s, a, user, key);
	UNTIL(a->done);
	assert_int_equal(a->done, 1);
	return a->t.status;
}

static void rates(int limit, int window_s, int burst, int burst_s)
{
	const struct admission_rate r[ADMISSION_POLICIES] = {{limit, window_s}, {burst, burst_s}};
	for (int i = 0; i < SIDES; i++)
		admission_set_rates(sides[i].admission, r);
}

static int fresh(void **state)
{
	(void)state;
	sql_run("truncate rate_usage");
	rates(600, 60, 20, 2);
	return 0;
}

/* --- answers -------------------------------------------------------------------- */

static void answers(void **state)
{
	struct ask a;
	(void)state;
	assert_int_equal(ask_one(&sides[0], &a, 2, "a"), ADMISSION_ADMITTED);
	assert_int_equal(a.t.workspace.b[15], 1);
	assert_int_equal(a.t.user.b[15], 2);
	assert_true(a.t.is_admin);
	assert_false(a.t.read_only);
	assert_int_equal(a.t.version, 7);
	assert_true(llabs(a.t.now_ms - clock_now_ms()) < 10000);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].rate.limit, 600);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].rate.window_s, 60);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].remaining, 599);
	assert_int_equal(a.t.use[ADMISSION_BURST].remaining, 19);
	assert_in_range(a.t.use[ADMISSION_DEFAULT].reset_ms - a.t.now_ms, 60000, 61001);
	assert_in_range(a.t.use[ADMISSION_BURST].reset_ms - a.t.now_ms, 2000, 2101);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].retry_ms, 0);
	assert_int_equal(a.t.use[ADMISSION_BURST].retry_ms, 0);
	/* another key of the user shares the limits, from the other process too */
	assert_int_equal(ask_one(&sides[1], &a, 2, "b"), ADMISSION_ADMITTED);
	assert_true(a.t.read_only);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].remaining, 598);
	/* another user does not */
	assert_int_equal(ask_one(&sides[0], &a, 3, "a"), ADMISSION_ADMITTED);
	assert_false(a.t.is_admin);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].remaining, 599);
	assert_int_equal(ask_one(&sides[0], &a, 3, "unknown"), ADMISSION_NO_KEY);
	assert_int_equal(ask_one(&sides[0], &a, 4, "expired"), ADMISSION_NO_KEY);
	assert_int_equal(ask_one(&sides[0], &a, 4, "expires"), ADMISSION_ADMITTED);
}

static void revoked(void **state)
{
	struct ask a;
	(void)state;
	assert_int_equal(ask_one(&sides[0], &a, 5, "a"), ADMISSION_ADMITTED);
	sql_run("update api_keys set revoked_at = now() where key_hash = sha256('5/a')");
	assert_int_equal(ask_one(&sides[0], &a, 5, "a"), ADMISSION_NO_KEY);
	assert_int_equal(ask_one(&sides[0], &a, 5, "b"), ADMISSION_ADMITTED);
	sql_run("update api_keys set revoked_at = null where key_hash = sha256('5/a')");
}

/* What a user gets goes to his keys in order of arrival, whichever key sorts first. */
static void fair(void **state)
{
	enum { N = 30 };
	struct ask asks[N], other, bad;
	(void)state;
	for (int i = 0; i < N; i++)
		ask(&sides[0], &asks[i], 6, i % 3 == 0 ? "a" : "b");
	ask(&sides[0], &other, 7, "a");
	ask(&sides[0], &bad, 7, "unknown");
	UNTIL(ended(asks, N) + other.done + bad.done == N + 2);
	for (int i = 0; i < N; i++) {
		const struct admission_ticket *t = &asks[i].t;
		assert_int_equal(asks[i].done, 1);
		assert_int_equal(t->status, i < 20 ? ADMISSION_ADMITTED : ADMISSION_LIMITED);
		assert_int_equal(t->use[ADMISSION_BURST].remaining, i < 20 ? 19 - i : 0);
		assert_int_equal(t->use[ADMISSION_DEFAULT].remaining, i < 20 ? 599 - i : 580);
		assert_int_equal(t->use[ADMISSION_DEFAULT].retry_ms, 0);
		if (i < 20)
			continue;
		assert_int_equal(t->hit, ADMISSION_BURST);
		assert_string_equal(admission_policy_name(t->hit), "burst");
		assert_in_range(t->use[ADMISSION_BURST].retry_ms - t->now_ms, 2000, 2101);
		assert_int_equal(t->user.b[15], 6);
	}
	assert_int_equal(other.t.status, ADMISSION_ADMITTED);
	assert_int_equal(bad.t.status, ADMISSION_NO_KEY);
	assert_int_equal(sql_int("select default_total from rate_usage where user_id::text like '%0006'"), 20);
}

/* The policy that lasts longest is the one that is named. */
static void both_hit(void **state)
{
	struct ask a, b;
	(void)state;
	rates(1, 60, 1, 2);
	ask(&sides[0], &a, 8, "a");
	ask(&sides[0], &b, 8, "a");
	UNTIL(a.done && b.done);
	assert_int_equal(a.t.status, ADMISSION_ADMITTED);
	assert_int_equal(b.t.status, ADMISSION_LIMITED);
	assert_int_equal(b.t.hit, ADMISSION_DEFAULT);
	assert_true(b.t.use[ADMISSION_BURST].retry_ms > b.t.now_ms);
	assert_true(b.t.use[ADMISSION_DEFAULT].retry_ms > b.t.use[ADMISSION_BURST].retry_ms);
}

static void policies_off(void **state)
{
	struct ask asks[100];
	(void)state;
	for (int i = 0; i < SIDES; i++)
		admission_set_rates(sides[i].admission, off);
	for (int i = 0; i < 100; i++)
		ask(&sides[0], &asks[i], 9, "a");
	UNTIL(ended(asks, 100) == 100);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(asks[i].t.status, ADMISSION_ADMITTED);
		assert_int_equal(asks[i].t.use[ADMISSION_DEFAULT].rate.limit, 0);
		assert_int_equal(asks[i].t.use[ADMISSION_BURST].rate.limit, 0);
	}
	assert_int_equal(sql_int("select count(*) from rate_usage"), 0);
	rates(0, 60, 3, 2);
	for (int i = 0; i < 5; i++)
		ask(&sides[0], &asks[i], 9, "a");
	UNTIL(ended(asks, 5) == 5);
	assert_int_equal(asks[2].t.status, ADMISSION_ADMITTED);
	assert_int_equal(asks[3].t.status, ADMISSION_LIMITED);
	assert_int_equal(asks[3].t.use[ADMISSION_DEFAULT].retry_ms, 0);
}

/* --- caps ------------------------------------------------------------------------ */

static void busy(void **state)
{
	enum { N = ADMISSION_WAITING_MAX + 10 };
	struct ask *asks = calloc(N, sizeof(*asks));
	(void)state;
	assert_non_null(asks);
	for (int i = 0; i < N; i++)
		ask(&sides[0], &asks[i], 10 + i % 100, "a");
	assert_int_equal(admission_waiting(sides[0].admission), ADMISSION_WAITING_MAX);
	UNTIL(ended(asks, N) == N);
	for (int i = 0; i < N; i++) {
		bool over = i >= ADMISSION_WAITING_MAX;
		assert_int_equal(asks[i].t.status, over           ? ADMISSION_BUSY
		                                   : i / 100 < 20 ? ADMISSION_ADMITTED
		                                                  : ADMISSION_LIMITED);
	}
	assert_int_equal(admission_waiting(sides[0].admission), 0);
	free(asks);
}

/* --- two at once ----------------------------------------------------------------- */

/* First calls of the same users from two processes, in opposite orders, again
 * and again: no more than the limit, and nobody waits for another for ever. */
static void first_use(void **state)
{
	enum { ROUNDS = 15 };
	struct ask *asks = calloc(SIDES * USERS, sizeof(*asks));
	(void)state;
	assert_non_null(asks);
	rates(1, 600, 0, 0);
	for (int round = 0; round < ROUNDS; round++) {
		sql_run("truncate rate_usage");
		for (int u = 0; u < USERS; u++) {
			ask(&sides[0], &asks[u], u, "a");
			ask(&sides[1], &asks[USERS + u], USERS - 1 - u, "b");
		}
		UNTIL(ended(asks, SIDES * USERS) == SIDES * USERS);
		for (int u = 0; u < USERS; u++) {
			const struct ask *a = &asks[u], *b = &asks[USERS + USERS - 1 - u];
			int in = (a->t.status == ADMISSION_ADMITTED) + (b->t.status == ADMISSION_ADMITTED);
			int limited = (a->t.status == ADMISSION_LIMITED) + (b->t.status == ADMISSION_LIMITED);
			if (in != 1 || limited != 1)
				fail_msg("round %d, user %d: %d let in, %d limited", round, u, in, limited);
		}
	}
	free(asks);
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Times are cut to the millisecond: two that differ by under window_ms here differ by less in truth. */
static void check_windows(int64_t *times, int n, int limit, int window_ms)
{
	qsort(times, (size_t)n, sizeof(*times), compare_times);
	for (int i = limit; i < n; i++)
		if (times[i] - times[i - limit] < window_ms)
			fail_msg("%d within %lld ms", limit + 1, (long long)(times[i] - times[i - limit]));
}

/* As fast as two processes can ask, for a few windows of one second. */
static void two_processes(void **state)
{
	enum { TRIES = 8, BURST = 7, LIMIT = 10, TIMES_MAX = 4096 };
	struct ask asks[SIDES][TRIES];
	static int64_t times[TIMES_MAX];
	int n = 0, limited = 0;
	(void)state;
	rates(LIMIT, 1, BURST, 1);
	for (int64_t stop_us = clock_mono_us() + 3500000; clock_mono_us() < stop_us;) {
		for (int s = 0; s < SIDES; s++)
			for (int i = 0; i < TRIES; i++)
				ask(&sides[s], &asks[s][i], 11, i % 2 ? "a" : "b");
		UNTIL(ended(asks[0], TRIES) + ended(asks[1], TRIES) == SIDES * TRIES);
		for (int s = 0; s < SIDES; s++)
			for (int i = 0; i < TRIES; i++) {
				const struct admission_ticket *t = &asks[s][i].t;
				limited += t->status == ADMISSION_LIMITED;
				assert_true(t->status == ADMISSION_LIMITED || t->status == ADMISSION_ADMITTED);
				if (t->status == ADMISSION_ADMITTED && n < TIMES_MAX)
					times[n++] = t->now_ms;
			}
	}
	check_windows(times, n, BURST, 1000);
	/* and not much less: the first second's, and one ring's worth later the next */
	assert_in_range(n, 3 * BURST, 4 * BURST);
	assert_true(limited > n);
}

/* --- the rest -------------------------------------------------------------------- */

static void last_used(void **state)
{
	static const char noted[] =
	    "select count(*) from api_keys where key_hash = sha256('12/a') and last_used_at is not null";
	static const char kept[] =
	    "select extract(epoch from last_used_at) from api_keys where key_hash = sha256('12/b')";
	struct ask a, b;
	(void)state;
	sql_run("update api_keys set last_used_at = null where key_hash = sha256('12/a')");
	sql_run("update api_keys set last_used_at = now() - interval '20 s' where key_hash = sha256('12/b')");
	long long before = sql_int(kept);
	int64_t deadline_us = clock_mono_us() + LIMIT_SECONDS * INT64_C(1000000);
	do {
		assert_true(clock_mono_us() < deadline_us);
		ask_one(&sides[0], &b, 12, "b");
		ask_one(&sides[0], &a, 12, "a");
	} while (sql_int(noted) == 0);
	/* the minute of the other has not passed */
	assert_int_equal(sql_int(kept), before);
}

static void keys(void **state)
{
	struct arena arena;
	struct sql s, *list[] = {&s};
	struct db_exchange x = {.lane = DB_WORK, .statements = list, .n_statements = 1};
	struct key_new k = {.id = id_new(), .key = "99/new", .name = "Bob's \"key\"", .read_only = true};
	struct ask a;
	size_t len;
	(void)state;
	arena_init(&arena);
	k.user.b[15] = 13;
	k.expires_ms = clock_now_ms() + 3600000;
	key_create(&s, &arena, &k);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	assert_int_equal(db_rows(&x, 0), 1);
	struct uuid workspace = db_uuid(&x, 0, 0, 0);
	assert_int_equal(workspace.b[15], 1);
	db_exchange_clear(&x);
	assert_int_equal(ask_one(&sides[0], &a, 99, "new"), ADMISSION_ADMITTED);
	assert_true(a.t.read_only);
	assert_int_equal(a.t.user.b[15], 13);

	key_list(&s, &arena, &workspace);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	int rows = db_rows(&x, 0), last = rows - 1;
	assert_int_equal(rows, sql_int("select count(*) from api_keys"));
	struct uuid listed = db_uuid(&x, 0, last, KEY_ID);
	assert_true(uuid_equal(&listed, &k.id));
	assert_string_equal(db_text(&x, 0, last, KEY_NAME, &len), k.name);
	assert_string_equal(db_text(&x, 0, last, KEY_LAST4, &len), "/new");
	assert_int_equal(db_time_ms(&x, 0, last, KEY_EXPIRES_AT), k.expires_ms);
	assert_true(db_null(&x, 0, last, KEY_REVOKED_AT));
	db_exchange_clear(&x);

	for (int i = 0; i < 2; i++) { /* again is harmless */
		key_revoke(&s, &arena, &k.id);
		assert_int_equal(db_run(sides[0].db, &x), DB_OK);
		assert_int_equal(db_rows(&x, 0), 1);
		db_exchange_clear(&x);
	}
	assert_int_equal(ask_one(&sides[0], &a, 99, "new"), ADMISSION_NO_KEY);
	struct uuid nobody = id_new();
	key_revoke(&s, &arena, &nobody);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	assert_int_equal(db_rows(&x, 0), 0);
	db_exchange_clear(&x);
	k.id = id_new();
	k.user = nobody;
	k.key = "99/other";
	key_create(&s, &arena, &k);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	assert_int_equal(db_rows(&x, 0), 0);
	db_exchange_clear(&x);
	arena_free(&arena);
}

/* Without a database the answer is UNAVAILABLE; with it again, all is as before. */
static void unavailable(void **state)
{
	struct ask a;
	(void)state;
	if (!cluster_own(cluster))
		skip();
	assert_int_equal(ask_one(&sides[0], &a, 14, "a"), ADMISSION_ADMITTED);
	assert_true(cluster_halt(cluster, false));
	assert_int_equal(ask_one(&sides[0], &a, 14, "a"), ADMISSION_UNAVAILABLE);
	assert_true(cluster_go(cluster));
	UNTIL(db_ready(sides[0].db) && db_ready(sides[1].db));
	assert_int_equal(ask_one(&sides[0], &a, 14, "a"), ADMISSION_ADMITTED);
}

/* --- start and stop -------------------------------------------------------------- */

static void seed(void)
{
	sql_run(
	    "insert into workspaces (workspace_id, name, version) values ('00000000-0000-0000-0000-000000000001', 'w', "
	    "7);"
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, "
	    "('00000000-0000-0000-0000-' || lpad(to_hex(i), 12, '0'))::uuid, 'u' || i, 'u', "
	    "case when i = 2 then 'admin' else 'member' end from workspaces, generate_series(0, %d) as i;"
	    "insert into api_keys (key_hash, workspace_id, id, user_id, last4, read_only, last_used_at) select "
	    "sha256((u.email || '/' || k)::bytea), workspace_id, "
	    "('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, u.id, 'last', k = 'b', "
	    "now() "
	    "from (select workspace_id, id, substr(email, 2) as email from users) as u, unnest('{a,b}'::text[]) as k;"
	    "insert into api_keys (key_hash, workspace_id, id, user_id, last4, expires_at) select sha256(('4/' || "
	    "k)::bytea), "
	    "workspace_id, ('00000000-0000-7000-9000-' || lpad(length(k)::text || ascii(right(k, 1)), 12, '0'))::uuid, "
	    "'00000000-0000-0000-0000-000000000004', 'last', "
	    "now() + case when k = 'expires' then interval '1 h' else interval '-1 s' end "
	    "from workspaces, unnest('{expires,expired}'::text[]) as k",
	    USERS - 1);
}

static int start(void **state)
{
	char error[512];
	(void)state;
	cluster = cluster_start(error);
	if (!cluster) {
		print_error("%s\n", error);
		return -1;
	}
	base = event_base_new();
	for (int i = 0; i < SIDES; i++) {
		struct db_config config;
		db_config_default(&config, cluster_url(cluster), 2);
		sides[i].db = db_open(base, &config);
		sides[i].admission = admission_new(sides[i].db, usual);
	}
	UNTIL(db_ready(sides[0].db) && db_ready(sides[1].db));
	if (!migrate_apply(sides[0].db, false, NULL, NULL, error)) {
		print_error("%s\n", error);
		return -1;
	}
	seed();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	for (int i = 0; i < SIDES; i++) {
		db_close(sides[i].db);
		admission_free(sides[i].admission);
	}
	event_base_free(base);
	cluster_stop(cluster);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(answers, fresh),
	    cmocka_unit_test_setup(revoked, fresh),
	    cmocka_unit_test_setup(fair, fresh),
	    cmocka_unit_test_setup(both_hit, fresh),
	    cmocka_unit_test_setup(policies_off, fresh),
	    cmocka_unit_test_setup(busy, fresh),
	    cmocka_unit_test_setup(first_use, fresh),
	    cmocka_unit_test_setup(two_processes, fresh),
	    cmocka_unit_test_setup(last_used, fresh),
	    cmocka_unit_test_setup(keys, fresh),
	    cmocka_unit_test_setup(unavailable, fresh),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
