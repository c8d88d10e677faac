/* The signal lane: notifications from others, advisory locks that outlive an exchange, and reports of a broken
 * connection. */
#include "test/lib/db/ask.h"
#include "test/lib/test.h"

LANES();

struct heard {
	int times[DB_SIGNAL_NOTIFY + 1];
};

static void hear_signal(void *ctx, enum db_signal what)
{
	((struct heard *)ctx)->times[what]++;
}

static void open_hearing(struct lanes *l, struct heard *h)
{
	*h = (struct heard){{0}};
	lanes_config(l);
	lanes_open(l);
	db_on_signal(l->db, hear_signal, h);
	/* It may have begun to listen already. */
	UNTIL(l, db_signal_generation(l->db) != 0);
}

static bool try_lock(struct lanes *l, uint64_t *generation)
{
	struct ask *a = ask_text(l, DB_SIGNAL, "select pg_try_advisory_lock(4711)");
	assert_int_equal(ask_run(a), DB_OK);
	bool got = db_bool(&a->x, 0, 0, 0);
	*generation = a->x.generation;
	ask_free(a);
	return got;
}

TEST(test_notifications)
{
	struct lanes other = {0};
	struct heard h, h2;

	open_hearing(&w, &h);
	open_hearing(&other, &h2);
	assert_int_equal(ask_once(&other, DB_SIGNAL, "notify " DB_CHANNEL), DB_OK);
	UNTIL(&w, h.times[DB_SIGNAL_NOTIFY] > 0);
	/* Its own notifications are ignored. */
	assert_int_equal(ask_once(&other, DB_SIGNAL, "select 1"), DB_OK);
	assert_int_equal(h2.times[DB_SIGNAL_NOTIFY], 0);
	assert_int_equal(ask_once(&w, DB_WORK, "notify " DB_CHANNEL), DB_OK);
	UNTIL(&w, h.times[DB_SIGNAL_NOTIFY] > 1);
	lanes_stop(&other);
}

TEST(test_lock_is_kept)
{
	struct lanes other = {0};
	struct heard h, h2;
	uint64_t mine, theirs;

	open_hearing(&w, &h);
	open_hearing(&other, &h2);
	assert_true(try_lock(&w, &mine));
	assert_int_equal(mine, db_signal_generation(w.db));
	for (int i = 0; i < 10; i++)
		assert_int_equal(
		    ask_once(&w, DB_SIGNAL, i % 2 ? "select 1" : "select 1 / 0"), i % 2 ? DB_OK : DB_FAILED);
	assert_int_equal(mine, db_signal_generation(w.db));
	assert_false(try_lock(&other, &theirs));
	lanes_stop(&w);
	/* The other may have to try several times: the server notices the closed connection a little later. */
	UNTIL(&other, try_lock(&other, &theirs));
	lanes_stop(&other);
}

TEST(test_broken)
{
	struct heard h;
	uint64_t before, after;

	open_hearing(&w, &h);
	assert_true(try_lock(&w, &before));
	for (int round = 0; round < 3; round++) {
		h = (struct heard){{0}};
		ask_do(&w, "select pg_terminate_backend(pid) from pg_locks "
		           "where locktype = 'advisory' and objid = 4711 and database = "
		           "(select oid from pg_database where datname = current_database())");
		UNTIL(&w, h.times[DB_SIGNAL_DOWN] == 1 && h.times[DB_SIGNAL_UP] == 1);
		assert_true(db_signal_generation(w.db) > before);
		assert_int_equal(ask_once(&w, DB_WORK, "notify " DB_CHANNEL), DB_OK);
		UNTIL(&w, h.times[DB_SIGNAL_NOTIFY] == 1);
		assert_true(try_lock(&w, &after));
		assert_int_equal(after, db_signal_generation(w.db));
		assert_true(after > before);
		before = after;
	}
}

/* Locks taken on a connection that was lost before the exchange's end was reported are not held: its generation
 * shows this. */
TEST(test_exchange_of_a_lost_connection)
{
	struct heard h;

	open_hearing(&w, &h);
	struct ask *a = ask_text(&w, DB_SIGNAL, "select pg_terminate_backend(pg_backend_pid())");
	ask_run(a);
	assert_int_not_equal(a->x.status, DB_OK);
	assert_int_equal(a->x.generation, 0);
	ask_free(a);
	UNTIL(&w, h.times[DB_SIGNAL_UP] > 0);
}

static void close_database(void *ctx, enum db_signal what)
{
	(void)ctx, (void)what;
	db_close(w.db);
	w.db = NULL;
}

TEST(test_close_when_told)
{
	w.db = db_open(w.base, &w.config);
	db_on_signal(w.db, close_database, NULL);
	UNTIL(&w, !w.db);
}
