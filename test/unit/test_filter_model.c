/* test/lib/model/filter_model.c: the reference model that filters are compared with, tested with hand-written examples.
 */
#include <stdio.h>
#include <string.h>

#include "test/lib/model/filter_model.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

/* Items and values are separated by '|'; "" is none. Users: "id/email", "/email" as a value. */
struct holds_case {
	const char *type, *op, *values, *items;
	bool holds;
};

static const struct holds_case holds_cases[] = {
    /* texts */
    {"text", "eq", "a", "a", true},
    {"text", "eq", "a", "A", false},
    {"text", "eq", "a", "", false},
    {"text", "eq", "a|b", "b", true},
    {"text", "eq", "a|b", "c|b", true},
    {"text", "eq", "a", "a ", false},
    {"text", "not_eq", "a", "", true},
    {"text", "not_eq", "a", "a", false},
    {"text", "not_eq", "a", "b|a", false},
    {"text", "not_eq", "a|b", "c", true},
    {"text", "like", "B", "abc", true},
    {"text", "like", "x|B", "abc", true},
    {"text", "like", "a%c", "abc", false},
    {"text", "like", "a_c", "abc", false},
    {"text", "like", "_", "a_c", true},
    {"text", "like", "\\", "a\\c", true},
    {"text", "like", "ÁD", "xádx", true},
    {"text", "like", "ΟΣ", "κόσμος ΟΔΟΣ.", true},
    {"text", "like", "ΟΣ", "οσα", true},
    {"text", "like", "İ", "İpek", true},
    {"text", "like", "i", "İpek", true},
    {"text", "like", "ipek", "İpek", false},
    {"text", "like", "STRASSE", "straße", false},
    {"text", "like", "a", "", false},
    {"text", "not_like", "a", "", true},
    {"text", "not_like", "a|z", "xyz", false},
    {"text", "not_like", "a|q", "xyz", true},
    {"text", "not_like", "a", "xyz|bar", false},
    {"text", "empty", "", "", true},
    {"text", "empty", "", "x", false},
    {"text", "not_empty", "", "x|y", true},
    {"text", "not_empty", "", "", false},
    /* e-mails and phones */
    {"email", "eq", "ADA@x.org", "ada@X.ORG", true},
    {"email", "eq", "ada@x.or", "ada@x.org", false},
    {"email", "not_eq", "ADA@x.org", "b@c|ada@X.ORG", false},
    {"phone", "eq", "0036 1/23", "0036-1-23", true},
    {"phone", "eq", "+36123", "0036123", false},
    {"phone", "eq", "361", "36123", false},
    {"phone", "like", "36123", "36-123", false},
    {"phone", "like", "-1", "36-123", true},
    /* gender */
    {"gender", "eq", "Male", "Male", true},
    {"gender", "eq", "Unknown", "Unknown", true},
    {"gender", "not_eq", "Male", "Unknown", true},
    {"gender", "not_eq", "Unknown", "Unknown", false},
    {"gender", "empty", "", "Unknown", true},
    {"gender", "not_empty", "", "Unknown", false},
    {"gender", "not_empty", "", "Other", true},
    /* numbers */
    {"number", "eq", "1.50", "1.5", true},
    {"number", "eq", "15e-1", "1.5", true},
    {"number", "eq", "-0", "0", true},
    {"number", "eq", "0.00", "0", true},
    {"number", "eq", "100", "1e2", true},
    {"number", "gt", "9", "10", true},
    {"number", "gt", "10", "10", false},
    {"number", "gt", "-10", "-9", true},
    {"number", "gt", "-1", "0.001", true},
    {"number", "gt", "0.01", "0.009", false},
    {"number", "lt", "123456789012345678901234567890.6", "123456789012345678901234567890.5", true},
    {"number", "lt", "1999.5", "1999", true},
    {"number", "lt", "5", "", false},
    {"number", "gt", "5", "", false},
    {"number", "not_eq", "5", "", true},
    {"number", "not_eq", "5", "5", false},
    /* days */
    {"date", "eq", "2024-02-29", "2024-02-29", true},
    {"date", "gt", "2024-02-28", "2024-02-29", true},
    {"date", "gt", "2024-02-29", "2024-02-29", false},
    {"date", "lt", "2024-02-29", "1969-12-31", true},
    {"day", "eq", "2024-02-29", "2024-02-29T23:59:59.999Z", true},
    {"day", "gt", "2024-02-29", "2024-02-29T23:59:59.999Z", false},
    {"day", "gt", "2024-02-29", "2024-03-01T00:00:00.000Z", true},
    {"day", "lt", "2024-02-29", "2024-02-29T00:00:00.000Z", false},
    {"day", "lt", "2024-02-29", "2024-02-28T23:59:59.999Z", true},
    {"day", "eq", "2024-02-29T10:00:00Z", "2024-02-29T23:59:59.999Z", true},
    {"day", "eq", "2024-03-01T01:00:00+02:00", "2024-02-29T12:00:00.000Z", true},
    {"day", "gt", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59.999Z", false},
    {"day", "lt", "1969-12-31T12:00:00Z", "1969-12-31T00:00:00.000Z", false},
    {"instant", "gt", "2024-02-29T10:00:00.000Z", "2024-02-29T10:00:00.001Z", true},
    {"instant", "gt", "2024-02-29T10:00:00.000Z", "2024-02-29T10:00:00.000Z", false},
    {"instant", "lt", "2024-02-29T10:00:00.000Z", "2024-02-29T09:59:59.999Z", true},
    {"instant", "gt", "2024-02-29", "2024-02-29T23:59:59.999Z", false},
    {"instant", "lt", "2024-02-29", "", false},
    /* references */
    {"ref", "in", "a", "a|b", true},
    {"ref", "in", "c|b", "a|b", true},
    {"ref", "in", "c", "a|b", false},
    {"ref", "not_in", "c", "a|b", true},
    {"ref", "not_in", "a", "", true},
    {"ref", "all", "a|b", "b|a", true},
    {"ref", "all", "a", "a|b", false},
    {"ref", "all", "a|b|c", "a|b", false},
    {"ref", "all", "a|a", "a", true},
    {"ref", "all", "a", "", false},
    {"ref", "empty", "", "", true},
    {"label", "in", "Low|High", "High", true},
    {"label", "in", "high", "High", false},
    {"user", "in", "/ADA@x.org", "u1/ada@x.org", true},
    {"user", "in", "u1", "u1/ada@x.org", true},
    {"user", "in", "u2|/nobody@x.org", "u1/ada@x.org", false},
    {"user", "all", "u1|/b@x.org", "u2/b@x.org|u1/a@x.org", true},
    {"user", "all", "u1|/nobody@x.org", "u1/a@x.org", false},
    {"user", "not_in", "/a@x.org", "u1/a@x.org", false},
};

static size_t word_index(const char *const *words, size_t n, const char *wanted)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], wanted) == 0)
			return i;
	fail_msg("no word '%s'", wanted);
	return 0;
}

static size_t split_items(const char *text, struct model_item *out)
{
	size_t n = 0;

	while (*text) {
		size_t len = strcspn(text, "|");
		char *item = arena_dup(&a, text, len), *slash = strchr(item, '/');
		out[n] = (struct model_item){.text = item};
		if (slash && strchr(item, '@')) {
			*slash = '\0';
			out[n] = (struct model_item){.text = *item ? item : NULL, .email = slash + 1};
		}
		n++;
		text += len + (text[len] == '|');
	}
	return n;
}

TEST(test_holds)
{
	for (size_t i = 0; i < sizeof holds_cases / sizeof *holds_cases; i++) {
		const struct holds_case *h = &holds_cases[i];
		struct model_field field = {
		    .type = (enum model_type)word_index(model_type_words, MODEL_TYPES, h->type)};
		struct model_condition c = {.field = &field};
		struct model_items items;
		c.op = (enum model_op)word_index(model_op_words, MODEL_OPS, h->op);
		c.n_values = split_items(h->values, c.values);
		items.count = split_items(h->items, items.items);
		if (model_holds(&c, &items) != h->holds)
			fail_msg("%s %s '%s' of '%s' is not %d", h->type, h->op, h->values, h->items, h->holds);
	}
}

/* --- records ------------------------------------------------------------------------- */

static const char record_text[] =
    "{\"id\":\"me\",\"name\":\"\",\"title\":\"T\",\"emails\":[\"a@b\",\"\",\"c@d\"],"
    "\"groups\":[{\"id\":\"g1\",\"name\":\"G\"}],\"createdBy\":{\"id\":\"u1\",\"email\":\"u@x\"},"
    "\"companies\":[{\"id\":\"c2\"}],\"values\":{\"g\":{\"a.b\":[\"x\",\"y\"],\"none\":null}}}";

struct read_case {
	struct model_field field;
	const char *items;
};

static const struct read_case read_cases[] = {
    {{.name = "name"}, ""},
    {{.name = "title"}, "T"},
    {{.name = "absent"}, ""},
    {{.name = "emails"}, "a@b|c@d"},
    {{.name = "groups"}, "g1"},
    {{.name = "createdBy"}, "u1"},
    {{.name = "x", .path = {"values", "g", "a.b"}}, "x|y"},
    {{.name = "x", .path = {"values", "g", "none"}}, ""},
    {{.name = "x", .path = {"values", "other", "none"}}, ""},
    {{.name = "x", .path = {"title", "g", "none"}}, ""},
};

static struct json *read_text(const char *text)
{
	const char *error;
	struct json *json = json_read(&a, text, strlen(text), &error);

	assert_non_null(json);
	return json;
}

TEST(test_reading)
{
	struct json *record = read_text(record_text);
	for (size_t i = 0; i < sizeof read_cases / sizeof *read_cases; i++) {
		struct model_items items;
		char out[128] = "";
		model_read(record, &read_cases[i].field, &items);
		for (size_t k = 0; k < items.count; k++)
			snprintf(
			    out + strlen(out), sizeof out - strlen(out), "%s%s", k ? "|" : "", items.items[k].text);
		assert_string_equal(out, read_cases[i].items);
	}
}

/* --- trees ------------------------------------------------------------------------------ */

static struct model_tree tree_leaf(struct model_condition *c)
{
	return (struct model_tree){.condition = c};
}

TEST(test_trees)
{
	struct model_field title = {.name = "title", .type = MODEL_TEXT};
	struct model_condition yes = {.field = &title, .op = MODEL_EQ, .values = {{"T"}}, .n_values = 1};
	struct model_condition no = {.field = &title, .op = MODEL_EQ, .values = {{"S"}}, .n_values = 1};
	struct model_tree t = tree_leaf(&yes), f = tree_leaf(&no);

	struct json *record = read_text(record_text);
	struct model_tree none = {.any = false}, nothing = {.any = true};
	assert_true(model_matches(&none, record));
	assert_false(model_matches(&nothing, record));
	struct model_tree *both[] = {&t, &f};
	struct model_tree all = {.parts = both, .n_parts = 2}, any = {.any = true, .parts = both, .n_parts = 2};
	assert_false(model_matches(&all, record));
	assert_true(model_matches(&any, record));
	struct model_tree *nested[] = {&any, &t};
	assert_true(model_matches(&(struct model_tree){.parts = nested, .n_parts = 2}, record));
}

TEST(test_relations)
{
	struct json *record = read_text(record_text);
	struct json *others[] = {read_text("{\"id\":\"c1\",\"name\":\"One\",\"people\":[{\"id\":\"me\"}]}"),
	    read_text("{\"id\":\"c2\",\"name\":\"Two\",\"people\":[]}")};
	struct model_relation ours = {.name = "companies", .ours = "companies", .others = others, .n_others = 2};
	struct model_relation theirs = {.name = "objects", .theirs = "people", .others = others, .n_others = 2};
	struct model_field name = {.name = "name", .type = MODEL_TEXT};
	struct model_condition c = {
	    .field = &name, .relation = &ours, .op = MODEL_EQ, .values = {{"Two"}}, .n_values = 1};
	struct model_tree t = tree_leaf(&c);
	assert_true(model_matches(&t, record));
	c.op = MODEL_NOT_EQ;
	assert_false(model_matches(&t, record));
	c.relation = &theirs;
	assert_true(model_matches(&t, record));
	c.values[0].text = "One";
	assert_false(model_matches(&t, record));
	/* No person is related, so no related person's name is unset. */
	c.op = MODEL_EMPTY;
	ours.n_others = 0, c.relation = &ours;
	assert_false(model_matches(&t, record));
}
