/* Events of a request. The steps collect them, and one statement sends them together with COMMIT. So an event exists
 * exactly when its change does, and it costs no round trip. SQL makes the events of changes to sets of rows, such as a
 * delete's cascades, beside the change: server/resource/removal.h. A dry run collects its events and drops them: a
 * rollback would undo the rows, but not the numbers taken from their sequence.
 *
 * A request makes at most one event of each type for a record. The callers ensure this, because they know which changes
 * belong together. */
#ifndef KITH_SERVER_REQUEST_OUTBOX_H
#define KITH_SERVER_REQUEST_OUTBOX_H

#include "server/request/request.h"
#include "webhook/event.h"

/* The content of an event; see migrations/0006_events.sql. It is allocated in the arena of the outbox. What it points
 * to must live until the event is written. */
struct event_out {
	struct event_out *next;
	enum event_type type;
	struct uuid record;
	const struct uuid *groups, *named, *audience;
	size_t n_groups, n_named, n_audience;
	bool has_audience; /* false: everyone may see it */
	bool is_within;
	struct uuid within;
	bool of_object; /* the group of the object in within; it is looked up when the event is written */
	struct uuid object;
	const char *object_type; /* NULL: none */
	const char *data;        /* JSON object; NULL: none */
	size_t data_len;
};

/* Adds an event. Everything but its type and record is zero; the caller fills in the rest. */
struct event_out *outbox_add(struct outbox *o, enum event_type type, const struct uuid *record);

/* Sets the event's data to a copy of the text. */
void outbox_data(struct outbox *o, struct event_out *e, const struct buf *data);

/* Adds the statement that writes the collected events, if there are any (a dry run has none). Call it early when there
 * are many. */
void outbox_write(struct req *r);

/* --- for transaction.c ------------------------------------------------------------ */

/* Call it when the steps of the transaction run again, or when it was rolled back. */
void outbox_forget(struct outbox *o);
/* Call it when the transaction was committed: it notifies those that wait for events. */
void outbox_committed(struct req *r);

#endif
