/* For the checker of histories: every answer about a record against every other one. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_ORDER_H
#define KITH_TEST_LIB_HISTORY_HISTORY_ORDER_H

#include "test/lib/history/history_versions.h"

void history_check_order(struct history_checker *c);

#endif
