/* The JSON writer: commas, escapes at every place in a text, integers, overflow. */
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/json_check.h"
#include "test/lib/test.h"

TEST(puts_commas_and_colons)
{
	struct buf b;
	struct json_out o;

	buf_init(&b, 10000);
	json_out_init(&o, &b);
	json_begin_object(&o);
	json_key(&o, "a");
	json_begin_array(&o);
	json_end_array(&o);
	json_key_len(&o, "bcd", 1);
	json_begin_object(&o);
	json_end_object(&o);
	json_key(&o, "c");
	json_begin_array(&o);
	json_int(&o, 1);
	json_string(&o, "x");
	json_string(&o, NULL);
	json_bool(&o, true);
	json_bool(&o, false);
	json_null(&o);
	json_raw(&o, "[1, 2]", 6);
	json_begin_array(&o);
	json_begin_array(&o);
	json_int(&o, 2);
	json_end_array(&o);
	json_begin_array(&o);
	json_end_array(&o);
	json_end_array(&o);
	json_string_len(&o, "yz", 1);
	json_string_len(&o, NULL, 0);
	json_end_array(&o);
	json_key(&o, "q\"");
	json_string(&o, "");
	json_key_literal(&o, "p");
	json_begin_array(&o);
	json_plain(&o, "", 0);
	json_plain(&o, "xyz", 2);
	json_end_array(&o);
	json_key_literal(&o, "r");
	json_plain(&o, "s", 1);
	json_end_object(&o);
	assert_string_equal(b.data,
	    "{\"a\":[],\"b\":{},\"c\":[1,\"x\",null,true,false,null,[1, 2],[[2],[]],\"y\",\"\"],"
	    "\"q\\\"\":\"\",\"p\":[\"\",\"xy\"],\"r\":\"s\"}");
	buf_free(&b);
}

TEST(writes_integers)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {7, "7"},
	    {-7, "-7"},
	    {10, "10"},
	    {INT64_MAX, "9223372036854775807"},
	    {INT64_MIN, "-9223372036854775808"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b;
		struct json_out o;
		buf_init(&b, 100);
		json_out_init(&o, &b);
		json_int(&o, cases[i].value);
		assert_string_equal(b.data, cases[i].text);
		buf_free(&b);
	}
}

/* Each byte at each place of texts of each length: the fast path looks at eight at a time. */
TEST(escapes_every_byte_everywhere)
{
	for (int c = 0; c < 256; c++) {
		bool plain = c >= 0x20 && c != '"' && c != '\\';
		for (size_t len = 1; len < 20; len++)
			for (size_t at = 0; at < len; at++) {
				char *text = malloc(len);
				memset(text, 0x7f, len);
				text[at] = (char)c;
				size_t run = json_plain_run(text, len);
				if (run != (plain ? len : at))
					fail_msg("byte %d at %zu of %zu: %zu", c, at, len, run);
				free(text);
			}
	}
}

TEST(escapes_read_back)
{
	struct arena a;
	struct buf b;
	struct json_out o;
	const char *error;
	char all[2 * 0x80];

	for (int i = 0; i < 0x80; i++) {
		all[2 * i] = (char)i;
		all[2 * i + 1] = '"';
	}
	arena_init(&a);
	buf_init(&b, 10000);
	json_out_init(&o, &b);
	json_begin_object(&o);
	json_key_len(&o, all, sizeof(all));
	json_string_len(&o, all, sizeof(all));
	json_end_object(&o);
	struct json *root = json_read(&a, b.data, b.len, &error);
	assert_non_null(root);
	assert_int_equal(root->first->key_len, sizeof(all));
	assert_memory_equal(root->first->key, all, sizeof(all));
	assert_int_equal(root->first->len, sizeof(all));
	assert_memory_equal(root->first->text, all, sizeof(all));
	buf_clear(&b);
	json_out_init(&o, &b);
	json_string_len(&o, "\0\x1f\n\t\r\b\f\"\\/\x7f\xc3\xa9", 13);
	assert_string_equal(b.data, "\"\\u0000\\u001f\\n\\t\\r\\b\\f\\\"\\\\/\x7f\xc3\xa9\"");
	buf_free(&b);
	arena_free(&a);
}

/* For any maximum the content is a prefix of the whole, and the overflow is flagged. */
TEST(overflow_cuts_cleanly)
{
	static const char whole[] = "{\"key\":[1,\"a\\nb\",true],\"next\":null}";

	for (size_t max = 0; max <= sizeof(whole) - 1; max++) {
		struct buf b;
		struct json_out o;
		buf_init(&b, max);
		json_out_init(&o, &b);
		json_begin_object(&o);
		json_key(&o, "key");
		json_begin_array(&o);
		json_int(&o, 1);
		json_string(&o, "a\nb");
		json_bool(&o, true);
		json_end_array(&o);
		json_key(&o, "next");
		json_null(&o);
		json_end_object(&o);
		assert_int_equal(b.overflow, max < sizeof(whole) - 1);
		assert_true(b.len <= max);
		assert_memory_equal(b.len ? b.data : "", whole, b.len);
		buf_free(&b);
	}
}

TEST(nests_to_the_levels_it_has)
{
	struct buf b;
	struct json_out o;

	buf_init(&b, 1000);
	json_out_init(&o, &b);
	for (int i = 0; i < 63; i++) {
		json_begin_array(&o);
		json_int(&o, 1);
	}
	for (int i = 0; i < 63; i++)
		json_end_array(&o);
	assert_int_equal(b.len, 63 * 4 - 1);
	assert_memory_equal(b.data, "[1,[1,[1,", 9);
	buf_free(&b);
}
