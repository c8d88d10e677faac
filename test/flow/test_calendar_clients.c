/* Calendars in programs that others wrote: ical.js, node-ical, libical and dateutil find the times that kith itself
 * computes for the usual rules and in the zones of the world. For random rules only dateutil does, because each of the
 * others has faults of its own in rules that nobody uses, such as BYSETPOS beside BYMINUTE. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/recurrence/expand.h"
#include "test/lib/flow.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/web.h"

enum { RANDOM_RULES = 300, TIMES = 12, ZONE_TIMES = 300, LINE_MAX_BYTES = 1024 };

RIG("calendar_clients");

static char directory[DIRECTORY_SIZE];
static const char *person, *usual_url, *random_url, *usual_path, *random_path;
static FILE *times_file;

/* Makes a reminder of the caller, and writes the first times that it has, with "..." behind them if there are more. The
 * rule has
 * "\n" between its lines, as in JSON. */
static void remind_by(struct caller *c, const char *rule, int most)
{
	const char *
	    body =
	       TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"%s\",\"visibility\":\"private\",\"recurrenceRule\":\"%s\"}",
	           person, strstr(rule, "RRULE"), rule),
	   *id = caller_good(caller_send(c, "POST", "/v1/reminders", NULL, body)).id;
	char *text = arena_dup(&ada.arena, rule, strlen(rule)), *escape = strstr(text, "\\n");
	struct recurrence_mark mark = {.known = false};
	int64_t at = INT64_C(-62000000000000);

	assert_non_null(escape);
	*escape = '\n';
	memmove(escape + 1, escape + 2, strlen(escape + 2) + 1);
	fprintf(times_file, "%s\t%s\t", id, rule);
	for (int i = 0; i <= most; i++) {
		enum recurrence_found found = recurrence_next(text, strlen(text), &mark, at, &at);
		while (found == RECURRENCE_TOO_LONG && mark.known)
			found = recurrence_next(text, strlen(text), &mark, at, &at);
		if (found != RECURRENCE_FOUND)
			break;
		if (i == most)
			fprintf(times_file, ",...");
		else
			fprintf(times_file, "%s%lld", i ? "," : "", (long long)at / 1000);
	}
	fprintf(times_file, "\n");
}

/* What people use, in zones that put the clock forward and back, or never. */
static void remind_usual(void)
{
	static const char *const zones[] = {"Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata"};
	static const char *const rules[] = {"COUNT=1", "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;COUNT=5",
	    "FREQ=DAILY;UNTIL=20260610", "FREQ=DAILY;UNTIL=20260610T090000", "FREQ=DAILY;UNTIL=20260610T070000Z",
	    "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
	    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=MONTHLY",
	    "FREQ=MONTHLY;BYMONTHDAY=15,-1", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=-1FR",
	    "FREQ=MONTHLY;BYDAY=2TU,4TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	    "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
	    "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1,7", "FREQ=DAILY;BYHOUR=9,17",
	    "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"};

	for (size_t z = 0; z < sizeof zones / sizeof *zones; z++)
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			remind_by(&ada, TEXT("DTSTART;TZID=%s:20260603T090000\\nRRULE:%s", zones[z], rules[i]), TIMES);
}

/* A third of the zones of the world, for 25 years. */
static void remind_zones(void)
{
	FILE *f = fopen("/usr/share/zoneinfo/zone1970.tab", "re");
	char line[LINE_MAX_BYTES];
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		const char *zone = *line == '#' ? NULL : strchr(line, '\t'); /* code, coordinates, zone */
		zone = zone ? strchr(zone + 1, '\t') : NULL;
		if (zone && n++ % 3 == 0)
			remind_by(&ada,
			    TEXT("DTSTART;TZID=%.*s:20150115T120000\\nRRULE:FREQ=MONTHLY;COUNT=%d",
			        (int)strcspn(zone + 1, "\t\n"), zone + 1, ZONE_TIMES),
			    ZONE_TIMES);
	}
	fclose(f);
	assert_true(n > 200);
}

static void remind_random(void)
{
	static const char *const maker[] = {"sh", "-c",
	    "python3 -c 'import dateutil' 2>/dev/null || PATH=/usr/bin:$PATH; exec python3 test/lib/recurrence.py "
	    "20261127 $0",
	    "300", NULL};
	int ends[2], lines = 0;
	char line[LINE_MAX_BYTES];
	FILE *f;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = child_start(&(struct child){.argv = maker, .out = ends[1]});
	close(ends[1]);
	f = fdopen(ends[0], "r");
	assert_non_null(f);
	for (; fgets(line, sizeof line, f); lines++) {
		line[strcspn(line, "\t")] = '\0';
		if (!strstr(line, "SECONDLY") &&
		    !strstr(line, "MINUTELY")) /* only their next time may be in a calendar */
			remind_by(&ben, line, TIMES);
	}
	fclose(f);
	assert_int_equal(child_wait(pid), 0);
	assert_int_equal(lines, RANDOM_RULES);
}

static const char *calendar_url(struct caller *c)
{
	struct caller_answer key = caller_good(caller_send(c, "POST", "/v1/keys", NULL, "{\"scopes\":[\"calendar\"]}"));
	const char *at = strstr(key.reply.body, "\"url\":\"");

	assert_non_null(at);
	at += strlen("\"url\":\"");
	return TEXT("%.*s", (int)strcspn(at, "\""), at);
}

BEFORE_ALL()
{
	usual_url = calendar_url(&ada);
	random_url = calendar_url(&ben);
	person = POST("{\"firstName\":\"Anna\"}", "/v1/people");
	assert_true(directory_make("calendar", directory));
	usual_path = TEXT("%s/usual", directory);
	random_path = TEXT("%s/random", directory);
	times_file = fopen(usual_path, "we");
	assert_non_null(times_file);
	remind_usual();
	remind_zones();
	fclose(times_file);
	times_file = fopen(random_path, "we");
	assert_non_null(times_file);
	remind_random();
	fclose(times_file);
}

AFTER_ALL()
{
	unlink(usual_path);
	unlink(random_path);
	rmdir(directory);
}

TEST(libical_and_dateutil_find_the_same_times)
{
	const char *const run[] = {
	    "/usr/bin/python3", "test/lib/ical_times.py", usual_url, usual_path, random_url, random_path, NULL};

	assert_int_equal(child_wait(child_start(&(struct child){.argv = run})), 0);
}

TEST(libraries_of_javascript_find_the_same_times)
{
	char *const more[] = {TEXT("KITH_CALENDAR=%s", usual_url), TEXT("KITH_TIMES=%s", usual_path), NULL};

	assert_int_equal(web_run("calendar.mjs", server, rig.ada.key, more), 0);
}
