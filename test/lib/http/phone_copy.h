/* What a device has of an address book, when it follows the book by sync-collection. For programs with RIG(). */
#ifndef KITH_TEST_LIB_HTTP_PHONE_COPY_H
#define KITH_TEST_LIB_HTTP_PHONE_COPY_H

#include "test/lib/http/phone.h"

enum { PHONE_COPY_MAX = 200 };

struct phone_copy {
	const char *book, *token;
	struct phone_card cards[PHONE_COPY_MAX];
	size_t n;
	size_t answered; /* cards in the latest answers */
	int requests;
	bool at_once; /* does not wait until events can be read */
};

/* Waits until all events can be read: all older transactions have ended, also those of jobs. */
void phone_await_readable(void);

/* Asks until nothing is cut any more. Returns how many cards it was told. */
size_t phone_copy_sync(struct phone *p, struct phone_copy *c, int limit);
void phone_copy_apply(struct phone_copy *c, const struct phone_card *card);
bool phone_copy_has(const struct phone_copy *c, const char *id);
/* Fails unless the copy is what a device that begins now gets. */
void phone_copy_expect_whole(struct phone *p, const struct phone_copy *c);

#endif
