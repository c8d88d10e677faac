/* The horizon of events moves only to points that are on disk; which days of events the look-up for a standby reads;
 * when two stored answers are the same. */
#include <libpq-fe.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/request/replica.h"
#include "store/db_private.h"
#include "store/horizon.h"
#include "store/idempotency.h"
#include "test/lib/test.h"

/* --- the horizon ------------------------------------------------------------------------------ */

static struct db db;

/* A result as PostgreSQL would send it: generation, xmin, positions of the log, backend, time. */
static PGresult *result_make(const int64_t values[HORIZON_COLUMNS])
{
	static PGresAttDesc columns[HORIZON_COLUMNS];
	PGresult *r = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);

	for (int i = 0; i < HORIZON_COLUMNS; i++)
		columns[i] = (PGresAttDesc){.name = (char *)"column", .format = 1, .typlen = 8};
	assert_true(PQsetResultAttrs(r, HORIZON_COLUMNS, columns));
	for (int i = 0; i < HORIZON_COLUMNS; i++) {
		char bytes[8];
		for (int b = 0; b < 8; b++)
			bytes[b] = (char)((uint64_t)values[i] >> (56 - 8 * b));
		assert_true(PQsetvalue(r, 0, i, bytes, 8));
	}
	return r;
}

static uint64_t horizon_after(struct horizon *h, int64_t xid, int64_t written, int64_t flushed, int64_t backend)
{
	PGresult *r = result_make((const int64_t[HORIZON_COLUMNS]){1, xid, written, flushed, backend, xid * 1000});
	struct db_result *results[] = {(struct db_result *)r};
	struct db_exchange x = {.results = results, .n_statements = 1};

	assert_int_equal(horizon_read(h, &db, &x, 0, 0, 0), 1);
	PQclear(r);
	return h->point.xid;
}

TEST(test_on_disk)
{
	struct horizon h = {.point = {.generation = 1, .xid = 5}};

	assert_int_equal(horizon_after(&h, 10, 100, 100, 7), 10); /* on disk already */
	assert_int_equal(horizon_after(&h, 20, 200, 150, 7), 10); /* a crash may take it back */
	assert_int_equal(horizon_after(&h, 30, 300, 199, 7), 10); /* still */
	assert_int_equal(horizon_after(&h, 40, 400, 200, 7), 20); /* the second one is on disk, this one is not */
	assert_int_equal(horizon_after(&h, 50, 500, 450, 8), 20); /* another backend: perhaps another log */
	assert_int_equal(horizon_after(&h, 60, 600, 600, 8), 60);
	assert_int_equal(horizon_after(&h, 55, 700, 700, 8), 60); /* never back */
}

/* --- the look-up for a standby --------------------------------------------------------------------- */

/* A floor of two hours ago, or of a moment before or after midnight, by a clock of the database that is an hour off. */
TEST(test_days)
{
	static const struct {
		const char *floor, *now, *from, *to;
	} rows[] = {
	    {"2026-03-10T12:00:00.000Z", "2026-03-10T12:01:00.000Z", "2026-03-10", "2026-03-11"},
	    {"2026-03-10T22:30:00.000Z", "2026-03-10T22:31:00.000Z", "2026-03-10", "2026-03-12"},
	    {"2026-03-10T23:59:00.000Z", "2026-03-11T00:00:00.000Z", "2026-03-10", "2026-03-12"},
	    {"2026-03-11T00:01:00.000Z", "2026-03-11T00:02:00.000Z", "2026-03-10", "2026-03-12"},
	    {"2026-03-11T01:59:00.000Z", "2026-03-11T02:00:00.000Z", "2026-03-10", "2026-03-12"},
	    {"2026-03-11T02:01:00.000Z", "2026-03-11T02:02:00.000Z", "2026-03-11", "2026-03-12"},
	};
	const char *text, *prepared;
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t floor_ms, now_ms;
		assert_true(time_parse(rows[i].floor, strlen(rows[i].floor), &floor_ms));
		assert_true(time_parse(rows[i].now, strlen(rows[i].now), &now_ms));
		text = replica_text(&a, "replica last_write", floor_ms, now_ms, &prepared);
		assert_non_null(
		    strstr(text, arena_printf(&a, "e.created_at >= '%s 00:00+00' and e.created_at < '%s 00:00+00'",
		                     rows[i].from, rows[i].to)));
		assert_null(strstr(text, ":'"));
		assert_string_equal(prepared, arena_printf(&a, "replica last_write:%s:%s", rows[i].from, rows[i].to));
	}
	arena_free(&a);
}

/* --- stored answers -------------------------------------------------------------------------------- */

TEST(test_same_answer)
{
	static const struct idempotency_answer ours = {.status = 200, .etag = "\"1\"", .body = "{}", .body_len = 2};
	static const struct {
		struct idempotency_answer other;
		bool same;
	} rows[] = {
	    {{.status = 200, .etag = "\"1\"", .body = "{}", .body_len = 2}, true},
	    {{.status = 200, .etag = "\"2\"", .body = "{}", .body_len = 2}, false},
	    {{.status = 200, .body = "{}", .body_len = 2}, false},
	    {{.status = 404, .etag = "\"1\"", .body = "{}", .body_len = 2}, false},
	    {{.status = 200, .etag = "\"1\"", .body = "[]", .body_len = 2}, false},
	    {{.status = 200, .etag = "\"1\"", .body = "{} ", .body_len = 3}, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(idempotency_same(&ours, &rows[i].other), rows[i].same);
		assert_int_equal(idempotency_same(&rows[i].other, &ours), rows[i].same);
	}
	assert_true(idempotency_same(&rows[2].other, &rows[2].other));
}
