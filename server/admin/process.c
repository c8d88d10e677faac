/* The metrics of the process, as the system reports them. */
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/admin/admin_private.h"
#include "server/admin/metric.h"

static int64_t timeval_us(const struct timeval *t)
{
	return (int64_t)t->tv_sec * 1000000 + t->tv_usec;
}

/* Sizes in pages: total and resident. */
static void process_memory(struct metric_out *m)
{
	FILE *f = fopen("/proc/self/statm", "r");
	char line[128] = "", *rest;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), all, resident;

	if (!f)
		return;
	all = fgets(line, sizeof line, f) ? strtoull(line, &rest, 10) : 0;
	resident = all ? strtoull(rest, NULL, 10) : 0;
	fclose(f);
	metric_begin(m, METRIC_RESIDENT);
	metric_int(m, resident * page, NULL);
	metric_begin(m, METRIC_VIRTUAL);
	metric_int(m, all * page, NULL);
}

static void process_descriptors(struct metric_out *m)
{
	DIR *dir = opendir("/proc/self/fd");
	struct rlimit limit;
	uint64_t n = 0;

	if (!dir)
		return;
	while (readdir(dir))
		n++;
	closedir(dir);
	metric_begin(m, METRIC_OPEN_FDS);
	metric_int(m, n > 3 ? n - 3 : 0, NULL); /* ".", ".." and the descriptor that reads the directory */
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	metric_begin(m, METRIC_MAX_FDS);
	metric_int(m, limit.rlim_cur, NULL);
}

static void process_heap(struct metric_out *m)
{
#ifdef __GLIBC__
	struct mallinfo2 heap = mallinfo2();

	metric_begin(m, METRIC_HEAP);
	metric_int(m, heap.uordblks + heap.hblkhd, METRIC_VALUES("used"));
	metric_int(m, heap.fordblks, METRIC_VALUES("free"));
#else
	(void)m;
#endif
}

void admin_process(const struct admin *a, struct metric_out *m)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		metric_begin(m, METRIC_CPU);
		metric_seconds(m, timeval_us(&usage.ru_utime) + timeval_us(&usage.ru_stime), NULL);
	}
	metric_begin(m, METRIC_STARTED);
	metric_seconds(m, a->started_ms * 1000, NULL);
	process_memory(m);
	process_heap(m);
	process_descriptors(m);
	metric_begin(m, METRIC_LOOP_DELAY);
	metric_histogram(m, &a->loop_delays, NULL);
}
