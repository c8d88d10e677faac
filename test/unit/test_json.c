/* The JSON reader against tables of valid and invalid texts, and the canonical form; its limits are in
 * test_json_limits.c. */
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "test/lib/http/json_exact.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define TEXT(literal) literal, sizeof(literal) - 1

/* What json_value() or json_canonical() makes of a text; "error: …" when it is refused. The caller frees. */
static char *rewritten_text(const char *text, size_t len, bool canonical)
{
	struct buf b;
	struct json_out o;
	const char *error;
	buf_init(&b, 64 << 20);
	struct json *value = json_exact(&a, text, len, &error);
	json_out_init(&o, &b);
	if (!value)
		buf_printf(&b, "error: %s", error);
	else if (canonical)
		json_canonical(&b, value);
	else
		json_value(&o, value);
	assert_false(b.overflow);
	return buf_take(&b, NULL);
}

static void check_rewritten(const char *text, size_t len, bool canonical, const char *expected)
{
	char *out = rewritten_text(text, len, canonical);
	if (strcmp(out, expected) != 0)
		fail_msg("%.*s\n   gives %s\nexpected %s", (int)len, text, out, expected);
	free(out);
}

/* --- what is accepted ------------------------------------------------------------ */

TEST(reads_good_texts)
{
	static const struct {
		const char *text, *out;
	} cases[] = {
	    /* out NULL: the same */
	    {"null", NULL},
	    {"true", NULL},
	    {"false", NULL},
	    {"\"\"", NULL},
	    {"[]", NULL},
	    {"{}", NULL},
	    {" \t\r\n[ ] \n", "[]"},
	    {"{ }", "{}"},
	    {"[[],{}]", NULL},
	    {"[1,[2,[3]],{\"a\":{\"b\":[4]}}]", NULL},
	    {"{\"b\":1,\"a\":2}", NULL},
	    {"{\"\":1}", NULL},
	    {"{ \"a\" : 1 , \"b\" : [ 1 , 2 ] }", "{\"a\":1,\"b\":[1,2]}"},
	    {"[null,true,false]", NULL},
	    {"{\"a\":{\"a\":1},\"b\":{\"a\":1}}", NULL},
	    {"{\"a\":1,\"A\":2,\"a \":3}", NULL},
	    /* numbers stay as written */
	    {"0", NULL},
	    {"-0", NULL},
	    {"5", NULL},
	    {" 5", "5"},
	    {"5 ", "5"},
	    {"-1.5", NULL},
	    {"1e5", NULL},
	    {"1E+05", NULL},
	    {"1e-5", NULL},
	    {"0.10", NULL},
	    {"0e0", NULL},
	    {"1e999999999999", NULL},
	    {"123456789012345678901234567890.123456789012345678901234567890", NULL},
	    {"[-0,0.0,1.0]", NULL},
	    /* strings */
	    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
	    {"\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"", "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
	    {"\"\\u0000\\u001f\\u007f\"", "\"\\u0000\\u001f\x7f\""},
	    {"\"\\ud800\\udc00\\udbff\\udfff\"", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
	    {"\"\\uffff\\ufeff\"", "\"\xef\xbf\xbf\xef\xbb\xbf\""},
	    {"\"\xe2\x80\xa8\xf0\x9f\x98\x80\x7f\"", NULL},
	    {"\"// no /* comment */\"", NULL},
	    {"\"\\\\u0041\"", NULL},
	    {"{\"\\n\":\"\\\\\"}", NULL},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		check_rewritten(
		    cases[i].text, strlen(cases[i].text), false, cases[i].out ? cases[i].out : cases[i].text);
}

TEST(reads_members_of_the_type_asked_for)
{
	static const char text[] =
	    "{\"n\":7,\"largest\":9223372036854775807,\"over\":9223372036854775808,\"minus\":-1,"
	    "\"real\":1.0,\"s\":\"x\",\"t\":true,\"f\":false,\"z\":null,\"l\":[1,2],\"o\":{\"a\":1}}";
	static const char *const no_numbers[] = {"over", "minus", "real", "s", "absent"};
	const char *error;
	int items = 0, members = 0;

	const struct json *root = json_read(&a, text, strlen(text), &error), *list = json_member(root, "l");
	assert_string_equal(json_text(root, "s"), "x");
	assert_string_equal(json_text(root, "n"), "");
	assert_string_equal(json_text(root, "absent"), "");
	assert_string_equal(json_text(list, "s"), "");
	assert_string_equal(json_text(NULL, "s"), "");
	assert_int_equal(json_number(root, "n", -1), 7);
	assert_int_equal(json_number(root, "largest", -1), INT64_MAX);
	for (size_t i = 0; i < COUNT(no_numbers); i++)
		assert_int_equal(json_number(root, no_numbers[i], -1), -1);
	assert_true(json_true(root, "t"));
	assert_false(json_true(root, "f") || json_true(root, "n") || json_true(root, "absent"));
	assert_ptr_equal(json_typed(root, "l", JSON_ARRAY), list);
	assert_null(json_typed(root, "l", JSON_OBJECT));
	json_each(item, list)
		items++;
	json_each_member(m, json_member(root, "o"))
		members++;
	assert_int_equal(items, 2);
	assert_int_equal(members, 1);
	json_each(item, root)
		items++;
	json_each(item, NULL)
		items++;
	json_each_member(m, list)
		members++;
	assert_int_equal(items, 2);
	assert_int_equal(members, 1);
}

TEST(builds_the_tree)
{
	const char *error;

	struct json *root = json_exact(&a,
	    TEXT("{\"n\":-1.50,\"s\":\"\\u00e9x\",\"t\":true,\"f\":false,\"z\":null,"
	         "\"l\":[1,\"2\",{}],\"k\\t\":{}}"),
	    &error);
	assert_non_null(root);
	assert_int_equal(root->type, JSON_OBJECT);
	assert_null(root->key);
	assert_null(root->next);
	assert_int_equal(root->count, 7);
	struct json *n = json_member(root, "n"), *s = json_member(root, "s"), *l = json_member(root, "l");
	assert_ptr_equal(root->first, n);
	assert_int_equal(n->type, JSON_NUMBER);
	assert_string_equal(n->text, "-1.50");
	assert_int_equal(n->len, 5);
	assert_string_equal(n->key, "n");
	assert_int_equal(n->key_len, 1);
	assert_ptr_equal(n->next, s);
	assert_string_equal(s->text, "\xc3\xa9x");
	assert_int_equal(s->len, 3);
	assert_true(json_member(root, "t")->truth);
	assert_false(json_member(root, "f")->truth);
	assert_int_equal(json_member(root, "z")->type, JSON_NULL);
	assert_int_equal(l->count, 3);
	assert_null(l->first->key);
	assert_string_equal(l->first->next->text, "2");
	assert_null(l->first->next->next->next);
	assert_int_equal(json_member(root, "k\t")->count, 0);
	assert_null(json_member(root, "N"));
	assert_null(json_member(root, ""));
	assert_null(json_member(l, "n"));
	assert_null(json_member(NULL, "n"));
	static const char *const names[] = {"number", "string", "boolean", "boolean", "null", "array", "object"};
	size_t i = 0;
	for (struct json *member = root->first; member; member = member->next)
		assert_string_equal(json_type_name(member), names[i++]);
	assert_string_equal(json_type_name(NULL), "undefined");
}

TEST(flags_nul)
{
	const char *error;

	struct json *root = json_exact(&a,
	    TEXT("{\"a\":\"x\\u0000y\",\"b\":\"x\",\"c\\u0000d\":1,\"e\\u0000\":\"z\",\"f\":\"\\\\u0000\"}"), &error);
	assert_non_null(root);
	static const bool flagged[] = {true, false, true, true, false};
	size_t i = 0;
	for (struct json *member = root->first; member; member = member->next)
		assert_int_equal(member->has_nul, flagged[i++]);
	assert_int_equal(root->first->len, 3);
	assert_memory_equal(root->first->text, "x\0y", 4);
	struct json *c = root->first->next->next;
	assert_int_equal(c->key_len, 3);
	assert_memory_equal(c->key, "c\0d", 4);
	assert_null(json_member(root, "c"));
	/* keys that differ only after a NUL are different keys */
	assert_non_null(json_exact(&a, TEXT("{\"a\\u0000b\":1,\"a\\u0000c\":2,\"a\":3}"), &error));
	assert_null(json_exact(&a, TEXT("{\"a\\u0000b\":1,\"a\\u0000b\":2}"), &error));
}

/* --- what is refused ------------------------------------------------------------- */

TEST(refuses_bad_texts)
{
	static const struct {
		const char *text;
		size_t len;
		const char *error;
	} cases[] = {
	    {TEXT(""), "at byte 0: the text ends too early"},
	    {TEXT("  \n"), "at byte 3: the text ends too early"},
	    {TEXT("\xef\xbb\xbf{}"), "at byte 0: a byte order mark"},
	    {TEXT("\xfe\xff\0{\0}"), "at byte 0: not UTF-8"},
	    {TEXT("{\0}\0"), "at byte 1: expected the name of a member"},
	    /* structure */
	    {TEXT("{"), "at byte 1: expected the name of a member"},
	    {TEXT("["), "at byte 1: the text ends too early"},
	    {TEXT("[1"), "at byte 2: expected a comma or ]"},
	    {TEXT("[1,"), "at byte 3: the text ends too early"},
	    {TEXT("[1,]"), "at byte 3: expected a value"},
	    {TEXT("[,1]"), "at byte 1: expected a value"},
	    {TEXT("[1,,2]"), "at byte 3: expected a value"},
	    {TEXT("[1 2]"), "at byte 3: expected a comma or ]"},
	    {TEXT("[1}"), "at byte 2: expected a comma or ]"},
	    {TEXT("[}"), "at byte 1: expected a value"},
	    {TEXT("{]"), "at byte 1: expected the name of a member"},
	    {TEXT("{\"a\""), "at byte 4: expected a colon"},
	    {TEXT("{\"a\":"), "at byte 5: the text ends too early"},
	    {TEXT("{\"a\":}"), "at byte 5: expected a value"},
	    {TEXT("{\"a\":1"), "at byte 6: expected a comma or }"},
	    {TEXT("{\"a\":1,}"), "at byte 7: expected the name of a member"},
	    {TEXT("{,}"), "at byte 1: expected the name of a member"},
	    {TEXT("{\"a\",1}"), "at byte 4: expected a colon"},
	    {TEXT("{\"a\"::1}"), "at byte 5: expected a value"},
	    {TEXT("{\"a\":1 \"b\":2}"), "at byte 7: expected a comma or }"},
	    {TEXT("{\"a\":1]"), "at byte 6: expected a comma or }"},
	    {TEXT("{a:1}"), "at byte 1: expected the name of a member"},
	    {TEXT("{'a':1}"), "at byte 1: expected the name of a member"},
	    {TEXT("{1:1}"), "at byte 1: expected the name of a member"},
	    {TEXT("{null:1}"), "at byte 1: expected the name of a member"},
	    {TEXT("]"), "at byte 0: expected a value"},
	    {TEXT("{}}"), "at byte 2: unexpected text after the value"},
	    {TEXT("[] []"), "at byte 3: unexpected text after the value"},
	    {TEXT("1 2"), "at byte 2: unexpected text after the value"},
	    {TEXT("{},"), "at byte 2: unexpected text after the value"},
	    {TEXT("{}\0"), "at byte 2: unexpected text after the value"},
	    {TEXT("\"a\"x"), "at byte 3: unexpected text after the value"},
	    {TEXT("truefalse"), "at byte 4: unexpected text after the value"},
	    {TEXT("[1]//c"), "at byte 3: unexpected text after the value"},
	    {TEXT("/*c*/1"), "at byte 0: expected a value"},
	    {TEXT("[1/*c*/]"), "at byte 2: expected a comma or ]"},
	    {TEXT("\v1"), "at byte 0: expected a value"},
	    {TEXT("\xc2\xa0"
	          "1"),
	        "at byte 0: expected a value"},
	    /* words */
	    {TEXT("nul"), "at byte 0: an unknown word"},
	    {TEXT("tru"), "at byte 0: an unknown word"},
	    {TEXT("fals"), "at byte 0: an unknown word"},
	    {TEXT("nulL"), "at byte 0: an unknown word"},
	    {TEXT("[t]"), "at byte 1: an unknown word"},
	    {TEXT("True"), "at byte 0: expected a value"},
	    {TEXT("NaN"), "at byte 0: expected a value"},
	    {TEXT("Infinity"), "at byte 0: expected a value"},
	    {TEXT("-Infinity"), "at byte 1: a number without a digit"},
	    {TEXT("undefined"), "at byte 0: expected a value"},
	    {TEXT("nullx"), "at byte 4: unexpected text after the value"},
	    /* numbers */
	    {TEXT("01"), "at byte 1: a number with a leading zero"},
	    {TEXT("-01"), "at byte 2: a number with a leading zero"},
	    {TEXT("00"), "at byte 1: a number with a leading zero"},
	    {TEXT("-"), "at byte 1: a number without a digit"},
	    {TEXT("[-]"), "at byte 2: a number without a digit"},
	    {TEXT("1."), "at byte 2: a number without a digit"},
	    {TEXT("[1.]"), "at byte 3: a number without a digit"},
	    {TEXT("1.e5"), "at byte 2: a number without a digit"},
	    {TEXT(".1"), "at byte 0: expected a value"},
	    {TEXT("-.1"), "at byte 1: a number without a digit"},
	    {TEXT("+1"), "at byte 0: expected a value"},
	    {TEXT("1e"), "at byte 2: a number without a digit"},
	    {TEXT("1e+"), "at byte 3: a number without a digit"},
	    {TEXT("1e5.5"), "at byte 3: unexpected text after the value"},
	    {TEXT("0x10"), "at byte 1: unexpected text after the value"},
	    {TEXT("1_000"), "at byte 1: unexpected text after the value"},
	    {TEXT("--1"), "at byte 1: a number without a digit"},
	    {TEXT("1.2.3"), "at byte 3: unexpected text after the value"},
	    {TEXT("\xd9\xa1"), "at byte 0: expected a value"},
	    /* strings */
	    {TEXT("\""), "at byte 1: a string without its end"},
	    {TEXT("\"abc"), "at byte 4: a string without its end"},
	    {TEXT("\"abc\\"), "at byte 4: a string without its end"},
	    {TEXT("\"abc\\\""), "at byte 6: a string without its end"},
	    {TEXT("\"a\nb\""), "at byte 2: a control character in a string"},
	    {TEXT("\"a\tb\""), "at byte 2: a control character in a string"},
	    {TEXT("\"a\0b\""), "at byte 2: a control character in a string"},
	    {TEXT("\"a\x1f\""), "at byte 2: a control character in a string"},
	    {TEXT("\"\\x41\""), "at byte 1: an unknown escape"},
	    {TEXT("\"\\'\""), "at byte 1: an unknown escape"},
	    {TEXT("\"\\a\""), "at byte 1: an unknown escape"},
	    {TEXT("\"\\U0041\""), "at byte 1: an unknown escape"},
	    {TEXT("\"\\\0\""), "at byte 1: an unknown escape"},
	    {TEXT("\"\\u\""), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("\"\\u004\""), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("\"\\u00g1\""), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("\"\\u 041\""), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("\"\\u+041\""), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("\"\\u00"), "at byte 1: \\u without four hexadecimal digits"},
	    {TEXT("'a'"), "at byte 0: expected a value"},
	    /* surrogates */
	    {TEXT("\"\\ud800\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\udbffx\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800\\ud800\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800\\u0041\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800\\n\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800\\udc0\""), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800\\"), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\ud800"), "at byte 1: a lone high surrogate"},
	    {TEXT("\"\\udc00\""), "at byte 1: a lone low surrogate"},
	    {TEXT("\"\\uDFFF\\uD800\""), "at byte 1: a lone low surrogate"},
	    {TEXT("{\"\\udc00\":1}"), "at byte 2: a lone low surrogate"},
	    /* UTF-8: every class */
	    {TEXT("\"\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xff\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xc0\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xc1\xbf\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xe0\x80\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xf0\x80\x80\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xed\xa0\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xed\xa0\xbd\xed\xb8\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xf4\x90\x80\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xf5\x80\x80\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xf8\x88\x80\x80\x80\""), "at byte 1: not UTF-8"},
	    {TEXT("\"\xe2\x82\""), "at byte 1: not UTF-8"},
	    {TEXT("\"abc\xc3"), "at byte 4: not UTF-8"},
	    {TEXT("{\"\xff\":1}"), "at byte 2: not UTF-8"},
	    {TEXT("{}\xff"), "at byte 2: not UTF-8"},
	    /* repeated keys */
	    {TEXT("{\"a\":1,\"a\":1}"), "at byte 7: a duplicate key"},
	    {TEXT("{\"a\":1,\"\\u0061\":2}"), "at byte 7: a duplicate key"},
	    {TEXT("{\"\\u0061\":1, \"a\" :2}"), "at byte 13: a duplicate key"},
	    {TEXT("{\"\xc3\xa9\":1,\"\\u00E9\":2}"), "at byte 8: a duplicate key"},
	    {TEXT("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}"), "at byte 18: a duplicate key"},
	    {TEXT("{\"/\":1,\"\\/\":2}"), "at byte 7: a duplicate key"},
	    {TEXT("{\"\":1,\"b\":2,\"\":3}"), "at byte 12: a duplicate key"},
	    {TEXT("[{\"x\":{\"a\":1,\"b\":2,\"c\":3,\"b\":4,\"a\":5}}]"), "at byte 25: a duplicate key"},
	    {TEXT("{\"\\\"\\\\\":1,\"\\\"\\\\\":2}"), "at byte 10: a duplicate key"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *error;
		if (json_exact(&a, cases[i].text, cases[i].len, &error))
			fail_msg("accepted: %s", cases[i].text);
		if (strcmp(error, cases[i].error) != 0)
			fail_msg("%s\n   says %s\nexpected %s", cases[i].text, error, cases[i].error);
	}
}

/* Every prefix of a valid text is refused, and no byte after it is read. */
TEST(refuses_every_beginning)
{
	static const char text[] =
	    "{\"a\":[1.5e+3,true,false,null,\"x\\u00e9\\ud83d\\ude00\\n\xe2\x82\xac\"],\"b\":{\"c\":-0.1}}";
	const char *error;

	for (size_t len = 0; len < sizeof(text) - 1; len++)
		if (json_exact(&a, text, len, &error))
			fail_msg("accepted: %.*s", (int)len, text);
	assert_non_null(json_exact(&a, text, sizeof(text) - 1, &error));
}

/* --- canonical form ------------------------------------------------------------------ */

TEST(canonical_forms_agree)
{
	static const struct {
		const char *text, *canonical;
	} cases[] = {
	    {"{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}"},
	    {" { \"a\" : 2 ,\n\"b\":1}", "{\"a\":2,\"b\":1}"},
	    {"{\"\\u0062\":1,\"a\":2}", "{\"a\":2,\"b\":1}"},
	    {"{\"z\":{\"y\":[{\"d\":1,\"c\":2}],\"x\":0},\"\":null}",
	        "{\"\":null,\"z\":{\"x\":0,\"y\":[{\"c\":2,\"d\":1}]}}"},
	    {"[2,1,\"b\",\"a\"]", "[2,1,\"b\",\"a\"]"}, /* the order of a list counts */
	    {"[1,1.0,1e0,-0,0]", "[1,1.0,1e0,-0,0]"},
	    {"\"\\u00e9\\/\\u000A\\u0022\"", "\"\xc3\xa9/\\n\\\"\""},
	    {"\"\xc3\xa9/\\n\\\"\"", "\"\xc3\xa9/\\n\\\"\""},
	    {"{\"ab\":1,\"a\":2,\"b\":3,\"B\":4,\"\xc3\xa9\":5,\"a\\u0000\":6}",
	        "{\"B\":4,\"a\":2,\"a\\u0000\":6,\"ab\":1,\"b\":3,\"\xc3\xa9\":5}"},
	    {"{}", "{}"},
	    {"[ ]", "[]"},
	    {"true", "true"},
	    {"null", "null"},
	    {"\"1\"", "\"1\""},
	    {"1", "1"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		check_rewritten(cases[i].text, strlen(cases[i].text), true, cases[i].canonical);
		check_rewritten(cases[i].canonical, strlen(cases[i].canonical), true, cases[i].canonical);
	}
	struct buf b;
	buf_init(&b, 10);
	json_canonical(&b, NULL);
	assert_string_equal(b.data, "{}");
	buf_free(&b);
}
