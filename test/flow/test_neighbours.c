/* The worst behaviour of one workspace must not affect another one on the same server. Where possible the first is
 * blocked by a lock, so that timing plays no part. */
#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/await.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/operated.h"

enum {
	LISTS = 16,
	WRITES = 14,
	SEARCHERS = 16,
	PEOPLE = 8000,
	PLACES_OF_USER = 20,
	PLACES_OF_WORKSPACE = 200,
	LARGE_BYTES = 256 << 10, /* see server/request/large.h */
	LARGE_WAITING_OF_WORKSPACE = 16,
	SOON_US = 8 * 1000000 /* on a busy machine; a statement that is held up takes 10 s */
};

static struct test_user eve; /* of another workspace */
static struct caller other;
static struct operated operated;

RIG("neighbours", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	server = operated_serve(&operated, &rig, false);
	caller_turn(&ada, server->base);
	eve = rig_stranger(&rig, "eve");
	caller_init(&other, server->base, eve.key);
}

AFTER_ALL()
{
	caller_free(&other);
	operated_free(&operated);
}

static struct caller_answer expect_soon(const char *method, const char *target, const char *body)
{
	struct caller_answer a = caller_good(caller_send(&other, method, target, NULL, body));

	if (a.took_us > SOON_US)
		fail_msg("%s %s took %lld us", method, target, (long long)a.took_us);
	return a;
}

/* One of each kind of request, with a snapshot that must be loaded again. */
static void other_is_served(void)
{
	const char *target, *person;
	static const char *group;

	if (!group)
		group = expect_soon("POST", "/v1/groups", "{\"name\": \"G\", \"visibility\": \"public\"}").id;
	target = arena_printf(&other.arena, "/v1/groups/%s", group);
	expect_soon("PATCH", target, "{\"name\": \"H\"}");
	expect_soon("GET", "/v1/users/me", NULL);
	person = expect_soon("POST", "/v1/people", "{\"firstName\": \"Zed\"}").id;
	expect_soon("GET", arena_printf(&other.arena, "/v1/people/%s", person), NULL);
	expect_soon("GET", "/v1/people?limit=5", NULL);
	expect_soon("GET", "/v1/people?limit=5&filter[firstName][eq]=Zed", NULL);
	expect_soon("GET", "/v1/events?limit=5", NULL);
	expect_soon("GET", "/v1/webhooks", NULL);
}

static void ask_raw(int *fd, const char *key, const char *method, const char *target, const char *body)
{
	*fd = raw_open(server->base);
	assert_true(*fd >= 0);
	assert_true(raw_send(*fd, method, target, key, NULL, body));
}

static int status_of(int fd)
{
	int64_t until_us = patience_ms(20000);
	int status;

	while ((status = raw_status(fd)) == 0 && patience_pause(until_us))
		;
	return status;
}

static const char lists_at_work[] = "pg_locks where relation = 'tasks'::regclass and not granted";

/* Lists that do not end, more than the lane has connections. Those whose clients have left are not run. */
TEST(test_lists)
{
	int fds[LISTS], gone = 0;
	pid_t holder = rig_hold(&rig, "tasks");
	int64_t asked;

	for (int i = 0; i < LISTS; i++)
		ask_raw(&fds[i], rig.ada.key, "GET", "/v1/tasks", NULL);
	await_true(rows_count("%s", lists_at_work) >= 2); /* at least on the lane's two connections for one workspace */
	for (int i = 0; i < 3; i++)
		other_is_served();
	asked = rows_count("%s", lists_at_work);
	assert_in_range(asked, 1, LISTS / 2);
	rig_release(&rig, holder);
	for (int i = 0; i < LISTS; i++) {
		gone += status_of(fds[i]) != 200;
		raw_reset(fds[i]);
	}
	assert_int_equal(gone, 0);
}

/* Writes that wait for a record of their own, more than the lane has connections. */
TEST(test_writes)
{
	const char *id = POST("{\"firstName\": \"Held\"}", "/v1/people");
	const char *target = TEXT("/v1/people/%s", id);
	PGconn *db = PQconnectdb(rig.program->database_url);
	int fds[WRITES];

	assert_int_equal(PQstatus(db), CONNECTION_OK);
	PQclear(PQexec(db, "begin"));
	PQclear(PQexec(db, TEXT("select from people where id = '%s' for update", id + 4)));
	for (int i = 0; i < WRITES; i++)
		ask_raw(&fds[i], rig.ada.key, "PATCH", target, "{\"jobTitle\": \"T\"}");
	await_true(rows_count("pg_stat_activity where wait_event_type = 'Lock' and datname = "
	                      "current_database()") >= 8);
	for (int i = 0; i < 3; i++)
		other_is_served();
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	for (int i = 0; i < WRITES; i++) {
		assert_int_equal(status_of(fds[i]), 200);
		raw_reset(fds[i]);
	}
}

static void refused_soon(const char *method, const char *target, const char *body, int status)
{
	struct caller_answer a = caller_send(&other, method, target, NULL, body);

	assert_int_equal(a.status, status);
	if (a.took_us > SOON_US)
		fail_msg("%s %s took %lld us", method, target, (long long)a.took_us);
}

/* A write that names records of another workspace, and that workspace itself, takes none of their locks: otherwise
 * it would wait for them here, or they for it elsewhere. */
TEST(test_ids_of_others)
{
	const char *id = POST("{\"firstName\": \"Held\"}", "/v1/people");
	const char *ids[] = {id, TEXT("per_%s", rig.workspace.id + 4)};
	PGconn *db = PQconnectdb(rig.program->database_url);
	int fd;

	assert_int_equal(PQstatus(db), CONNECTION_OK);
	PQclear(PQexec(db, "begin"));
	PQclear(PQexec(db, TEXT("select from people where id = '%s' for update", id + 4)));
	ask_raw(&fd, rig.ada.key, "PATCH", TEXT("/v1/people/%s", id), "{\"jobTitle\": \"T\"}");
	await_true(rows_count("pg_stat_activity where wait_event_type = 'Lock' and datname = "
	                      "current_database()") >= 1);
	for (int i = 0; i < 2; i++) {
		refused_soon("PATCH", TEXT("/v1/people/%s", ids[i]), "{\"jobTitle\": \"U\"}", 404);
		refused_soon("POST", "/v1/people/batch/update",
		    TEXT("{\"records\": [{\"id\": \"%s\", \"jobTitle\": \"U\"}]}", ids[i]), 200);
	}
	PQclear(PQexec(db, "commit"));
	PQfinish(db);
	assert_int_equal(status_of(fd), 200);
	raw_reset(fd);
}

/* --- large batches ------------------------------------------------------------------------------ */

/* One person, made large by blanks. */
static const char *large_body(const char *name)
{
	return arena_printf(&rig.arena, "{\"records\": [{\"firstName\": \"%s\"}]%*s}", name, LARGE_BYTES, "");
}

/* True when it was answered with this status; closes it. */
static bool client_left(int *fd, int status)
{
	if (*fd < 0 || raw_status(*fd) != status)
		return false;
	raw_reset(*fd);
	*fd = -1;
	return true;
}

static void send_large(int *fds, int n, const char *key, const char *name)
{
	for (int i = 0; i < n; i++)
		ask_raw(&fds[i], key, "POST", "/v1/people/batch/create", large_body(name));
}

static void other_reads_once(const char *key)
{
	struct caller c;

	caller_init(&c, server->base, key);
	caller_get(&c, "/v1/events?limit=1");
	caller_free(&c);
}

/* One workspace sends more large batches than may wait, another one many: a third one's only batch is accepted and
 * runs before the others' second ones. */
TEST(test_large_batches)
{
	enum { FIRST = LARGE_WAITING_OF_WORKSPACE + 4, SECOND = 8, ALL = FIRST + SECOND + 1 };
	struct test_user zoe = rig_stranger(&rig, "zoe");
	pid_t holder = rig_hold(&rig, "people");
	int64_t until_us = patience_ms(8000);
	int fds[ALL], refused = 0;

	send_large(fds, FIRST, rig.ada.key, "many");
	while (refused < FIRST - 1 - LARGE_WAITING_OF_WORKSPACE && patience_pause(until_us))
		for (int i = 0; i < FIRST; i++)
			refused += client_left(&fds[i], 503);
	send_large(fds + FIRST, SECOND, eve.key, "some");
	send_large(fds + ALL - 1, 1, zoe.key, "one");
	await_true(operated_value(&operated, "kith_http_requests_in_flight") >= ALL - refused);
	other_reads_once(zoe.key); /* it was admitted after them */
	other_reads_once(eve.key);
	rig_release(&rig, holder);
	assert_int_equal(refused, FIRST - 1 - LARGE_WAITING_OF_WORKSPACE);
	for (int i = 0; i < ALL; i++) {
		if (fds[i] < 0)
			continue;
		assert_int_equal(status_of(fds[i]), 200);
		raw_reset(fds[i]);
	}
	assert_in_range(rows_count("people where first_name in ('many', 'some') and xmin::text::bigint < (select "
	                           "xmin::text::bigint from people where first_name = 'one')"),
	    0, 6);
}

/* Waiting behind a batch that takes long is limited to the time of a statement. */
TEST(test_large_wait_ends)
{
	enum { ALL = 4 };
	pid_t holder = rig_hold(&rig, "people");
	int64_t until_us = patience_ms(25000);
	int fds[ALL], ended = 0;

	send_large(fds, ALL, rig.ada.key, "late");
	while (ended < ALL && patience_pause(until_us))
		for (int i = 0; i < ALL; i++)
			ended += client_left(&fds[i], 503);
	rig_release(&rig, holder);
	assert_int_equal(ended, ALL);
}

/* --- the most expensive filter ---------------------------------------------------------------- */

static struct {
	struct buf body;
	atomic_bool stop;
	atomic_int answers, served;
	atomic_llong took_us;
	int64_t others[64];
	int n_others;
} searches;

static void insert_people(void)
{
	rows_change(
	    "insert into people (workspace_id, id, full_name, description, created_at, created_by, updated_at) select "
	    "'%s', gen_random_uuid(), 'P ' || k, md5(k::text), now(), '%s', now() from generate_series(1, %d) k",
	    rig.workspace.id + 4, rig.ada.id + 4, PEOPLE);
}

/* A hundred texts of two letters that do not occur. */
static void make_body(void)
{
	buf_init(&searches.body, 4096);
	buf_addz(&searches.body, "{\"limit\": 20, \"filter\": {\"description\": {\"like\": [");
	for (int i = 0; i < 100; i++)
		buf_printf(
		    &searches.body, "%s\"%c%c\"", i ? ", " : "", "qxzjw"[i / 20], "QXZJWKVYTRUOPSGHLMNI"[i % 20]);
	buf_addz(&searches.body, "]}}}");
}

static void other_reads(void)
{
	int64_t until_us = patience_ms(20000);

	while (atomic_load(&searches.answers) < 2 * SEARCHERS && searches.n_others < 64 && patience_pause(until_us)) {
		struct caller_answer a = caller_good(caller_send(&other, "GET", "/v1/people?limit=5", NULL, NULL));
		searches.others[searches.n_others++] = a.took_us;
		caller_good(caller_send(&other, "GET", "/v1/events?limit=5", NULL, NULL));
		caller_good(caller_send(&other, "GET", "/v1/users/me", NULL, NULL));
	}
	atomic_store(&searches.stop, true);
}

static void run_searcher(void *ctx, int i)
{
	struct caller c;

	(void)ctx;
	if (i == SEARCHERS) {
		other_reads();
		return;
	}
	caller_init(&c, server->base, rig.ada.key);
	while (!atomic_load(&searches.stop)) {
		struct caller_answer a = caller_send(&c, "POST", "/v1/people/search", NULL, searches.body.data);
		atomic_fetch_add(&searches.answers, 1);
		atomic_fetch_add(&searches.took_us, a.took_us);
		atomic_fetch_add(&searches.served, a.status == 200 || a.status == 422);
	}
	caller_free(&c);
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Too expensive requests delay their own workspace: another one's lists take a fraction of that. */
TEST(test_searches)
{
	int64_t mean_us, median_us;

	insert_people();
	make_body();
	caller_crowd_run(SEARCHERS + 1, run_searcher, NULL);
	mean_us = atomic_load(&searches.took_us) / atomic_load(&searches.answers);
	qsort(searches.others, (size_t)searches.n_others, sizeof *searches.others, compare_times);
	median_us = searches.others[searches.n_others / 2];
	print_message("%d dear searches took %.1f ms each, %d lists of another workspace %.1f ms (the slowest %.1f)\n",
	    atomic_load(&searches.answers), (double)mean_us / 1000, searches.n_others, (double)median_us / 1000,
	    (double)searches.others[searches.n_others - 1] / 1000);
	assert_true(searches.n_others >= 3);
	assert_true(median_us * 3 < mean_us);
	buf_free(&searches.body);
}

/* --- places to wait for events ------------------------------------------------------------------ */

static long log_size(void)
{
	FILE *f = fopen(server->log, "r");
	long size;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	fclose(f);
	return size;
}

/* One more request of another workspace waits behind them; then there is an event for all at once. Returns the size of
 * the log before that. */
static long wake_all(void)
{
	long size;
	struct caller_answer list = caller_good(caller_send(&other, "GET", "/v1/people?limit=1", NULL, NULL));
	int fd;

	ask_raw(
	    &fd, eve.key, "GET", arena_printf(&rig.arena, "/v1/events?wait=30&after=%s", feed_cursor_of(&list)), NULL);
	await_true(operated_value(&operated, "kith_http_requests_in_flight") > PLACES_OF_WORKSPACE);
	size = log_size();
	rows_change("insert into events (workspace_id, id, type, record_id) select workspace_id, gen_random_uuid(), "
	            "'person.deleted', gen_random_uuid() from workspaces");
	assert_int_equal(status_of(fd), 200);
	raw_reset(fd);
	return size;
}

/* Counts the requests for events that were answered since then, from the server's log, and finds the position of the
 * other workspace's among them. */
static int answered_since(long from, int *rank)
{
	static char line[4096];
	FILE *f = fopen(server->log, "r");
	int n = 0;

	assert_non_null(f);
	assert_int_equal(fseek(f, from, SEEK_SET), 0);
	while (fgets(line, sizeof line, f)) {
		if (!strstr(line, "/v1/events\"") || !strstr(line, "\"status\":200"))
			continue;
		n++;
		if (strstr(line, eve.id))
			*rank = n;
	}
	fclose(f);
	return n;
}

static int rank_of_other(long from)
{
	int rank = 0;

	await_true(answered_since(from, &rank) > PLACES_OF_WORKSPACE); /* a line may follow its answer */
	assert_true(rank > 0);
	print_message("the other workspace's was answered as number %d\n", rank);
	return rank;
}

/* One workspace's users take as many places as they can; there is one left for another workspace's. */
TEST(test_places)
{
	enum { USERS = PLACES_OF_WORKSPACE / PLACES_OF_USER + 2, ALL = USERS * PLACES_OF_USER };
	int *fds = calloc(ALL, sizeof *fds), refused = 0;
	int64_t until_us;
	struct caller_answer list = caller_good(SEND("GET", NULL, "/v1/people?limit=1"));
	struct test_user users[USERS];
	struct feed_page page;
	long woken_at;

	assert_non_null(fds);
	const char *cursor = feed_cursor_of(&list);
	/* The first request must still wait when the last one comes, so all users exist before. */
	for (int u = 0; u < USERS; u++)
		users[u] = user_create(rig.program, &rig.arena, &rig.workspace, "w", "W",
		    arena_printf(&rig.arena, "w%d@example.org", u), "member");
	for (int i = 0; i < ALL; i++)
		ask_raw(&fds[i], users[i / PLACES_OF_USER].key, "GET",
		    arena_printf(&rig.arena, "/v1/events?wait=30&after=%s", cursor), NULL);
	until_us = patience_ms(20000);
	while (refused < ALL - PLACES_OF_WORKSPACE && patience_pause(until_us))
		for (int i = 0; i < ALL; i++)
			refused += client_left(&fds[i], 503);
	assert_int_equal(refused, ALL - PLACES_OF_WORKSPACE);
	list = caller_good(caller_send(&other, "GET", "/v1/people?limit=1", NULL, NULL));
	page = feed_get(&other, feed_cursor_of(&list), -1, 1);
	assert_int_equal(page.answer.status, 200);
	assert_true(page.answer.took_us >= 900 * 1000);
	woken_at = wake_all();
	for (int i = 0; i < ALL; i++)
		if (fds[i] >= 0)
			assert_int_equal(status_of(fds[i]), 200);
	assert_in_range(rank_of_other(woken_at), 1, PLACES_OF_WORKSPACE / 2);
	for (int i = 0; i < ALL; i++)
		if (fds[i] >= 0)
			raw_reset(fds[i]);
	free(fds);
}
