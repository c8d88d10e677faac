/* The limits of the JSON reader: depth, long strings, and time with very many keys. */
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/http/json_exact.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

TEST(nests_to_32)
{
	static const struct {
		const char *open, *middle, *close;
		unsigned depth;
		bool good;
	} cases[] = {
	    {"[", "", "]", 32, true},
	    {"[", "", "]", 33, false},
	    {"[", "", "]", 100000, false},
	    {"[", "1", "]", 32, true},
	    {"{\"a\":", "null", "}", 32, true},
	    {"{\"a\":", "null", "}", 33, false},
	    {"[{\"a\":", "[]", "}]", 15, true},
	    {"[{\"a\":", "[{}]", "}]", 15, true},
	    {"[{\"a\":", "[{\"b\":[]}]", "}]", 15, false},
	    {"[[],", "0", "]", 32, false},
	    {"[[],", "0", "]", 31, true},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b;
		const char *error;
		buf_init(&b, 10 << 20);
		for (unsigned d = 0; d < cases[i].depth; d++)
			buf_addz(&b, cases[i].open);
		buf_addz(&b, cases[i].middle);
		for (unsigned d = 0; d < cases[i].depth; d++)
			buf_addz(&b, cases[i].close);
		bool good = json_exact(&a, b.data, b.len, &error) != NULL;
		if (good != cases[i].good)
			fail_msg("case %zu: %d", i, good);
		if (!good)
			assert_non_null(strstr(error, "nested too deep"));
		buf_free(&b);
	}
}

TEST(reads_long_strings)
{
	enum { SIZE = 1 << 20 };
	struct buf b;
	const char *error;

	buf_init(&b, 8 << 20);
	buf_addz(&b, "[\"");
	for (int i = 0; i < SIZE; i++)
		buf_addc(&b, 'x');
	buf_addz(&b, "\",\"");
	for (int i = 0; i < SIZE / 6; i++)
		buf_addz(&b, "\\u00e9");
	buf_addz(&b, "\",");
	for (int i = 0; i < SIZE; i++)
		buf_addc(&b, '7');
	buf_addz(&b, "]");
	struct json *root = json_exact(&a, b.data, b.len, &error);
	assert_non_null(root);
	assert_int_equal(root->first->len, SIZE);
	assert_int_equal(strlen(root->first->text), SIZE);
	assert_int_equal(root->first->next->len, SIZE / 6 * 2);
	assert_int_equal(root->first->next->next->len, SIZE);
	buf_free(&b);
}

/* Keys enough that comparing each with each would take minutes; chosen so that sorting cannot go wrong either. */
TEST(many_keys_stay_fast)
{
	enum { KEYS = 50000 };
	static const char *const forms[] = {"k%05d", "%d", "a long beginning that all of the keys have in common %06d"};

	for (size_t form = 0; form < COUNT(forms); form++)
		for (int repeat = 0; repeat < 2; repeat++) {
			struct buf b;
			const char *error;
			char key[80];
			buf_init(&b, 16 << 20);
			buf_addc(&b, '{');
			for (int i = 0; i < KEYS; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
				snprintf(key, sizeof(key), forms[form], (i * 7919) % KEYS);
#pragma GCC diagnostic pop
				buf_printf(&b, "\"%s\":%d,", key, i);
			}
			buf_printf(&b, "\"%s\":0}", repeat ? key : "one more");
			int64_t start = clock_mono_us();
			struct json *root = json_exact(&a, b.data, b.len, &error);
			int64_t took = clock_mono_us() - start;
			assert_true((root == NULL) == repeat);
			if (root)
				assert_int_equal(root->count, KEYS + 1);
			else
				assert_non_null(strstr(error, "a duplicate key"));
			assert_true(took < 1000000); /* about 20 ms; 50 times that under sanitizers on a busy machine */
			buf_free(&b);
		}
}

/* Results and errors do not depend on the size of the pieces. */
TEST(reads_in_pieces)
{
	static const char *const texts[] = {"", " ", "7", "-1.5e10", "{}", " [ ] ",
	    "{\"a\":[1,2,{\"b\":null}],\"\xc3\xa9\":\"\xf0\x9f\x98\x80\",\"c\":true}",
	    "[\"\\ud83d\\ude00\\n\",\"\\u00e9x\",12345678901234567890]", "{\"a\":1,\"b\":{\"a\":2},\"a\":3}",
	    "{\"a\":1,}", "[1,2", "[1] 2", "\"\xc3", "[\"\x80\x80\x80\x80\x80\x80\"]", "\"\xf0\x9f\x98\"",
	    "\xef\xbb\xbf[]", "[[[[1]]],[],{}]", "[fals", "{\"a\" : 1 , \"b\" : [ \"x\" , false ] } "};

	for (size_t i = 0; i < COUNT(texts); i++)
		for (size_t piece = 1; piece < 9; piece++) {
			struct buf whole, pieces;
			const char *error, *pieces_error = NULL;
			bool too_much;
			buf_init(&whole, 1 << 16);
			buf_init(&pieces, 1 << 16);
			struct json *expected = json_exact(&a, texts[i], strlen(texts[i]), &error);
			struct json_reader *rd = json_reader_new(&a, texts[i], strlen(texts[i]));
			while (!json_reader_some(rd, piece))
				;
			struct json *root = json_reader_result(rd, &pieces_error, &too_much);
			json_reader_free(rd);
			assert_true((root == NULL) == (expected == NULL) && !too_much);
			if (!root) {
				assert_string_equal(pieces_error, error);
			} else {
				struct json_canonical c;
				json_canonical(&whole, expected);
				json_canonical_begin(&c, &pieces, root);
				while (!json_canonical_some(&c, piece))
					;
				assert_string_equal(pieces.data, whole.data);
			}
			buf_free(&whole);
			buf_free(&pieces);
		}
}

/* One value more than a body may hold, and one that may. */
TEST(bounds_what_is_read_in_pieces)
{
	static const struct {
		const char *open, *item, *close;
		size_t count;
		const char *error;
	} cases[] = {
	    {"[", "1", "]", JSON_VALUES_MAX - 1, NULL},
	    {"[", "1", "]", JSON_VALUES_MAX, "there are more values than 200000"},
	    {"[{", "\"%06zu\":1", "}]", JSON_MEMBERS_MAX, NULL},
	    {"[{", "\"%06zu\":1", "}]", JSON_MEMBERS_MAX + 1, "an object has more members than 10000"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b;
		const char *error = NULL;
		bool too_much;
		buf_init(&b, 8 << 20);
		buf_addz(&b, cases[i].open);
		for (size_t k = 0; k < cases[i].count; k++) {
			buf_addz(&b, k ? "," : "");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
			buf_printf(&b, cases[i].item, k);
#pragma GCC diagnostic pop
		}
		buf_addz(&b, cases[i].close);
		struct json_reader *rd = json_reader_new(&a, b.data, b.len);
		while (!json_reader_some(rd, 64 << 10))
			;
		struct json *root = json_reader_result(rd, &error, &too_much);
		json_reader_free(rd);
		assert_true((root == NULL) == too_much && too_much == (cases[i].error != NULL));
		if (too_much)
			assert_string_equal(error, cases[i].error);
		buf_free(&b);
	}
}

/* A string, name or number as long as it may be, and one byte longer; in texts that are read at once, of any length. */
TEST(bounds_a_token)
{
	static const char *const around[][3] = {{"[\"", "x", "\"]"}, {"{\"", "x", "\":1}"}, {"[", "7", "]"}};

	for (size_t i = 0; i < COUNT(around); i++)
		for (size_t over = 0; over < 2; over++) {
			struct buf b;
			const char *error = NULL;
			bool too_much;
			buf_init(&b, 8 << 20);
			buf_addz(&b, around[i][0]);
			for (size_t k = around[i][1][0] == 'x' ? 2 : 0; k < JSON_TOKEN_MAX + over; k++)
				buf_addz(&b, around[i][1]);
			buf_addz(&b, around[i][2]);
			struct json_reader *rd = json_reader_new(&a, b.data, b.len);
			while (!json_reader_some(rd, 64 << 10))
				;
			struct json *root = json_reader_result(rd, &error, &too_much);
			json_reader_free(rd);
			assert_true((root == NULL) == (over == 1) && too_much == (over == 1));
			if (over)
				assert_string_equal(error, "a string or number has more bytes than 1310720");
			assert_non_null(json_exact(&a, b.data, b.len, &error));
			buf_free(&b);
		}
}
