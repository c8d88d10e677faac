/* Shapes of JSON in columns: what fits, and what does not. */
#include <string.h>

#include "server/cell/shape.h"
#include "test/lib/test.h"

static const struct {
	const char *shape, *json;
	bool fits;
} cases[] = {
    {"s", "\"a\"", true},
    {"s", "1", false},
    {"n|0", "null", true},
    {"n|0", "1.5", true},
    {"n|0", "\"1\"", false},
    {"b", "false", true},
    {"*", "[[{}]]", true},
    {"*", "\"a\\u0000b\"", false},
    {"*", "[[{\"a\":\"b\\u0000\"}]]", false},
    {"*", "{\"a\":[1e400]}", false},
    {"n", "1e400", false},
    {"n", "-12345678901234567890.5", true},
    {"n", "12345678901234567890123456789012345678901", false},
    {"u", "\"01234567-89ab-7cde-8f01-23456789abcd\"", true},
    {"u", "\"01234567\"", false},
    {"u", "1", false},
    {"{u:[n]}", "{\"01234567-89ab-7cde-8f01-23456789abcd\":[1]}", true},
    {"{u:[n]}", "{\"01234567-89ab-7cde-8f01-23456789abcd\":[\"1\"]}", false},
    {"{u:[n]}", "{\"u\":[1]}", false},
    {"{*:[n]}", "{\"a\\u0000\":[1]}", false},
    {"[s|n]", "[]", true},
    {"[s|n]", "[1,\"a\"]", true},
    {"[s|n]", "[1,null]", false},
    {"[s|n]", "{}", false},
    {"[[n]]", "[[1],[],[2,3]]", true},
    {"[[n]]", "[[1],2]", false},
    {"{a:s,b?:n}", "{\"a\":\"x\"}", true},
    {"{a:s,b?:n}", "{\"b\":1,\"a\":\"x\"}", true},
    {"{a:s,b?:n}", "{\"b\":1}", false},
    {"{a:s,b?:n}", "{\"a\":\"x\",\"b\":null}", false},
    {"{a:s,b?:n}", "{\"a\":\"x\",\"c\":1}", false},
    {"{a:s,b?:n}", "[\"a\"]", false},
    {"{a?:s}", "{}", true},
    {"{*:n}", "{}", true},
    {"{*:n}", "{\"x\":1,\"y\":2}", true},
    {"{*:n}", "{\"x\":1,\"y\":\"2\"}", false},
    {"{*:n}", "{\"a\\u0000\":1}", false},
    {"[{a:[s],b:{*:*}}]", "[{\"a\":[\"x\"],\"b\":{\"c\":[{}]}},{\"a\":[],\"b\":{}}]", true},
    {"[{a:[s],b:{*:*}}]", "[{\"a\":[\"x\"],\"b\":{}},{\"a\":[null],\"b\":{}}]", false},
    {"[{a:[s],b:{*:*}}]", "[null]", false},
    {"{a:{b:s}|[n],c:s}", "{\"a\":[1],\"c\":\"\"}", true},
    {"{a:{b:s}|[n],c:s}", "{\"a\":{\"b\":\"\"},\"c\":\"\"}", true},
    {"{a:{b:s}|[n],c:s}", "{\"a\":{},\"c\":\"\"}", false},
};

TEST(test_cases)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *error = "";
		struct arena a;
		arena_init(&a);
		const struct json *value = json_read(&a, cases[i].json, strlen(cases[i].json), &error);
		if (!value || shape_fits(cases[i].shape, value) != cases[i].fits)
			fail_msg("%s %s %s", cases[i].shape, cases[i].json, error);
		arena_free(&a);
	}
}
