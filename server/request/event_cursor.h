/* Cursors of the event feed: a position that is sealed only for the workspace, so that the feed can continue from the
 * X-Events-Cursor of any list. A cursor of a record's history is sealed for the record, too: in the feed it would skip
 * the events of all other records. A history can continue from a cursor of the feed, because the feed skips nothing. */
#ifndef KITH_SERVER_REQUEST_EVENT_CURSOR_H
#define KITH_SERVER_REQUEST_EVENT_CURSOR_H

#include "server/base/cursor.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* Returns out. */
char *event_cursor_seal(struct req *r, const struct event_position *p, char out[CURSOR_SIZE]);

/* Returns false when the text is not a cursor of this workspace, or belongs to the history of another record. */
bool event_cursor_open(struct req *r, struct event_position *p, const char *text, size_t len);

/* Adds X-Events-Cursor to the answer of a list. The list includes everything that was committed before this cursor, and
 * may lack what was committed after it. */
void event_cursor_header(struct req *r);

#endif
