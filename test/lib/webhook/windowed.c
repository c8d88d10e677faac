/* See windowed.h. */
#include "test/lib/webhook/windowed.h"

#include "server/base/arena.h"

struct uuid windowed_record(int n)
{
	struct uuid id = {{0}};
	id.b[15] = (unsigned char)n;
	id.b[7] = 1;
	return id;
}

struct event_position windowed_position(int64_t seq)
{
	return (struct event_position){.xid = 7, .seq = seq, .at_ms = 1000};
}

struct window_entry *windowed_entry(int64_t seq, int record, bool has_row, int attempts)
{
	struct window_entry *e = mem_zalloc(sizeof *e);
	e->position = windowed_position(seq);
	e->before = windowed_position(seq - 1);
	e->record = windowed_record(record);
	e->has_row = has_row;
	e->attempts = attempts;
	e->body = mem_dupz("body");
	e->body_len = 4;
	return e;
}

void windowed_hold(struct window *w, int64_t seq, int record, int64_t due_ms)
{
	struct window_row row = {.record = windowed_record(record), .position = windowed_position(seq)};

	window_hold(w, &row, due_ms);
}
