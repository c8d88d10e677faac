/* The rows of table events as tests expect them. */
#ifndef KITH_TEST_EVENT_ROWS_H
#define KITH_TEST_EVENT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "test/lib/command.h"

/* The number of the newest transaction that wrote one; 0: there is no event. */
int64_t event_rows_last(const struct program *p);

/*
 * Compares the events of transactions behind that number, in order, with a
 * JSON array of {type, record, groups?, named?, within?, objectType?, audience?,
 * changes?, details?}: ids with their prefixes, what is empty or null absent. NULL
 * when they are equal, else what there is, in the arena.
 */
const char *event_rows_differ(const struct program *p, struct arena *a, int64_t after, const char *expected);

#endif
