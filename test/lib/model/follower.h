/* A client that copies a workspace by its lists, then follows the feed and fetches what each event names. Its
 * records must then equal the lists.
 *
 * Records are stored in a normal form in which references are ids only: followers look names up themselves, as
 * renaming a company makes one event, not one for each of its people. */
#ifndef KITH_TEST_LIB_MODEL_FOLLOWER_H
#define KITH_TEST_LIB_MODEL_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test/lib/http/caller.h"

struct follower {
	struct caller caller;
	const char *(*base)(void *ctx); /* of a running server: called after every failure */
	void *ctx;
	char cursor[600];
	struct follower_record *records; /* a hash table */
	size_t count, cap;
	/* statistics */
	int events, fetched, failures, empty_pages;
	uint64_t seen; /* a sum over the ids of all events: to compare two followers of the same range */
};

void follower_init(struct follower *f, const char *key, const char *(*base)(void *ctx), void *ctx);
void follower_free(struct follower *f);

/* Copies every list; follower_step() then continues from before the first of them. Retries until it succeeds, or
 * returns false at until_us. */
bool follower_copy(struct follower *f, int64_t until_us);

/* Reads one page of the feed and fetches what it names; returns its number of events, -1 on failure. */
int follower_step(struct follower *f, int wait_s);

/* The number of records that differ or that only one of them has; prints the first few. */
int follower_differences(const struct follower *a, const struct follower *b, bool print);

/* The stored record, NULL when there is none. */
const char *follower_find(const struct follower *f, const char *id);

#endif
