/* Reads the pending rows of a webhook that hold up later events of their record. They are read before everything else
 * of it, in parts when there are very many. Also checks whether rows that were not found when they were due still
 * exist. */
#include "server/base/clock.h"
#include "server/base/fault.h"
#include "webhook/dispatch_private.h"

enum { COL_RECORD, COL_GENERATION, COL_XID, COL_SEQ, COL_MANUAL, COL_WAIT };

/* How many milliseconds a row still waits, by the clock of the database, which wrote its time. */
#define HELD_WAIT "ceil(extract(epoch from q.next_attempt_at - clock_timestamp()) * 1000)::bigint"

static int held_most(void)
{
	return FAULT_ERROR(few_held) ? 8 : 4 * WINDOW_HELD_MAX;
}

/* "from deliveries": those that hold up others, and are read when they are due. */
static void held_add_rows(struct sql *s, const struct hook *h)
{
	sql_addf(s,
	    " from deliveries q where q.workspace_id = $1 and q.state = 'pending' and q.n_attempts < %d and "
	    "q.created_at < now() + interval '1 day' and q.webhook_id = ",
	    WINDOW_HOLDING_ATTEMPTS);
	sql_uuid(s, &h->id);
}

void dispatch_held_statement(const struct hook *h, struct db_ask *ask)
{
	struct sql *s = db_ask_add(ask);

	sql_begin(s, &ask->arena, "dispatch_held", &h->workspace);
	sql_add(s, "select q.record_id, q.generation, q.xid, q.seq, q.manual, " HELD_WAIT);
	held_add_rows(s, h);
	sql_add(s, " and (q.generation, q.xid, q.seq) > ");
	event_position_sql(s, &h->held_to);
	sql_addf(s, " order by q.generation, q.xid, q.seq limit %d", held_most());
}

void dispatch_held_result(struct hook *h, const struct db_exchange *x, int statement)
{
	int64_t now_ms = clock_mono_ms();
	int rows = db_rows(x, statement);
	struct window_row row = {0};

	for (int i = 0; i < rows; i++) {
		row.record = db_uuid(x, statement, i, COL_RECORD);
		row.position = event_position_read(x, statement, i, COL_GENERATION);
		row.manual = db_bool(x, statement, i, COL_MANUAL);
		window_hold(&h->window, &row, now_ms + db_int(x, statement, i, COL_WAIT));
	}
	h->held_to = rows == held_most() ? row.position : (struct event_position){0};
}

bool dispatch_held_wanted(const struct hook *h)
{
	return event_position_set(&h->held_to) && h->window.n_with_row == 0 && h->window.n_held < held_most() / 4;
}

void dispatch_gone_statement(const struct hook *h, struct db_ask *ask, const struct window_row *rows, int n)
{
	struct sql *s = db_ask_add(ask);
	int64_t *numbers[3];

	for (int i = 0; i < 3; i++)
		numbers[i] = arena_alloc(&ask->arena, (size_t)n * sizeof **numbers);
	for (int i = 0; i < n; i++) {
		numbers[0][i] = rows[i].position.generation;
		numbers[1][i] = (int64_t)rows[i].position.xid;
		numbers[2][i] = rows[i].position.seq;
	}
	sql_begin(s, &ask->arena, "dispatch_gone", &h->workspace);
	sql_add(s, "select e.n, (select " HELD_WAIT);
	held_add_rows(s, h);
	/* In the order of an index: see webhook/delivery.h. */
	sql_add(s, " and (q.generation, q.xid, q.seq) >= (e.generation, e.xid, e.seq) and (q.generation, q.xid, q.seq) "
	           "<= (e.generation, e.xid, e.seq) order by q.generation, q.xid, q.seq limit 1) from unnest(");
	for (int i = 0; i < 3; i++) {
		sql_add(s, i ? ", " : "");
		sql_int8_array(s, numbers[i], (size_t)n);
	}
	sql_add(s, ") with ordinality e (generation, xid, seq, n)");
}

void dispatch_gone_result(
    struct hook *h, const struct db_exchange *x, int statement, const struct window_row *rows, int n)
{
	int64_t now_ms = clock_mono_ms();

	for (int i = 0; i < db_rows(x, statement); i++) {
		int64_t at = db_int(x, statement, i, 0);
		if (at < 1 || at > n)
			continue;
		if (db_null(x, statement, i, 1))
			window_gone(&h->window, &rows[at - 1]);
		else
			window_still_due(&h->window, &rows[at - 1], now_ms + db_int(x, statement, i, 1));
	}
}
