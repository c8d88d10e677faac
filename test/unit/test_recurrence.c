/* Recurrence rules: texts and times by hand, 2,000 rules against another implementation, bounded work. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/recurrence/expand.h"
#include "server/recurrence/zone.h"
#include "test/lib/server/child.h"
#include "test/lib/test.h"

static int64_t time_at(const char *text)
{
	int64_t ms;

	if (!time_parse(text, strlen(text), &ms))
		fail_msg("not a time: %s", text);
	return ms;
}

TEST(test_texts)
{
	static const struct {
		const char *text;
		bool valid;
	} rows[] = {
	    {"DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;TZID=Europe/Berlin:20260101T090000\r\nRRULE:FREQ=DAILY\r\n", true},
	    {"DTSTART;TZID=\"Europe/Berlin\":20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;VALUE=DATE-TIME;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"dtstart;tzid=Europe/Berlin:20260101T090000\nrrule:freq=daily;byday=mo", true},
	    {"DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY", true},
	    {"DTSTART:20260101T090000Z\nRRULE:COUNT=1", true},
	    {"DTSTART:20260101T090000Z\nRRULE:COUNT=2", false},
	    {"DTSTART:20260101T090000Z\nRRULE:INTERVAL=2", false},
	    {"DTSTART:20260101T090000Z\nRRULE:COUNT=1;INTERVAL=1", false},
	    {"DTSTART:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Europe/Berlin:20260101T090000Z\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Mars/Olympus:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=../zoneinfo/UTC:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=/etc/localtime:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Europe:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=America/Argentina/Buenos_Aires:20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;TZID=America//Argentina///Buenos_Aires:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Europe/Berlin/:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Europe/./Berlin:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=Europe/../Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=europe/berlin:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=posix/Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=right/Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=localtime:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=GB-Eire:20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;TZID=Etc/GMT+5:20260101T090000\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;TZID=tzdata.zi:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTARTS;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC;X=Y:20260101T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC:20260230T090000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC:20260101T240000\nRRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC:20260101T235960\nRRULE:FREQ=DAILY", true},
	    {"DTSTART;TZID=UTC:20260101T0900\nRRULE:FREQ=DAILY", false},
	    {"RRULE:FREQ=DAILY", false},
	    {"DTSTART;TZID=UTC:20260101T090000", false},
	    {"DTSTART;TZID=UTC:20260101T090000\n", false},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:", false},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY;", false},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY;;COUNT=3", false},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY\nEXDATE:20260102T090000Z", false},
	    {"RRULE:FREQ=DAILY\nDTSTART;TZID=UTC:20260101T090000", false},
	    {"", false},
	    {"every day", false},
	};
	static const struct {
		const char *rule;
		bool valid;
	} rules[] = {
	    {"FREQ=NEVER", false},
	    {"FREQ=DAILYX", false},
	    {"FREQ=", false},
	    {"FREQ=DAILY;FREQ=DAILY", false},
	    {"COUNT=3;FREQ=DAILY", true},
	    {"FREQ=DAILY;INTERVAL=0", false},
	    {"FREQ=DAILY;INTERVAL=-1", false},
	    {"FREQ=DAILY;INTERVAL=999999999", true},
	    {"FREQ=DAILY;INTERVAL=1000000000", false},
	    {"FREQ=DAILY;COUNT=0", false},
	    {"FREQ=DAILY;COUNT=1.5", false},
	    {"FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z", false},
	    {"FREQ=DAILY;UNTIL=20270101T000000Z", true},
	    {"FREQ=DAILY;UNTIL=20270101T000000", true},
	    {"FREQ=DAILY;UNTIL=20270101", true},
	    {"FREQ=DAILY;UNTIL=20270132", false},
	    {"FREQ=DAILY;UNTIL=", false},
	    {"FREQ=WEEKLY;BYDAY=MO,", false},
	    {"FREQ=WEEKLY;BYDAY=,MO", false},
	    {"FREQ=WEEKLY;BYDAY=XX", false},
	    {"FREQ=WEEKLY;BYDAY=1MO", false},
	    {"FREQ=MONTHLY;BYDAY=+1MO,-1FR", true},
	    {"FREQ=MONTHLY;BYDAY=0MO", false},
	    {"FREQ=MONTHLY;BYDAY=54MO", false},
	    {"FREQ=YEARLY;BYDAY=53MO", true},
	    {"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", true},
	    {"FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", false},
	    {"FREQ=MONTHLY;BYWEEKNO=20", false},
	    {"FREQ=YEARLY;BYWEEKNO=54", false},
	    {"FREQ=YEARLY;BYWEEKNO=0", false},
	    {"FREQ=MONTHLY;BYYEARDAY=1", false},
	    {"FREQ=YEARLY;BYYEARDAY=-366", true},
	    {"FREQ=YEARLY;BYYEARDAY=367", false},
	    {"FREQ=WEEKLY;BYMONTHDAY=1", false},
	    {"FREQ=MONTHLY;BYMONTHDAY=32", false},
	    {"FREQ=MONTHLY;BYMONTHDAY=0", false},
	    {"FREQ=YEARLY;BYMONTH=13", false},
	    {"FREQ=YEARLY;BYMONTH=-1", false},
	    {"FREQ=DAILY;BYHOUR=24", false},
	    {"FREQ=DAILY;BYHOUR=0,23", true},
	    {"FREQ=DAILY;BYMINUTE=60", false},
	    {"FREQ=DAILY;BYSECOND=60", true},
	    {"FREQ=DAILY;BYSECOND=61", false},
	    {"FREQ=MONTHLY;BYSETPOS=1", false},
	    {"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1", true},
	    {"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", false},
	    {"FREQ=DAILY;WKST=SU", true},
	    {"FREQ=DAILY;WKST=1SU", false},
	    {"FREQ=DAILY;X-OWN=1", false},
	    {"RSCALE=CHINESE;FREQ=YEARLY", false},
	    {" FREQ=DAILY", false},
	};
	struct recurrence r;
	char text[256];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (recurrence_parse(&r, rows[i].text, strlen(rows[i].text)) != rows[i].valid)
			fail_msg("%s", rows[i].text);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		snprintf(text, sizeof text, "DTSTART;TZID=UTC:20260101T090000\nRRULE:%s", rules[i].rule);
		if (recurrence_parse(&r, text, strlen(text)) != rules[i].valid)
			fail_msg("%s", rules[i].rule);
	}
	assert_false(recurrence_parse(&r, "DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY\0", 45));
}

/* The occurrences after an instant, up to four; "" ends the list: no more. */
TEST(test_times)
{
	static const struct {
		const char *text, *after, *next[4];
	} rows[] = {
	    {"DTSTART;TZID=Europe/Berlin:20260327T090000\nRRULE:FREQ=DAILY", "2026-03-28T08:00:00Z",
	        {"2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"}},
	    /* in the gap: read with the offset before it */
	    {"DTSTART;TZID=Europe/Berlin:20260328T023000\nRRULE:FREQ=DAILY", "2026-03-28T01:30:00Z",
	        {"2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"}},
	    /* twice: the first of both */
	    {"DTSTART;TZID=Europe/Berlin:20261024T023000\nRRULE:FREQ=DAILY", "2026-10-24T00:30:00Z",
	        {"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}},
	    /* the hour that is skipped and the next one are the same instant */
	    {"DTSTART;TZID=America/New_York:20260308T003000\nRRULE:FREQ=HOURLY", "2026-03-08T05:30:00Z",
	        {"2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z", "2026-03-08T08:30:00Z"}},
	    /* skipped times fall between those after the gap, in order */
	    {"DTSTART;TZID=Europe/Berlin:20260329T015000\nRRULE:FREQ=MINUTELY;INTERVAL=25", "2026-03-29T00:50:00Z",
	        {"2026-03-29T01:05:00Z", "2026-03-29T01:15:00Z", "2026-03-29T01:30:00Z", "2026-03-29T01:40:00Z"}},
	    /* a day that a zone never had */
	    {"DTSTART;TZID=Pacific/Apia:20111229T120000\nRRULE:FREQ=DAILY", "2011-12-28T22:00:00Z",
	        {"2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z", "2011-12-31T22:00:00Z"}},
	    /* years after the zone's last listed change */
	    {"DTSTART;TZID=Europe/Berlin:20260701T120000\nRRULE:FREQ=MONTHLY;INTERVAL=6", "2090-01-02T00:00:00Z",
	        {"2090-07-01T10:00:00Z", "2091-01-01T11:00:00Z"}},
	    {"DTSTART:20260101T090000Z\nRRULE:COUNT=1", "2026-01-01T08:59:59.999Z", {"2026-01-01T09:00:00Z", ""}},
	    {"DTSTART:20260101T090000Z\nRRULE:COUNT=1", "2026-01-01T09:00:00Z", {""}},
	    {"DTSTART;TZID=UTC:20260131T090000\nRRULE:FREQ=MONTHLY;COUNT=3", "2025-01-01T00:00:00Z",
	        {"2026-01-31T09:00:00Z", "2026-03-31T09:00:00Z", "2026-05-31T09:00:00Z", ""}},
	    {"DTSTART;TZID=UTC:20240229T090000\nRRULE:FREQ=YEARLY", "2026-01-01T00:00:00Z",
	        {"2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z"}},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260103T090000Z", "2026-01-02T00:00:00Z",
	        {"2026-01-02T09:00:00Z", "2026-01-03T09:00:00Z", ""}},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260103", "2026-01-02T00:00:00Z",
	        {"2026-01-02T09:00:00Z", "2026-01-03T09:00:00Z", ""}},
	    /* the last weekday of a month */
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	        "2026-01-01T00:00:00Z", {"2026-01-30T09:00:00Z", "2026-02-27T09:00:00Z", "2026-03-31T09:00:00Z"}},
	    /* numbered and plain days together */
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=MONTHLY;BYDAY=1MO,FR;COUNT=3", "2026-01-01T00:00:00Z",
	        {"2026-01-02T09:00:00Z", "2026-01-05T09:00:00Z", "2026-01-09T09:00:00Z", ""}},
	    /* only a week's number: the weekday of the start */
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=20", "2026-01-01T00:00:00Z",
	        {"2026-05-14T09:00:00Z", "2027-05-20T09:00:00Z"}},
	    /* days of December that belong to the first week of a year with 52 and with 53 weeks, counted from its end
	     */
	    {"DTSTART;TZID=UTC:20240101T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=-52;BYDAY=MO", "2024-06-01T00:00:00Z",
	        {"2024-12-30T09:00:00Z", "2026-01-05T09:00:00Z"}},
	    {"DTSTART;TZID=UTC:20240101T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO", "2024-06-01T00:00:00Z",
	        {"2025-12-29T09:00:00Z", "2031-12-29T09:00:00Z"}},
	    {"DTSTART;TZID=UTC:19970805T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
	        "1997-01-01T00:00:00Z",
	        {"1997-08-05T09:00:00Z", "1997-08-10T09:00:00Z", "1997-08-19T09:00:00Z", "1997-08-24T09:00:00Z"}},
	    {"DTSTART;TZID=UTC:19970805T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
	        "1997-01-01T00:00:00Z",
	        {"1997-08-05T09:00:00Z", "1997-08-17T09:00:00Z", "1997-08-19T09:00:00Z", "1997-08-31T09:00:00Z"}},
	    {"DTSTART;TZID=UTC:20260101T090000\nRRULE:FREQ=SECONDLY;INTERVAL=2;BYSECOND=0,1", "2026-01-01T09:00:00Z",
	        {"2026-01-01T09:01:00Z", "2026-01-01T09:02:00Z"}},
	    {"DTSTART;TZID=UTC:00010101T000000\nRRULE:FREQ=SECONDLY", "2026-01-01T00:00:00Z", {"2026-01-01T00:00:01Z"}},
	    {"DTSTART;TZID=UTC:20260101T000000\nRRULE:FREQ=SECONDLY;COUNT=900000000", "2050-01-01T00:00:00.5Z",
	        {"2050-01-01T00:00:01Z"}},
	    {"DTSTART;TZID=UTC:99991231T000000\nRRULE:FREQ=DAILY", "2026-01-01T00:00:00Z",
	        {"9999-12-31T00:00:00Z", ""}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t after = time_at(rows[i].after), next;
		struct recurrence_mark mark = {.known = false};
		for (int k = 0; k < 4 && rows[i].next[k]; k++) {
			char text[TIME_TEXT_SIZE] = "";
			if (recurrence_next(rows[i].text, strlen(rows[i].text), &mark, after, &next) ==
			    RECURRENCE_FOUND)
				time_format(next, text);
			if (!*rows[i].next[k] && !*text)
				break;
			if (!*rows[i].next[k] || !*text || next != time_at(rows[i].next[k]))
				fail_msg("%s: time %d is \"%s\", not \"%s\"", rows[i].text, k, text, rows[i].next[k]);
			after = next;
		}
	}
}

/* However often zones are looked up, in whatever spelling, all of the system's remain available. */
TEST(test_zones)
{
	static const char base[] = "America/Argentina/Buenos_Aires";
	size_t n = zone_read_all();
	char name[64];
	int asked = 0;

	assert_in_range(n, 300, 1500);
	for (int i = 1; i < 32; i++)
		for (int k = 1; k < 32; k++)
			if (snprintf(name, sizeof name, "America%.*sArgentina%.*sBuenos_Aires", i,
			        "////////////////////////////////", k, "////////////////////////////////") < 64) {
				assert_true((zone_find(name, strlen(name)) != NULL) == (i == 1 && k == 1));
				asked++;
			}
	assert_true(asked > 400);
	assert_int_equal(zone_read_all(), n);
	assert_ptr_equal(zone_find(base, strlen(base)), zone_find(base, strlen(base)));
	assert_non_null(zone_find("Europe/Paris", 12));
	assert_non_null(zone_find("GB", 2)); /* a link */
}

#define ALL_HOURS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"
#define ALL_MINUTES                                                                                                    \
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,"  \
	"39,"                                                                                                          \
	"40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59"

#define SIXTY                                                                                                          \
	"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,"                            \
	"31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60"

/* What a rule that is given now is: refused, over, or with a time; none costs more than the others' work. */
TEST(test_start)
{
	static const struct {
		const char *start, *rule;
		enum { REFUSED, PASSED, COMES } is;
	} rows[] = {
	    /* no time at all */
	    {"20260101T000000Z", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", REFUSED},
	    {"20260101T000000Z", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", REFUSED},
	    {"20260101T000000Z", "FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31", REFUSED},
	    {"20260101T000000Z", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", REFUSED},
	    {"20260101T000000Z", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYDAY=MO", REFUSED},
	    {"20260101T000000Z", "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", REFUSED},
	    {"20260101T000000Z", "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=3", REFUSED},
	    {"20260101T000000Z", "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", REFUSED},
	    {"20260101T000000Z", "FREQ=MINUTELY;INTERVAL=7;BYHOUR=3;BYMONTH=2;BYMONTHDAY=30", REFUSED},
	    {"20260101T000000Z", "FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=2", REFUSED},
	    {"20260101T000000Z", "FREQ=DAILY;UNTIL=20251231T000000Z", REFUSED},
	    /* too far to count */
	    {"19980601T000000Z", "FREQ=HOURLY;COUNT=999999999;BYMINUTE=" ALL_MINUTES ";BYSETPOS=" SIXTY, REFUSED},
	    {"17000101T000000Z",
	        "FREQ=DAILY;COUNT=999999999;BYHOUR=" ALL_HOURS ";BYMINUTE=0,1,2,3,4;BYSETPOS=1,2,3,4,5,6,7,8,9",
	        REFUSED},
	    {"00010101T000000Z", "FREQ=MINUTELY;COUNT=999999999;BYSECOND=" ALL_MINUTES ";BYSETPOS=1,2,3,4", REFUSED},
	    {"00010101T000000Z", "FREQ=DAILY;COUNT=999999999;BYDAY=MO,TU", REFUSED},
	    {"00010101T000000Z", "FREQ=MINUTELY;INTERVAL=7;COUNT=999999999;BYDAY=MO,TU", REFUSED},
	    /* those that need no counting, or can be counted by the day */
	    {"00010101T000000Z", "FREQ=DAILY;BYDAY=MO,TU", COMES},
	    {"00010101T000000Z", "FREQ=MINUTELY;INTERVAL=7;BYSECOND=" ALL_MINUTES ";BYSETPOS=1,2,3,4", COMES},
	    {"00010101T000000Z", "FREQ=DAILY;COUNT=999999999", COMES},
	    {"00010101T000000Z", "FREQ=MINUTELY;INTERVAL=7;COUNT=999999999", COMES},
	    {"20260101T000000Z", "FREQ=MINUTELY;COUNT=1000000;BYDAY=MO,TU,WE,TH,FR", COMES},
	    {"20200101T000000Z", "FREQ=SECONDLY;COUNT=999999999;BYDAY=MO,TU,WE,TH,FR", COMES},
	    {"19900101T000000Z", "FREQ=DAILY;COUNT=20000;BYDAY=MO,TU,WE,TH,FR", COMES},
	    {"19900101T000000Z", "FREQ=WEEKLY;COUNT=20000;BYDAY=MO,FR", COMES},
	    {"20260101T000000Z", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", COMES},
	    /* all have passed */
	    {"20200101T000000Z", "COUNT=1", PASSED},
	    {"20200101T000000Z", "FREQ=DAILY;COUNT=3", PASSED},
	    {"20200101T000000Z", "FREQ=SECONDLY;COUNT=3;BYSECOND=1,2,3", PASSED},
	    {"20200101T000000Z", "FREQ=YEARLY;UNTIL=20220101T000000Z", PASSED},
	};
	struct recurrence_times times;
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool good;
		snprintf(text, sizeof text, "DTSTART:%s\nRRULE:%s", rows[i].start, rows[i].rule);
		good = recurrence_start(&times, text, strlen(text), time_at("2026-11-20T10:20:30Z"));
		if (good != (rows[i].is != REFUSED) || (good && times.over != (rows[i].is == PASSED)) ||
		    (good && !times.over && times.next_ms <= time_at("2026-11-20T10:20:30Z")))
			fail_msg("%s is %s", text, !good ? "refused" : times.over ? "over" : "one that comes");
	}
}

/* The mark saves counting: what costs too much from DTSTART on is found in some calls, and exactly; then always in one.
 */
TEST(test_marks)
{
	static const char text[] =
	    "DTSTART:20000101T000000Z\nRRULE:FREQ=MINUTELY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR;COUNT=%d";
	struct recurrence_mark mark = {.known = false}, fresh;
	int64_t next, after = time_at("2026-11-20T10:20:30Z"), other;
	int calls = 1, count = 0;
	char rule[256];

	snprintf(rule, sizeof rule, text, 999999999);
	assert_false(recurrence_start(&(struct recurrence_times){0}, rule, strlen(rule), after));
	for (; recurrence_next(rule, strlen(rule), &mark, after, &next) == RECURRENCE_TOO_LONG; calls++) {
		assert_true(mark.known);
		assert_true(calls < 1000);
	}
	print_message("calls: %d\n", calls);
	assert_true(calls > 2);
	assert_true(mark.local <= next / 1000);
	count = (int)mark.count;
	for (int i = 0; i < 1000; i++) {
		after = next;
		assert_int_equal(recurrence_next(rule, strlen(rule), &mark, after, &next), RECURRENCE_FOUND);
		fresh = (struct recurrence_mark){.known = false};
		snprintf(
		    rule, sizeof rule, "DTSTART:20000101T000000Z\nRRULE:FREQ=MINUTELY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR");
		assert_int_equal(recurrence_next(rule, strlen(rule), &fresh, after, &other), RECURRENCE_FOUND);
		assert_int_equal(next, other);
		snprintf(rule, sizeof rule, text, 999999999);
	}
	assert_in_range(mark.count, count + 999, count + 1002);
	/* The last one of the count. */
	snprintf(rule, sizeof rule, text, (int)mark.count + 2);
	for (count = 0; recurrence_next(rule, strlen(rule), &mark, after, &next) == RECURRENCE_FOUND; count++)
		after = next;
	assert_in_range(count, 1, 3);
}

/* However long a rule looks, a call ends. */
TEST(test_bounded)
{
	static const char *const rules[] = {
	    "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3;BYSECOND=7",
	    "FREQ=SECONDLY;BYHOUR=9;COUNT=900000000",
	    "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9;COUNT=900000000",
	    "FREQ=SECONDLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30",
	    "FREQ=MINUTELY;INTERVAL=999999999",
	    "FREQ=YEARLY;INTERVAL=999999999",
	    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYDAY=MO",
	    "FREQ=HOURLY;INTERVAL=5;BYMONTH=2;BYMONTHDAY=30",
	    "FREQ=HOURLY;COUNT=999999999;BYMINUTE=" ALL_MINUTES ";BYSETPOS=" SIXTY,
	    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=" ALL_HOURS ";BYMINUTE=" ALL_MINUTES ";BYSETPOS=" SIXTY,
	    "FREQ=MONTHLY;BYMONTHDAY=1,2,3,31;BYDAY=MO;COUNT=99999999;BYHOUR=" ALL_HOURS ";BYMINUTE=" ALL_MINUTES
	    ";BYSETPOS=-366",
	    "FREQ=YEARLY;BYHOUR=" ALL_HOURS
	    ";BYMONTHDAY=1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15;"
	    "BYSECOND=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15;BYSETPOS=-366,366,1,-1;COUNT=999999999",
	};
	char text[640];
	int64_t next, began, worst = 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct recurrence_mark mark = {.known = false};
		int64_t best = INT64_MAX;
		snprintf(text, sizeof text, "DTSTART;TZID=Europe/Berlin:19700101T090000\nRRULE:%s", rules[i]);
		for (int k = 0; k < 5; k++) { /* the quickest one: others run beside it */
			mark = (struct recurrence_mark){.known = false};
			began = clock_mono_us();
			recurrence_next(text, strlen(text), &mark, time_at("2026-01-01T00:00:00Z"), &next);
			began = clock_mono_us() - began;
			best = began < best ? began : best;
		}
		if (best > worst)
			worst = best;
		if (getenv("RECURRENCE_TIMES"))
			print_message("%6lld us %s\n", (long long)best, rules[i]);
		if (best > 100 * 1000)
			fail_msg("%s took %lld us", rules[i], (long long)best);
	}
	print_message("longest: %lld us\n", (long long)worst);
}

/* The lines of test/lib/recurrence.py. */
static void compare_line(char *line)
{
	char *after_text = strchr(line, '\t'), *next_text = after_text ? strchr(after_text + 1, '\t') : NULL, *escape;
	struct recurrence_mark mark = {.known = false};
	int64_t after, next, expected;
	size_t len;

	if (!next_text)
		fail_msg("not a line of three parts: %s", line);
	*after_text++ = *next_text++ = '\0';
	escape = strstr(line, "\\n");
	assert_non_null(escape);
	len = strlen(line);
	escape[0] = '\n';
	memmove(escape + 1, escape + 2, len - (size_t)(escape - line) - 1);
	after = strtoll(after_text, NULL, 10);
	for (int i = 0; i < 5; i++) {
		enum recurrence_found found = recurrence_next(line, len - 1, &mark, after, &next);
		struct recurrence_mark fresh = {.known = false};
		int64_t again = next;
		enum recurrence_found counted = recurrence_next(line, len - 1, &fresh, after, &again);
		if (counted != found || (found == RECURRENCE_FOUND && again != next))
			fail_msg("%s\nafter %lld: with a mark %lld, without %lld", line, (long long)after,
			    (long long)next, (long long)again);
		expected = *next_text && *next_text != '\n' ? strtoll(next_text, &next_text, 10) : 0;
		next_text += *next_text == ',';
		if ((found == RECURRENCE_FOUND) != (expected != 0) || (expected && next != expected))
			fail_msg("%s\nafter %lld: %lld, not %lld", line, (long long)after,
			    found == RECURRENCE_FOUND ? (long long)next : 0, (long long)expected);
		if (!expected)
			break;
		after = next;
	}
}

TEST(test_reference)
{
	char line[2048];
	/* Debian's own python3 has the reference when the first one in the path has not. */
	static const char *const reference[] = {"sh", "-c",
	    "python3 -c 'import dateutil' 2>/dev/null || PATH=/usr/bin:$PATH; exec python3 test/lib/recurrence.py "
	    "20261120 2000",
	    NULL};
	int ends[2], lines = 0;
	FILE *f;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = child_start(&(struct child){.argv = reference, .out = ends[1]});
	close(ends[1]);
	f = fdopen(ends[0], "r");
	assert_non_null(f);
	for (; fgets(line, sizeof line, f); lines++)
		compare_line(line);
	fclose(f);
	assert_int_equal(child_wait(pid), 0);
	assert_int_equal(lines, 2000);
}
