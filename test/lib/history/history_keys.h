/* For the checker of histories: what was done, once; tags and conditions. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_KEYS_H
#define KITH_TEST_LIB_HISTORY_HISTORY_KEYS_H

#include "test/lib/history/history_versions.h"

void history_check_keys(struct history_checker *c);

#endif
