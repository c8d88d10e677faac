/* The gate's verdict and position do not depend on how the input is split: in one piece, byte by byte, or with body
 * bytes skipped. */
#include <stdint.h>
#include <stdlib.h>

#include "server/http/gate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct gate_limits limits = {100, 1000};

struct outcome {
	size_t used;
	unsigned requests, verdict, status;
	uint64_t body;
};

/* Reads requests until one is refused or the bytes end. */
static struct outcome gate_outcome(const char *bytes, size_t size, size_t step)
{
	struct outcome o = {0, 0, GATE_MORE, 0, 0};
	struct gate g;

	gate_init(&g, &limits);
	while (o.used < size && g.verdict != GATE_REFUSED) {
		size_t n = step == 0 || step > size - o.used ? size - o.used : step,
		       used = step == 3 ? gate_skip(&g, n) : 0;
		if (used == 0)
			gate_feed(&g, bytes + o.used, n, &used);
		if (used > n || (g.verdict == GATE_MORE && step != 3 && used != n))
			abort();
		o.used += used;
		if (g.verdict == GATE_DONE) {
			o.requests++;
			o.body += g.body_len;
			gate_next(&g);
		}
	}
	o.verdict = g.verdict;
	o.status = g.status;
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome whole = gate_outcome((const char *)data, size, 0);

	for (size_t step = 1; step < 8; step += 2) {
		struct outcome other = gate_outcome((const char *)data, size, step);
		if (other.used != whole.used || other.requests != whole.requests || other.verdict != whole.verdict ||
		    other.status != whole.status || other.body != whole.body)
			abort();
	}
	return 0;
}
