/* The batches of store/admission.c on a throw-away cluster, with two processes. test_admission_exact.c tests
 * exactness with a clock of its own. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "store/admission.h"
#include "store/keys.h"
#include "test/lib/db/sides.h"
#include "test/lib/test.h"

static const struct admission_rate off[ADMISSION_POLICIES];

BEFORE_EACH()
{
	sides_sql("truncate rate_usage");
	sides_rates(600, 60, 20, 2);
}

/* --- answers -------------------------------------------------------------------- */

AROUND_ALL(sides_open, sides_close);

TEST(test_answers)
{
	struct sides_ask a;

	assert_int_equal(sides_ask_one(&sides[0], &a, 2, "a"), ADMISSION_ADMITTED);
	assert_int_equal(a.t.workspace.b[15], 1);
	assert_int_equal(a.t.user.b[15], 2);
	assert_true(a.t.is_admin);
	assert_int_equal(a.t.scopes, SCOPE_ALL);
	assert_int_equal(a.t.version & 0xfffff, 7); /* the bits above are the generation: horizon_version() */
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
	assert_int_equal(sides_ask_one(&sides[1], &a, 2, "b"), ADMISSION_ADMITTED);
	assert_int_equal(a.t.scopes, SCOPE_READ);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].remaining, 598);
	/* another user does not */
	assert_int_equal(sides_ask_one(&sides[0], &a, 3, "a"), ADMISSION_ADMITTED);
	assert_false(a.t.is_admin);
	assert_int_equal(a.t.use[ADMISSION_DEFAULT].remaining, 599);
	assert_int_equal(sides_ask_one(&sides[0], &a, 3, "unknown"), ADMISSION_NO_KEY);
	assert_int_equal(sides_ask_one(&sides[0], &a, 4, "expired"), ADMISSION_NO_KEY);
	assert_int_equal(sides_ask_one(&sides[0], &a, 4, "expires"), ADMISSION_ADMITTED);
}

TEST(test_revoked)
{
	struct sides_ask a;

	assert_int_equal(sides_ask_one(&sides[0], &a, 5, "a"), ADMISSION_ADMITTED);
	sides_sql("update api_keys set revoked_at = now() where key_hash = sha256('5/a')");
	assert_int_equal(sides_ask_one(&sides[0], &a, 5, "a"), ADMISSION_NO_KEY);
	assert_int_equal(sides_ask_one(&sides[0], &a, 5, "b"), ADMISSION_ADMITTED);
	sides_sql("update api_keys set revoked_at = null where key_hash = sha256('5/a')");
}

/* What a user is granted goes to their keys in order of arrival, however the keys sort. */
TEST(test_fair)
{
	enum { N = 30 };
	struct sides_ask asks[N], other, bad;

	for (int i = 0; i < N; i++)
		sides_ask(&sides[0], &asks[i], 6, i % 3 == 0 ? "a" : "b");
	sides_ask(&sides[0], &other, 7, "a");
	sides_ask(&sides[0], &bad, 7, "unknown");
	UNTIL(sides_ended(asks, N) + other.done + bad.done == N + 2);
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
	assert_int_equal(sides_int("select default_total from rate_usage where user_id::text like '%0006'"), 20);
}

/* A stream's page asks in one flush with a request of the same key: it takes nothing of what that is granted. */
TEST(test_uncounted)
{
	struct sides_ask page, request;

	sides_rates(1, 60, 20, 2);
	sides_ask(&sides[0], &page, 9, "a");
	page.t.uncounted = true;
	sides_ask(&sides[0], &request, 9, "a");
	UNTIL(page.done && request.done);
	assert_int_equal(page.t.status, ADMISSION_ADMITTED);
	assert_int_equal(request.t.status, ADMISSION_ADMITTED);
	assert_int_equal(request.t.use[ADMISSION_DEFAULT].remaining, 0);
	assert_int_equal(request.t.use[ADMISSION_BURST].remaining, 19);
}

/* A device's requests in one flush with others of the user: the burst policy refuses none of them, and does not count
 * them. */
TEST(test_no_burst)
{
	enum { N = 4 };
	struct sides_ask devices[N], request, later;

	sides_rates(600, 60, 2, 2);
	for (int i = 0; i < N; i++) {
		sides_ask(&sides[0], &devices[i], 10, "a");
		devices[i].t.no_burst = true;
	}
	sides_ask(&sides[0], &request, 10, "b");
	UNTIL(sides_ended(devices, N) == N && request.done);
	for (int i = 0; i < N; i++) {
		assert_int_equal(devices[i].t.status, ADMISSION_ADMITTED);
		assert_int_equal(devices[i].t.use[ADMISSION_BURST].rate.limit, 0);
	}
	assert_int_equal(request.t.status, ADMISSION_ADMITTED);
	assert_int_equal(request.t.use[ADMISSION_BURST].remaining, 1);
	assert_int_equal(sides_ask_one(&sides[0], &later, 10, "a"), ADMISSION_ADMITTED);
	assert_int_equal(later.t.use[ADMISSION_DEFAULT].remaining, 600 - N - 2);
}

/* The policy reported is the one that lasts longest. */
TEST(both_hit)
{
	struct sides_ask a, b;

	sides_rates(1, 60, 1, 2);
	sides_ask(&sides[0], &a, 8, "a");
	sides_ask(&sides[0], &b, 8, "a");
	UNTIL(a.done && b.done);
	assert_int_equal(a.t.status, ADMISSION_ADMITTED);
	assert_int_equal(b.t.status, ADMISSION_LIMITED);
	assert_int_equal(b.t.hit, ADMISSION_DEFAULT);
	assert_true(b.t.use[ADMISSION_BURST].retry_ms > b.t.now_ms);
	assert_true(b.t.use[ADMISSION_DEFAULT].retry_ms > b.t.use[ADMISSION_BURST].retry_ms);
}

/* One limit of three for two keys of a user in the same turn, on the user's first call and on a later one. */
static void one_policy(int default_limit, int burst_limit)
{
	struct sides_ask asks[8];

	sides_sql("truncate rate_usage");
	sides_rates(default_limit, 600, burst_limit, 600);
	for (int round = 0; round < 2; round++) {
		int left = round == 0 ? 3 : 0;
		for (int i = 0; i < 8; i++)
			sides_ask(&sides[0], &asks[i], 9, i % 2 ? "a" : "b");
		UNTIL(sides_ended(asks, 8) == 8);
		for (int i = 0; i < 8; i++)
			assert_int_equal(asks[i].t.status, i < left ? ADMISSION_ADMITTED : ADMISSION_LIMITED);
		assert_int_equal(asks[7].t.hit, default_limit ? ADMISSION_DEFAULT : ADMISSION_BURST);
		assert_int_equal(asks[7].t.use[default_limit ? ADMISSION_BURST : ADMISSION_DEFAULT].retry_ms, 0);
	}
}

TEST(policies_off)
{
	struct sides_ask asks[100];

	for (int i = 0; i < SIDES; i++)
		admission_set_rates(sides[i].admission, off);
	for (int i = 0; i < 100; i++)
		sides_ask(&sides[0], &asks[i], 9, i % 2 ? "a" : "b");
	UNTIL(sides_ended(asks, 100) == 100);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(asks[i].t.status, ADMISSION_ADMITTED);
		assert_int_equal(asks[i].t.use[ADMISSION_DEFAULT].rate.limit, 0);
		assert_int_equal(asks[i].t.use[ADMISSION_BURST].rate.limit, 0);
	}
	assert_int_equal(sides_int("select count(*) from rate_usage"), 0);
	one_policy(0, 3);
	one_policy(3, 0);
}

/* --- caps ------------------------------------------------------------------------ */

TEST(test_busy)
{
	enum { N = ADMISSION_WAITING_MAX + 10 };
	struct sides_ask *asks = calloc(N, sizeof(*asks));

	assert_non_null(asks);
	for (int i = 0; i < N; i++)
		sides_ask(&sides[0], &asks[i], 10 + i % 100, "a");
	assert_int_equal(admission_waiting(sides[0].admission), ADMISSION_WAITING_MAX);
	UNTIL(sides_ended(asks, N) == N);
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

/* First calls of the same users from two processes, in opposite orders, repeatedly: no more than the limit, and no
 * deadlock. */
TEST(first_use)
{
	enum { ROUNDS = 15 };
	struct sides_ask *asks = calloc(SIDES * SIDES_USERS, sizeof(*asks));

	assert_non_null(asks);
	sides_rates(1, 600, 0, 0);
	for (int round = 0; round < ROUNDS; round++) {
		sides_sql("truncate rate_usage");
		for (int u = 0; u < SIDES_USERS; u++) {
			sides_ask(&sides[0], &asks[u], u, "a");
			sides_ask(&sides[1], &asks[SIDES_USERS + u], SIDES_USERS - 1 - u, "b");
		}
		UNTIL(sides_ended(asks, SIDES * SIDES_USERS) == SIDES * SIDES_USERS);
		for (int u = 0; u < SIDES_USERS; u++) {
			const struct sides_ask *a = &asks[u], *b = &asks[SIDES_USERS + SIDES_USERS - 1 - u];
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

/* Times are truncated to milliseconds: a difference under window_ms here is less in truth. */
static void check_windows(int64_t *times, int n, int limit, int window_ms)
{
	qsort(times, (size_t)n, sizeof(*times), compare_times);
	for (int i = limit; i < n; i++)
		if (times[i] - times[i - limit] < window_ms)
			fail_msg("%d within %lld ms", limit + 1, (long long)(times[i] - times[i - limit]));
}

/* As fast as two processes can ask, until a few windows of one second have passed. */
TEST(two_processes)
{
	enum { TRIES = 8, BURST = 7, LIMIT = 10, TIMES_MAX = 4096 };
	struct sides_ask asks[SIDES][TRIES];
	static int64_t times[TIMES_MAX];
	int n = 0, limited = 0;

	sides_rates(LIMIT, 1, BURST, 1);
	int64_t until_us = clock_mono_us() + 35 * INT64_C(1000000); /* a tenth of what is allowed would take longer */
	while (n < 4 * BURST) {
		assert_true(clock_mono_us() < until_us);
		for (int s = 0; s < SIDES; s++)
			for (int i = 0; i < TRIES; i++)
				sides_ask(&sides[s], &asks[s][i], 11, i % 2 ? "a" : "b");
		UNTIL(sides_ended(asks[0], TRIES) + sides_ended(asks[1], TRIES) == SIDES * TRIES);
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
	assert_true(limited > n);
}

/* --- the rest -------------------------------------------------------------------- */

TEST(last_used)
{
	static const char noted[] =
	    "select count(*) from api_keys where key_hash = sha256('12/a') and last_used_at is not null";
	static const char kept[] =
	    "select extract(epoch from last_used_at) from api_keys where key_hash = sha256('12/b')";
	struct sides_ask a, b;

	sides_sql("update api_keys set last_used_at = null where key_hash = sha256('12/a')");
	sides_sql("update api_keys set last_used_at = now() - interval '20 s' where key_hash = sha256('12/b')");
	long long before = sides_int(kept);
	int64_t deadline_us = clock_mono_us() + SIDES_LIMIT_S * INT64_C(1000000);
	do {
		assert_true(clock_mono_us() < deadline_us);
		sides_ask_one(&sides[0], &b, 12, "b");
		sides_ask_one(&sides[0], &a, 12, "a");
	} while (sides_int(noted) == 0);
	/* the minute of the other has not passed */
	assert_int_equal(sides_int(kept), before);
}

TEST(test_keys)
{
	struct arena arena;
	struct sql s, *list[] = {&s};
	struct db_exchange x = {.lane = DB_WORK, .statements = list, .n_statements = 1};
	struct key_new k = {.id = id_new(), .key = "99/new", .name = "Bob's \"key\"", .scopes = SCOPE_READ};
	struct sides_ask a;
	size_t len;

	arena_init(&arena);
	k.user.b[15] = 13;
	k.lasts_ms = 3600000;
	key_create(&s, &arena, &k);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	assert_int_equal(db_rows(&x, 0), 1);
	struct uuid workspace = db_uuid(&x, 0, 0, KEY_MADE_WORKSPACE);
	int64_t expires_ms = db_time_ms(&x, 0, 0, KEY_MADE_EXPIRES_AT);
	assert_int_equal(workspace.b[15], 1);
	db_exchange_clear(&x);
	assert_int_equal(sides_ask_one(&sides[0], &a, 99, "new"), ADMISSION_ADMITTED);
	assert_int_equal(a.t.scopes, SCOPE_READ);
	assert_int_equal(a.t.user.b[15], 13);

	key_list(&s, &arena, &workspace);
	assert_int_equal(db_run(sides[0].db, &x), DB_OK);
	int rows = db_rows(&x, 0), last = rows - 1;
	assert_int_equal(rows, sides_int("select count(*) from api_keys"));
	struct uuid listed = db_uuid(&x, 0, last, KEY_ID);
	assert_true(uuid_equal(&listed, &k.id));
	assert_string_equal(db_text(&x, 0, last, KEY_NAME, &len), k.name);
	assert_string_equal(db_text(&x, 0, last, KEY_LAST4, &len), "/new");
	assert_int_equal(db_time_ms(&x, 0, last, KEY_EXPIRES_AT), expires_ms);
	assert_true(db_null(&x, 0, last, KEY_REVOKED_AT));
	db_exchange_clear(&x);

	for (int i = 0; i < 2; i++) { /* revoking again has no effect */
		key_revoke(&s, &arena, &k.id);
		assert_int_equal(db_run(sides[0].db, &x), DB_OK);
		assert_int_equal(db_rows(&x, 0), 1);
		db_exchange_clear(&x);
	}
	assert_int_equal(sides_ask_one(&sides[0], &a, 99, "new"), ADMISSION_NO_KEY);
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

/* UNAVAILABLE without a database; with it again, everything is as before. */
TEST(test_unavailable)
{
	struct sides_ask a;

	assert_int_equal(sides_ask_one(&sides[0], &a, 14, "a"), ADMISSION_ADMITTED);
	assert_true(cluster_halt(sides_cluster, false));
	assert_int_equal(sides_ask_one(&sides[0], &a, 14, "a"), ADMISSION_UNAVAILABLE);
	assert_true(cluster_go(sides_cluster));
	UNTIL(db_ready(sides[0].db) && db_ready(sides[1].db));
	assert_int_equal(sides_ask_one(&sides[0], &a, 14, "a"), ADMISSION_ADMITTED);
}
