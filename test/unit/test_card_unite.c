/* server/card/card_keep.c: what is kept of the cards of two records that become one. */
#include <string.h>

#include "server/card/card_private.h"
#include "store/resources.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

static struct card_kept kept_of(const char *text, enum card_version version)
{
	return (struct card_kept){.text = text, .len = strlen(text), .uid = "", .version = version};
}

static void expect_united(const char *first, const char *other, const char *both)
{
	struct card_kept a1 = kept_of(first, CARD_3_0), a2 = kept_of(other, CARD_3_0),
	                 united = card_unite(&a, ID_PERSON, &a1, &a2);

	assert_string_equal(arena_dup(&a, united.text, united.len), both);
}

TEST(equal_properties_are_kept_once)
{
	expect_united("", "", "");
	expect_united("X-A:1", "", "X-A:1");
	expect_united("", "X-A:1", "X-A:1");
	expect_united("X-A:1", "x-a:1", "X-A:1");
	expect_united("X-A:1", "X-A:2\nPHOTO;ENCODING=b:AAAA", "X-A:1\nX-A:2\nPHOTO;ENCODING=b:AAAA");
	expect_united("TEL;TYPE=home:1", "TEL;TYPE=work:1\nTEL;TYPE=work:2", "TEL;TYPE=home:1\nTEL;TYPE=work:2");
	expect_united("CATEGORIES:a", "CATEGORIES:b\nCATEGORIES:a", "CATEGORIES:a\nCATEGORIES:b");
}

TEST(some_properties_may_be_there_only_once)
{
	expect_united("N:B;A;;;", "N:D;C;;;", "N:B;A;;;");
	expect_united("BDAY:--0412", "BDAY:--0413\nANNIVERSARY:2000-01-01", "BDAY:--0412\nANNIVERSARY:2000-01-01");
}

TEST(labels_stay_with_what_they_label)
{
	expect_united("item1.TEL:1\nitem1.X-ABLabel:Car", "item1.TEL:2\nitem1.X-ABLabel:Boat",
	    "item1.TEL:1\nitem1.X-ABLabel:Car\nitem1x.TEL:2\nitem1x.X-ABLabel:Boat");
	expect_united("TEL;TYPE=home:1", "item1.TEL:1\nitem1.X-ABLabel:Boat", "TEL;TYPE=home:1");
}

TEST(versions_are_converted)
{
	struct card_kept first = kept_of("TEL;TYPE=home:1", CARD_3_0),
	                 other = kept_of("TEL;TYPE=work;PREF=1:2", CARD_4_0), united;

	united = card_unite(&a, ID_PERSON, &first, &other);
	assert_int_equal(united.version, CARD_3_0);
	assert_non_null(strstr(united.text, "TYPE=pref"));
	united = card_unite(&a, ID_PERSON, NULL, &other);
	assert_int_equal(united.version, CARD_4_0);
	assert_string_equal(united.uid, "");
	united = card_unite(&a, ID_PERSON, &first, NULL);
	assert_string_equal(united.text, first.text);
}

TEST(limits_of_two_cards)
{
	enum { LONG = 600 << 10 };
	char *first = arena_alloc(&a, LONG), *other = arena_alloc(&a, LONG);
	struct card_kept a1, a2, united;

	memset(first, 'a', LONG - 1);
	memcpy(first, "X-A:", 4);
	memset(other, 'b', LONG - 1);
	memcpy(other, "X-B:2\nX-C:", 10);
	a1 = kept_of(first, CARD_3_0);
	a2 = kept_of(other, CARD_3_0);
	united = card_unite(&a, ID_PERSON, &a1, &a2);
	assert_int_equal(united.len, a1.len + strlen("\nX-B:2"));
}

TEST(test_items_are_as_long_as_the_fields)
{
	static const enum id_kind kinds[] = {ID_PERSON, ID_COMPANY};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (const struct card_row *row = card_rows(kinds[k]); row->name; row++) {
			const struct resource *of = kinds[k] == ID_PERSON ? &person_resource : &company_resource;
			int i = 0;
			if (row->shape < CARD_URL)
				continue;
			while (strcmp(of->fields[i].name, row->member) != 0)
				i++;
			assert_int_equal(row->max, of->fields[i].item_max);
		}
}
