/* Deviations, and the times in which requests may fail. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/soak/soak.h"

/* Around a fault: a request that began before it; until everything works again. Promised is a second and a half, on a
 * machine that does nothing else. */
enum { BEFORE_MS = 500, AFTER_MS = 6000, OUTAGES_MAX = 10000, KINDS_MAX = 64, SHOWN = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct outage {
	int64_t from_ms, to_ms; /* to_ms 0: it goes on */
	bool crash;
} outages[OUTAGES_MAX];
static int n_outages;
static struct finding {
	char kind[48];
	int n;
} kinds[KINDS_MAX];
static int n_findings;

/* --- findings --------------------------------------------------------------------------------------- */

/* How many of its kind there were before. */
static int finding_number(const char *kind)
{
	int i = 0;

	while (i < KINDS_MAX - 1 && kinds[i].n && strcmp(kinds[i].kind, kind) != 0)
		i++;
	snprintf(kinds[i].kind, sizeof kinds[i].kind, "%s", kind);
	n_findings++;
	return kinds[i].n++;
}

void finding_add(const char *kind, const char *format, ...)
{
	char text[2048], at[TIME_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	pthread_mutex_lock(&lock);
	if (finding_number(kind) < SHOWN)
		fprintf(stderr, "soak: FOUND %s %s: %s\n", time_format(clock_now_ms(), at), kind, text);
	pthread_mutex_unlock(&lock);
}

int finding_count(void)
{
	pthread_mutex_lock(&lock);
	int n = n_findings;
	pthread_mutex_unlock(&lock);
	return n;
}

void finding_print(void)
{
	for (int i = 0; i < KINDS_MAX && kinds[i].n; i++)
		printf("soak: found: %s: %d\n", kinds[i].kind, kinds[i].n);
}

/* --- outages ------------------------------------------------------------------------------------------- */

void outage_begin(void)
{
	pthread_mutex_lock(&lock);
	if (n_outages < OUTAGES_MAX)
		outages[n_outages++] = (struct outage){.from_ms = clock_now_ms()};
	pthread_mutex_unlock(&lock);
}

void outage_end(void)
{
	pthread_mutex_lock(&lock);
	if (n_outages)
		outages[n_outages - 1].to_ms = clock_now_ms();
	pthread_mutex_unlock(&lock);
}

void outage_of_crash(void)
{
	pthread_mutex_lock(&lock);
	if (n_outages)
		outages[n_outages - 1].crash = true;
	pthread_mutex_unlock(&lock);
}

static bool outage_any(int64_t from_ms, int64_t to_ms, bool crash)
{
	bool any = false;

	pthread_mutex_lock(&lock);
	for (int i = n_outages - 1; i >= 0 && !any; i--)
		any = to_ms >= outages[i].from_ms - BEFORE_MS &&
		      (!outages[i].to_ms || from_ms <= outages[i].to_ms + AFTER_MS) && (outages[i].crash || !crash);
	pthread_mutex_unlock(&lock);
	return any;
}

bool outage_between(int64_t from_ms, int64_t to_ms)
{
	return outage_any(from_ms, to_ms, false);
}

bool outage_crash_between(int64_t from_ms, int64_t to_ms)
{
	return outage_any(from_ms, to_ms, true);
}

int outage_count(void)
{
	pthread_mutex_lock(&lock);
	int n = n_outages;
	pthread_mutex_unlock(&lock);
	return n;
}

void outage_store(void)
{
	for (int i = 0; i < n_outages; i++)
		rig_int(&soak.rig,
		    "with o as (insert into soak.outages values (%lld, %lld) returning 1) select count(*) from o",
		    (long long)outages[i].from_ms, (long long)outages[i].to_ms);
}
