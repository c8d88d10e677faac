/* server/base/query.c: splitting and decoding; filter/read_query.c: the grammar of filter keys. */
#include <string.h>

#include "filter/read_query.h"
#include "server/base/query.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

struct split_case {
	const char *in;
	const char *out; /* key=value, or only key without a '='; joined by '|' */
};

static const struct split_case split_cases[] = {
    {"", ""},
    {"a=b&c&d=", "a=b|c|d="},
    {"&&a=1&", "a=1"},
    {"&", ""},
    {"=x", "=x"},
    {"=", "="},
    {"a=b=c", "a=b=c"},
    {"a+b=c+d", "a b=c d"},
    {"a%2Bb=c%20d", "a+b=c d"},
    {"filter%5BfullName%5D%5Blike%5D=J%C3%BCrgen", "filter[fullName][like]=J\xc3\xbcrgen"},
    {"a%26b%3Dc=d%26", "a&b=c=d&"},
    {"100%=5%zz%4", "100%=5%zz%4"},
    {"a=1&a=2&a=3", "a=1|a=2|a=3"},
    {"filter[x][empty]&limit=2", "filter[x][empty]|limit=2"},
};

TEST(test_split)
{
	for (size_t i = 0; i < sizeof(split_cases) / sizeof(*split_cases); i++) {
		struct query q;
		char out[256] = "";
		assert_int_equal(query_parse(&q, &a, split_cases[i].in, strlen(split_cases[i].in)), QUERY_OK);
		for (size_t p = 0; p < q.count; p++) {
			strncat(out, p > 0 ? "|" : "", sizeof(out) - strlen(out) - 1);
			strncat(out, q.pairs[p].key.text, sizeof(out) - strlen(out) - 1);
			strncat(out, q.pairs[p].has_value ? "=" : "", sizeof(out) - strlen(out) - 1);
			strncat(out, q.pairs[p].value.text, sizeof(out) - strlen(out) - 1);
		}
		assert_string_equal(out, split_cases[i].out);
	}
}

TEST(test_flags)
{
	struct query q;

	static const char text[] = "a%00b=x%00&b%ff=%ed%a0%80&c=ok";
	assert_int_equal(query_parse(&q, &a, text, sizeof(text) - 1), QUERY_OK);
	assert_int_equal(q.count, 3);
	assert_true(q.pairs[0].key.has_nul && q.pairs[0].value.has_nul);
	assert_int_equal(q.pairs[0].key.len, 3);
	assert_memory_equal(q.pairs[0].key.text, "a\0b", 4);
	assert_int_equal(q.pairs[0].value.len, 2);
	assert_false(q.pairs[0].key.bad_utf8 || q.pairs[0].value.bad_utf8);
	assert_true(q.pairs[1].key.bad_utf8 && q.pairs[1].value.bad_utf8);
	assert_false(q.pairs[1].key.has_nul || q.pairs[1].value.has_nul);
	assert_false(q.pairs[2].key.has_nul || q.pairs[2].key.bad_utf8 || q.pairs[2].value.bad_utf8);
	assert_ptr_equal(query_last(&q, "c"), &q.pairs[2]);
	assert_null(query_last(&q, "a"));
}

TEST(test_caps)
{
	static char text[QUERY_MAX + 1];
	struct query q;

	memset(text, 'a', sizeof(text));
	assert_int_equal(query_parse(&q, &a, text, QUERY_MAX), QUERY_OK);
	assert_int_equal(q.count, 1);
	assert_int_equal(query_parse(&q, &a, text, QUERY_MAX + 1), QUERY_TOO_LONG);
	assert_int_equal(q.count, 0);
	for (size_t i = 0; i < QUERY_PAIRS_MAX; i++)
		memcpy(text + 2 * i, "a&", 2);
	/* the 512th pair ends in '&' and nothing */
	assert_int_equal(query_parse(&q, &a, text, 2 * (size_t)QUERY_PAIRS_MAX), QUERY_OK);
	assert_int_equal(q.count, QUERY_PAIRS_MAX);
	assert_ptr_equal(query_last(&q, "a"), &q.pairs[QUERY_PAIRS_MAX - 1]);
	assert_int_equal(query_parse(&q, &a, text, 2 * (size_t)QUERY_PAIRS_MAX + 1), QUERY_TOO_MANY);
	assert_int_equal(q.count, 0);
}

struct key_case {
	const char *key;
	enum filter_key_status status;
	const char *field, *op, *subkey; /* "": empty; subkey NULL: none */
};

#define GROUP "grp_01890a5d-ac96-774b-bcce-b302099a8057"

static const struct key_case key_cases[] = {
    {"limit", FILTER_KEY_NONE, "", "", NULL},
    {"filter", FILTER_KEY_NONE, "", "", NULL},
    {"Filter[a][eq]", FILTER_KEY_NONE, "", "", NULL},
    {"filter[fullName][eq]", FILTER_KEY_OK, "fullName", "eq", NULL},
    {"filter[fullName][not_like]", FILTER_KEY_OK, "fullName", "not_like", NULL},
    {"filter[groups][in][id]", FILTER_KEY_OK, "groups", "in", "id"},
    {"filter[groups][in][id][]", FILTER_KEY_OK, "groups", "in", "id"},
    {"filter[groups][in][id][0]", FILTER_KEY_OK, "groups", "in", "id"},
    {"filter[groups][in][id][99]", FILTER_KEY_OK, "groups", "in", "id"},
    {"filter[entity][in][]", FILTER_KEY_OK, "entity", "in", NULL},
    {"filter[entity][in][3]", FILTER_KEY_OK, "entity", "in", NULL},
    {"filter[createdBy][not_in][email]", FILTER_KEY_OK, "createdBy", "not_in", "email"},
    {"filter[createdBy][in][name]", FILTER_KEY_OK, "createdBy", "in", "name"},
    {"filter[interactionMetadata.user.lastInteractedAt][gt]", FILTER_KEY_OK,
        "interactionMetadata.user.lastInteractedAt", "gt", NULL},
    /* names with brackets, dots, operators inside */
    {"filter[customFieldValues." GROUP ".a.b][eq]", FILTER_KEY_OK, "customFieldValues." GROUP ".a.b", "eq", NULL},
    {"filter[customFieldValues.x[y]][eq]", FILTER_KEY_OK, "customFieldValues.x[y]", "eq", NULL},
    {"filter[customFieldValues.x[eq]][like]", FILTER_KEY_OK, "customFieldValues.x[eq]", "like", NULL},
    {"filter[customFieldValues.x][eq][like]", FILTER_KEY_OK, "customFieldValues.x][eq", "like", NULL},
    {"filter[customFieldValues.[[]]][in][id][0]", FILTER_KEY_OK, "customFieldValues.[[]]", "in", "id"},
    {"filter[customFieldValues.][][all]", FILTER_KEY_OK, "customFieldValues.][", "all", NULL},
    {"filter[customFieldValues.][eq]x][empty]", FILTER_KEY_OK, "customFieldValues.][eq]x", "empty", NULL},
    {"filter[customFieldValues.gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x98\x80][gt]",
        FILTER_KEY_OK,
        "customFieldValues.gr\xc3\xb6\xc3\x9f"
        "e \xf0\x9f\x98\x80",
        "gt", NULL},
    {"filter[][eq]", FILTER_KEY_OK, "", "eq", NULL},
    /* wrong ones, taken apart as far as they go */
    {"filter[", FILTER_KEY_MALFORMED, "", "", NULL},
    {"filter[a", FILTER_KEY_MALFORMED, "a", "", NULL},
    {"filter[a][eq]x", FILTER_KEY_MALFORMED, "a][eq]x", "", NULL},
    {"filter[]", FILTER_KEY_NO_OP, "", "", NULL},
    {"filter[a]", FILTER_KEY_NO_OP, "a", "", NULL},
    {"filter[a[b]]", FILTER_KEY_NO_OP, "a[b]", "", NULL},
    {"filter[eq]", FILTER_KEY_NO_OP, "eq", "", NULL},
    {"filter[a[eq]]", FILTER_KEY_NO_OP, "a[eq]", "", NULL},
    {"filter[a][foo]", FILTER_KEY_OK, "a", "foo", NULL},
    {"filter[a][EQ]", FILTER_KEY_OK, "a", "EQ", NULL},
    {"filter[a][]", FILTER_KEY_OK, "a", "", NULL},
    {"filter[a][eq ]", FILTER_KEY_OK, "a", "eq ", NULL},
    {"filter[a][in][id][email]", FILTER_KEY_OK, "a", "in", "[id][email]"},
    {"filter[a][in][0][id]", FILTER_KEY_OK, "a", "in", "[0][id]"},
    {"filter[a][in][0][1]", FILTER_KEY_OK, "a", "in", "[0]"},
    {"filter[a][in][id][0][1]", FILTER_KEY_OK, "a", "in", "[id][0]"},
    {"filter[a][in][]]", FILTER_KEY_OK, "a", "in", "[]]"},
};

static void assert_slice(const char *got, size_t len, const char *expected, const char *key)
{
	if (len != strlen(expected) || (len > 0 && memcmp(got, expected, len) != 0))
		fail_msg("%s: \"%.*s\", expected \"%s\"", key, (int)len, got ? got : "", expected);
}

TEST(test_keys)
{
	for (size_t i = 0; i < sizeof(key_cases) / sizeof(*key_cases); i++) {
		const struct key_case *c = &key_cases[i];
		struct filter_key k;
		enum filter_key_status status = filter_key_parse(&k, c->key, strlen(c->key));
		if (status != c->status)
			fail_msg("%s: status %d, expected %d", c->key, (int)status, (int)c->status);
		assert_slice(k.field, k.field_len, c->field, c->key);
		assert_slice(k.op, k.op_len, c->op, c->key);
		assert_slice(k.subkey, k.subkey_len, c->subkey ? c->subkey : "", c->key);
		assert_true((k.subkey != NULL) == (c->subkey != NULL));
		assert_int_equal(k.kind, filter_op_parse(c->op, strlen(c->op)));
	}
}

TEST(test_operators)
{
	for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++)
		assert_int_equal(filter_op_parse(filter_op_word(op), strlen(filter_op_word(op))), op);
	assert_int_equal(filter_op_parse("", 0), FILTER_OP_NONE);
	assert_int_equal(filter_op_parse("e", 1), FILTER_OP_NONE);
	assert_int_equal(filter_op_parse("eqx", 3), FILTER_OP_NONE);
	assert_int_equal(filter_op_parse("eqx", 2), FILTER_EQ);
}
