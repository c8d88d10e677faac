/* When deliveries are tried again, and how fast a failing receiver is tried. */
#include "webhook/schedule.h"
#include "test/lib/test.h"

TEST(test_schedule)
{
	static const int64_t seconds[] = {5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400};

	for (int i = 0; i < 9; i++) {
		assert_int_equal(schedule_backoff_ms(i + 1, 0.5), seconds[i] * 1000);
		assert_in_range(schedule_backoff_ms(i + 1, 0), seconds[i] * 900 - 1, seconds[i] * 900);
		assert_in_range(schedule_backoff_ms(i + 1, 1), seconds[i] * 1100 - 1, seconds[i] * 1100);
	}
	assert_int_equal(schedule_backoff_ms(10, 0.5), -1);
	assert_int_equal(schedule_retry_ms(1, 0.5, -1, 1), 5000);
	assert_int_equal(schedule_retry_ms(1, 0.5, 3, 1), 5000); /* shorter: not obeyed */
	assert_int_equal(schedule_retry_ms(1, 0.5, 60, 1), 60000);
	assert_int_equal(schedule_retry_ms(1, 0.5, 60, 100), 600);
	assert_int_equal(schedule_retry_ms(10, 0.5, 60, 1), -1);
	assert_false(schedule_given_up(0, 5 * 86400000 - 1, 1));
	assert_true(schedule_given_up(0, 5 * 86400000, 1));
	assert_true(schedule_given_up(0, 432000, 1000));
	assert_int_equal(schedule_in_flight(0), 4);
	assert_int_equal(schedule_in_flight(100), 1);
	assert_int_equal(schedule_pause_ms(15, 1), 0);
	assert_int_equal(schedule_pause_ms(16, 1), 5);
	assert_int_equal(schedule_pause_ms(1000000, 1), 100);
	assert_int_equal(schedule_pause_ms(1000000, 1000), 1);
}
