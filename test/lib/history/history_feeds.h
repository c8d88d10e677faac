/* For the checker of histories: followers, copies and webhooks. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_FEEDS_H
#define KITH_TEST_LIB_HISTORY_HISTORY_FEEDS_H

#include "test/lib/history/history_versions.h"

void history_check_feeds(struct history_checker *c);

#endif
