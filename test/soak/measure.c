/* What a server and the database use: memory, descriptors, connections, things to do. Sampled during the load; at the
 * end the later part of each server's life must not need more than the earlier one. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/soak/soak_log.h"
#include "test/soak/soak.h"

/* A life shorter than that is not judged; memory is warm after that. */
enum { PERIOD_MS = 2000, LIFE_MS = 120 * 1000, WARM_MS = 40 * 1000, SAMPLES_MAX = 20000 };
/* How much the later third of a life may need beyond the earlier one. */
enum { MORE_KB = 4096, MORE_PERCENT = 10, MORE_DESCRIPTORS = 8, MORE_CONNECTIONS = 8 };

struct measurement {
	int64_t at_ms;
	int server, generation;
	long rss_kb, descriptors, connections, todo;
};

static struct measurement samples[SAMPLES_MAX];
static int n_samples;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static atomic_bool ended;

/* --- sampling ------------------------------------------------------------------------------------------ */

static long resident_kb(pid_t pid)
{
	char path[64], line[256] = "";
	long pages = 0;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	FILE *f = fopen(path, "r");
	if (f && fgets(line, sizeof line, f)) {
		const char *second = strchr(line, ' ');
		pages = second ? strtol(second, NULL, 10) : 0;
	}
	if (f)
		fclose(f);
	return pages * 4;
}

static long descriptors_of(pid_t pid)
{
	char path[64];
	long n = 0;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* What background work has before it. */
static const char todo[] =
    "select (select count(*) from groups where removed_at is not null) + (select count(*) from object_types where "
    "removed_at is not null) + (select count(*) from custom_fields where removed_at is not null or options_removed_at "
    "is not null) + (select count(*) from contacts_gone) + (select count(*) from webhooks_gone) + (select count(*) "
    "from webhook_repeats)";

static void measure_all(void)
{
	int64_t connections = -1, work = -1;
	char error[256];

	database_try(soak.rig.program,
	    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
	    &connections, error);
	database_try(soak.rig.program, todo, &work, error);
	for (int i = 0; i < SOAK_SIDES; i++) {
		pid_t pid = side_pid(i);
		struct measurement s = {.at_ms = clock_now_ms(),
		    .server = i,
		    .generation = side_generation(i),
		    .rss_kb = pid ? resident_kb(pid) : 0,
		    .descriptors = pid ? descriptors_of(pid) : 0,
		    .connections = (long)connections,
		    .todo = (long)work};
		pthread_mutex_lock(&lock);
		if (s.rss_kb && n_samples < SAMPLES_MAX)
			samples[n_samples++] = s;
		pthread_mutex_unlock(&lock);
	}
}

static void *measure_on(void *unused)
{
	while (!atomic_load(&ended)) {
		measure_all();
		log_read_on();
		for (int i = 0; i < PERIOD_MS / 100 && !atomic_load(&ended); i++)
			soak_pause(100);
	}
	return unused;
}

void measure_begin(void)
{
	pthread_create(&thread, NULL, measure_on, NULL);
}

void measure_line(char *out, size_t size)
{
	const struct measurement *last[SOAK_SIDES] = {0};

	pthread_mutex_lock(&lock);
	for (int i = 0; i < n_samples; i++)
		last[samples[i].server] = &samples[i];
	snprintf(out, size, "memory %ld + %ld KB, descriptors %ld + %ld, connections %ld, to do %ld",
	    last[0] ? last[0]->rss_kb : 0, last[1] ? last[1]->rss_kb : 0, last[0] ? last[0]->descriptors : 0,
	    last[1] ? last[1]->descriptors : 0, last[1] ? last[1]->connections : 0, last[1] ? last[1]->todo : 0);
	pthread_mutex_unlock(&lock);
}

/* --- judging ------------------------------------------------------------------------------------------- */

static int compare_long(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

enum measured { RSS, DESCRIPTORS, CONNECTIONS };

static long value_of(const struct measurement *s, enum measured what)
{
	return what == RSS ? s->rss_kb : what == DESCRIPTORS ? s->descriptors : s->connections;
}

/* The median between two times of a server's life; -1: nothing was measured. */
static long life_median(int server, int generation, int64_t from_ms, int64_t to_ms, enum measured what)
{
	static long values[SAMPLES_MAX];
	size_t n = 0;

	for (int i = 0; i < n_samples; i++)
		if (samples[i].server == server && samples[i].generation == generation && samples[i].at_ms >= from_ms &&
		    samples[i].at_ms <= to_ms && value_of(&samples[i], what) >= 0)
			values[n++] = value_of(&samples[i], what);
	if (!n)
		return -1;
	qsort(values, n, sizeof *values, compare_long);
	return values[n / 2];
}

static void judge_life(int server, int generation, int64_t began_ms, int64_t ended_ms)
{
	static const struct {
		const char *name;
		long more, percent;
	} rules[] = {[RSS] = {"memory (KB)", MORE_KB, MORE_PERCENT},
	    [DESCRIPTORS] = {"descriptors", MORE_DESCRIPTORS, 0},
	    [CONNECTIONS] = {"connections of PostgreSQL", MORE_CONNECTIONS, 0}};
	int64_t from_ms = began_ms + WARM_MS, third = (ended_ms - from_ms) / 3;

	for (enum measured what = RSS; what <= CONNECTIONS; what++) {
		long first = life_median(server, generation, from_ms, from_ms + third, what),
		     last = life_median(server, generation, ended_ms - third, ended_ms, what);
		printf("soak: server %d for %lld s: %s %ld, later %ld (%+.1f a minute)\n", server,
		    (long long)(ended_ms - began_ms) / 1000, rules[what].name, first, last,
		    (double)(last - first) * 60000 / (double)(2 * third));
		if (last > first + rules[what].more + first * rules[what].percent / 100)
			finding_add("growth", "server %d: %s grew from %ld to %ld in %lld s", server, rules[what].name,
			    first, last, (long long)(ended_ms - from_ms) / 1000);
	}
}

void measure_end(void)
{
	int lives = 0;

	atomic_store(&ended, true);
	pthread_join(thread, NULL);
	for (int server = 0; server < SOAK_SIDES; server++)
		for (int generation = 1; generation <= side_generation(server); generation++) {
			int64_t began_ms = 0, ended_ms = 0;
			for (int i = 0; i < n_samples; i++)
				if (samples[i].server == server && samples[i].generation == generation) {
					began_ms = began_ms ? began_ms : samples[i].at_ms;
					ended_ms = samples[i].at_ms;
				}
			if (ended_ms - began_ms >= LIFE_MS) {
				judge_life(server, generation, began_ms, ended_ms);
				lives++;
			}
		}
	if (!lives)
		printf("soak: no server lived for %d s: memory was not judged\n", LIFE_MS / 1000);
}
