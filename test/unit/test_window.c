/* The window of one webhook. The last case runs it against a model of the database and a receiver that fails at
 * random, with pauses and rows that vanish: in every case a record's events are first tried in order, and all arrive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/base/arena.h"
#include "test/lib/patience.h"
#include "webhook/schedule.h"
#include "webhook/window.h"

static struct uuid record_of(int n)
{
	struct uuid id = {{0}};
	id.b[15] = (unsigned char)n;
	id.b[7] = 1;
	return id;
}

static struct event_position position_at(int64_t seq)
{
	return (struct event_position){.xid = 7, .seq = seq, .at_ms = 1000};
}

static struct window_entry *entry_new(int64_t seq, int record, bool has_row, int attempts)
{
	struct window_entry *e = mem_zalloc(sizeof *e);
	e->position = position_at(seq);
	e->before = position_at(seq - 1);
	e->record = record_of(record);
	e->has_row = has_row;
	e->attempts = attempts;
	e->body = mem_dupz("body");
	e->body_len = 4;
	return e;
}

static void window_add_all(struct window *w, struct window_entry *e)
{
	if (!e->has_row)
		w->read = e->position;
	window_add(w, e, 0);
}

static struct window_entry *take_entry(struct window *w, int64_t seq)
{
	struct window_entry *e = window_take(w);
	assert_non_null(e);
	assert_int_equal(e->position.seq, seq);
	return e;
}

/* Takes the next that has ended, and checks it. */
static void expect_ended(struct window *w, int64_t seq, enum window_end how, int64_t due_ms)
{
	struct window_entry *e = window_ended(w);
	assert_non_null(e);
	assert_int_equal(e->position.seq, seq);
	assert_int_equal(e->end, how);
	if (due_ms)
		assert_int_equal(e->due_ms, due_ms);
	window_written(w, e);
}

static void window_new(struct window *w)
{
	struct event_position read = position_at(0);
	window_init(w, &read);
}

/* What could not be written holds the position as before it was taken, and is returned again in order. */
static void test_put_back(void **state)
{
	struct window w;
	struct window_entry *taken[2];

	(void)state;
	window_new(&w);
	for (int i = 1; i <= 4; i++)
		window_add_all(&w, entry_new(i, i, i == 2, 0));
	for (int i = 1; i <= 3; i++)
		window_delivered(&w, take_entry(&w, i));
	for (int i = 0; i < 2; i++)
		taken[i] = window_ended(&w);
	assert_int_equal(window_position(&w)->seq, 2);
	for (int i = 1; i >= 0; i--)
		window_put_back(&w, taken[i]);
	assert_int_equal(window_position(&w)->seq, 0);
	assert_int_equal(w.n_ended, 3);
	expect_ended(&w, 1, WINDOW_DELIVERED, 0);
	expect_ended(&w, 2, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 2);
	expect_ended(&w, 3, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 3);
	window_free(&w);
}

/* The position goes no further than the oldest that is not done. */
static void test_position(void **state)
{
	struct window w;
	struct window_entry *one, *two;

	(void)state;
	window_new(&w);
	window_add_all(&w, entry_new(1, 1, false, 0));
	window_add_all(&w, entry_new(2, 2, false, 0));
	w.read = position_at(9); /* 3 to 9 were none of its own */
	one = take_entry(&w, 1);
	two = take_entry(&w, 2);
	assert_null(window_take(&w));
	window_delivered(&w, two);
	expect_ended(&w, 2, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 0);
	window_delivered(&w, one);
	assert_int_equal(window_position(&w)->seq, 0); /* not yet in a batch */
	assert_false(window_empty(&w));
	expect_ended(&w, 1, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 9);
	assert_true(window_empty(&w));
	assert_int_equal(w.bytes, 0);
	window_free(&w);
}

/* Later events of a record wait, are put off after a failure, and pass after three. */
static void test_order(void **state)
{
	struct window w;
	struct window_entry *e;

	(void)state;
	window_new(&w);
	window_add_all(&w, entry_new(1, 1, false, 0));
	window_add_all(&w, entry_new(2, 1, false, 0));
	window_add_all(&w, entry_new(3, 2, false, 0));
	e = take_entry(&w, 1);
	window_delivered(&w, take_entry(&w, 3));
	assert_null(window_take(&w));
	window_failed(&w, e, 1000, 5000);
	window_add_all(&w, entry_new(4, 1, false, 0));
	expect_ended(&w, 3, WINDOW_DELIVERED, 0);
	expect_ended(&w, 1, WINDOW_RETRY, 6000);
	expect_ended(&w, 2, WINDOW_DEFERRED, 6000 + WINDOW_DEFER_MS);
	expect_ended(&w, 4, WINDOW_DEFERRED, 6000 + WINDOW_DEFER_MS);
	assert_int_equal(w.n_held, 3);

	window_add_all(&w, entry_new(1, 1, true, 1)); /* due again */
	window_add_all(&w, entry_new(2, 1, true, 0));
	window_add_all(&w, entry_new(4, 1, true, 0));
	window_failed(&w, take_entry(&w, 1), 7000, 300000);
	expect_ended(&w, 1, WINDOW_RETRY, 307000);
	expect_ended(&w, 2, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);
	expect_ended(&w, 4, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);
	window_add_all(&w, entry_new(2, 1, true, 0)); /* too early: it is blocked still */
	expect_ended(&w, 2, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);

	window_add_all(&w, entry_new(1, 1, true, 2));
	window_add_all(&w, entry_new(2, 1, true, 0));
	window_add_all(&w, entry_new(4, 1, true, 0));
	window_failed(&w, take_entry(&w, 1), 308000, 1800000);
	expect_ended(&w, 1, WINDOW_RETRY, 2108000);
	window_delivered(&w, take_entry(&w, 2));
	window_add_all(&w, entry_new(5, 1, false, 0)); /* behind 4 */
	window_delivered(&w, take_entry(&w, 4));
	window_delivered(&w, take_entry(&w, 5));
	expect_ended(&w, 2, WINDOW_DELIVERED, 0);
	expect_ended(&w, 4, WINDOW_DELIVERED, 0);
	expect_ended(&w, 5, WINDOW_DELIVERED, 0);
	assert_int_equal(w.n_held, 0);
	window_add_all(&w, entry_new(6, 1, false, 0));
	window_returned(&w, take_entry(&w, 6));
	window_delivered(&w, take_entry(&w, 6));
	expect_ended(&w, 6, WINDOW_DELIVERED, 0);
	assert_int_equal(w.n_with_row, 0);
	window_free(&w);
}

static void test_exhausted(void **state)
{
	struct window w;

	(void)state;
	window_new(&w);
	window_add_all(&w, entry_new(1, 1, true, 9));
	window_add_all(&w, entry_new(2, 1, false, 0));
	window_failed(&w, take_entry(&w, 1), 10, -1);
	expect_ended(&w, 1, WINDOW_FAILED, 0);
	window_delivered(&w, take_entry(&w, 2));
	window_free(&w);
}

static void hold_row(struct window *w, int64_t seq, int record, int64_t due_ms)
{
	struct window_row row = {.record = record_of(record), .position = position_at(seq)};

	window_hold(w, &row, due_ms);
}

/* An entry that was not tried is the next one, before others that are ready. */
static void test_returned(void **state)
{
	struct window w;

	(void)state;
	window_new(&w);
	for (int i = 1; i <= 3; i++)
		window_add_all(&w, entry_new(i, i, false, 0));
	window_returned(&w, take_entry(&w, 1));
	for (int i = 1; i <= 3; i++)
		window_delivered(&w, take_entry(&w, i));
	window_free(&w);
}

/* However long ago a row was due: later ones wait until it was read, or was looked for and is gone. */
static void test_pause(void **state)
{
	enum { LATER = 10000000 };
	struct window w;
	struct window_row doubts[4];

	(void)state;
	window_new(&w);
	hold_row(&w, 1, 1, 5);
	window_add(&w, entry_new(3, 1, true, 0), LATER);
	window_add(&w, entry_new(4, 1, false, 0), LATER);
	assert_null(window_take(&w));
	expect_ended(&w, 3, WINDOW_DEFERRED, LATER + WINDOW_DEFER_MS);
	expect_ended(&w, 4, WINDOW_DEFERRED, LATER + WINDOW_DEFER_MS);
	assert_int_equal(window_doubts(&w, doubts, 4), 1); /* 3 was read, so 1 should have been */
	assert_int_equal(doubts[0].position.seq, 1);
	assert_int_equal(w.n_held, 3);
	window_gone(&w, &doubts[0]);
	assert_int_equal(w.n_held, 2);
	assert_int_equal(window_doubts(&w, doubts, 4), 0);
	window_add(&w, entry_new(3, 1, true, 0), LATER);
	window_delivered(&w, take_entry(&w, 3));
	window_free(&w);
}

/* A row that was not yet written when the table was looked at is not missed there. */
static void test_unwritten(void **state)
{
	struct window w;
	struct window_row doubts[4], own = {.record = record_of(1), .position = position_at(1)};
	struct window_entry *e;

	(void)state;
	window_new(&w);
	window_add_all(&w, entry_new(1, 1, false, 0));
	window_failed(&w, take_entry(&w, 1), 0, 10);
	e = window_ended(&w);
	assert_null(window_ended(&w));
	window_put_back(&w, e); /* the webhook was locked */
	window_batch_written(&w);
	window_add(&w, entry_new(2, 1, true, 0), 20);
	assert_int_equal(window_doubts(&w, doubts, 4), 0);
	window_gone(&w, &own);
	window_gone_all(&w);
	assert_int_equal(w.n_held, 2);
	while ((e = window_ended(&w)))
		window_written(&w, e);
	window_gone(&w, &own); /* written since, but it was looked for before */
	assert_int_equal(w.n_held, 2);
	window_batch_written(&w);
	assert_int_equal(window_doubts(&w, doubts, 4), 0);
	window_gone_all(&w);
	assert_int_equal(w.n_held, 0);
	window_free(&w);
}

/* What is sent out of order neither waits for the others of its record nor holds them up, and has an order of its own.
 */
static void test_manual(void **state)
{
	struct window w;
	struct window_entry *manual[2];

	(void)state;
	window_new(&w);
	hold_row(&w, 1, 1, 5000);
	for (int i = 0; i < 2; i++) {
		manual[i] = entry_new(2 + i, 1, true, 0);
		manual[i]->manual = true;
		window_add_all(&w, manual[i]);
	}
	assert_ptr_equal(take_entry(&w, 2), manual[0]);
	assert_null(window_take(&w));
	window_failed(&w, manual[0], 0, 9000);
	expect_ended(&w, 2, WINDOW_RETRY, 9000);
	expect_ended(&w, 3, WINDOW_DEFERRED, 9000 + WINDOW_DEFER_MS);
	window_add_all(&w, entry_new(1, 1, true, 1));
	window_add_all(&w, entry_new(4, 1, false, 0));
	window_delivered(&w, take_entry(&w, 1));
	window_delivered(&w, take_entry(&w, 4));
	assert_int_equal(w.n_held, 2);
	window_free(&w);
}

/* What lay in the database when the webhook was loaded. */
static void test_loaded(void **state)
{
	struct window w;

	(void)state;
	window_new(&w);
	hold_row(&w, 2, 1, 5005);
	hold_row(&w, 1, 1, 5000);
	window_add_all(&w, entry_new(3, 1, false, 0));
	expect_ended(&w, 3, WINDOW_DEFERRED, 5000 + WINDOW_DEFER_MS);
	window_add_all(&w, entry_new(2, 1, true, 0));
	expect_ended(&w, 2, WINDOW_DEFERRED, 5000 + WINDOW_DEFER_MS);
	window_add_all(&w, entry_new(1, 1, true, 1));
	window_add_all(&w, entry_new(2, 1, true, 0));
	window_delivered(&w, take_entry(&w, 1));
	window_delivered(&w, take_entry(&w, 2));
	window_free(&w);
}

/* --- against a model --------------------------------------------------------------------- */

enum { EVENTS = 4000, RECORDS = 12, ROOM = 16 };

struct model_row {
	bool there, here; /* pending in the database; in the window */
	int attempts;
	int64_t due;
	bool done, known; /* delivered or gone; and the database knows */
};

struct model {
	struct window w;
	struct model_row rows[EVENTS + 1];
	int record[EVENTS + 1];
	struct window_entry *flying[4];
	int64_t now, saved;
	int tried[EVENTS + 1];
};

/* Looks for the rows in doubt, as the dispatcher does before it reads what is due. */
static void model_look(struct model *m)
{
	struct window_row doubts[4];
	int n = window_doubts(&m->w, doubts, 4);
	bool none = m->w.n_with_row == 0;

	for (int i = 0; i < n; i++) {
		const struct model_row *row = &m->rows[doubts[i].position.seq];
		if (!row->there || row->attempts >= WINDOW_HOLDING_ATTEMPTS)
			window_gone(&m->w, &doubts[i]);
	}
	for (int i = 1; i <= EVENTS && none; i++)
		none = !m->rows[i].there;
	if (none)
		window_gone_all(&m->w);
}

/* Reads forward, and what is due, as the dispatcher does. */
static void model_read(struct model *m)
{
	model_look(m);
	while (m->w.n_live < ROOM) {
		int best = 0;
		for (int i = 1; i <= EVENTS; i++)
			if (m->rows[i].there && !m->rows[i].here && m->rows[i].due <= m->now &&
			    (!best || m->rows[i].due < m->rows[best].due))
				best = i;
		if (!best)
			break;
		m->rows[best].here = true;
		window_add(&m->w, entry_new(best, m->record[best], true, m->rows[best].attempts), m->now);
	}
	while (m->w.n_live < ROOM && m->w.read.seq < EVENTS) {
		int64_t seq = m->w.read.seq + 1;
		m->w.read = position_at(seq);
		if (!m->rows[seq].there && !m->rows[seq].known)
			window_add(&m->w, entry_new(seq, m->record[seq], false, 0), m->now);
	}
}

static void model_write(struct model *m)
{
	struct window_entry *e;

	while ((e = window_ended(&m->w))) {
		struct model_row *row = &m->rows[e->position.seq];
		row->there = e->end == WINDOW_RETRY || e->end == WINDOW_DEFERRED;
		row->done = row->known = !row->there;
		row->here = false;
		row->attempts = e->attempts;
		row->due = e->due_ms;
		window_written(&m->w, e);
	}
	window_batch_written(&m->w);
	assert_true(window_position(&m->w)->seq >= m->saved);
	m->saved = window_position(&m->w)->seq;
}

/* None may be tried while an earlier one of its record has fewer than three attempts. */
static void model_check(const struct model *m, const struct window_entry *e)
{
	for (int64_t i = 1; i < e->position.seq; i++)
		if (m->record[i] == m->record[e->position.seq] && !m->rows[i].done && m->tried[i] < 3)
			fail_msg("%d before %d", (int)e->position.seq, (int)i);
}

/* The process ends; after a pause another one goes on with what the database has. */
static void model_pause(struct model *m)
{
	struct event_position saved = position_at(m->saved);

	window_free(&m->w);
	window_init(&m->w, &saved);
	memset(m->flying, 0, sizeof m->flying);
	m->now += patience_chance(60000);
	for (int i = 1; i <= EVENTS; i++) {
		m->rows[i].here = false;
		if (m->rows[i].there && m->rows[i].attempts < WINDOW_HOLDING_ATTEMPTS)
			hold_row(&m->w, i, m->record[i], m->rows[i].due);
	}
}

/* A row is deleted behind the window's back. */
static void model_lose(struct model *m)
{
	struct model_row *row = &m->rows[1 + patience_chance(EVENTS)];

	if (row->there && !row->here) {
		row->there = false;
		row->done = row->known = true;
	}
}

static void model_step(struct model *m, unsigned fail_percent)
{
	struct window_entry **slot = &m->flying[patience_chance(4)], *e = *slot;

	m->now += patience_chance(3);
	if (!e) {
		*slot = window_take(&m->w);
		if (*slot)
			model_check(m, *slot);
		return;
	}
	*slot = NULL;
	m->tried[e->position.seq]++;
	if (patience_chance(100) < fail_percent)
		window_failed(&m->w, e, m->now, schedule_retry_ms(e->attempts + 1, 0.5, -1, 100000));
	else {
		m->rows[e->position.seq].done = true;
		window_delivered(&m->w, e);
	}
}

static void play_random(unsigned fail_percent, bool faults)
{
	struct model *m = mem_zalloc(sizeof *m);
	int steps = 0;

	window_new(&m->w);
	for (int i = 1; i <= EVENTS; i++)
		m->record[i] = (int)patience_chance(patience_chance(2) ? RECORDS : 2);
	while (window_position(&m->w)->seq < EVENTS || m->w.n_held || !window_empty(&m->w)) {
		assert_true(steps++ < 2000000);
		if (patience_chance(3) == 0)
			model_read(m);
		if (patience_chance(3) == 0)
			model_write(m);
		if (faults && patience_chance(200) == 0)
			model_pause(m);
		if (faults && patience_chance(5) == 0)
			model_lose(m);
		model_step(m, fail_percent);
	}
	assert_int_equal(m->w.n_with_row, 0);
	window_free(&m->w);
	free(m);
}

static void test_model(void **state)
{
	(void)state;
	patience_seed(11);
	play_random(0, false);
	play_random(10, false);
	play_random(40, false);
	play_random(5, true);
	play_random(40, true);
}

/* --- the schedule --------------------------------------------------------------------------- */

static void test_schedule(void **state)
{
	static const int64_t seconds[] = {5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};

	(void)state;
	for (int i = 0; i < 9; i++) {
		assert_int_equal(schedule_backoff_ms(i + 1, 0.5), seconds[i] * 1000);
		assert_in_range(schedule_backoff_ms(i + 1, 0), seconds[i] * 900 - 1, seconds[i] * 900);
		assert_in_range(schedule_backoff_ms(i + 1, 1), seconds[i] * 1100 - 1, seconds[i] * 1100);
	}
	assert_int_equal(schedule_backoff_ms(10, 0.5), -1);
	assert_int_equal(schedule_retry_ms(1, 0.5, -1, 1), 5000);
	assert_int_equal(schedule_retry_ms(1, 0.5, 3, 1), 5000); /* shorter: not obeyed */
	assert_int_equal(schedule_retry_ms(1, 0.5, 60, 1), 60000);
	assert_int_equal(schedule_retry_ms(1, 0.5, 60, 100), 600);
	assert_int_equal(schedule_retry_ms(10, 0.5, 60, 1), -1);
	assert_false(schedule_given_up(0, 5 * 86400000 - 1, 1));
	assert_true(schedule_given_up(0, 5 * 86400000, 1));
	assert_true(schedule_given_up(0, 432000, 1000));
	assert_int_equal(schedule_in_flight(0), 4);
	assert_int_equal(schedule_in_flight(100), 1);
	assert_int_equal(schedule_pause_ms(15, 1), 0);
	assert_int_equal(schedule_pause_ms(16, 1), 5);
	assert_int_equal(schedule_pause_ms(1000000, 1), 100);
	assert_int_equal(schedule_pause_ms(1000000, 1000), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_put_back),
	    cmocka_unit_test(test_position),
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_exhausted),
	    cmocka_unit_test(test_returned),
	    cmocka_unit_test(test_pause),
	    cmocka_unit_test(test_unwritten),
	    cmocka_unit_test(test_manual),
	    cmocka_unit_test(test_loaded),
	    cmocka_unit_test(test_model),
	    cmocka_unit_test(test_schedule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
