/* Counts durations by size, in the form that Prometheus reads. */
#ifndef KITH_SERVER_BASE_HISTOGRAM_H
#define KITH_SERVER_BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 13 };

/* Microseconds, ascending. */
extern const int64_t histogram_bounds_us[HISTOGRAM_BOUNDS];

struct histogram {
	/* Durations up to each bound and above the previous bound; at the end, longer ones. */
	uint64_t counts[HISTOGRAM_BOUNDS + 1];
	uint64_t sum_us;
};

static inline void histogram_add(struct histogram *h, int64_t us)
{
	int i = 0;

	while (i < HISTOGRAM_BOUNDS && us > histogram_bounds_us[i])
		i++;
	h->counts[i]++;
	h->sum_us += us > 0 ? (uint64_t)us : 0;
}

/* The number of durations. */
uint64_t histogram_count(const struct histogram *h);

#endif
