/* Tracks the events of one webhook: see window.h. */
#include "webhook/window.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

enum { BUCKETS = 256 };

/* A pending row that holds up later events of its record. */
struct window_hold {
	struct list link;  /* of its bucket, by position */
	struct list doubt; /* of w->doubts, or of no list */
	struct window_row row;
	int64_t due_ms;
	uint64_t number; /* counts up with each new hold; 0 once the hold's row was read */
};

/* --- holds ------------------------------------------------------------------------ */

static struct list *hold_bucket(const struct window *w, const struct uuid *record)
{
	return &w->holds[record->b[15]]; /* the last bytes of an id are random */
}

static void hold_add(struct window *w, const struct window_row *row, int64_t due_ms, uint64_t number)
{
	struct window_hold *h = mem_alloc(sizeof *h);
	struct list *bucket = hold_bucket(w, &row->record), *at = bucket;

	*h = (struct window_hold){.row = *row, .due_ms = due_ms, .number = number};
	list_init(&h->doubt);
	/* Searched from the end, because most rows come in order. */
	while (at->prev != bucket &&
	       event_position_compare(&list_item(at->prev, struct window_hold, link)->row.position, &row->position) > 0)
		at = at->prev;
	list_append(at, &h->link);
	w->n_held++;
}

void window_hold(struct window *w, const struct window_row *row, int64_t due_ms)
{
	hold_add(w, row, due_ms, 0);
}

/* The entry is about to become a row that holds up others. */
static void hold_add_entry(struct window *w, const struct window_entry *e)
{
	struct window_row row = {.record = e->record, .manual = e->manual, .position = e->position};

	if (e->attempts < WINDOW_HOLDING_ATTEMPTS)
		hold_add(w, &row, e->due_ms, ++w->n_made);
}

static void hold_free(struct window *w, struct window_hold *h)
{
	list_remove(&h->link);
	list_remove(&h->doubt);
	free(h);
	w->n_held--;
}

/* The first row that e has to wait for; NULL: none. Removes e's own row, which has been read again. */
static struct window_hold *hold_first(struct window *w, const struct window_entry *e)
{
	struct window_hold *first = NULL;

	list_each(h, hold_bucket(w, &e->record), struct window_hold, link) {
		int order = event_position_compare(&h->row.position, &e->position);
		if (order > 0 || (first && !e->has_row))
			break;
		if (!uuid_equal(&h->row.record, &e->record) || h->row.manual != e->manual)
			continue;
		if (order == 0)
			hold_free(w, h);
		else if (!first)
			first = h;
	}
	return first;
}

/* --- rows that are gone ------------------------------------------------------------- */

int window_doubts(struct window *w, struct window_row *rows, int max)
{
	int n = 0;

	w->n_asked = w->n_written;
	while (n < max && !list_empty(&w->doubts)) {
		struct window_hold *h = list_item(list_take(&w->doubts), struct window_hold, doubt);
		if (h->number <= w->n_asked)
			rows[n++] = h->row;
	}
	return n;
}

/* Returns the hold of that row. NULL: there is none, or the row was not yet written when the table was read. */
static struct window_hold *hold_asked(struct window *w, const struct window_row *row)
{
	list_each(h, hold_bucket(w, &row->record), struct window_hold, link)
		if (event_position_compare(&h->row.position, &row->position) == 0)
			return h->number <= w->n_asked ? h : NULL;
	return NULL;
}

void window_still_due(struct window *w, const struct window_row *row, int64_t due_ms)
{
	struct window_hold *h = hold_asked(w, row);

	if (h)
		h->due_ms = due_ms;
}

void window_gone(struct window *w, const struct window_row *row)
{
	struct window_hold *h = hold_asked(w, row);

	if (h)
		hold_free(w, h);
}

void window_gone_all(struct window *w)
{
	for (int i = 0; i < BUCKETS && w->n_held; i++)
		list_each(h, &w->holds[i], struct window_hold, link)
			if (h->number <= w->n_asked)
				hold_free(w, h);
}

/* --- the window -------------------------------------------------------------------- */

void window_init(struct window *w, const struct event_position *read)
{
	memset(w, 0, sizeof *w);
	w->read = *read;
	list_init(&w->order);
	list_init(&w->live);
	list_init(&w->ready);
	list_init(&w->ended);
	list_init(&w->doubts);
	w->holds = mem_alloc(BUCKETS * sizeof *w->holds);
	for (int i = 0; i < BUCKETS; i++)
		list_init(&w->holds[i]);
}

void window_entry_free(struct window_entry *e)
{
	free(e->body);
	free(e);
}

void window_free(struct window *w)
{
	struct list *node;

	while ((node = list_take(&w->live)))
		window_entry_free(list_item(node, struct window_entry, live));
	while ((node = list_take(&w->ended)))
		window_entry_free(list_item(node, struct window_entry, turn));
	for (int i = 0; i < BUCKETS; i++)
		while (!list_empty(&w->holds[i]))
			hold_free(w, list_item(w->holds[i].next, struct window_hold, link));
	free(w->holds);
}

static void entry_ready(struct window *w, struct window_entry *e)
{
	list_append(&w->ready, &e->turn);
	w->n_ready++;
}

/* The last unfinished entry of the record of e; entries of a record are linked from the first on. */
static struct window_entry *last_of_record(const struct window *w, const struct window_entry *of)
{
	for (struct list *node = w->live.prev; node != &w->live; node = node->prev) {
		struct window_entry *e = list_item(node, struct window_entry, live);
		if (uuid_equal(&e->record, &of->record) && e->manual == of->manual)
			return e;
	}
	return NULL;
}

static void entry_end(struct window *w, struct window_entry *e, enum window_end how)
{
	list_remove(&e->live);
	w->n_live--;
	w->bytes -= e->body_len;
	free(e->body);
	e->body = NULL;
	e->body_len = 0;
	e->next_of_record = NULL;
	e->end = how;
	list_append(&w->ended, &e->turn);
	w->n_ended++;
}

/* Ends the entry as a row that is due after the one it waits for. */
static void window_defer(struct window *w, struct window_entry *e, int64_t behind_ms, int64_t now_ms)
{
	e->due_ms = (behind_ms > now_ms ? behind_ms : now_ms) + WINDOW_DEFER_MS;
	hold_add_entry(w, e);
	entry_end(w, e, WINDOW_DEFERRED);
}

/* Returns the row that it has to wait for; NULL: none. */
static struct window_hold *entry_enter(struct window *w, struct window_entry *e)
{
	list_init(&e->order);
	list_init(&e->turn);
	list_append(&w->live, &e->live);
	w->n_live++;
	w->bytes += e->body_len;
	if (e->has_row)
		w->n_with_row++;
	else
		list_append(&w->order, &e->order);
	return hold_first(w, e);
}

void window_add_cancelled(struct window *w, struct window_entry *e)
{
	entry_enter(w, e);
	entry_end(w, e, WINDOW_CANCELLED);
}

void window_add(struct window *w, struct window_entry *e, int64_t now_ms)
{
	struct window_entry *last = last_of_record(w, e);
	struct window_hold *first = entry_enter(w, e);

	if (first && e->attempts < WINDOW_HOLDING_ATTEMPTS) {
		/* Rows are read in the order of their due times, so this one should have been read before. */
		if (e->has_row && first->due_ms <= now_ms && list_empty(&first->doubt))
			list_append(&w->doubts, &first->doubt);
		window_defer(w, e, first->due_ms, now_ms);
	} else if (last)
		last->next_of_record = e;
	else
		entry_ready(w, e);
}

struct window_entry *window_take(struct window *w)
{
	struct list *node = list_take(&w->ready);

	if (!node)
		return NULL;
	w->n_ready--;
	return list_item(node, struct window_entry, turn);
}

void window_returned(struct window *w, struct window_entry *e)
{
	list_append(w->ready.next, &e->turn);
	w->n_ready++;
}

/* The entry no longer holds up others of its record. */
static void window_release_next(struct window *w, struct window_entry *e)
{
	struct window_entry *next = e->next_of_record;

	if (next)
		entry_ready(w, next);
}

void window_delivered(struct window *w, struct window_entry *e)
{
	window_release_next(w, e);
	entry_end(w, e, WINDOW_DELIVERED);
}

void window_failed(struct window *w, struct window_entry *e, int64_t now_ms, int64_t retry_ms)
{
	struct window_entry *next = e->next_of_record;
	int64_t due_ms = now_ms + retry_ms;

	e->attempts++;
	e->due_ms = due_ms;
	if (retry_ms < 0 || e->attempts >= WINDOW_HOLDING_ATTEMPTS) {
		window_release_next(w, e);
		entry_end(w, e, retry_ms < 0 ? WINDOW_FAILED : WINDOW_RETRY);
		return;
	}
	hold_add_entry(w, e);
	entry_end(w, e, WINDOW_RETRY);
	while ((e = next)) {
		next = e->next_of_record;
		window_defer(w, e, due_ms, now_ms);
	}
}

/* --- writing ------------------------------------------------------------------------ */

bool window_empty(const struct window *w)
{
	return w->n_live == 0 && w->n_ended == 0;
}

struct window_entry *window_ended(struct window *w)
{
	struct list *node = list_take(&w->ended);
	struct window_entry *e;

	if (!node) {
		w->n_taken = w->n_made;
		return NULL;
	}
	w->n_ended--;
	e = list_item(node, struct window_entry, turn);
	list_remove(&e->order);
	return e;
}

void window_put_back(struct window *w, struct window_entry *e)
{
	struct list *at = w->order.next;

	list_append(w->ended.next, &e->turn);
	w->n_ended++;
	w->n_taken = w->n_written;
	if (e->has_row)
		return;
	while (at != &w->order &&
	       event_position_compare(&list_item(at, struct window_entry, order)->position, &e->position) < 0)
		at = at->next;
	list_append(at, &e->order);
}

void window_written(struct window *w, struct window_entry *e)
{
	w->n_with_row -= e->has_row;
	window_entry_free(e);
}

void window_batch_written(struct window *w)
{
	w->n_written = w->n_taken;
}

const struct event_position *window_position(const struct window *w)
{
	if (list_empty(&w->order))
		return &w->read;
	return &list_item(w->order.next, struct window_entry, order)->before;
}
