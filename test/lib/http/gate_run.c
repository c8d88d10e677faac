#include "test/lib/http/gate_run.h"
#include "test/lib/test.h"

#include <stdlib.h>
#include <string.h>

const struct gate_limits gate_run_limits = {1000, 5000};

/* The same pieces in each run. */
static size_t next_random(void)
{
	static unsigned long state = 1;

	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return state >> 40;
}

/* Copies each piece to a block of its own, so that AddressSanitizer reports reads beyond it. */
struct result gate_run(const char *bytes, size_t len, enum gate_cut cut)
{
	struct result r = {GATE_MORE, 0, 0, {0}};
	struct gate g;
	size_t at = 0;

	gate_init(&g, &gate_run_limits);
	while (at < len && r.verdict == GATE_MORE) {
		size_t n = cut == WHOLE ? len - at : cut == BYTEWISE ? 1 : 1 + next_random() % 40, used;
		if (n > len - at)
			n = len - at;
		char *piece = malloc(n);
		assert_non_null(piece);
		memcpy(piece, bytes + at, n);
		r.verdict = gate_feed(&g, piece, n, &used);
		free(piece);
		assert_true(used <= n);
		assert_true(r.verdict != GATE_MORE || used == n);
		at += used;
	}
	r.used = at;
	r.status = r.verdict == GATE_REFUSED ? g.status : 0;
	r.gate = g;
	return r;
}

struct result gate_run_all_ways(const char *name, const char *bytes, size_t len)
{
	struct result whole = gate_run(bytes, len, WHOLE);

	for (int i = 0; i < 9; i++) {
		struct result other = gate_run(bytes, len, i == 0 ? BYTEWISE : RANDOM);
		if (other.verdict != whole.verdict || other.status != whole.status || other.used != whole.used ||
		    other.gate.body_len != whole.gate.body_len || other.gate.head_len != whole.gate.head_len)
			fail_msg("%s: cut %d: verdict %d status %d used %zu, in one piece %d %d %zu", name, i,
			    other.verdict, other.status, other.used, whole.verdict, whole.status, whole.used);
	}
	if (whole.verdict == GATE_REFUSED)
		assert_non_null(whole.gate.message);
	return whole;
}
