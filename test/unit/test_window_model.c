/* A webhook's window against a model of the database and a receiver that fails at random, with pauses and rows that
 * vanish: in every case a record's events are first tried in order, and all arrive. */
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"
#include "test/lib/webhook/windowed.h"
#include "webhook/schedule.h"

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
		window_add(&m->w, windowed_entry(best, m->record[best], true, m->rows[best].attempts), m->now);
	}
	while (m->w.n_live < ROOM && m->w.read.seq < EVENTS) {
		int64_t seq = m->w.read.seq + 1;
		m->w.read = windowed_position(seq);
		if (!m->rows[seq].there && !m->rows[seq].known)
			window_add(&m->w, windowed_entry(seq, m->record[seq], false, 0), m->now);
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
	struct event_position saved = windowed_position(m->saved);

	window_free(&m->w);
	window_init(&m->w, &saved);
	memset(m->flying, 0, sizeof m->flying);
	m->now += patience_chance(60000);
	for (int i = 1; i <= EVENTS; i++) {
		m->rows[i].here = false;
		if (m->rows[i].there && m->rows[i].attempts < WINDOW_HOLDING_ATTEMPTS)
			windowed_hold(&m->w, i, m->record[i], m->rows[i].due);
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
	struct event_position start = windowed_position(0);
	int steps = 0;

	window_init(&m->w, &start);
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

TEST(test_model)
{
	patience_seed(11);
	play_random(0, false);
	play_random(10, false);
	play_random(40, false);
	play_random(5, true);
	play_random(40, true);
}
