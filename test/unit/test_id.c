/* Identifiers: text forms, versions, strict order, uniqueness. */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/id.h"
#include "test/lib/test.h"

/* Stands in front of the library's, so that a test can stop the clock and set it back. */
static int64_t frozen_ms;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	if (!frozen_ms)
		return (int)syscall(SYS_clock_gettime, clock, now);
	now->tv_sec = frozen_ms / 1000;
	now->tv_nsec = frozen_ms % 1000 * 1000000;
	return 0;
}

#define UUID_TEXT "0190a6c4-1234-7abc-8def-0123456789ab"

TEST(every_kind_reads_what_it_wrote)
{
	static const char *const prefixes[ID_KINDS] = {"per", "com", "grp", "usr", "obj", "tsk", "rmd", "lit", "nte",
	    "wbk", "evt", "wsp", "key", "gnt", "dlv", "vew", "gcfo", "grpo"};
	char text[ID_SIZE], bare[37];
	struct uuid id = id_new(), back;

	for (int i = 0; i < ID_KINDS; i++) {
		enum id_kind kind = (enum id_kind)i, found;
		assert_string_equal(id_prefix(kind), prefixes[i]);
		assert_ptr_equal(id_format(kind, &id, text), text);
		size_t len = strlen(text);
		assert_int_equal(len, i >= ID_GROUP_OPTION ? ID_LEN + 1 : ID_LEN);
		assert_true(id_parse(kind, text, len, &back));
		assert_true(uuid_equal(&id, &back));
		assert_true(id_parse_any(text, len, &found, &back));
		assert_int_equal(found, kind);
		assert_string_equal(strchr(text, '_') + 1, uuid_format(&id, bare));
		for (int other = 0; other < ID_KINDS; other++)
			if (other != i)
				assert_false(id_parse((enum id_kind)other, text, len, &back));
	}
}

TEST(tells_its_millisecond)
{
	static const char text[] = "018bcfe5-687b-7abc-8def-0123456789ab";
	const int64_t ms = 1700000000123;
	struct uuid id, low, high;

	assert_true(uuid_parse(text, strlen(text), &id));
	low = id_least(ms);
	high = id_least(ms + 1);
	assert_memory_equal(low.b, id.b, 6);
	assert_true(uuid_compare(&low, &id) < 0 && uuid_compare(&id, &high) < 0);
	low = id_least(-1);
	high = id_least(0);
	assert_true(uuid_equal(&low, &high));
}

TEST(reads_only_the_exact_form)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
	    {"per_" UUID_TEXT, true},
	    {"per_00000000-0000-0000-0000-000000000000", true},
	    {"per_ffffffff-ffff-ffff-ffff-ffffffffffff", true},
	    {"", false},
	    {"per_", false},
	    {"per", false},
	    {"com_" UUID_TEXT, false},
	    {"PER_" UUID_TEXT, false},
	    {"per-" UUID_TEXT, false},
	    {UUID_TEXT, false},
	    {"per_" UUID_TEXT "0", false},
	    {" per_" UUID_TEXT, false},
	    {"per_0190A6C4-1234-7abc-8def-0123456789ab", false},
	    {"per_0190a6c4-1234-7abc-8def-0123456789a", false},
	    {"per_0190a6c4-1234-7abc-8def-0123456789ag", false},
	    {"per_0190a6c4-1234-7abc-8def-0123456789a ", false},
	    {"per_0190a6c4 1234-7abc-8def-0123456789ab", false},
	    {"per_0190a6c-41234-7abc-8def-0123456789ab", false},
	    {"per_0190a6c4-1234-7abc-8de-f0123456789ab", false},
	    {"per_0190a6c4-1234-7abc-8def--123456789ab", false},
	    {"per_{190a6c4-1234-7abc-8def-0123456789a}", false},
	};
	struct uuid id;
	enum id_kind kind;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (id_parse(ID_PERSON, cases[i].text, strlen(cases[i].text), &id) != cases[i].good)
			fail_msg("%s", cases[i].text);
		bool other = !strncmp(cases[i].text, "com_", 4);
		assert_int_equal(
		    id_parse_any(cases[i].text, strlen(cases[i].text), &kind, &id), cases[i].good || other);
	}
	assert_false(id_parse(ID_PERSON, "per_0190a6c4-1234-7abc-8def-0123456789\0b", 40, &id));
	assert_false(uuid_parse("per_" UUID_TEXT, 40, &id));
	assert_true(uuid_parse(UUID_TEXT "tail", 36, &id));
	assert_memory_equal(id.b, "\x01\x90\xa6\xc4\x12\x34\x7a\xbc\x8d\xef\x01\x23\x45\x67\x89\xab", 16);
}

static int64_t time_of(const struct uuid *id)
{
	int64_t ms = 0;
	for (int i = 0; i < 6; i++)
		ms = ms << 8 | id->b[i];
	return ms;
}

TEST(ids_rise_strictly_and_tell_their_time)
{
	enum { COUNT = 100000 };
	int64_t before = clock_now_ms();
	struct uuid last = id_new();

	for (int i = 0; i < COUNT; i++) {
		struct uuid id = id_new();
		if (uuid_compare(&last, &id) >= 0)
			fail_msg("id %d is not above the one before", i);
		assert_int_equal(id.b[6] >> 4, 7);
		assert_int_equal(id.b[8] >> 6, 2);
		last = id;
	}
	assert_in_range(time_of(&last), before, clock_now_ms());
}

TEST(ids_rise_when_the_clock_stands_or_steps_back)
{
	int64_t start = clock_now_ms() + 1000;
	struct uuid last = id_new();

	for (int i = 0; i < 30000; i++) {
		frozen_ms = i < 10000 ? start : i < 20000 ? start - 3600000 : start - 10000 + i;
		struct uuid id = id_new();
		if (uuid_compare(&last, &id) >= 0)
			fail_msg("id %d is not above the one before", i);
		assert_int_equal(time_of(&id), i < 20000 ? start : frozen_ms < start ? start : frozen_ms);
		last = id;
	}
	frozen_ms = 0;
}

/* Ids that two processes make in one millisecond must not meet: the counters start at random places. */
TEST(counters_start_at_random_places)
{
	struct uuid a = id_new(), b = id_new();

	while (memcmp(a.b, b.b, 6) == 0)
		b = id_new();
	assert_memory_not_equal(a.b + 7, b.b + 7, 5);
	assert_memory_not_equal(a.b + 12, b.b + 12, 4);
}

/* Of one time in the order of making, whatever other times come between. */
TEST(ids_of_a_given_time)
{
	static const int64_t times[] = {0, 1, 1551675967089, INT64_C(253402300799999)};
	struct uuid last[4] = {{{0}}}, other = id_at(times[1]);

	for (int i = 0; i < 40000; i++) {
		struct uuid id = id_at(times[i % 4]);
		assert_int_equal(time_of(&id), times[i % 4]);
		assert_int_equal(id.b[6] >> 4, 7);
		assert_int_equal(id.b[8] >> 6, 2);
		if (uuid_compare(&last[i % 4], &id) >= 0)
			fail_msg("id %d is not above the one before of its time", i);
		last[i % 4] = id;
	}
	assert_memory_not_equal(other.b + 12, last[1].b + 12, 4);
	other = id_new();
	assert_in_range(time_of(&other), clock_now_ms() - 60000, clock_now_ms() + 60000);
}

TEST(random_ids_are_version_4)
{
	enum { COUNT = 2000 };
	static struct uuid ids[COUNT];

	for (int i = 0; i < COUNT; i++) {
		ids[i] = id_random();
		assert_int_equal(ids[i].b[6] >> 4, 4);
		assert_int_equal(ids[i].b[8] >> 6, 2);
	}
	qsort(ids, COUNT, sizeof(ids[0]), uuid_compare);
	for (int i = 1; i < COUNT; i++)
		assert_false(uuid_equal(&ids[i - 1], &ids[i]));
}

TEST(random_bytes_fill_all)
{
	unsigned char bytes[10000] = {0}, seen[256] = {0};

	random_bytes(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		seen[bytes[i]] = 1;
	for (int i = 0; i < 256; i++)
		assert_true(seen[i]); /* misses one in 10^15 runs */
	random_bytes(bytes, 0);
}
