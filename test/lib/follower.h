/*
 * Who copies a workspace by its lists, then follows the feed and fetches what each
 * event names: what it then holds is what the lists show.
 *
 * Records are kept in a normal form in which what they refer to is an id alone:
 * whoever follows joins names himself, as a renamed company is one event, not one of each of its people.
 */
#ifndef KITH_TEST_FOLLOWER_H
#define KITH_TEST_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test/lib/caller.h"

struct follower {
	struct caller caller;
	const char *(*base)(void *ctx); /* of a server that may serve: asked after every failure */
	void *ctx;
	char cursor[600];
	struct follower_record *records; /* a hash table */
	size_t count, cap;
	/* what happened */
	int events, fetched, failures, empty_pages;
	uint64_t seen; /* a sum over the ids of all events: to compare two followers of the same stretch */
};

void follower_init(struct follower *f, const char *key, const char *(*base)(void *ctx), void *ctx);
void follower_free(struct follower *f);

/* Copies every list; follower_step() then goes on from before the first of them. Tries again until it has come through,
 * or false after so long. */
bool follower_copy(struct follower *f, int64_t until_us);

/* One page of the feed and all that it names; answers how many events it had, -1 when it did not come. */
int follower_step(struct follower *f, int wait_s);

/* How many records differ or are held by one of the two alone; prints the first few. */
int follower_differences(const struct follower *a, const struct follower *b, bool print);

/* The record as it is held, NULL when it is not. */
const char *follower_find(const struct follower *f, const char *id);

#endif
