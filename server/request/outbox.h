/* Events of a request: collected by its steps, written by one statement sent together with COMMIT. So an event
 * exists exactly when its change does, and costs no round trip. Events of changes made by set (a delete's cascades)
 * are made by SQL beside the change: server/resource/removal.h.
 * A dry run collects its events and drops them: a rollback would take back the rows, but not the numbers from their
 * sequence.
 *
 * A request makes at most one event of each type for a record. The callers ensure this, as they know what belongs
 * together. */
#ifndef KITH_SERVER_REQUEST_OUTBOX_H
#define KITH_SERVER_REQUEST_OUTBOX_H

#include "server/request/request.h"
#include "webhook/event.h"

/* The content of an event; see migrations/0006_events.sql. Allocated in the arena of r->events; what it points to
 * must live until it is written. */
struct event_out {
	struct event_out *next;
	enum event_type type;
	struct uuid record;
	const struct uuid *groups, *named, *audience;
	size_t n_groups, n_named, n_audience;
	bool has_audience; /* otherwise everybody may know of it */
	bool is_within;
	struct uuid within;
	bool of_object; /* within: the group of this object, looked up when it is written */
	struct uuid object;
	const char *object_type; /* NULL: none */
	const char *data;        /* JSON object; NULL: none */
	size_t data_len;
};

/* A new event of the request, zero except for type and record; the caller fills in the rest. */
struct event_out *outbox_add(struct req *r, enum event_type type, const struct uuid *record);

/* Sets the event's data to a copy of the text. */
void outbox_data(struct req *r, struct event_out *e, const struct buf *data);

/* A request's only event may be written by this named statement, an INSERT or UPDATE of its record that is sent with
 * COMMIT: saving a statement is a third of an event's cost. */
void outbox_carry(struct req *r, struct sql *s);

/* Adds the statement that writes the collected events, if any (none in a dry run). To be called early when there are
 * many. */
void outbox_write(struct req *r);
/* The size of the collected events. */
size_t outbox_bytes(const struct req *r);

/* --- for transaction.c ------------------------------------------------------------ */

/* To be called when the transaction's steps run again, or it was rolled back. */
void outbox_forget(struct req *r);
/* To be called when it was committed: notifies those waiting for events. */
void outbox_committed(struct req *r);

#endif
