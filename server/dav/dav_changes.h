/* What happened in an address book, read from the feed of events. The statements belong to exchanges of the lane FEED.
 */
#ifndef KITH_SERVER_DAV_DAV_CHANGES_H
#define KITH_SERVER_DAV_DAV_CHANGES_H

#include "server/dav/dav_work.h"
#include "webhook/event.h"

/* --- the state of a book -------------------------------------------------------------------- */

struct book_state {
	/* The last event of the book, or a later position up to which it has none. Positions are equal while nothing
	 * happens in the book, with rare exceptions. */
	struct event_position at;
	int64_t generation; /* the current generation of events, and the horizon in it */
	uint64_t xmin;
};
/* The states of these books, a row each. */
void book_states_sql(struct req *r, const struct dav_book *books, size_t n, int *at);
void book_state_read(const struct req *r, int at, int row, struct book_state *state);
/* Adds the statement that finds the event of a position; book_has_event() reads it. A database that was restored may
 * lack it, and then other changes, too, that a client has seen. */
void book_event_sql(struct req *r, const struct event_position *p, int *at);
bool book_has_event(const struct req *r, const struct event_position *p, int at);
/* The time of the oldest position from which a token can go on: events before it may be gone. */
int64_t book_first_ms(const struct req *r);

/* --- changes -------------------------------------------------------------------------------- */

/* A walk over the events of the book of the path. */
struct book_walk {
	struct event_position after, until;
	int most; /* events of the book that one statement reads */
};
/* The cards with events of the walk, and where it ended. book_change_read() reads a row; false: it has no card. *gone:
 * the book does not have the card any more. */
void book_changes_sql(struct req *r, const struct book_walk *w, int *at);
bool book_change_read(struct req *r, int at, int row, struct dav_card *card, bool *gone);
/* Moves w->after to where the statement ended. False: the walk is not over. */
bool book_changes_end(const struct req *r, int at, struct book_walk *w);

#endif
