/* Cursors of the event feed: a position sealed for the workspace only, so that the feed can continue from the
 * X-Events-Cursor of any list. Those of a record's history are sealed for the record, too: in the feed they would
 * pass over the events of all other records. A history can continue from a cursor of the feed, which has passed over
 * none. */
#ifndef KITH_SERVER_REQUEST_EVENT_CURSOR_H
#define KITH_SERVER_REQUEST_EVENT_CURSOR_H

#include "server/base/cursor.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* Returns out. */
char *event_cursor_seal(struct req *r, const struct event_position *p, char out[CURSOR_SIZE]);

/* False when it is not a cursor of this workspace, or of another record's history. */
bool event_cursor_open(struct req *r, struct event_position *p, const char *text, size_t len);

/* Adds X-Events-Cursor to a list's answer: the list includes everything committed before it, and may miss what was
 * committed after it. */
void event_cursor_header(struct req *r);

#endif
