/* See phone_copy.h. */
#include "test/lib/http/phone_copy.h"

#include <string.h>

#include "test/lib/rows.h"

void phone_await_readable(void)
{
	await_rows(0, "events where (generation, xid) >= (kith_generation(), "
	              "pg_snapshot_xmin(pg_current_snapshot())::text::bigint)");
}

void phone_copy_apply(struct phone_copy *c, const struct phone_card *card)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->cards[i].name, card->name) != 0)
		i++;
	if (card->status == 404) {
		if (i < c->n)
			c->cards[i] = c->cards[--c->n];
		return;
	}
	assert_int_equal(card->status, 200);
	assert_true(*card->tag && i < PHONE_COPY_MAX);
	c->cards[i] = *card;
	c->n += i == c->n;
}

size_t phone_copy_sync(struct phone *p, struct phone_copy *c, int limit)
{
	struct phone_cards got;

	c->answered = 0;
	c->requests = 0;
	if (!c->at_once)
		phone_await_readable();
	do {
		got = phone_sync(p, c->book, c->token ? c->token : "", limit);
		if (got.status != 207)
			fail_msg("%d %s", got.status, got.body);
		assert_true(*got.token);
		assert_true(!limit || got.n <= (size_t)limit);
		for (size_t i = 0; i < got.n; i++)
			phone_copy_apply(c, &got.cards[i]);
		c->answered += got.n;
		c->token = got.token;
		assert_true(++c->requests < 100);
	} while (got.cut);
	return c->answered;
}

bool phone_copy_has(const struct phone_copy *c, const char *id)
{
	for (size_t i = 0; i < c->n; i++)
		if (strncmp(c->cards[i].name, id, strlen(id)) == 0)
			return true;
	return false;
}

void phone_copy_expect_whole(struct phone *p, const struct phone_copy *c)
{
	struct phone_copy fresh = {.book = c->book};

	phone_copy_sync(p, &fresh, 0);
	assert_int_equal(fresh.n, c->n);
	for (size_t i = 0; i < c->n; i++) {
		size_t j = 0;
		while (j < fresh.n && strcmp(fresh.cards[j].name, c->cards[i].name) != 0)
			j++;
		if (j == fresh.n || strcmp(fresh.cards[j].tag, c->cards[i].tag) != 0)
			fail_msg("%s is not what the book has", c->cards[i].name);
	}
}
