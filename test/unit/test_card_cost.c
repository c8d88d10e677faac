/* What large and hostile vCards cost. */
#include "server/card/card.h"
#include "test/lib/case_arena.h"
#include "test/lib/test.h"

CASE_ARENA();

#define BEGIN "BEGIN:VCARD\r\nVERSION:3.0\r\n"
#define END "END:VCARD\r\n"

enum { COST_MOST = 16 << 20, LONG = 500 };

static void add_lines(struct buf *text, const char *begin, int digits, const char *end, int n)
{
	for (int i = 0; i < n; i++)
		buf_printf(text, "%s%0*d%s\n", begin, digits, digits > 1 ? i : 0, end);
}

/* Memory tells how often values are made, and is the same on all machines. kept NULL: a new record. */
static void check_cost(const struct buf *card, const struct buf *kept, const char *about)
{
	struct card_kept before = {.text = kept ? kept->data : "", .len = kept ? kept->len : 0, .uid = "", CARD_3_0};
	struct card_change change;
	struct card read;
	size_t used = a.used;

	assert_null(card_read(&a, card->data, card->len, &read));
	card_change(&a, &read, &(struct card_before){.kind = ID_PERSON, .kept = &before, .seen = !kept}, &change);
	if (a.used - used > COST_MOST)
		fail_msg("%s: %zu bytes", about, a.used - used);
}

TEST(test_what_large_cards_cost)
{
	static const char *const lists[][2] = {{"EMAIL:", ""}, {"TEL;TYPE=x:", ""}, {"ADR:;;", ";;;;"}, {"TITLE:", ""},
	    {"BDAY:", ""}, {"CATEGORIES:", ""}, {"X-A:", ""}};
	struct buf card, kept;

	buf_init(&card, 4 << 20);
	buf_init(&kept, 4 << 20);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		buf_clear(&card);
		buf_clear(&kept);
		add_lines(&kept, lists[i][0], LONG, lists[i][1], 400);
		buf_printf(&card, BEGIN "FN:A\r\n%s" END, kept.data);
		check_cost(&card, NULL, lists[i][0]);
		check_cost(&card, &kept, lists[i][0]);
	}
	/* What the labels label is in the card, but is found late. */
	buf_clear(&card);
	buf_clear(&kept);
	buf_addz(&card, BEGIN "FN:A\r\n");
	add_lines(&card, "TEL:2", 1, "", 400);
	buf_addz(&card, "TEL:0\r\n" END);
	add_lines(&kept, "i.TEL:", 1, "", 100);
	add_lines(&kept, "i.X-ABLABEL:x", 1, "", 100);
	check_cost(&card, &kept, "labels");
	buf_free(&kept);
	buf_free(&card);
}

/* Each word is looked for among the groups, again whenever the card is read. */
TEST(test_words_count_as_properties)
{
	struct card_change change;
	struct card read;
	struct buf card;

	buf_init(&card, 4 << 20);
	for (int n = CARD_KEPT_PROPERTIES_MAX; n <= CARD_KEPT_PROPERTIES_MAX + 1; n++) {
		buf_clear(&card);
		buf_addz(&card, BEGIN "FN:A\r\nCATEGORIES:x");
		for (int i = 1; i < n; i++)
			buf_addz(&card, ",x");
		buf_addz(&card, "\r\n" END);
		assert_null(card_read(&a, card.data, card.len, &read));
		card_change(&a, &read, &(struct card_before){.kind = ID_PERSON, .seen = true}, &change);
		assert_int_equal(change.kept_too_much, n > CARD_KEPT_PROPERTIES_MAX);
	}
	buf_free(&card);
}
