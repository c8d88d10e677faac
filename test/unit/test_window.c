/* The window of one webhook: test_window_model.c plays it against a model. */
#include <string.h>

#include "test/lib/test.h"
#include "test/lib/webhook/windowed.h"

static struct window w;

static void window_add_all(struct window_entry *e)
{
	if (!e->has_row)
		w.read = e->position;
	window_add(&w, e, 0);
}

static struct window_entry *take_entry(int64_t seq)
{
	struct window_entry *e = window_take(&w);
	assert_non_null(e);
	assert_int_equal(e->position.seq, seq);
	return e;
}

/* Takes the next that has ended, and checks it. */
static void expect_ended(int64_t seq, enum window_end how, int64_t due_ms)
{
	struct window_entry *e = window_ended(&w);
	assert_non_null(e);
	assert_int_equal(e->position.seq, seq);
	assert_int_equal(e->end, how);
	if (due_ms)
		assert_int_equal(e->due_ms, due_ms);
	window_written(&w, e);
}

BEFORE_EACH()
{
	struct event_position read = windowed_position(0);

	window_init(&w, &read);
}

AFTER_EACH()
{
	window_free(&w);
}

/* What could not be written holds the position as before it was taken, and is returned again in order. */
TEST(test_put_back)
{
	struct window_entry *taken[2];

	for (int i = 1; i <= 4; i++)
		window_add_all(windowed_entry(i, i, i == 2, 0));
	for (int i = 1; i <= 3; i++)
		window_delivered(&w, take_entry(i));
	for (int i = 0; i < 2; i++)
		taken[i] = window_ended(&w);
	assert_int_equal(window_position(&w)->seq, 2);
	for (int i = 1; i >= 0; i--)
		window_put_back(&w, taken[i]);
	assert_int_equal(window_position(&w)->seq, 0);
	assert_int_equal(w.n_ended, 3);
	expect_ended(1, WINDOW_DELIVERED, 0);
	expect_ended(2, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 2);
	expect_ended(3, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 3);
}

/* The position goes no further than the oldest that is not done. */
TEST(test_position)
{
	struct window_entry *one, *two;

	window_add_all(windowed_entry(1, 1, false, 0));
	window_add_all(windowed_entry(2, 2, false, 0));
	w.read = windowed_position(9); /* 3 to 9 were none of its own */
	one = take_entry(1);
	two = take_entry(2);
	assert_null(window_take(&w));
	window_delivered(&w, two);
	expect_ended(2, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 0);
	window_delivered(&w, one);
	assert_int_equal(window_position(&w)->seq, 0); /* not yet in a batch */
	assert_false(window_empty(&w));
	expect_ended(1, WINDOW_DELIVERED, 0);
	assert_int_equal(window_position(&w)->seq, 9);
	assert_true(window_empty(&w));
	assert_int_equal(w.bytes, 0);
}

/* Later events of a record wait, are put off after a failure, and pass after three. */
TEST(test_order)
{
	struct window_entry *e;

	window_add_all(windowed_entry(1, 1, false, 0));
	window_add_all(windowed_entry(2, 1, false, 0));
	window_add_all(windowed_entry(3, 2, false, 0));
	e = take_entry(1);
	window_delivered(&w, take_entry(3));
	assert_null(window_take(&w));
	window_failed(&w, e, 1000, 5000);
	window_add_all(windowed_entry(4, 1, false, 0));
	expect_ended(3, WINDOW_DELIVERED, 0);
	expect_ended(1, WINDOW_RETRY, 6000);
	expect_ended(2, WINDOW_DEFERRED, 6000 + WINDOW_DEFER_MS);
	expect_ended(4, WINDOW_DEFERRED, 6000 + WINDOW_DEFER_MS);
	assert_int_equal(w.n_held, 3);

	window_add_all(windowed_entry(1, 1, true, 1)); /* due again */
	window_add_all(windowed_entry(2, 1, true, 0));
	window_add_all(windowed_entry(4, 1, true, 0));
	window_failed(&w, take_entry(1), 7000, 300000);
	expect_ended(1, WINDOW_RETRY, 307000);
	expect_ended(2, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);
	expect_ended(4, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);
	window_add_all(windowed_entry(2, 1, true, 0)); /* too early: it is blocked still */
	expect_ended(2, WINDOW_DEFERRED, 307000 + WINDOW_DEFER_MS);

	window_add_all(windowed_entry(1, 1, true, 2));
	window_add_all(windowed_entry(2, 1, true, 0));
	window_add_all(windowed_entry(4, 1, true, 0));
	window_failed(&w, take_entry(1), 308000, 1800000);
	expect_ended(1, WINDOW_RETRY, 2108000);
	window_delivered(&w, take_entry(2));
	window_add_all(windowed_entry(5, 1, false, 0)); /* after 4 */
	window_delivered(&w, take_entry(4));
	window_delivered(&w, take_entry(5));
	expect_ended(2, WINDOW_DELIVERED, 0);
	expect_ended(4, WINDOW_DELIVERED, 0);
	expect_ended(5, WINDOW_DELIVERED, 0);
	assert_int_equal(w.n_held, 0);
	window_add_all(windowed_entry(6, 1, false, 0));
	window_returned(&w, take_entry(6));
	window_delivered(&w, take_entry(6));
	expect_ended(6, WINDOW_DELIVERED, 0);
	assert_int_equal(w.n_with_row, 0);
}

TEST(test_exhausted)
{
	window_add_all(windowed_entry(1, 1, true, 9));
	window_add_all(windowed_entry(2, 1, false, 0));
	window_failed(&w, take_entry(1), 10, -1);
	expect_ended(1, WINDOW_FAILED, 0);
	window_delivered(&w, take_entry(2));
}

/* An entry that was not tried is the next one, before others that are ready. */
TEST(test_returned)
{
	for (int i = 1; i <= 3; i++)
		window_add_all(windowed_entry(i, i, false, 0));
	window_returned(&w, take_entry(1));
	for (int i = 1; i <= 3; i++)
		window_delivered(&w, take_entry(i));
}

/* However long ago a row was due: later ones wait until it was read, or was looked for and is gone. */
TEST(test_pause)
{
	enum { LATER = 10000000 };
	struct window_row doubts[4];

	windowed_hold(&w, 1, 1, 5);
	window_add(&w, windowed_entry(3, 1, true, 0), LATER);
	window_add(&w, windowed_entry(4, 1, false, 0), LATER);
	assert_null(window_take(&w));
	expect_ended(3, WINDOW_DEFERRED, LATER + WINDOW_DEFER_MS);
	expect_ended(4, WINDOW_DEFERRED, LATER + WINDOW_DEFER_MS);
	assert_int_equal(window_doubts(&w, doubts, 4), 1); /* 3 was read, so 1 should have been */
	assert_int_equal(doubts[0].position.seq, 1);
	assert_int_equal(w.n_held, 3);
	window_gone(&w, &doubts[0]);
	assert_int_equal(w.n_held, 2);
	assert_int_equal(window_doubts(&w, doubts, 4), 0);
	window_add(&w, windowed_entry(3, 1, true, 0), LATER);
	window_delivered(&w, take_entry(3));
}

/* A row that is there, and due later than was thought, is waited for until then: what it holds up is not written again
 * and again. */
TEST(test_clock_set_back)
{
	enum { LATER = 10000000, HOUR = 3600000 };
	struct window_row doubts[4];

	windowed_hold(&w, 1, 1, 5);
	window_add(&w, windowed_entry(3, 1, true, 0), LATER);
	expect_ended(3, WINDOW_DEFERRED, LATER + WINDOW_DEFER_MS);
	assert_int_equal(window_doubts(&w, doubts, 4), 1);
	window_still_due(&w, &doubts[0], LATER + HOUR);
	window_add(&w, windowed_entry(3, 1, true, 0), LATER);
	expect_ended(3, WINDOW_DEFERRED, LATER + HOUR + WINDOW_DEFER_MS);
	assert_int_equal(window_doubts(&w, doubts, 4), 0);
}

/* A row that was not yet written when the table was looked at is not missed there. */
TEST(test_unwritten)
{
	struct window_row doubts[4], own = {.record = windowed_record(1), .position = windowed_position(1)};
	struct window_entry *e;

	window_add_all(windowed_entry(1, 1, false, 0));
	window_failed(&w, take_entry(1), 0, 10);
	e = window_ended(&w);
	assert_null(window_ended(&w));
	window_put_back(&w, e); /* the webhook was locked */
	window_batch_written(&w);
	window_add(&w, windowed_entry(2, 1, true, 0), 20);
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
}

/* What is sent out of order neither waits for the others of its record nor holds them up, and has an order of its own.
 */
TEST(test_manual)
{
	struct window_entry *manual[2];

	windowed_hold(&w, 1, 1, 5000);
	for (int i = 0; i < 2; i++) {
		manual[i] = windowed_entry(2 + i, 1, true, 0);
		manual[i]->manual = true;
		window_add_all(manual[i]);
	}
	assert_ptr_equal(take_entry(2), manual[0]);
	assert_null(window_take(&w));
	window_failed(&w, manual[0], 0, 9000);
	expect_ended(2, WINDOW_RETRY, 9000);
	expect_ended(3, WINDOW_DEFERRED, 9000 + WINDOW_DEFER_MS);
	window_add_all(windowed_entry(1, 1, true, 1));
	window_add_all(windowed_entry(4, 1, false, 0));
	window_delivered(&w, take_entry(1));
	window_delivered(&w, take_entry(4));
	assert_int_equal(w.n_held, 2);
}

/* What lay in the database when the webhook was loaded. */
TEST(test_loaded)
{
	windowed_hold(&w, 2, 1, 5005);
	windowed_hold(&w, 1, 1, 5000);
	window_add_all(windowed_entry(3, 1, false, 0));
	expect_ended(3, WINDOW_DEFERRED, 5000 + WINDOW_DEFER_MS);
	window_add_all(windowed_entry(2, 1, true, 0));
	expect_ended(2, WINDOW_DEFERRED, 5000 + WINDOW_DEFER_MS);
	window_add_all(windowed_entry(1, 1, true, 1));
	window_add_all(windowed_entry(2, 1, true, 0));
	window_delivered(&w, take_entry(1));
	window_delivered(&w, take_entry(2));
}
