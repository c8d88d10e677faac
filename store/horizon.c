/* The horizon of events; see horizon.h. */
#include "store/horizon.h"

#include "store/db_ask.h"

const char horizon_columns[] = ", kith_generation(), pg_snapshot_xmin(pg_current_snapshot()), "
                               "pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn(), pg_backend_pid(), "
                               "clock_timestamp()";

enum { COL_GENERATION, COL_XMIN, COL_WRITTEN, COL_FLUSHED, COL_BACKEND, COL_NOW };

static struct horizon_sample sample_read(const struct db_exchange *x, int statement, int row, int column)
{
	return (struct horizon_sample){.point = {.generation = db_int(x, statement, row, column + COL_GENERATION),
	                                   .xid = (uint64_t)db_int(x, statement, row, column + COL_XMIN),
	                                   .at_ms = db_time_ms(x, statement, row, column + COL_NOW)},
	    .written = (uint64_t)db_int(x, statement, row, column + COL_WRITTEN),
	    .flushed = (uint64_t)db_int(x, statement, row, column + COL_FLUSHED),
	    .backend = db_int(x, statement, row, column + COL_BACKEND)};
}

int64_t horizon_read(struct horizon *h, struct db *db, const struct db_exchange *x, int statement, int row, int column)
{
	struct horizon_sample s = sample_read(x, statement, row, column);

	if (s.point.generation < h->point.generation)
		return s.point.generation;
	if (s.point.generation > h->point.generation)
		*h = (struct horizon){.point = {.generation = s.point.generation, .at_ms = s.point.at_ms}};
	/* If the samples come from different backends, the server may have crashed in between and its log may differ.
	 */
	if (h->next.backend != s.backend)
		h->next.point.xid = 0;
	if (s.flushed >= s.written)
		h->next = s;
	if (h->next.point.xid && s.flushed >= h->next.written) {
		const struct horizon_point *next = &h->next.point;
		if (next->xid > h->point.xid || (next->xid == h->point.xid && next->at_ms > h->point.at_ms))
			h->point = *next;
		h->next.point.xid = 0;
	}
	if (!h->next.point.xid)
		h->next = s;
	db_seen(db, h->point.generation, (int64_t)h->point.xid);
	return s.point.generation;
}

struct horizon_point horizon_of(
    const struct horizon *h, const struct db_exchange *x, int statement, int row, int column)
{
	struct horizon_sample s = sample_read(x, statement, row, column);
	struct horizon_point p = s.point;

	if (s.flushed >= s.written || p.generation < h->point.generation)
		return p;
	p.at_ms = p.generation == h->point.generation ? h->point.at_ms : p.at_ms;
	if (p.generation > h->point.generation)
		p.xid = 0;
	else if (p.xid > h->point.xid)
		p.xid = h->point.xid;
	return p;
}

int64_t horizon_version(int64_t generation, int64_t version)
{
	return (int64_t)((uint64_t)generation << 20) + version;
}

bool horizon_settle(struct db *db, struct db_exchange *asked)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "select kith_settle()");
	ok = db_ask_run(&ask, db) == DB_OK;
	db_ask_end(&ask);
	*asked = ask.x;
	return ok;
}

bool horizon_first(struct horizon *h, struct db *db, struct db_exchange *asked)
{
	struct db_ask ask;
	struct sql *sql;
	bool ok;

	db_ask_begin(&ask);
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "select true");
	sql_add(sql, horizon_columns);
	/* The COMMIT of this write returns when the log is on disk up to this position. */
	sql_begin_system(sql = db_ask_add(&ask), &ask.arena, NULL);
	sql_add(sql, "select pg_logical_emit_message(true, 'kith', '')");
	ok = db_ask_run(&ask, db) == DB_OK && db_rows(&ask.x, 0) == 1;
	if (ok) {
		struct horizon_sample s = sample_read(&ask.x, 0, 0, 1);
		*h = (struct horizon){.point = s.point};
		db_seen(db, s.point.generation, (int64_t)s.point.xid);
	}
	db_ask_end(&ask);
	*asked = ask.x;
	return ok;
}
