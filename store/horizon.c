/* The horizon of events; see horizon.h. */
#include "store/horizon.h"

#include "server/base/arena.h"
#include "store/sql.h"

const char horizon_columns[] = ", pg_snapshot_xmin(pg_current_snapshot()), pg_current_wal_insert_lsn(), "
                               "pg_current_wal_flush_lsn(), pg_backend_pid(), clock_timestamp()";

enum { COL_XMIN, COL_WRITTEN, COL_FLUSHED, COL_BACKEND, COL_NOW };

void horizon_read(struct horizon *h, const struct db_exchange *x, int statement, int row, int column)
{
	uint64_t xmin = (uint64_t)db_int(x, statement, row, column + COL_XMIN);
	uint64_t written = (uint64_t)db_int(x, statement, row, column + COL_WRITTEN);
	uint64_t flushed = (uint64_t)db_int(x, statement, row, column + COL_FLUSHED);
	int64_t backend = db_int(x, statement, row, column + COL_BACKEND);
	int64_t now_ms = db_time_ms(x, statement, row, column + COL_NOW);

	/* Another backend: the server may have crashed between, and the log is another one. */
	if (h->next_backend != backend)
		h->next_xid = 0;
	if (flushed >= written) {
		h->next_xid = xmin;
		h->next_written = written;
		h->next_at_ms = now_ms;
	}
	if (h->next_xid && flushed >= h->next_written) {
		if (h->next_xid > h->xid || (h->next_xid == h->xid && h->next_at_ms > h->at_ms)) {
			h->xid = h->next_xid;
			h->at_ms = h->next_at_ms;
		}
		h->next_xid = 0;
	}
	if (!h->next_xid) {
		h->next_xid = xmin;
		h->next_written = written;
		h->next_at_ms = now_ms;
		h->next_backend = backend;
	}
}

uint64_t horizon_of(
    const struct horizon *h, const struct db_exchange *x, int statement, int row, int column, int64_t *at_ms)
{
	uint64_t xmin = (uint64_t)db_int(x, statement, row, column + COL_XMIN);
	uint64_t written = (uint64_t)db_int(x, statement, row, column + COL_WRITTEN);
	uint64_t flushed = (uint64_t)db_int(x, statement, row, column + COL_FLUSHED);

	*at_ms = flushed >= written ? db_time_ms(x, statement, row, column + COL_NOW) : h->at_ms;
	return flushed >= written || xmin < h->xid ? xmin : h->xid;
}

bool horizon_first(struct horizon *h, struct db *db)
{
	struct arena arena;
	struct sql sample, write, *list[] = {&sample, &write};
	struct db_exchange x = {.lane = DB_WORK, .statements = list, .n_statements = 2};
	bool ok;

	arena_init(&arena);
	sql_begin_system(&sample, &arena, NULL);
	sql_add(&sample, "select true");
	sql_add(&sample, horizon_columns);
	/* Its COMMIT comes back when the log is on disk up to there. */
	sql_begin_system(&write, &arena, NULL);
	sql_add(&write, "select pg_logical_emit_message(true, 'kith', '')");
	ok = db_run(db, &x) == DB_OK && db_rows(&x, 0) == 1;
	if (ok) {
		h->xid = (uint64_t)db_int(&x, 0, 0, 1 + COL_XMIN);
		h->at_ms = db_time_ms(&x, 0, 0, 1 + COL_NOW);
	}
	db_exchange_clear(&x);
	arena_free(&arena);
	return ok;
}
