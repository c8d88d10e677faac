/* Entries and rows of a webhook's window (webhook/window.h), made of numbers. */
#ifndef KITH_TEST_LIB_WEBHOOK_WINDOWED_H
#define KITH_TEST_LIB_WEBHOOK_WINDOWED_H

#include "webhook/window.h"

struct uuid windowed_record(int n);
struct event_position windowed_position(int64_t seq);
struct window_entry *windowed_entry(int64_t seq, int record, bool has_row, int attempts);
/* Adds a row that holds up others. */
void windowed_hold(struct window *w, int64_t seq, int record, int64_t due_ms);

#endif
