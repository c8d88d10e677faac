/* See told.h. */
#include "test/lib/webhook/told.h"

#include <string.h>

#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { WAIT_MS = 60000 };

const char *told_person(struct arena *a, struct caller *c, const char *name)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct caller_answer made;

	do {
		made = caller_sendf(c, "POST", "/v1/people", name, "{\"firstName\":\"%s\"}", name);
	} while ((made.status == 503 || made.status == 0) && patience_pause(until_us));
	if (made.status != 200)
		fail_msg("%s: %d %s %s", name, made.status, made.reply.body, made.error);
	return arena_dupz(a, made.id);
}

const char *told_expect(struct arena *a, struct caller *c, const char *cursor, const char *const ids[], int n)
{
	int64_t until_us = patience_ms(WAIT_MS);
	int got = 0;

	for (;;) {
		struct feed_page page = feed_get(c, cursor, 100, got < n ? 1 : -1);
		if (page.answer.status == 503 && patience_pause(until_us))
			continue;
		if (page.answer.status != 200)
			fail_msg("%d %s", page.answer.status, page.answer.reply.body);
		cursor = page.cursor;
		for (size_t i = 0; i < page.n; i++) {
			if (strcmp(page.items[i].type, "person.created") != 0)
				continue;
			assert_true(got < n);
			assert_string_equal(page.items[i].record, ids[got++]);
		}
		if (got == n && page.n == 0)
			return arena_dupz(a, cursor);
		assert_true(page.n > 0 || patience_pause(until_us));
	}
}

int told_taken(struct arena *a, struct receiver *r, const char *id)
{
	int n = 0;

	for (int i = 0; i < receiver_count(r); i++) {
		const struct receiver_request *q = receiver_request(r, i);
		n += q->status == 200 && strcmp(hooked_event(a, q).record, id) == 0;
	}
	return n;
}

void told_expect_taken(struct arena *a, struct receiver *r, const char *id)
{
	int64_t until_us = patience_ms(WAIT_MS);

	while (told_taken(a, r, id) == 0 && patience_pause(until_us))
		;
	assert_int_equal(told_taken(a, r, id), 1);
}
