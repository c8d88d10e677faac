/* Rows of table events, compared with what tests expect. */
#ifndef KITH_TEST_LIB_DB_EVENT_ROWS_H
#define KITH_TEST_LIB_DB_EVENT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "test/lib/server/command.h"

/* The number of the latest transaction that wrote an event; 0: there is none. */
int64_t event_rows_last(const struct program *p);

/* Compares the events of transactions after that number, in order, with a JSON array of {type, record, groups?,
 * named?, within?, objectType?, audience?, changes?, details?}: ids with prefixes, empty and null members absent.
 * NULL when equal, else the actual events, in the arena. */
const char *event_rows_differ(const struct program *p, struct arena *a, int64_t after, const char *expected);

#endif
