/* Buffers: growth, the maximum, the content after an overflow, transfer of ownership. */
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/test.h"

TEST(adds_and_terminates)
{
	struct buf b;

	buf_init(&b, 1000);
	assert_null(b.data);
	buf_add(&b, "abc", 2);
	buf_addz(&b, "cd");
	buf_addc(&b, 'e');
	buf_printf(&b, "%d%s", 7, "!");
	buf_add(&b, NULL, 0);
	assert_string_equal(b.data, "abcde7!");
	assert_int_equal(b.len, 7);
	assert_false(b.overflow);
	buf_clear(&b);
	assert_string_equal(b.data, "");
	buf_free(&b);
	assert_null(b.data);
	buf_addz(&b, "again"); /* the maximum is kept */
	assert_string_equal(b.data, "again");
	buf_free(&b);
}

TEST(holds_exactly_the_maximum)
{
	for (size_t max = 0; max < 600; max++) {
		struct buf b;
		buf_init(&b, max);
		for (size_t i = 0; i < max; i++)
			buf_addc(&b, 'x');
		assert_false(b.overflow);
		assert_int_equal(b.len, max);
		buf_addc(&b, 'y');
		assert_true(b.overflow);
		assert_int_equal(b.len, max);
		if (max)
			assert_int_equal(strlen(b.data), max);
		buf_free(&b);
	}
}

TEST(overflow_keeps_what_is_there_and_adds_nothing_more)
{
	struct buf b;

	buf_init(&b, 10);
	buf_addz(&b, "12345");
	buf_addz(&b, "678901");
	assert_true(b.overflow);
	buf_addz(&b, "6");
	buf_addc(&b, '7');
	buf_printf(&b, "%d", 8);
	assert_null(buf_room(&b, 1));
	assert_string_equal(b.data, "12345");
	buf_clear(&b);
	assert_false(b.overflow);
	buf_printf(&b, "%s", "1234567890");
	assert_false(b.overflow);
	assert_string_equal(b.data, "1234567890");
	buf_clear(&b);
	buf_addz(&b, "ab");
	buf_printf(&b, "%s", "123456789");
	assert_true(b.overflow);
	assert_string_equal(b.data, "ab");
	buf_free(&b);
}

TEST(an_absurd_size_is_an_overflow)
{
	struct buf b;

	buf_init(&b, SIZE_MAX);
	buf_addz(&b, "x");
	assert_null(buf_room(&b, SIZE_MAX));
	assert_true(b.overflow);
	assert_string_equal(b.data, "x");
	buf_free(&b);
}

TEST(prints_what_outgrows_the_room)
{
	struct buf b;
	char text[5001];

	memset(text, 'z', 5000);
	text[5000] = '\0';
	buf_init(&b, 100000);
	buf_printf(&b, "<%s>", text);
	assert_int_equal(b.len, 5002);
	assert_int_equal(b.data[0], '<');
	assert_string_equal(b.data + 5001, ">");
	buf_free(&b);
}

TEST(room_is_written_by_the_caller)
{
	struct buf b;

	buf_init(&b, 10000);
	memcpy(buf_room(&b, 300), "abc", 3);
	b.len += 3;
	buf_addc(&b, 'd');
	assert_string_equal(b.data, "abcd");
	memcpy(buf_room(&b, 2), "ef", 2);
	b.len += 2;
	assert_string_equal(b.data, "abcdef");
	buf_free(&b);
}

TEST(test_takes)
{
	struct buf b;
	size_t len = 99;

	buf_init(&b, 10);
	assert_null(buf_take(&b, &len));
	assert_int_equal(len, 0);
	memcpy(buf_room(&b, 8), "abc", 3);
	b.len += 3;
	char *text = buf_take(&b, &len);
	assert_string_equal(text, "abc");
	assert_int_equal(len, 3);
	free(text);
	assert_null(b.data);
	assert_int_equal(b.len, 0);
	buf_addz(&b, "next");
	buf_addz(&b, "too long for it");
	text = buf_take(&b, NULL);
	assert_string_equal(text, "next");
	assert_true(b.overflow);
	free(text);
	buf_free(&b);
	assert_false(b.overflow);
}
