/* server/base/cursor.c: only what was sealed can be opened. */
#include <string.h>

#include "server/base/cursor.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

static const unsigned char secret[CURSOR_SECRET_SIZE] = "0123456789abcdef0123456789abcde";

struct cursor_pair {
	const char *name, *value;
};

static void make_context(unsigned char out[CURSOR_CONTEXT_SIZE], unsigned char workspace, const char *endpoint,
    const struct cursor_pair *pairs)
{
	struct cursor_context x;
	struct uuid id = {{workspace}};
	cursor_context_begin(&x, &a, &id, endpoint);
	for (; pairs && pairs->name; pairs++)
		cursor_context_add(&x, pairs->name, strlen(pairs->name), pairs->value, strlen(pairs->value));
	cursor_context_end(&x, out);
}

TEST(round_trip)
{
	unsigned char context[CURSOR_CONTEXT_SIZE];

	make_context(context, 1, "/v1/people", NULL);
	static const int64_t values[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1795179292487516};
	for (int flags = 0; flags < 16; flags++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
			struct cursor in = {.sort = (uint8_t)(flags * 17),
			    .has_id = flags & 1,
			    .has_value = (flags & 2) != 0,
			    .has_page = (flags & 4) != 0,
			    .has_second = (flags & 8) != 0};
			struct cursor out;
			char text[CURSOR_SIZE];
			if (in.has_id)
				memset(in.id.b, 0xa5, sizeof(in.id.b));
			if (in.has_second)
				memset(in.second.b, 0x5a, sizeof(in.second.b));
			in.value = in.has_value ? values[v] : 0;
			in.page = in.has_page ? values[v] : 0;
			assert_ptr_equal(cursor_seal(text, secret, context, &in), text);
			assert_true(strlen(text) < CURSOR_SIZE);
			assert_int_equal(
			    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
			    strlen(text));
			assert_true(cursor_open(&out, secret, context, text, strlen(text)));
			assert_int_equal(out.sort, in.sort);
			assert_true(out.has_id == in.has_id && out.has_value == in.has_value &&
			            out.has_page == in.has_page && out.has_second == in.has_second);
			assert_memory_equal(out.id.b, in.id.b, sizeof(in.id.b));
			assert_memory_equal(out.second.b, in.second.b, sizeof(in.second.b));
			assert_true(out.value == in.value && out.page == in.page);
		}
	}
}

/* Every single changed, missing or added character is noticed, and so is another secret. */
TEST(test_forged)
{
	unsigned char context[CURSOR_CONTEXT_SIZE], other[CURSOR_SECRET_SIZE];
	struct cursor in = {.sort = 2, .has_id = true, .has_value = true, .value = 7}, out;
	char text[CURSOR_SIZE], bad[CURSOR_SIZE + 8];

	make_context(context, 1, "/v1/people", NULL);
	cursor_seal(text, secret, context, &in);
	size_t len = strlen(text);
	for (size_t i = 0; i < len; i++) {
		for (int c = 1; c < 256; c++) {
			if ((char)c == text[i])
				continue;
			memcpy(bad, text, len + 1);
			bad[i] = (char)c;
			if (cursor_open(&out, secret, context, bad, len))
				fail_msg("opened with character %zu changed", i);
		}
		assert_false(cursor_open(&out, secret, context, text, i));
		assert_false(cursor_open(&out, secret, context, text + i + 1, len - i - 1));
	}
	memset(bad, 'A', sizeof(bad));
	memcpy(bad, text, len);
	for (size_t n = len + 1; n <= sizeof(bad); n++)
		assert_false(cursor_open(&out, secret, context, bad, n));
	memcpy(other, secret, sizeof(other));
	other[31] ^= 1;
	assert_false(cursor_open(&out, other, context, text, len));
	assert_false(out.has_id);
	assert_false(cursor_open(&out, secret, context, "", 0));
}

struct context_case {
	unsigned char workspace;
	const char *endpoint;
	struct cursor_pair pairs[5];
	bool same; /* as the first */
};

static const struct context_case context_cases[] = {
    {1, "/v1/people", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"sort", "createdAt"}}, true},
    {1, "/v1/people", {{"sort", "createdAt"}, {"filter:emails:eq", "b"}, {"filter:emails:eq", "a"}}, true},
    {1, "/v1/people",
        {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"filter:emails:eq", "a"}, {"sort", "createdAt"}}, true},
    {2, "/v1/people", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"sort", "createdAt"}}, false},
    {1, "/v1/companies", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"sort", "createdAt"}}, false},
    {1, "/v1/people", {{"filter:emails:eq", "a"}, {"sort", "createdAt"}}, false},
    {1, "/v1/people", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "c"}, {"sort", "createdAt"}}, false},
    {1, "/v1/people", {{"filter:emails:e", "qa"}, {"filter:emails:eq", "b"}, {"sort", "createdAt"}}, false},
    {1, "/v1/people", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"sort", "-createdAt"}}, false},
    {1, "/v1/people", {{"filter:emails:eq", "a"}, {"filter:emails:eq", "b"}, {"sort", "createdAt"}, {"x", ""}}, false},
    {1, "/v1/people", {{NULL, NULL}}, false},
};

TEST(test_contexts)
{
	unsigned char first[CURSOR_CONTEXT_SIZE], context[CURSOR_CONTEXT_SIZE];
	struct cursor in = {.has_page = true, .page = 3}, out;
	char text[CURSOR_SIZE];

	make_context(first, context_cases[0].workspace, context_cases[0].endpoint, context_cases[0].pairs);
	cursor_seal(text, secret, first, &in);
	for (size_t i = 0; i < sizeof(context_cases) / sizeof(*context_cases); i++) {
		make_context(context, context_cases[i].workspace, context_cases[i].endpoint, context_cases[i].pairs);
		if (cursor_open(&out, secret, context, text, strlen(text)) != context_cases[i].same)
			fail_msg("case %zu", i);
	}
}

/* More parameters than the first block of the set holds. */
TEST(test_many)
{
	unsigned char up[CURSOR_CONTEXT_SIZE], down[CURSOR_CONTEXT_SIZE];
	struct cursor_context x;
	struct uuid id = {{9}};

	cursor_context_begin(&x, &a, &id, "/");
	for (int i = 0; i < 2000; i++)
		cursor_context_add(&x, "v", 1, (const char *)&i, sizeof(i));
	cursor_context_end(&x, up);
	cursor_context_begin(&x, &a, &id, "/");
	for (int i = 1999; i >= 0; i--)
		cursor_context_add(&x, "v", 1, (const char *)&i, sizeof(i));
	cursor_context_end(&x, down);
	assert_memory_equal(up, down, sizeof(up));
}
