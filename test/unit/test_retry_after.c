/* Retry-After in both forms. */
#include "webhook/schedule.h"
#include "test/lib/test.h"

enum { NOW = 784111777 }; /* Sun, 06 Nov 1994 08:49:37 GMT */

TEST(test_reads)
{
	static const struct {
		const char *value;
		int64_t seconds;
	} cases[] = {
	    {NULL, -1},
	    {"", -1},
	    {"0", 0},
	    {"1", 1},
	    {"120", 120},
	    {" 120 ", 120},
	    {"86400", 86400},
	    {"86401", 86400},
	    {"99999999999999999999999999", 86400},
	    {"000000000000000000000000005", 5},
	    {"-1", -1},
	    {"+5", -1},
	    {"1.5", -1},
	    {"5s", -1},
	    {"5 6", -1},
	    {"0x10", -1},
	    {"soon", -1},
	    {"never", -1},
	    {"-", -1},
	    {"Sun, 06 Nov 1994 08:49:37 GMT", 0},
	    {"Sun, 06 Nov 1994 08:50:37 GMT", 60},
	    {"Sun, 06 Nov 1994 07:50:37 GMT", 0},
	    {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
	    {"Sunday, 06-Nov-94 08:49:47 GMT", 10},
	    {"Sun Nov  6 08:49:57 1994", 20},
	    {"Mon, 07 Nov 1994 08:49:36 GMT", 86399},
	    {"Tue, 08 Nov 1994 08:49:36 GMT", 86400},
	    {"Fri, 31 Dec 9999 23:59:59 GMT", 86400},
	    {"Sun, 06 Nov 1994", -1},
	    {"Sun, 99 Nov 1994 08:49:37 GMT", -1},
	    {"Sun, 06 Foo 1994 08:49:37 GMT", -1},
	    {"Sun, 06 Nov 1994 08:49:37 GMT and then much that nobody would send at all", -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (schedule_retry_after_s(cases[i].value, NOW) != cases[i].seconds)
			fail_msg("%s: %lld", cases[i].value, (long long)schedule_retry_after_s(cases[i].value, NOW));
}
