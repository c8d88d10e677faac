/* Arbitrary bytes as a vCard that a client sends, new or for a record. What was made from it must come back unchanged.
 */
#include <stdint.h>
#include <stdlib.h>

#include "server/card/card.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char record_text[] =
    "{\"id\":\"per_01990000-0000-7000-8000-000000000001\",\"firstName\":\"Ada\",\"lastName\":\"Lee\",\"fullName\":"
    "\"Ada "
    "Lee\",\"companies\":[{\"id\":\"com_1\",\"name\":\"Acme\"}],\"emails\":[\"a@b\",\"c@d\"],\"phones\":[\"1\"],"
    "\"addresses\":[\"Main St, Town\"],\"updatedAt\":\"2026-01-31T10:00:00.123Z\"}";
static const char kept_text[] = "item1.EMAIL;TYPE=WORK:c@d\nitem1.X-ABLabel:Büro\nPHOTO;ENCODING=b:AAAA\nN:Lee;Ada;M;;";

static void send_card(struct arena *a, const struct json *record, const struct card *card, bool seen)
{
	const struct card_kept kept = {kept_text, sizeof kept_text - 1, "", CARD_3_0};
	struct card_before before = {.kind = ID_PERSON, .record = record, .kept = record ? &kept : NULL, .seen = seen};
	struct card_change change;
	struct card again;
	struct buf out;

	card_change(a, card, &before, &change);
	buf_init(&out, 16 << 20);
	for (int version = CARD_3_0; version <= CARD_4_0; version++) {
		buf_clear(&out);
		card_write(&out, ID_PERSON, record ? record : change.body, &change.kept, version, "tag");
		if (!change.kept_too_much && !out.overflow && out.len <= CARD_MAX &&
		    card_read(a, out.data, out.len, &again))
			abort();
	}
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct card card;
	const char *error;

	arena_init(&a);
	if (!card_read(&a, (const char *)data, size, &card)) {
		send_card(&a, NULL, &card, true);
		for (int seen = 0; seen < 2; seen++)
			send_card(&a, json_read(&a, record_text, sizeof record_text - 1, &error), &card, seen);
	}
	arena_free(&a);
	return 0;
}
