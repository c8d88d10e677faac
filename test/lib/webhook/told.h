/* Events about created people, in the feed and at receivers of webhooks. For cmocka tests in which the database goes
 * away and comes back: errors fail the test, outstanding events are waited for. */
#ifndef KITH_TEST_LIB_WEBHOOK_TOLD_H
#define KITH_TEST_LIB_WEBHOOK_TOLD_H

#include "test/lib/http/feed_reader.h"
#include "test/lib/webhook/hooked.h"

/* Creates a person, with the name as key, so that a request in progress when the database went down is done once.
 * Returns the id. */
const char *told_person(struct arena *a, struct caller *c, const char *name);
/* Checks that exactly the creations of these, in this order, follow the cursor; returns the new cursor. */
const char *told_expect(struct arena *a, struct caller *c, const char *cursor, const char *const ids[], int n);
/* How often the receiver accepted the record's creation. */
int told_taken(struct arena *a, struct receiver *r, const char *id);
/* Checks that it was once. */
void told_expect_taken(struct arena *a, struct receiver *r, const char *id);

#endif
