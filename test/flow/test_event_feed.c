/* The feed of events: in commit order without gaps, also with late commits; wake-up within milliseconds, also across
 * processes; and the cost of waiting requests. */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum {
	WAKES = 10,
	WRITERS = 4,
	WRITES = 40, /* of each */
	WAITERS = 150,
	WAITERS_OF_USER = 20,
	AWAKE_US = 250 * 1000,  /* usually some milliseconds, without a notification half a second */
	SOON_US = 20 * 1000000, /* WAIT_S is longer */
	WAIT_S = 25,
	SILENT_ENDS = 3,
	LOOKS = 50,
	BYTES_A_WAITER = 96 << 10 /* with the sanitizers' share */
};

RIG("feed", .servers = 2, .own_cluster = true, .neighbour = true, .keep_little = true);

/* The feed's current position. */
static const char *now_of(struct caller *c)
{
	struct caller_answer list = caller_good(caller_send(c, "GET", "/v1/people?limit=1", NULL, NULL));
	const char *cursor = feed_cursor_of(&list);

	assert_non_null(cursor);
	return cursor;
}

/* Reads until nothing more comes. */
static const char *drain_feed(struct caller *c)
{
	const char *cursor = now_of(c);
	struct feed_page page;

	do {
		page = feed_get(c, cursor, 100, 0);
		caller_good(page.answer);
		cursor = page.cursor;
	} while (page.n);
	return cursor;
}

/* --- a separate connection to the database --------------------------------------------------- */

static PGconn *connect_directly(void)
{
	PGconn *db = PQconnectdb(rig.program->database_url);

	assert_int_equal(PQstatus(db), CONNECTION_OK);
	return db;
}

static void execute_sql(PGconn *db, const char *sql)
{
	PGresult *r = PQexec(db, sql);

	if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(db));
	PQclear(r);
}

static void insert_event(PGconn *db, const char *record)
{
	char sql[512];

	snprintf(sql, sizeof sql,
	    "insert into events (workspace_id, id, type, record_id) values ('%s', gen_random_uuid(), 'person.deleted', "
	    "'%s')",
	    rig.workspace.id + 4, record);
	execute_sql(db, sql);
}

/* --- order ------------------------------------------------------------------------------------------ */

/* An earlier commit is not shown before an older transaction has ended, which would come before it. */
TEST(test_late_commit)
{
	static const char old[] = "00000000-0000-7000-8000-000000000001";
	const char *cursor = drain_feed(&ada), *id;
	PGconn *db = connect_directly();
	struct feed_page page;

	execute_sql(db, "begin");
	insert_event(db, old);
	id = feed_create_person(&ben, "Young");
	for (int i = 0; i < 3; i++) {
		page = feed_get(&ada, cursor, -1, i == 2 ? 1 : -1);
		caller_good(page.answer);
		assert_int_equal(page.n, 0);
		cursor = page.cursor; /* and continuing from here misses neither */
	}
	assert_true(page.answer.took_us >= 900 * 1000);
	execute_sql(db, "commit");
	page = feed_get(&ada, cursor, -1, WAIT_S);
	assert_true(page.answer.took_us < SOON_US);
	if (page.n == 1) {
		struct feed_page rest = feed_get(&ada, page.cursor, -1, 10);
		assert_int_equal(rest.n, 1);
		assert_string_equal(rest.items[0].record, id);
	} else {
		assert_int_equal(page.n, 2);
		assert_string_equal(page.items[1].record, id);
	}
	assert_string_equal(page.items[0].record + 4, old);
	PQfinish(db);
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Nothing announces the end of a transaction that wrote nothing. */
struct wait_of {
	struct caller caller;
	const char *cursor;
	struct feed_page page;
	_Atomic int64_t came_us;
	pthread_t thread;
};

static void *wait_run(void *arg)
{
	struct wait_of *w = arg;

	w->page = feed_get(&w->caller, w->cursor, -1, WAIT_S);
	atomic_store(&w->came_us, clock_mono_us());
	return NULL;
}

static void wait_begin(struct wait_of *w, int at, const char *key, const char *cursor)
{
	memset(w, 0, sizeof *w);
	caller_init(&w->caller, servers[at]->base, key);
	w->cursor = cursor;
	assert_int_equal(pthread_create(&w->thread, NULL, wait_run, w), 0);
}

/* The time from since_us until it was answered. */
static int64_t wait_end(struct wait_of *w, int64_t since_us)
{
	pthread_join(w->thread, NULL);
	caller_free(&w->caller);
	return atomic_load(&w->came_us) - since_us;
}

/* The time from the end of such a transaction until a waiting request is answered. */
static int64_t silent_time(void)
{
	const char *cursor = drain_feed(&ada);
	PGconn *db = connect_directly();
	struct wait_of w;

	execute_sql(db, "begin");
	execute_sql(db, "select pg_current_xact_id()");
	wait_begin(&w, 0, rig.ada.key, cursor);
	feed_create_person(&ben, "Held back");
	assert_int_equal(feed_get(&ada, cursor, -1, 1).n, 0);
	assert_int_equal(atomic_load(&w.came_us), 0);
	int64_t ended_us = clock_mono_us();
	execute_sql(db, "rollback");
	int64_t took_us = wait_end(&w, ended_us);
	assert_int_equal(w.page.n, 1);
	PQfinish(db);
	return took_us;
}

TEST(test_silent_end)
{
	int64_t took[SILENT_ENDS];

	for (int i = 0; i < SILENT_ENDS; i++)
		took[i] = silent_time();
	qsort(took, SILENT_ENDS, sizeof *took, compare_times);
	assert_true(took[0] < 2 * AWAKE_US);
}

struct feed_writers {
	char ids[WRITERS][WRITES][ID_SIZE];
	atomic_int done;
};

static void write_many(void *ctx, int i)
{
	struct feed_writers *w = ctx;
	struct caller c;

	caller_init(&c, servers[i % 2]->base, rig.ada.key);
	for (int k = 0; k < WRITES; k++) {
		snprintf(w->ids[i][k], ID_SIZE, "%s", feed_create_person(&c, "Busy"));
		if (k % 4 == 0)
			caller_good(caller_sendf(&c, "PATCH", arena_printf(&c.arena, "/v1/people/%s", w->ids[i][k]),
			    NULL, "{\"jobTitle\": \"%d\"}", k));
	}
	caller_free(&c);
	atomic_fetch_add(&w->done, 1);
}

static void *write_all(void *ctx)
{
	caller_crowd_run(WRITERS, write_many, ctx);
	return NULL;
}

/* A follower during writes: every event once, in the order of positions, with a record's events in their order. */
TEST(test_under_writers)
{
	struct feed_writers *w = mem_zalloc(sizeof *w);
	const char *cursor = drain_feed(&ben);
	enum { EXPECTED = WRITERS * (WRITES + WRITES / 4) };
	char(*seen)[ID_SIZE] = mem_zalloc(2 * EXPECTED * sizeof *seen);
	int n = 0, chance = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, write_all, w);
	for (int64_t until_us = patience_ms(60000); n < EXPECTED && clock_mono_us() < until_us;) {
		struct feed_page page = feed_get(&ben, cursor, 1 + chance++ % 20, 2);
		caller_good(page.answer);
		for (size_t i = 0; i < page.n && n < 2 * EXPECTED; i++)
			snprintf(seen[n++], ID_SIZE, "%s", page.items[i].id);
		cursor = page.cursor;
	}
	pthread_join(thread, NULL);
	assert_int_equal(n, EXPECTED);
	assert_int_equal(feed_get(&ben, cursor, 100, 0).n, 0);
	/* All that exist, each after the previous one. */
	struct buf sql;
	buf_init(&sql, 1 << 20);
	buf_addz(&sql,
	    "select count(*) from (select e.xid, e.seq, lag((e.generation, e.xid, e.seq)) over (order by n.at) "
	    "< (e.generation, e.xid, e.seq) as ordered from events e join unnest('{");
	for (int i = 0; i < n; i++)
		buf_printf(&sql, "%s%s", i ? "," : "", seen[i] + 4);
	buf_addz(&sql, "}'::uuid[]) with ordinality n (id, at) on n.id = e.id) t where ordered is not false");
	assert_int_equal(database_int(rig.program, sql.data), EXPECTED);
	buf_free(&sql);
	free(seen);
	free(w);
}

/* --- waking -------------------------------------------------------------------------------------------- */

/* The third shortest, for writes through the first server. */
static int64_t wake_time(int waiting_at)
{
	int64_t took[WAKES];

	for (int i = 0; i < WAKES; i++) {
		struct wait_of w;
		wait_begin(&w, waiting_at, rig.ben.key, drain_feed(&ada));
		/* The first call waits for certain, the others most likely. */
		assert_int_equal(feed_get(&ada, drain_feed(&ada), -1, i == 0).n, 0);
		int64_t began_us = clock_mono_us();
		feed_create_person(&ada, "Wake");
		took[i] = wait_end(&w, began_us);
		assert_int_equal(w.page.n, 1);
	}
	qsort(took, WAKES, sizeof *took, compare_times);
	return took[2];
}

TEST(test_wakes)
{
	int64_t same = wake_time(0), other = wake_time(1);

	print_message("awake after %.1f ms, in another process %.1f ms (the write included)\n", (double)same / 1000,
	    (double)other / 1000);
	assert_true(same < AWAKE_US);
	assert_true(other < AWAKE_US);
}

TEST(test_waits_to_the_end)
{
	struct feed_page page = feed_get(&ada, drain_feed(&ada), -1, 1);

	caller_good(page.answer);
	assert_int_equal(page.n, 0);
	assert_in_range(page.answer.took_us, 1000000, SOON_US);
	assert_true(*page.cursor);
}

/* --- the cost of waiting requests ------------------------------------------------------------------------- */

static int open_wait(const struct server_process *s, const char *key, const char *cursor)
{
	char target[256];
	int fd = raw_open(s->base);

	assert_true(fd >= 0);
	snprintf(target, sizeof target, "/v1/events?wait=30&after=%s", cursor);
	assert_true(raw_send(fd, "GET", target, key, NULL, NULL));
	return fd;
}

/* One request above the limit is refused at once; when another has left there is room. */
TEST(test_cap)
{
	const char *cursor = drain_feed(&ada);
	int fds[WAITERS_OF_USER + 1], refused = -1;
	int64_t until_us = patience_ms(60000);
	struct feed_page page;

	for (int i = 0; i <= WAITERS_OF_USER; i++)
		fds[i] = open_wait(servers[0], rig.ada.key, cursor);
	while (refused < 0 && patience_pause(until_us))
		for (int i = 0; i <= WAITERS_OF_USER; i++)
			if (raw_status(fds[i]) == 503)
				refused = i;
	assert_true(refused >= 0);
	page = feed_get(&ada, cursor, -1, WAIT_S);
	assert_int_equal(page.answer.status, 503);
	assert_string_equal(page.answer.retry_after, "1");
	assert_true(page.answer.took_us < SOON_US);
	assert_int_equal(feed_get(&ada, cursor, -1, 0).answer.status, 200); /* without waiting */
	raw_reset(fds[(refused + 1) % (WAITERS_OF_USER + 1)]);
	until_us = patience_ms(60000);
	do {
		page = feed_get(&ada, cursor, -1, 1);
	} while (page.answer.status != 200 && patience_pause(until_us));
	assert_int_equal(page.answer.status, 200);
	for (int i = 0; i <= WAITERS_OF_USER; i++)
		if (i != (refused + 1) % (WAITERS_OF_USER + 1))
			raw_reset(fds[i]);
}

/* The fewest connections at work in several looks: jobs and polls use one for moments. */
static int64_t connections_held(void)
{
	int64_t least = INT64_MAX, n;

	for (int i = 0; i < LOOKS && least > 1; i++) {
		n = rows_count("pg_stat_activity where datname = current_database() and application_name = 'kith' and "
		               "state <> 'idle' and backend_type = 'client backend'");
		least = n < least ? n : least;
	}
	return least;
}

/* Many waiting requests: they hold no database connection and little memory, and all get an event. */
TEST(test_many)
{
	enum { USERS = (WAITERS + WAITERS_OF_USER - 1) / WAITERS_OF_USER };
	const char *cursor = drain_feed(&ada), *id;
	int fds[WAITERS], open = 0;
	struct arena arena;
	struct test_user users[USERS];
	int64_t before, until_us;

	assert_true(rig_neighbour_rest(&rig)); /* its requests use memory and connections too */
	arena_init(&arena);
	for (int i = 0; i < USERS; i++)
		users[i] = user_create(rig.program, &arena, &rig.workspace, "u", "U",
		    arena_printf(&arena, "u%d@example.org", i), "member");
	caller_good(SEND("GET", NULL, "/v1/users"));
	before = server_resident(servers[0]);
	for (int i = 0; i < WAITERS; i++)
		fds[i] = open_wait(servers[0], users[i / WAITERS_OF_USER].key, cursor);
	caller_good(feed_get(&ada, cursor, -1, 2).answer); /* queued behind all of them */
	int64_t each = (server_resident(servers[0]) - before) / WAITERS;
	print_message("a request that waits: %lld bytes\n", (long long)each);
	assert_true(each < BYTES_A_WAITER);
	assert_true(connections_held() <= 1); /* this very query may be seen */
	id = feed_create_person(&ada, "For all");
	assert_true(*id);
	until_us = patience_ms(60000);
	while (open < WAITERS && patience_pause(until_us)) {
		open = 0;
		for (int i = 0; i < WAITERS; i++) {
			int status = fds[i] < 0 ? 200 : raw_status(fds[i]);
			assert_true(status == 0 || status == 200);
			if (status == 200 && fds[i] >= 0) {
				raw_reset(fds[i]);
				fds[i] = -1;
			}
			open += status == 200;
		}
	}
	assert_int_equal(open, WAITERS);
	rig_neighbour_go(&rig);
	arena_free(&arena);
}

/* A user leaves a private group while their request waits: the answer has no events of the group. */
TEST(test_rights)
{
	const char *cursor, *person = feed_create_person(&ada, "Known"),
	                    *group = POST("{\"name\": \"Secret\", \"visibility\": \"private\"}", "/v1/groups"),
	                    *members = TEXT("/v1/groups/%s/members", group);
	struct wait_of w;

	caller_good(caller_sendf(&ada, "POST", members, NULL, "{\"id\": \"%s\", \"role\": \"reader\"}", rig.ben.id));
	cursor = now_of(&ada);
	wait_begin(&w, 1, rig.ben.key, cursor);
	assert_int_equal(feed_get(&ada, cursor, -1, 1).n, 0); /* the other waits meanwhile */
	caller_good(SEND("DELETE", NULL, "%s/%s", members, rig.ben.id));
	caller_good(caller_sendf(
	    &ada, "PATCH", TEXT("/v1/people/%s", person), NULL, "{\"groups\": [{\"id\": \"%s\"}]}", group));
	feed_create_person(&ada, "Public");
	pthread_join(w.thread, NULL);
	assert_in_range(w.page.n, 1, 2);
	for (size_t i = 0; i < w.page.n; i++)
		assert_string_equal(w.page.items[i].type, "person.created");
	caller_free(&w.caller);
}

/* SIGTERM: waiting requests are answered at once. */
TEST(test_stop)
{
	const char *cursor = drain_feed(&ada);
	struct server_process *third = rig_serve(&rig, false, NULL), *second = servers[1];
	struct wait_of w;

	servers[1] = third;
	wait_begin(&w, 1, rig.ada.key, cursor);
	servers[1] = second;
	assert_int_equal(feed_get(&ada, cursor, -1, 1).n, 0); /* the other waits meanwhile */
	int64_t began_us = clock_mono_us();
	assert_true(server_stop(third));
	assert_true(wait_end(&w, began_us) < SOON_US);
	assert_int_equal(w.page.answer.status, 200);
	assert_int_equal(w.page.n, 0);
}
