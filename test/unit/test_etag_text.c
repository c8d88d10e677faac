/* Entity tags: one form for each time, and the lists of If-Match as RFC 9110 has them. */
#include <stdlib.h>
#include <string.h>

#include "server/base/etag.h"
#include "test/lib/test.h"

#define STAMP INT64_C(1795179292487516)
#define TAG "\"hoc5zclaak\"" /* its tag */

TEST(test_format)
{
	static const struct {
		int64_t stamp;
		const char *tag;
	} cases[] = {{0, "\"0\""}, {35, "\"z\""}, {36, "\"10\""}, {1767225600000000, "\"hefg8dts00\""},
	    {INT64_MAX, "\"1y2p0ij32e8e7\""}};
	char out[ETAG_SIZE];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_ptr_equal(etag_format(cases[i].stamp, out), out);
		assert_string_equal(out, cases[i].tag);
	}
	assert_string_equal(etag_format(STAMP, out), TAG);
}

/* Copies have no NUL after them: reading beyond the end is found by the sanitizer. */
static const char *const matching[] = {"*", " * ", "\t*", TAG, " " TAG "\t", "\"a\", " TAG, TAG ",\"b\"", "," TAG ",,",
    "\"\"," TAG, "\"*\" , " TAG, "W/\"x\"," TAG, "\"\xc3\xa4,\"," TAG};
static const char *const others[] = {"\"\"", "\"hoc5zclaal\"", "\"HOC5ZCLAAK\"", "\"0hoc5zclaak\"", ("W/" TAG),
    "\"a\",\"b\"", "\"*\"", "\",\"", "\"!#[]~\"", "\"hoc5zclaak,\"", "\"hoc5zclaa\""};
static const char *const malformed[] = {"", " ", ",", " , ,", "hoc5zclaak", "\"", "\"a", "a\"", "\"a\"b", "\"a\" \"b\"",
    "\"a\"\"b\"", "*,*", "**", "*, \"a\"", "\"a\", *", "W/", "W/a", "W/\"a", "w/\"a\"", "W/ \"a\"", "W/*", "\"a b\"",
    "\"a\tb\"", "\"a\x7f\"", "\"a\x01\"", "'a'", "\"a\";\"b\"", "\"a\\\"b\""};

static void check_lists(const char *const lists[], size_t n, bool valid, bool matches)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(lists[i]);
		char *copy = malloc(len + 1);
		memcpy(copy + 1, lists[i], len);
		if (etag_list_valid(copy + 1, len) != valid || etag_list_matches(copy + 1, len, STAMP) != matches)
			fail_msg("%s: valid %d, matches %d", lists[i], etag_list_valid(copy + 1, len),
			    etag_list_matches(copy + 1, len, STAMP));
		free(copy);
	}
}

#define CHECK(lists, valid, matches) check_lists(lists, sizeof(lists) / sizeof *(lists), valid, matches)

TEST(test_lists)
{
	CHECK(matching, true, true);
	CHECK(others, true, false);
	CHECK(malformed, false, false);
	assert_false(etag_list_valid("\"a\0\"", 4));
}
