/* Counts durations; see histogram.h. */
#include "histogram.h"

const int64_t histogram_bounds_us[HISTOGRAM_BOUNDS] = {
    1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000, 1000000, 2500000, 5000000, 10000000};

uint64_t histogram_count(const struct histogram *h)
{
	uint64_t n = 0;

	for (int i = 0; i <= HISTOGRAM_BOUNDS; i++)
		n += h->counts[i];
	return n;
}
