/* Cursors of the event feed: a position that is sealed only for the workspace, so that the feed can continue from the
 * X-Events-Cursor of any list. A cursor of a record's history, or of a filter, is sealed for these, too: in the feed it
 * would skip all other events. A history can continue from a cursor of the feed, because the feed skips nothing. A
 * cursor with the newest first is only for the same order, filters and history. */
#ifndef KITH_SERVER_REQUEST_EVENT_CURSOR_H
#define KITH_SERVER_REQUEST_EVENT_CURSOR_H

#include "server/base/cursor.h"
#include "server/request/request.h"
#include "webhook/event.h"

/* newest: for the page behind, with the newest first. Returns out. */
char *event_cursor_seal(struct req *r, const struct event_position *p, bool newest, char out[CURSOR_SIZE]);

/* Returns false when the text is not a cursor of this workspace, or belongs to another history, filter or order. */
bool event_cursor_open(struct req *r, struct event_position *p, bool newest, const char *text, size_t len);

/* Adds X-Events-Cursor to the answer of a list. The list includes everything that was committed before this cursor, and
 * may lack what was committed after it. */
void event_cursor_header(struct req *r);

#endif
