/* server/dav/dav_filter.c: which cards a filter of addressbook-query takes. */
#include "server/dav/dav_filter.h"

#include <string.h>

#include "test/lib/case_arena.h"

CASE_ARENA();

static struct card_property properties[] = {
    {"", "UID", "", "urn:uuid:1", 10},
    {"", "FN", "", "Zo\xc3\x8b \xc3\x84pfel", 10},
    {"", "N", "", "\xc3\x84pfel;Zo\xc3\x8b;;;", 14},
    {"", "ORG", "", "Salt\\, Pepper;Kitchen", 21},
    {"item1", "EMAIL", ";TYPE=INTERNET,\"home\";PREF=1", "zoe@example.com", 15},
    {"item2", "EMAIL", ";TYPE=work", "z@work.example", 14},
    {"", "TEL", "", "+49 30 1", 8},
    {"", "X-PATH", "", "in c:\\\\new\\nline", 17},
};

static const struct card zoe = {
    .version = CARD_3_0, .properties = properties, .n = sizeof properties / sizeof *properties, .uid = "urn:uuid:1"};

static enum dav_filter_error read_filter(const char *inner, struct dav_filter *f)
{
	const char *text = arena_printf(&a, "<filter xmlns=\"urn:ietf:params:xml:ns:carddav\" %s</filter>",
	    *inner == '<' ? arena_printf(&a, ">%s", inner) : inner);
	struct xml_reader *rd = xml_reader_new(&a, text, strlen(text));
	const struct xml_node *root;
	const char *error;
	bool too_much;
	enum dav_filter_error result;

	while (!xml_reader_some(rd, 1 << 16))
		;
	root = xml_reader_root(rd, &error, &too_much);
	if (!root)
		fail_msg("%s: %s", text, error);
	result = dav_filter_read(&a, root, f);
	xml_reader_free(rd);
	return result;
}

static bool takes_zoe(const char *inner)
{
	struct dav_filter f;

	assert_int_equal(read_filter(inner, &f), DAV_FILTER_OK);
	return dav_filter_matches(&f, &a, &zoe);
}

/* A text-match with these attributes in a prop-filter. */
static bool finds_text(const char *property, const char *attributes, const char *text)
{
	return takes_zoe(arena_printf(
	    &a, "<prop-filter name=\"%s\"><text-match %s>%s</text-match></prop-filter>", property, attributes, text));
}

TEST(properties_that_are_there)
{
	assert_true(takes_zoe(""
	                      "><!-- nothing -->"));
	assert_true(takes_zoe("<prop-filter name=\"FN\"/>"));
	assert_true(takes_zoe("<prop-filter name=\"email\"/>"));
	assert_true(takes_zoe("<prop-filter name=\"item2.EMAIL\"/>"));
	assert_false(takes_zoe("<prop-filter name=\"item3.EMAIL\"/>"));
	assert_false(takes_zoe("<prop-filter name=\"NICKNAME\"/>"));
	assert_true(takes_zoe("<prop-filter name=\"NICKNAME\"><is-not-defined/></prop-filter>"));
	assert_false(takes_zoe("<prop-filter name=\"TEL\"><is-not-defined/></prop-filter>"));
}

TEST(places_of_a_text)
{
	assert_true(finds_text("EMAIL", "", "EXAMPLE"));
	assert_true(finds_text("EMAIL", "match-type=\"contains\"", "e@ex"));
	assert_true(finds_text("EMAIL", "match-type=\"starts-with\"", "Zoe@"));
	assert_true(finds_text("EMAIL", "match-type=\"ends-with\"", ".COM"));
	assert_true(finds_text("EMAIL", "match-type=\"equals\"", "ZOE@example.com"));
	assert_false(finds_text("EMAIL", "match-type=\"starts-with\"", "example"));
	assert_false(finds_text("EMAIL", "match-type=\"ends-with\"", "zoe"));
	assert_false(finds_text("EMAIL", "match-type=\"equals\"", "zoe@example"));
	assert_false(finds_text("EMAIL", "", "a text that is longer than all values of it"));
	assert_true(finds_text("ORG", "", "salt, pepper"));
}

TEST(letters_of_a_text)
{
	assert_true(finds_text("FN", "", "zo\xc3\xab \xc3\xa4p"));
	assert_true(finds_text("FN", "collation=\"i;unicode-casemap\"", "ZO\xc3\x8b"));
	assert_true(finds_text("FN", "collation=\"default\"", "ZO\xc3\x8b"));
	assert_false(finds_text("FN", "collation=\"i;ascii-casemap\"", "zo\xc3\xab"));
	assert_true(finds_text("FN", "collation=\"i;ascii-casemap\"", "zo\xc3\x8b"));
	assert_false(finds_text("FN", "collation=\"i;octet\"", "zo\xc3\x8b"));
	assert_true(finds_text("FN", "collation=\"i;octet\"", "Zo\xc3\x8b"));
}

TEST(escapes_of_a_text)
{
	assert_true(finds_text("ORG", "", "salt, pepper"));
	assert_true(finds_text("X-PATH", "", "c:\\new&#10;line"));
	assert_false(finds_text("X-PATH", "", "c:new"));
	assert_false(finds_text("ORG", "", "salt\\, pepper"));
}

TEST(texts_that_must_not_be_there)
{
	assert_true(finds_text("FN", "negate-condition=\"yes\"", "Ben"));
	assert_false(finds_text("FN", "negate-condition=\"yes\"", "zo"));
	assert_true(finds_text("EMAIL", "negate-condition=\"yes\"", "example.com")); /* the other address */
}

/* Conditions of one prop-filter belong to the same property. */
TEST(one_or_all)
{
	static const char home[] = "<text-match>zoe</text-match>", work[] = "<text-match>work.example</text-match>";

	assert_true(takes_zoe(arena_printf(&a, "<prop-filter name=\"EMAIL\">%s%s</prop-filter>", home, work)));
	assert_false(
	    takes_zoe(arena_printf(&a, "<prop-filter name=\"EMAIL\" test=\"allof\">%s%s</prop-filter>", home, work)));
	assert_true(takes_zoe("<prop-filter name=\"NOTE\"/><prop-filter name=\"FN\"/>"));
	assert_false(takes_zoe("test=\"allof\"><prop-filter name=\"NOTE\"/><prop-filter name=\"FN\"/>"));
	assert_true(takes_zoe("test=\"allof\"><prop-filter name=\"TEL\"/><prop-filter name=\"FN\"/>"));
}

/* Many conditions on many long values take no more memory, or time, than a few. */
TEST(large_cards)
{
	enum { VALUES = 1000, LEN = 4096, CONDITIONS = 98 };
	static struct card_property many[VALUES];
	static char value[LEN + 1];
	const char *conditions = "";
	struct dav_filter f;
	struct arena used;

	memset(value, 'x', LEN);
	for (int i = 0; i < VALUES; i++)
		many[i] = (struct card_property){"", "X-A", "", value, LEN};
	for (int i = 0; i < CONDITIONS; i++)
		conditions = arena_printf(&a, "%s<text-match>y</text-match>", conditions);
	conditions = arena_printf(&a, "<prop-filter name=\"X-A\">%s</prop-filter>", conditions);
	assert_int_equal(read_filter(conditions, &f), DAV_FILTER_OK);
	arena_init(&used);
	assert_false(dav_filter_matches(&f, &used, &(struct card){.properties = many, .n = VALUES}));
	assert_in_range(used.used, LEN, 4 << 20);
	arena_free(&used);
}

static enum dav_filter_error error_of(const char *inner)
{
	struct dav_filter f;

	return read_filter(inner, &f);
}

TEST(filters_that_are_wrong)
{
	const char *many = "";

	assert_int_equal(error_of("<prop-filter/>"), DAV_FILTER_MALFORMED);
	assert_int_equal(error_of("test=\"some\"><prop-filter name=\"FN\"/>"), DAV_FILTER_MALFORMED);
	assert_int_equal(error_of("<comp-filter name=\"FN\"/>"), DAV_FILTER_UNSUPPORTED);
	assert_int_equal(error_of("<prop-filter name=\"FN\"><time-range/></prop-filter>"), DAV_FILTER_UNSUPPORTED);
	assert_int_equal(
	    error_of("<prop-filter name=\"TEL\"><param-filter name=\"TYPE\"/></prop-filter>"), DAV_FILTER_UNSUPPORTED);
	assert_int_equal(
	    error_of("<prop-filter name=\"FN\"><text-match collation=\"i;klingon\">a</text-match></prop-filter>"),
	    DAV_FILTER_COLLATION);
	assert_int_equal(
	    error_of("<prop-filter name=\"FN\"><text-match match-type=\"near\">a</text-match></prop-filter>"),
	    DAV_FILTER_MALFORMED);
	for (int i = 0; i < DAV_CONDITIONS_MAX; i++)
		many = arena_printf(&a, "%s<prop-filter name=\"FN\"/>", many);
	assert_int_equal(error_of(many), DAV_FILTER_OK);
	assert_int_equal(error_of(arena_printf(&a, "%s<prop-filter name=\"FN\"/>", many)), DAV_FILTER_UNSUPPORTED);
}

static bool takes_all(const char *inner)
{
	struct dav_filter f;

	assert_int_equal(read_filter(inner, &f), DAV_FILTER_OK);
	return dav_filter_takes_all(&f);
}

TEST(filters_that_take_all)
{
	struct dav_filter none;

	assert_int_equal(dav_filter_read(&a, NULL, &none), DAV_FILTER_OK);
	assert_true(dav_filter_takes_all(&none));
	assert_true(takes_all("<prop-filter name=\"FN\"/>"));
	assert_true(takes_all("<prop-filter name=\"NOTE\"/><prop-filter name=\"fn\"/>"));
	assert_true(takes_all("test=\"allof\"><prop-filter name=\"UID\"/><prop-filter name=\"FN\"/>"));
	assert_false(takes_all("test=\"allof\"><prop-filter name=\"NOTE\"/><prop-filter name=\"FN\"/>"));
	assert_false(takes_all("<prop-filter name=\"NOTE\"/>"));
	assert_false(takes_all("<prop-filter name=\"FN\"><is-not-defined/></prop-filter>"));
	assert_false(takes_all("<prop-filter name=\"FN\"><text-match>a</text-match></prop-filter>"));
}
