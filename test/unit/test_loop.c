/* The event loop's queue of slices: how many run in a turn, and in which order. */
#include "server/base/loop.h"
#include "test/lib/test.h"

enum { A = 1, B, C, PIECES = 3, WORKS = 5 };

static struct loop *loop;
static char order[64];
static int n_order, in_turn, most_in_turn, left;

struct loop_work {
	struct loop_slice slice;
	int pieces;
};

static void one_piece(void *ctx)
{
	struct loop_work *w = ctx;

	order[n_order++] = (char)('@' + w->slice.party.b[15]);
	in_turn++;
	if (--w->pieces > 0)
		loop_slice_later(loop, &w->slice);
	else if (--left == 0)
		loop_stop(loop);
}

static void other_work(void *ctx)
{
	(void)ctx;
	fail_msg("it was taken off the queue");
}

static void turn_end(void *ctx)
{
	(void)ctx;
	most_in_turn = in_turn > most_in_turn ? in_turn : most_in_turn;
	in_turn = 0;
}

/* One slice per turn. The parties take turns, however much work each has. */
TEST(test_slices)
{
	static const int parties[WORKS] = {A, A, A, B, C};
	struct loop_slice gone = {.fn = other_work};
	struct loop_work works[WORKS];

	loop = loop_new();
	loop_at_turn_end(loop, turn_end, NULL);
	for (int i = 0; i < WORKS; i++) {
		works[i] = (struct loop_work){.pieces = PIECES, .slice = {.fn = one_piece, .ctx = &works[i]}};
		works[i].slice.party.b[15] = (unsigned char)parties[i];
		loop_slice_later(loop, &works[i].slice);
	}
	loop_slice_later(loop, &gone);
	assert_ptr_equal(loop_slice_take(loop, other_work), &gone);
	assert_null(loop_slice_take(loop, other_work));
	left = WORKS;
	loop_run(loop);
	assert_int_equal(most_in_turn, 1);
	assert_string_equal(order, "ABCABCABCAAAAAA");
	loop_free(loop);
}
