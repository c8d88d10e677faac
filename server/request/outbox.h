/*
 * Events of a request: gathered while its steps run, written by one statement
 * that travels with COMMIT. So an event is there exactly when its change is, and
 * costs no round trip. What is changed by set (a delete's cascades) has its events
 * made by SQL beside the change: server/resource/removal_events.h.
 *
 * One request gives at most one event of each type for a record: its callers see
 * to that, because they know what belongs together.
 */
#ifndef KITH_SERVER_REQUEST_OUTBOX_H
#define KITH_SERVER_REQUEST_OUTBOX_H

#include "server/request/request.h"
#include "webhook/event.h"

/* What is written; see migrations/0006_events.sql. Lies in the arena of r->events; what it points to lives until it is
 * written. */
struct event_out {
	struct event_out *next;
	enum event_type type;
	struct uuid record;
	const struct uuid *groups, *named, *audience;
	size_t n_groups, n_named, n_audience;
	bool has_audience; /* else everybody may know of it */
	bool is_within;
	struct uuid within;
	bool of_object; /* within: the group of this object, looked up when it is written */
	struct uuid object;
	const char *object_type; /* NULL: none */
	const char *data;        /* JSON object; NULL: none */
	size_t data_len;
};

/* A new event of the request, zero but for type and record; the caller fills in the rest. */
struct event_out *events_add(struct req *r, enum event_type type, const struct uuid *record);

/* Gives the event the text as its data, copied. */
void events_data(struct req *r, struct event_out *e, const struct buf *data);

/* The only event of the request may travel in this named statement, an INSERT or UPDATE of its
 * record that goes out with COMMIT: a statement less is a third of an event's cost. */
void events_carry(struct req *r, struct sql *s);

/* Adds the statement that writes what was gathered, if anything was: due when there is much of it. */
void events_write(struct req *r);
/* Of what was gathered. */
size_t events_bytes(const struct req *r);

/* --- for transaction.c ------------------------------------------------------------ */

/* The transaction's steps run again, or it was rolled back. */
void events_forget(struct req *r);
/* It was committed: whoever waits for events is woken. */
void events_committed(struct req *r);

#endif
