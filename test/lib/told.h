/*
 * What is told of people who were made: by the feed, to receivers of webhooks. For cmocka tests of a database that
 * goes away and comes back: what goes wrong fails the test, what has to come is waited for.
 */
#ifndef KITH_TEST_TOLD_H
#define KITH_TEST_TOLD_H

#include "test/lib/feed.h"
#include "test/lib/hooked.h"

/* Makes one, with the name as its key, so that what was under way when the database went is done once. Answers the
 * id. */
const char *told_person(struct arena *a, struct caller *c, const char *name);
/* Exactly the creations of these, in this order, come behind the cursor; answers where that ended. */
const char *told_expect(struct arena *a, struct caller *c, const char *cursor, const char *const ids[], int n);
/* How often the record's creation was taken by the receiver. */
int told_taken(struct arena *a, struct receiver *r, const char *id);
/* Once. */
void told_expect_taken(struct arena *a, struct receiver *r, const char *id);

#endif
