/* Tracks the events of one webhook: see window.h. */
#include "webhook/window.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

enum { BUCKETS = 256, ROWS_FIRST = 2, LATE_MS = 10000 };

struct window_waiting {
	struct event_position position;
	int64_t due_ms;
};

/* A record with pending rows that hold up later events; rows by position. */
struct window_hold {
	struct window_hold *next;
	struct uuid record;
	size_t n, cap;
	struct window_waiting *rows;
};

/* --- holds ------------------------------------------------------------------------ */

static struct window_hold **hold_slot(const struct window *w, const struct uuid *record)
{
	struct window_hold **slot = &w->holds[record->b[15]]; /* the last bytes of an id are random */

	while (*slot && !uuid_equal(&(*slot)->record, record))
		slot = &(*slot)->next;
	return slot;
}

static struct window_hold *hold_of(const struct window *w, const struct uuid *record)
{
	return w->holds ? *hold_slot(w, record) : NULL;
}

/* The number of rows before the position. */
static size_t hold_before(const struct window_hold *h, const struct event_position *p)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (event_position_compare(&h->rows[middle].position, p) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void window_hold(struct window *w, const struct uuid *record, const struct event_position *position, int64_t due_ms)
{
	struct window_hold **slot, *h;
	size_t i;

	if (!w->holds)
		w->holds = mem_zalloc(BUCKETS * sizeof(struct window_hold *));
	slot = hold_slot(w, record);
	if (!*slot) {
		*slot = mem_zalloc(sizeof **slot);
		(*slot)->record = *record;
	}
	h = *slot;
	if (h->n == h->cap) {
		h->cap = h->cap ? h->cap * 2 : ROWS_FIRST;
		h->rows = mem_realloc(h->rows, h->cap * sizeof *h->rows);
	}
	i = hold_before(h, position);
	memmove(h->rows + i + 1, h->rows + i, (h->n - i) * sizeof *h->rows);
	h->rows[i] = (struct window_waiting){.position = *position, .due_ms = due_ms};
	h->n++;
	w->n_held++;
}

static void window_hold_remove(struct window *w, const struct uuid *record, size_t i)
{
	struct window_hold **slot = hold_slot(w, record), *h = *slot;

	memmove(h->rows + i, h->rows + i + 1, (h->n - i - 1) * sizeof *h->rows);
	w->n_held--;
	if (--h->n > 0)
		return;
	*slot = h->next;
	free(h->rows);
	free(h);
}

/* The row has been read again and is no longer pending. */
static void hold_arrived(struct window *w, const struct window_entry *e)
{
	struct window_hold *h = hold_of(w, &e->record);
	size_t i = h ? hold_before(h, &e->position) : 0;

	if (h && i < h->n && event_position_compare(&h->rows[i].position, &e->position) == 0)
		window_hold_remove(w, &e->record, i);
}

/* The first row that e has to wait for; NULL: none. */
static const struct window_waiting *hold_first(struct window *w, const struct window_entry *e, int64_t now_ms)
{
	struct window_hold *h;

	/* Rows are read by due time: one due long before this one does not exist any more. */
	while ((h = hold_of(w, &e->record)) && event_position_compare(&h->rows[0].position, &e->position) < 0) {
		if (!e->again || h->rows[0].due_ms > now_ms - LATE_MS)
			return &h->rows[0];
		window_hold_remove(w, &e->record, 0);
	}
	return NULL;
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
	for (int i = 0; w->holds && i < BUCKETS; i++)
		for (struct window_hold *h = w->holds[i], *next; h; h = next) {
			next = h->next;
			free(h->rows);
			free(h);
		}
	free(w->holds);
}

static void entry_ready(struct window *w, struct window_entry *e)
{
	list_append(&w->ready, &e->turn);
	w->n_ready++;
}

/* The record's last unfinished entry; entries of a record are linked from the first on. */
static struct window_entry *last_of_record(const struct window *w, const struct uuid *record)
{
	for (struct list *node = w->live.prev; node != &w->live; node = node->prev) {
		struct window_entry *e = list_item(node, struct window_entry, live);
		if (uuid_equal(&e->record, record))
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

/* Ends the entry as a row due after what it waits for. */
static void window_put_off(struct window *w, struct window_entry *e, int64_t behind_ms, int64_t now_ms)
{
	e->due_ms = (behind_ms > now_ms ? behind_ms : now_ms) + WINDOW_BEHIND_MS;
	if (e->attempts < WINDOW_HOLDING_ATTEMPTS)
		window_hold(w, &e->record, &e->position, e->due_ms);
	entry_end(w, e, WINDOW_PUT_OFF);
}

static void entry_enter(struct window *w, struct window_entry *e)
{
	list_init(&e->order);
	list_init(&e->turn);
	list_append(&w->live, &e->live);
	w->n_live++;
	w->bytes += e->body_len;
	hold_arrived(w, e);
	if (e->again)
		w->n_again++;
	else
		list_append(&w->order, &e->order);
}

void window_add_cancelled(struct window *w, struct window_entry *e)
{
	entry_enter(w, e);
	entry_end(w, e, WINDOW_CANCELLED);
}

void window_add(struct window *w, struct window_entry *e, int64_t now_ms)
{
	struct window_entry *last = last_of_record(w, &e->record);
	const struct window_waiting *first;

	entry_enter(w, e);
	first = e->attempts < WINDOW_HOLDING_ATTEMPTS ? hold_first(w, e, now_ms) : NULL;
	if (first)
		window_put_off(w, e, first->due_ms, now_ms);
	else if (last)
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
static void window_let_pass(struct window *w, struct window_entry *e)
{
	struct window_entry *next = e->next_of_record;

	if (next)
		entry_ready(w, next);
}

void window_delivered(struct window *w, struct window_entry *e)
{
	window_let_pass(w, e);
	entry_end(w, e, WINDOW_DELIVERED);
}

void window_cancelled(struct window *w, struct window_entry *e)
{
	window_let_pass(w, e);
	entry_end(w, e, e->again ? WINDOW_CANCELLED : WINDOW_NOTHING);
}

void window_failed(struct window *w, struct window_entry *e, int64_t now_ms, int64_t again_ms)
{
	struct window_entry *next = e->next_of_record;
	int64_t due_ms = now_ms + again_ms;

	e->attempts++;
	e->due_ms = due_ms;
	if (again_ms < 0 || e->attempts >= WINDOW_HOLDING_ATTEMPTS) {
		window_let_pass(w, e);
		entry_end(w, e, again_ms < 0 ? WINDOW_FAILED : WINDOW_AGAIN);
		return;
	}
	window_hold(w, &e->record, &e->position, due_ms);
	entry_end(w, e, WINDOW_AGAIN);
	while ((e = next)) {
		next = e->next_of_record;
		window_put_off(w, e, due_ms, now_ms);
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

	if (!node)
		return NULL;
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
	if (e->again)
		return;
	while (at != &w->order &&
	       event_position_compare(&list_item(at, struct window_entry, order)->position, &e->position) < 0)
		at = at->next;
	list_append(at, &e->order);
}

void window_written(struct window *w, const struct window_entry *e)
{
	if (e->again)
		w->n_again--;
}

const struct event_position *window_position(const struct window *w)
{
	if (list_empty(&w->order))
		return &w->read;
	return &list_item(w->order.next, struct window_entry, order)->before;
}
