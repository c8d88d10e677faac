/* traceparent: what is valid by W3C Trace Context, level 1, and what goes out. */
#include <string.h>

#include "server/base/trace.h"
#include "test/lib/test.h"

#define ID "0af7651916cd43dd8448eb211c80319c"
#define ZERO_ID "00000000000000000000000000000000"
#define PARENT "b7ad6b7169203331"

TEST(test_what_is_valid)
{
	static const struct {
		const char *header, *trace; /* NULL: invalid */
	} cases[] = {
	    {"00-" ID "-" PARENT "-01", ID "-01"},
	    {"00-" ID "-" PARENT "-00", ID "-00"},
	    {"00-" ID "-" PARENT "-01 \t", ID "-01"},
	    {"00-" ID "-" PARENT "-03", ID "-01"}, /* only "sampled" is defined */
	    {"00-" ID "-" PARENT "-fe", ID "-00"},
	    {"00-" ID "-" PARENT "-ff", ID "-01"},
	    {"cc-" ID "-" PARENT "-01", ID "-01"}, /* a later version */
	    {"cc-" ID "-" PARENT "-01-what-the-future-will-be-like", ID "-01"},
	    {"cc-" ID "-" PARENT "-01.", NULL},
	    {"00-" ID "-" PARENT "-01-", NULL},
	    {"00-" ID "-" PARENT "-01-x", NULL},
	    {"00-" ID "-" PARENT "-01,00-" ID "-" PARENT "-01", NULL},
	    {"ff-" ID "-" PARENT "-01", NULL},
	    {"FF-" ID "-" PARENT "-01", NULL},
	    {"0-" ID "-" PARENT "-01", NULL},
	    {"000-" ID "-" PARENT "-1", NULL},
	    {"00-" ZERO_ID "-" PARENT "-01", NULL},
	    {"00-" ID "-0000000000000000-01", NULL},
	    {"00-0AF7651916CD43DD8448EB211C80319C-" PARENT "-01", NULL},
	    {"00-" ID "-B7AD6B7169203331-01", NULL},
	    {"00-" ID "-" PARENT "-0A", NULL},
	    {"00-" ID "-" PARENT "-0", NULL},
	    {"00-" ID "-" PARENT "-1.", NULL},
	    {"00_" ID "_" PARENT "_01", NULL},
	    {"00-0af7651916cd43dd8448eb211c80319g-" PARENT "-01", NULL},
	    {" 00-" ID "-" PARENT "-01", NULL},
	    {"00-" ID "-" PARENT, NULL},
	    {ID, NULL},
	    {"", NULL},
	    {" ", NULL},
	};
	char trace[TRACE_SIZE], long_one[4096];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memcpy(trace, "untouched", 10);
		if (trace_parse(cases[i].header, trace) != (cases[i].trace != NULL))
			fail_msg("%s", cases[i].header);
		assert_string_equal(trace, cases[i].trace ? cases[i].trace : "untouched");
	}
	memset(long_one, 'a', sizeof long_one);
	long_one[sizeof long_one - 1] = '\0';
	assert_false(trace_parse(long_one, trace));
	memcpy(long_one, "01-" ID "-" PARENT "-01-", 56);
	assert_true(trace_parse(long_one, trace));
}

TEST(a_child_has_the_trace_and_a_parent_of_its_own)
{
	static const char *const none[] = {"", ID, ID "-0", ID "-01\r\nx: y", ID "+01", ZERO_ID "-01", ID "-0g"};
	char one[TRACE_PARENT_SIZE], two[TRACE_PARENT_SIZE], trace[TRACE_SIZE];

	assert_true(trace_child(ID "-01", one));
	assert_true(trace_child(ID "-01", two));
	assert_true(trace_parse(one, trace));
	assert_string_equal(trace, ID "-01");
	assert_int_equal(strlen(one), 55);
	assert_memory_equal(one, "00-" ID "-", 36);
	assert_memory_equal(two, "00-" ID "-", 36);
	assert_string_not_equal(one, two);
	assert_string_equal(one + 52, "-01");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(trace_child(none[i], one));
}
